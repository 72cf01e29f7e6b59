package wire

import (
	"strings"
	"testing"

	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
)

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
