package wire

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"akx/view/fault"
	"akx/view/identity"
)

// TestShapesCoverTheSchema: one shape for every $defs name (Appendix B).
func TestShapesCoverTheSchema(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "spec", "agent-knowledge-1.0.schema.json"))
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("no specification beside the repository")
	}
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Defs map[string]json.RawMessage `json:"$defs"`
	}
	if err := json.Unmarshal(data, &schema); err != nil {
		t.Fatal(err)
	}
	shapes := Shapes()
	for name := range schema.Defs {
		if shapes[name] == nil {
			t.Errorf("no shape for %s", name)
		}
		delete(shapes, name)
	}
	for name := range shapes {
		t.Errorf("the schema has no %s", name)
	}
}

// TestDocumentsHaveTheirShapes holds everything that a service writes to the
// protocol's schema.
func TestDocumentsHaveTheirShapes(t *testing.T) {
	all := records(t, 1, 2)
	stamp := Stamp{Service: origin, Checkpoint: 2, AsOf: 9}
	ids := []identity.ID{all[0].Event.ID(), all[1].Event.ID()}
	filter, err := ParseQuery([]Param{{"kind", "question"}, {"created_from", "0"}, {"tag", "a"}})
	if err != nil {
		t.Fatal(err)
	}
	discovery := Discovery{Service: origin, Advertised: DefaultEndpoints(origin, true), Features: []string{RankedSearch},
		Modes: []string{"lexical"}, Peers: []identity.Origin{"https://p.example"}, Limits: []Limit{{"max_envelope_bytes", 5}}}
	for name, text := range map[string][]byte{
		"acceptanceRecord":  all[0].Append(nil),
		"queryResponse":     QueryResponse{Stamp: stamp, Records: all, Next: "x"}.Append(nil),
		"batchResponse":     BatchResponse{Stamp: stamp, Records: all[:1], Missing: ids[1:]}.Append(nil),
		"batchRequest":      BatchRequest{IDs: ids}.Append(nil),
		"searchRequest":     SearchRequest{Text: "\"\n\u2028", Mode: Lexical, Filter: filter.Filter, Limit: 5}.Append(nil),
		"searchResponse":    SearchResponse{Stamp: stamp, Hits: []Hit{{all[1], "w"}, {all[0], ""}}, Ranking: Ranking{Semantic, "r"}, Coverage: Coverage{Reasons: []string{"approximate"}}}.Append(nil),
		"discoveryDocument": discovery.Append(nil),
	} {
		v, err := identity.Parse(text)
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, text)
		}
		if r := Shapes()[name](v); r != nil {
			t.Errorf("%s: %v\n%s", name, r, text)
		}
	}
}

// edit changes one thing of a document.
type edit struct {
	name string
	from func(doc map[string]any)
	code fault.Code
}

// doc reads a document for an edit.
func doc(t *testing.T, text []byte) map[string]any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	var m map[string]any
	if err := d.Decode(&m); err != nil {
		t.Fatal(err)
	}
	return m
}

