package wire

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
)

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
