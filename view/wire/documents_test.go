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

	"akx/view/capsule"
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

func TestParseQuery93(t *testing.T) {
	id := strings.Repeat("A", 43)
	for _, test := range []struct {
		name   string
		params []Param
		bad    bool
	}{
		{"none", nil, false},
		{"all", []Param{{"actor", "did:agent:" + id}, {"type", "knowledge.assess"}, {"kind", "question"}, {"tag", "a"}, {"language", "en"},
			{"verdict", "applied"}, {"target", id}, {"relation", "tests"}, {"profile", id}, {"created_from", "0"}, {"created_before", "1"},
			{"after_seq", "3"}, {"limit", "1000"}, {"cursor", "x"}}, false},
		{"unknown", []Param{{"text", "x"}}, true},
		{"empty name", []Param{{"", ""}}, true},
		{"other case", []Param{{"Tag", "a"}}, true},
		{"repeated filter", []Param{{"tag", "a"}, {"tag", "b"}}, true},
		{"repeated cursor", []Param{{"cursor", "a"}, {"cursor", "a"}}, true},
		{"repeated default limit", []Param{{"limit", "100"}, {"limit", "100"}}, true},
		{"empty value", []Param{{"kind", ""}}, true},
		{"empty cursor", []Param{{"cursor", ""}}, true},
		{"limit 0", []Param{{"limit", "0"}}, true},
		{"limit 1001", []Param{{"limit", "1001"}}, true},
		{"limit with a sign", []Param{{"limit", "+5"}}, true},
		{"limit in other digits", []Param{{"limit", "٥"}}, true},
		{"negative after_seq", []Param{{"after_seq", "-1"}}, true},
		{"unsafe after_seq", []Param{{"after_seq", "9007199254740992"}}, true},
		{"times in the wrong order", []Param{{"created_before", "1"}, {"created_from", "1"}}, true},
		{"target that is not canonical", []Param{{"target", strings.Repeat("A", 42) + "B"}}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			q, err := ParseQuery(test.params)
			if got := code(t, err); (got == fault.InvalidRequest) != test.bad || !test.bad && got != "" {
				t.Fatalf("got %v", err)
			}
			if test.bad {
				return
			}
			again, err := ParseQuery(q.Params())
			if err != nil || again != q {
				t.Errorf("%v is not %v: %v", again, q, err)
			}
		})
	}
}