func marshal(t *testing.T, doc map[string]any) []byte {
	t.Helper()
	b, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func item(doc map[string]any, i int) map[string]any { return doc["result"].([]any)[i].(map[string]any) }

// stampEdits are changes that every answer is refused for (9.3.1).
func stampEdits() []edit {
	return []edit{
		{"as it is", func(map[string]any) {}, ""},
		{"unknown members", func(d map[string]any) { d["note"] = map[string]any{"a": 1} }, ""},
		{"another service", func(d map[string]any) { d["service"] = "https://other.example" }, fault.InvalidResponse},
		{"no service", func(d map[string]any) { delete(d, "service") }, fault.InvalidResponse},
		{"no checkpoint", func(d map[string]any) { delete(d, "checkpoint") }, fault.InvalidResponse},
		{"no as_of", func(d map[string]any) { delete(d, "as_of") }, fault.InvalidResponse},
		{"negative checkpoint", func(d map[string]any) { d["checkpoint"] = -1 }, fault.InvalidResponse},
		{"checkpoint before a record", func(d map[string]any) { d["checkpoint"] = 1 }, fault.InvalidResponse},
		{"no result", func(d map[string]any) { delete(d, "result") }, fault.InvalidResponse},
		{"result that is no list", func(d map[string]any) { d["result"] = map[string]any{} }, fault.InvalidResponse},
		{"a record that is no object", func(d map[string]any) { d["result"].([]any)[0] = 7 }, fault.InvalidResponse},
	}
}

func TestErrors97(t *testing.T) {
	id := strings.Repeat("A", 43)
	missing := fault.Refuse(fault.StepDependencies, "", "1 target not retained here")
	missing.Missing = []string{id}
	for _, test := range []struct {
		err    error
		code   fault.Code
		status int
	}{
		{missing, fault.MissingDependency, 409},
		{fault.Refuse(fault.StepTarget, "", "x"), fault.InvalidTarget, 400},
		{fault.Refuse(fault.StepLimit, "", "x"), fault.PayloadTooLarge, 413},
		{badCursor("x"), fault.InvalidCursor, 400},
		{&fault.NotHeld{ID: id}, fault.NotFound, 404},
		{&fault.Unavailable{Code: fault.Locked, What: "/secret/path"}, fault.QueryUnavailable, 503},
		{badAnswer("", "never sent"), fault.QueryUnavailable, 503},
	} {
		e := ErrorOf(test.err)
		if e.Code != test.code || e.Status() != test.status || e.Message == "" || strings.Contains(e.Message, "secret") {
			t.Errorf("%v: %+v, status %d", test.err, e, e.Status())
		}
		got, err := ParseError(e.Append(nil))
		if err != nil || !reflect.DeepEqual(got, e) {
			t.Errorf("%+v is not %+v: %v", got, e, err)
		}
	}
	if _, err := ParseError([]byte(`{"error":"no"}`)); code(t, err) != fault.InvalidResponse {
		t.Errorf("got %v", err)
	}
	foreign, err := ParseError([]byte(`{"error":{"code":"odd","message":"","data":{"missing":["x","` + id + `",7,"` + id + `"]}}}`))
	if err != nil || !slices.Equal(foreign.Missing, []string{id}) || foreign.Status() != 500 {
		t.Errorf("%+v, %v", foreign, err)
	}
}

func FuzzAnswers(f *testing.F) {
	all := records(f, 1, 2)
	stamp := Stamp{origin, 2, 9}
	request := BatchRequest{IDs: []identity.ID{all[0].Event.ID()}}
	search := SearchRequest{Text: "a", Mode: Lexical, Limit: 20, Terms: []string{"a"}}
	f.Add(QueryResponse{Stamp: stamp, Records: all, Next: "x"}.Append(nil))
	f.Add(BatchResponse{Stamp: stamp, Records: all[:1]}.Append(nil))
	f.Add(SearchResponse{Stamp: stamp, Hits: []Hit{{all[0], "x"}}, Ranking: Ranking{Lexical, "r"}, Coverage: Coverage{Exhaustive: true}}.Append(nil))
	f.Add(Discovery{Service: origin, Features: []string{RankedSearch}, Modes: []string{"lexical"}, Advertised: DefaultEndpoints(origin, true)}.Append(nil))
	f.Add(Error{Code: fault.NotFound, Message: "x"}.Append(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		q, _ := ParseQuery(nil)
		if page, err := NewEnumeration(origin, q).Page(data); err == nil && page.Service != origin {
			t.Fatal("an answer of nobody")
		}
		if page, err := request.Check(origin, data); err == nil && len(page.Items)+len(page.Missing) != 1 {
			t.Fatal("a batch that is no partition")
		}
		if page, err := search.Check(origin, data); err == nil && page.Coverage.Exhaustive == (len(page.Coverage.Reasons) > 0) {
			t.Fatal("coverage without sense")
		}
		if d, err := ParseDiscovery(data, origin); err == nil && d.Service != origin {
			t.Fatal("discovery of nobody")
		}
		if e, err := ParseError(data); err == nil && len(e.Append(nil)) == 0 {
			t.Fatal("an error without text")
		}
	})
}