func TestCursor931(t *testing.T) {
	q, err := ParseQuery([]Param{{"kind", "question"}, {"limit", "5"}, {"after_seq", "2"}})
	if err != nil {
		t.Fatal(err)
	}
	want := Cursor{Checkpoint: 10, AsOf: 77, Last: 6}
	q.Cursor = want.Text(origin, q)
	if got, err := OpenCursor(origin, q, 10); err != nil || got != want {
		t.Fatalf("%v, %v", got, err)
	}
	again := q
	again.Cursor = ""
	if want.Text(origin, again) != q.Cursor {
		t.Error("the cursor in a request is a part of its own digest")
	}
	refused := func(name string, service identity.Origin, current uint64, change func(*Query)) {
		t.Run(name, func(t *testing.T) {
			other := q
			change(&other)
			if _, err := OpenCursor(service, other, current); code(t, err) != fault.InvalidCursor {
				t.Errorf("got %v", err)
			}
		})
	}
	refused("another service", "https://other.example", 10, func(*Query) {})
	refused("another limit", origin, 10, func(q *Query) { q.Limit = 6 })
	refused("another after_seq", origin, 10, func(q *Query) { q.AfterSeq = 1 })
	refused("another filter", origin, 10, func(q *Query) { q.Filter.Kind = capsule.Hypothesis })
	refused("one more filter", origin, 10, func(q *Query) { q.Filter.Tag = "a" })
	refused("a service that lost records", origin, 9, func(*Query) {})
	refused("a record behind the checkpoint", origin, 10, func(q *Query) { q.Cursor = Cursor{10, 77, 11}.Text(origin, *q) })
	refused("a record before after_seq", origin, 10, func(q *Query) { q.Cursor = Cursor{10, 77, 1}.Text(origin, *q) })
	refused("no cursor", origin, 10, func(q *Query) { q.Cursor = "hello" })
	for i := range q.Cursor {
		other := q
		other.Cursor = q.Cursor[:i] + string(rune('A'+(q.Cursor[i]+1)%26)) + q.Cursor[i+1:]
		if other.Cursor == q.Cursor {
			continue
		}
		if _, err := OpenCursor(origin, other, 1<<60); code(t, err) != fault.InvalidCursor {
			t.Fatalf("character %d changed: %v", i, err)
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

func TestQueryPage931(t *testing.T) {
	all := records(t, 3, 5)
	response := QueryResponse{Stamp: Stamp{origin, 9, 50}, Records: all, Next: "c"}.Append(nil)
	q, _ := ParseQuery([]Param{{"after_seq", "2"}, {"kind", "question"}, {"limit", "2"}})
	edits := append(stampEdits(),
		edit{"seq twice", func(d map[string]any) { item(d, 1)["seq"] = 3 }, fault.InvalidResponse},
		edit{"seq descending", func(d map[string]any) { item(d, 0)["seq"] = 6 }, fault.InvalidResponse},
		edit{"seq of after_seq", func(d map[string]any) { item(d, 0)["seq"] = 2 }, fault.InvalidResponse},
		edit{"seq that is text", func(d map[string]any) { item(d, 0)["seq"] = "3" }, fault.InvalidResponse},
		edit{"no accepted_at", func(d map[string]any) { delete(item(d, 0), "accepted_at") }, fault.InvalidResponse},
		edit{"an event twice", func(d map[string]any) { item(d, 1)["envelope"] = item(d, 0)["envelope"] }, fault.InvalidResponse},
		edit{"empty cursor", func(d map[string]any) { d["next_cursor"] = "" }, fault.InvalidResponse},
		edit{"checkpoint before after_seq", func(d map[string]any) { d["checkpoint"], d["result"] = 1, []any{} }, fault.InvalidResponse},
		edit{"three records", func(d map[string]any) {
			d["result"] = append(d["result"].([]any), doc(t, record(t, 7).Append(nil)))
		}, fault.InvalidResponse},
		edit{"an envelope without hash", func(d map[string]any) { delete(item(d, 0)["envelope"].(map[string]any), "hash") }, fault.InvalidResponse},
	)
	for _, e := range edits {
		t.Run(e.name, func(t *testing.T) {
			d := doc(t, response)
			e.from(d)
			walk := NewEnumeration(origin, q)
			page, err := walk.Page(marshal(t, d))
			if code(t, err) != e.code {
				t.Fatalf("got %v", err)
			}
			if err != nil {
				if walk.Request() != q {
					t.Error("a refused page changed the enumeration")
				}
				return
			}
			if len(page.Items) != 2 || page.Items[1].Seq != 5 || page.Next != "c" || walk.Request().Cursor != "c" {
				t.Errorf("got %+v", page)
			}
		})
	}
	q.Filter.Kind = capsule.Hypothesis
	if _, err := NewEnumeration(origin, q).Page(response); code(t, err) != fault.InvalidResponse {
		t.Errorf("a record outside of the filters: %v", err)
	}
}

// TestPagesKeepRefusals: a record whose proof fails is told, and stops no other (3.1).
func TestPagesKeepRefusals(t *testing.T) {
	response := QueryResponse{Stamp: Stamp{origin, 9, 50}, Records: records(t, 3, 5)}.Append(nil)
	d := doc(t, response)
	item(d, 0)["envelope"].(map[string]any)["signature"] = strings.Repeat("A", 86)
	q, _ := ParseQuery(nil)
	page, err := NewEnumeration(origin, q).Page(marshal(t, d))
	if err != nil {
		t.Fatal(err)
	}
	first, second := page.Items[0], page.Items[1]
	if first.Refusal == nil || first.Refusal.Step != fault.StepSignature || first.Seq != 3 || !strings.HasPrefix(first.Refusal.Path, "/result/0/envelope") {
		t.Errorf("got %+v, %v", first, first.Refusal)
	}
	if second.Refusal != nil || second.Offer.Event() == nil {
		t.Errorf("got %+v", second)
	}
}

func TestEnumerationAcrossPages931(t *testing.T) {
	stamp := Stamp{origin, 9, 50}
	page := func(stamp Stamp, next string, seqs ...uint64) []byte {
		return QueryResponse{Stamp: stamp, Records: records(t, seqs...), Next: next}.Append(nil)
	}
	later, moved := stamp, stamp
	later.AsOf++
	moved.Checkpoint++
	for _, test := range []struct {
		name  string
		pages [][]byte
		code  fault.Code // of the last one
	}{
		{"three pages", [][]byte{page(stamp, "a", 1, 2), page(stamp, "b", 4), page(stamp, "")}, ""},
		{"as_of moves", [][]byte{page(stamp, "a", 1), page(later, "", 2)}, fault.InvalidResponse},
		{"checkpoint moves", [][]byte{page(stamp, "a", 1), page(moved, "", 2)}, fault.InvalidResponse},
		{"a record again", [][]byte{page(stamp, "a", 1, 2), page(stamp, "", 2)}, fault.InvalidResponse},
		{"the same cursor", [][]byte{page(stamp, "a", 1), page(stamp, "a", 2)}, fault.InvalidResponse},
		{"an empty page", [][]byte{page(stamp, "a", 1), page(stamp, "b"), page(stamp, "", 2)}, ""},
		{"empty pages in a circle", [][]byte{page(stamp, "a", 1), page(stamp, "b"), page(stamp, "a")}, fault.InvalidResponse},
	} {
		t.Run(test.name, func(t *testing.T) {
			q, _ := ParseQuery(nil)
			walk := NewEnumeration(origin, q)
			for i, text := range test.pages {
				_, err := walk.Page(text)
				want := fault.Code("")
				if i == len(test.pages)-1 {
					want = test.code
				}
				if code(t, err) != want {
					t.Fatalf("page %d: %v", i+1, err)
				}
			}
		})
	}
}

func TestBatch94(t *testing.T) {
	id := strings.Repeat("A", 43)
	for body, want := range map[string]fault.Code{
		`{"hashes":["` + id + `"]}`:              "",
		`{"hashes":[]}`:                          fault.InvalidRequest,
		`{}`:                                     fault.InvalidRequest,
		`{"hashes":["` + id + `","` + id + `"]}`: fault.InvalidRequest,
		`{"hashes":["` + id + `"],"hashes":["` + id + `"]}`: fault.InvalidRequest,
		`{"hashes":["` + id + `"],"x":1}`:                   fault.InvalidRequest,
		`{"hashes":["` + id[1:] + `B"]}`:                    fault.InvalidRequest,
		`{"hashes":"` + id + `"}`:                           fault.InvalidRequest,
		`{"hashes":["\ud800"]}`:                             fault.InvalidRequest,
		`["` + id + `"]`:                                    fault.InvalidRequest,
		`{"hashes":["` + id + `"]} x`:                       fault.InvalidRequest,
		`{"hashes":[` + strings.TrimSuffix(strings.Repeat(`"`+id+`",`, 101), ",") + `]}`: fault.InvalidRequest,
	} {
		if _, err := ParseBatchRequest([]byte(body)); code(t, err) != want {
			t.Errorf("%s: %v", body, err)
		}
	}
	all := records(t, 3, 5)
	a, b, c := all[0].Event.ID(), all[1].Event.ID(), record(t, 8).Event.ID()
	request := BatchRequest{IDs: []identity.ID{b, c, a}}
	response := BatchResponse{Stamp: Stamp{origin, 9, 50}, Records: []Record{all[1], all[0]}, Missing: []identity.ID{c}}.Append(nil)
	edits := append(stampEdits(),
		edit{"a cursor", func(d map[string]any) { d["next_cursor"] = "x" }, fault.InvalidResponse},
		edit{"no missing", func(d map[string]any) { delete(d, "missing") }, fault.InvalidResponse},
		edit{"one left out", func(d map[string]any) { d["missing"] = []any{} }, fault.InvalidResponse},
		edit{"one in both", func(d map[string]any) { d["missing"] = []any{c.String(), a.String()} }, fault.InvalidResponse},
		edit{"one that nobody asked for", func(d map[string]any) { d["missing"] = []any{id} }, fault.InvalidResponse},
		edit{"missing that is not canonical", func(d map[string]any) { d["missing"] = []any{id[1:] + "B"} }, fault.InvalidResponse},
		edit{"another order", func(d map[string]any) { slices.Reverse(d["result"].([]any)) }, fault.InvalidResponse},
		edit{"seq twice", func(d map[string]any) { item(d, 0)["seq"] = 3 }, fault.InvalidResponse},
	)
	for _, e := range edits {
		t.Run(e.name, func(t *testing.T) {
			d := doc(t, response)
			e.from(d)
			page, err := request.Check(origin, marshal(t, d))
			if code(t, err) != e.code {
				t.Fatalf("got %v", err)
			}
			if err == nil && (len(page.Items) != 2 || page.Items[0].Offer.Event().ID() != b || !slices.Equal(page.Missing, []identity.ID{c})) {
				t.Errorf("got %+v", page)
			}
		})
	}
}

func TestSearchRequest95(t *testing.T) {
	modes := []string{"lexical", "hybrid", "future"}
	for body, want := range map[string]fault.Code{
		`{"text":"a","mode":"lexical"}`: "",
		`{"text":"a","mode":"hybrid","limit":100,"filters":{"created_from":0,"created_before":5,"kind":"question"}}`: "",
		`{"text":"a","mode":"semantic"}`:                                                fault.UnsupportedSearchMode,
		`{"text":"a","mode":"future"}`:                                                  fault.UnsupportedSearchMode,
		`{"text":"a","mode":""}`:                                                        fault.UnsupportedSearchMode,
		`{"text":" \u000b","mode":"future"}`:                                            fault.InvalidRequest,
		`{"text":"a"}`:                                                                  fault.InvalidRequest,
		`{"mode":"lexical"}`:                                                            fault.InvalidRequest,
		`{"text":"a","mode":null}`:                                                      fault.InvalidRequest,
		`{"text":"a","mode":"lexical","limit":0}`:                                       fault.InvalidRequest,
		`{"text":"a","mode":"lexical","limit":101}`:                                     fault.InvalidRequest,
		`{"text":"a","mode":"lexical","limit":"5"}`:                                     fault.InvalidRequest,
		`{"text":"a","mode":"lexical","cursor":"x"}`:                                    fault.InvalidRequest,
		`{"text":"a","mode":"lexical","filters":{"after_seq":1}}`:                       fault.InvalidRequest,
		`{"text":"a","mode":"lexical","filters":{"created_from":"1"}}`:                  fault.InvalidRequest,
		`{"text":"a","mode":"lexical","filters":{"kind":1}}`:                            fault.InvalidRequest,
		`{"text":"a","mode":"lexical","filters":{"created_from":5,"created_before":5}}`: fault.InvalidRequest,
		`{"text":"a","mode":"lexical","filters":null}`:                                  fault.InvalidRequest,
		`{"text":"` + strings.Repeat("a ", 17) + `","mode":"lexical"}`:                  fault.InvalidRequest,
		`{"text":"` + strings.Repeat("a ", 17) + `","mode":"hybrid"}`:                   "",
		`{"text":"` + strings.Repeat("é", 1025) + `","mode":"hybrid"}`:                  fault.InvalidRequest,
	} {
		r, err := ParseSearchRequest([]byte(body), modes)
		if code(t, err) != want {
			t.Errorf("%s: %v", body, err)
		}
		if err != nil {
			continue
		}
		again, err := ParseSearchRequest(r.Append(nil), modes)
		if err != nil || !reflect.DeepEqual(again, r) {
			t.Errorf("%+v is not %+v: %v", again, r, err)
		}
	}
}

func TestSearchPage95(t *testing.T) {
	all := records(t, 3, 5)
	request, err := ParseSearchRequest([]byte(`{"text":"TITLE beta","mode":"lexical","limit":2,"filters":{"kind":"question"}}`), []string{"lexical"})
	if err != nil {
		t.Fatal(err)
	}
	response := SearchResponse{Stamp: Stamp{origin, 9, 50}, Hits: []Hit{{all[1], "why"}, {all[0], ""}},
		Ranking: Ranking{Lexical, "r"}, Coverage: Coverage{Exhaustive: true}}.Append(nil)
	member := func(d map[string]any, name string) map[string]any { return d[name].(map[string]any) }
	edits := append(stampEdits(),
		edit{"a cursor", func(d map[string]any) { d["next_cursor"] = "x" }, fault.InvalidResponse},
		edit{"another mode", func(d map[string]any) { member(d, "ranking")["mode"] = "hybrid" }, fault.InvalidResponse},
		edit{"no ranking", func(d map[string]any) { delete(d, "ranking") }, fault.InvalidResponse},
		edit{"no ranking id", func(d map[string]any) { member(d, "ranking")["id"] = "" }, fault.InvalidResponse},
		edit{"no coverage", func(d map[string]any) { delete(d, "coverage") }, fault.InvalidResponse},
		edit{"exhaustive with a reason", func(d map[string]any) { member(d, "coverage")["reasons"] = []any{"timeout"} }, fault.InvalidResponse},
		edit{"incomplete without a reason", func(d map[string]any) { member(d, "coverage")["exhaustive"] = false }, fault.InvalidResponse},
		edit{"incomplete with a reason", func(d map[string]any) {
			d["coverage"] = map[string]any{"exhaustive": false, "reasons": []any{"timeout", "approximate"}}
		}, ""},
		edit{"empty explanation", func(d map[string]any) { item(d, 0)["explanation"] = "" }, fault.InvalidResponse},
		edit{"a hit twice", func(d map[string]any) { d["result"].([]any)[1] = d["result"].([]any)[0] }, fault.InvalidResponse},
		edit{"a hit without record", func(d map[string]any) { delete(item(d, 0), "record") }, fault.InvalidResponse},
	)
	for _, e := range edits {
		t.Run(e.name, func(t *testing.T) {
			d := doc(t, response)
			e.from(d)
			page, err := request.Check(origin, marshal(t, d))
			if code(t, err) != e.code {
				t.Fatalf("got %v", err)
			}
			if err == nil && (len(page.Hits) != 2 || page.Hits[0].Explanation != "why" || page.Hits[0].Item.Seq != 5) {
				t.Errorf("got %+v", page)
			}
		})
	}
	for name, change := range map[string]func(*SearchRequest){
		"a term that a hit lacks":    func(r *SearchRequest) { r.Terms = []string{"omega"} },
		"a filter that a hit breaks": func(r *SearchRequest) { r.Filter.Kind = capsule.Collection },
		"a lower limit":              func(r *SearchRequest) { r.Limit = 1 },
		"another mode":               func(r *SearchRequest) { r.Mode = Hybrid },
	} {
		other := request
		change(&other)
		if _, err := other.Check(origin, response); code(t, err) != fault.InvalidResponse {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDiscovery92(t *testing.T) {
	full := Discovery{Service: origin, Features: []string{RankedSearch}, Modes: []string{"lexical"},
		Peers: []identity.Origin{"https://p.example"}, Limits: []Limit{{"max_envelope_bytes", 262144}}}
	full.Advertised = DefaultEndpoints(origin, true)
	full.Endpoints = full.Advertised
	got, err := ParseDiscovery(full.Append(nil), origin)
	if err != nil || !reflect.DeepEqual(got, full) {
		t.Fatalf("%+v, %v", got, err)
	}
	minimal, err := ParseDiscovery([]byte(`{"protocol":"agent-knowledge/1.0","service":"https://k.example","endpoints":{"query":"https://k.example:443/q"}}`), origin)
	if err != nil {
		t.Fatal(err)
	}
	if minimal.Endpoints != (Endpoints{Events: "https://k.example" + EventsPath, Query: "https://k.example:443/q", Batch: "https://k.example" + BatchPath}) ||
		minimal.Advertised != (Endpoints{Query: "https://k.example:443/q"}) || minimal.Ranked() {
		t.Errorf("got %+v", minimal)
	}
	endpoints := func(d map[string]any) map[string]any { return d["endpoints"].(map[string]any) }
	for _, e := range []edit{
		{"another protocol", func(d map[string]any) { d["protocol"] = "agent-knowledge/1.1" }, fault.InvalidDiscovery},
		{"another service", func(d map[string]any) { d["service"] = "https://other.example" }, fault.InvalidDiscovery},
		{"service with a path", func(d map[string]any) { d["service"] = "https://k.example/" }, fault.InvalidDiscovery},
		{"endpoint elsewhere", func(d map[string]any) { endpoints(d)["batch"] = "https://other.example/b" }, fault.InvalidDiscovery},
		{"endpoint on another port", func(d map[string]any) { endpoints(d)["batch"] = "https://k.example:444/b" }, fault.InvalidDiscovery},
		{"endpoint with a fragment", func(d map[string]any) { endpoints(d)["batch"] = "https://k.example/b#x" }, fault.InvalidDiscovery},
		{"endpoint with a bad host", func(d map[string]any) { endpoints(d)["batch"] = "https://k.exa mple/b" }, fault.InvalidDiscovery},
		{"search without the feature", func(d map[string]any) { d["features"] = []any{} }, fault.InvalidDiscovery},
		{"feature without modes", func(d map[string]any) { delete(d, "search_modes") }, fault.InvalidDiscovery},
		{"feature without endpoint", func(d map[string]any) { delete(endpoints(d), "search") }, fault.InvalidDiscovery},
		{"modes without lexical", func(d map[string]any) { d["search_modes"] = []any{"semantic"} }, fault.InvalidDiscovery},
		{"modes twice", func(d map[string]any) { d["search_modes"] = []any{"lexical", "lexical"} }, fault.InvalidDiscovery},
		{"unknown modes and features", func(d map[string]any) {
			d["search_modes"], d["features"] = []any{"psychic", "lexical"}, []any{"magic", RankedSearch}
		}, ""},
		{"unknown members", func(d map[string]any) { d["x"], endpoints(d)["x"] = 1, 2 }, ""},
		{"itself as a peer", func(d map[string]any) { d["peers"] = []any{"https://k.example"} }, fault.InvalidDiscovery},
		{"a peer twice", func(d map[string]any) { d["peers"] = []any{"https://p.example", "https://p.example"} }, fault.InvalidDiscovery},
		{"a peer that is not canonical", func(d map[string]any) { d["peers"] = []any{"https://P.example"} }, fault.InvalidDiscovery},
		{"a limit of 0", func(d map[string]any) { d["limits"] = map[string]any{"x": 0} }, fault.InvalidDiscovery},
		{"a limit that is text", func(d map[string]any) { d["limits"] = map[string]any{"x": "1"} }, fault.InvalidDiscovery},
	} {
		t.Run(e.name, func(t *testing.T) {
			d := doc(t, full.Append(nil))
			e.from(d)
			if _, err := ParseDiscovery(marshal(t, d), origin); code(t, err) != e.code {
				t.Errorf("got %v", err)
			}
		})
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
