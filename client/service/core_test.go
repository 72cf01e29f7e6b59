package service

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/memory"
	"akx/view/wire"
)

const origin identity.Origin = "https://k.example"

// bench is a service over a store in memory, with a clock of its own.
type bench struct {
	*testing.T
	core  *Core
	now   int64
	nonce int64
}

func newBench(t *testing.T, change func(*Options)) *bench {
	b := &bench{T: t, now: 1_000_000}
	o := Options{Origin: origin, Ranked: true, Clock: func() time.Time { return time.UnixMilli(b.now) }}
	if change != nil {
		change(&o)
	}
	b.core = New(memory.New(string(origin), func() int64 { return b.now }), o)
	return b
}

// sign makes the text of an envelope.
func (b *bench) sign(kind capsule.Type, createdAt int64, payload string) string {
	b.Helper()
	v, err := identity.Parse([]byte(payload))
	if err != nil {
		b.Fatal(err)
	}
	b.nonce++
	e, err := identity.Sign(identity.TestKey(0x21), identity.Draft{Protocol: capsule.Protocol, Type: kind.String(),
		CreatedAt: createdAt, Nonce: b.nonce, Payload: v}, capsule.Format())
	if err != nil {
		b.Fatal(err)
	}
	return e.Text()
}

func question(title, statement string) string {
	return fmt.Sprintf(`{"license":"https://l.example/","kind":"question","title":%q,"statement":%q,"language":"en",
		"context":{"scope":"s","conditions":[],"limitations":[]},"basis":"b"}`, title, statement)
}

// add submits a question and gives its record.
func (b *bench) add(title, statement string) wire.Record {
	b.Helper()
	r, held, err := b.core.Submit(b.Context(), []byte(b.sign(capsule.Publish, b.now, question(title, statement))))
	if err != nil || held {
		b.Fatal(err, held)
	}
	return r
}

func code(t *testing.T, err error) fault.Code {
	t.Helper()
	if err == nil {
		return ""
	}
	return wire.ErrorOf(err).Code
}

func TestSubmit81(t *testing.T) {
	b := newBench(t, func(o *Options) {
		o.Policy = func(e capsule.Event) error {
			if strings.Contains(e.Title(), "spam") {
				return fault.Refuse(fault.StepPolicy, "", "not here")
			}
			return nil
		}
	})
	text := b.sign(capsule.Publish, b.now, question("one", "two"))
	first, held, err := b.core.Submit(t.Context(), []byte(text))
	if err != nil || held || first.Seq != 1 || first.AcceptedAt != b.now || first.Event.Envelope().Text() != text {
		t.Fatal(first, held, err)
	}
	b.now += 5000
	again, held, err := b.core.Submit(t.Context(), []byte(" "+text))
	if err != nil || !held || again.Seq != 1 || again.AcceptedAt != first.AcceptedAt || again.Event.Envelope().Text() != text {
		t.Errorf("resubmission: %+v, %v, %v", again, held, err)
	}
	absent := strings.Repeat("A", 43)
	for name, test := range map[string]struct {
		text string
		want fault.Code
	}{
		"not JSON":          {"{", fault.InvalidEvent},
		"a record":          {string(first.Append(nil)), fault.InvalidEvent},
		"tampered":          {strings.Replace(text, `"one"`, `"One"`, 1), fault.InvalidEventHash},
		"future":            {b.sign(capsule.Publish, b.now+300_001, question("later", "x")), fault.TimestampOutside},
		"missing":           {b.sign(capsule.Retract, b.now, `{"target":"`+absent+`","reason":"x"}`), fault.MissingDependency},
		"invalid payload":   {b.sign(capsule.Retract, b.now, `{"target":"`+absent+`"}`), fault.InvalidEvent},
		"refused by policy": {b.sign(capsule.Publish, b.now, question("spam", "x")), fault.PermissionDenied},
		"over the limit":    {b.sign(capsule.Publish, b.now, question("big", "x"))[:100] + strings.Repeat(" ", identity.MaxEnvelopeBytes), fault.PayloadTooLarge},
	} {
		if _, _, err := b.core.Submit(t.Context(), []byte(test.text)); code(t, err) != test.want {
			t.Errorf("%s: %v", name, err)
		}
	}
	if page, err := b.core.Query(t.Context(), nil); err != nil || page.Checkpoint != 1 || len(page.Records) != 1 {
		t.Errorf("refusals changed something: %+v, %v", page, err)
	}
}

func TestGetAndWithhold71(t *testing.T) {
	b := newBench(t, nil)
	r := b.add("one", "alpha")
	id := r.Event.ID()
	if got, err := b.core.Get(t.Context(), id.String()); err != nil || got.Seq != 1 {
		t.Fatal(got, err)
	}
	for text, want := range map[string]fault.Code{
		"": fault.InvalidRequest, id.String() + "=": fault.InvalidRequest, strings.Repeat("A", 42) + "B": fault.InvalidRequest,
		strings.Repeat("A", 43): fault.NotFound,
	} {
		if _, err := b.core.Get(t.Context(), text); code(t, err) != want {
			t.Errorf("%q: %v", text, err)
		}
	}
	if err := b.core.Withhold(t.Context(), id, true); err != nil {
		t.Fatal(err)
	}
	if _, err := b.core.Get(t.Context(), id.String()); code(t, err) != fault.NotFound {
		t.Errorf("a withheld event is read: %v", err)
	}
	query, _ := b.core.Query(t.Context(), nil)
	batch, _ := b.core.Batch(t.Context(), wire.BatchRequest{IDs: []identity.ID{id}}.Append(nil))
	search, _ := b.core.Search(t.Context(), []byte(`{"text":"alpha","mode":"lexical"}`))
	if len(query.Records)+len(batch.Records)+len(search.Hits) != 0 || len(batch.Missing) != 1 || query.Checkpoint != 1 {
		t.Errorf("a withheld event shows: %+v %+v %+v", query, batch, search)
	}
	if _, held, err := b.core.Submit(t.Context(), []byte(r.Event.Envelope().Text())); err != nil || !held {
		t.Errorf("resubmission of a withheld event: %v, %v", held, err)
	}
	if _, _, err := b.core.Submit(t.Context(), []byte(b.sign(capsule.Retract, b.now, `{"target":"`+id.String()+`","reason":"x"}`))); err != nil {
		t.Errorf("a withheld dependency does not resolve: %v", err)
	}
	if err := b.core.Withhold(t.Context(), id, false); err != nil {
		t.Fatal(err)
	}
	if got, err := b.core.Get(t.Context(), id.String()); err != nil || got.Seq != 1 {
		t.Errorf("shown again: %+v, %v", got, err)
	}
}

// walk reads every page as a client does; meanwhile runs after each.
func (b *bench) walk(params []wire.Param, meanwhile func()) []uint64 {
	b.Helper()
	q, err := wire.ParseQuery(params)
	if err != nil {
		b.Fatal(err)
	}
	e := wire.NewEnumeration(origin, q)
	var seqs []uint64
	for {
		response, err := b.core.Query(b.Context(), e.Request().Params())
		if err != nil {
			b.Fatal(err)
		}
		page, err := e.Page(response.Append(nil))
		if err != nil {
			b.Fatal(err)
		}
		for _, item := range page.Items {
			seqs = append(seqs, item.Seq)
		}
		if page.Next == "" {
			return seqs
		}
		b.now += 1000
		if meanwhile != nil {
			meanwhile()
		}
	}
}

func TestQuery93(t *testing.T) {
	b := newBench(t, nil)
	for i := range 7 {
		b.add(fmt.Sprint("title ", i), "alpha")
	}
	if got := b.walk([]wire.Param{{Name: "limit", Value: "2"}}, func() { b.add("late", "alpha") }); !slices.Equal(got, []uint64{1, 2, 3, 4, 5, 6, 7}) {
		t.Errorf("records after the checkpoint: %v", got)
	}
	if got := b.walk([]wire.Param{{Name: "after_seq", Value: "7"}}, nil); !slices.Equal(got, []uint64{8, 9, 10}) {
		t.Errorf("polling: %v", got)
	}
	hidden := false
	got := b.walk([]wire.Param{{Name: "limit", Value: "1"}, {Name: "created_before", Value: "1000001"}}, func() {
		if hidden {
			return
		}
		hidden = true
		page, _ := b.core.Query(t.Context(), []wire.Param{{Name: "after_seq", Value: "1"}, {Name: "limit", Value: "1"}})
		if err := b.core.Withhold(t.Context(), page.Records[0].Event.ID(), true); err != nil {
			t.Fatal(err)
		}
	})
	if !slices.Equal(got, []uint64{1, 3, 4, 5, 6, 7}) {
		t.Errorf("withheld meanwhile: %v", got)
	}
	for name, params := range map[string][]wire.Param{
		"unknown":                   {{Name: "x", Value: "1"}},
		"after_seq too high":        {{Name: "after_seq", Value: "11"}},
		"after_seq far beyond 2^53": {{Name: "after_seq", Value: "99999999999999999999"}},
	} {
		if _, err := b.core.Query(t.Context(), params); code(t, err) != fault.InvalidRequest {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := b.core.Query(t.Context(), []wire.Param{{Name: "cursor", Value: "x"}}); code(t, err) != fault.InvalidCursor {
		t.Errorf("a cursor that is none: %v", err)
	}
}

// TestPagesAreBounded: a service may return fewer records than asked for (9.3.1),
// and loses none by it.
func TestPagesAreBounded(t *testing.T) {
	b := newBench(t, func(o *Options) { o.PageBytes = 3000 })
	for range 9 {
		b.add("title", strings.Repeat("x", 1000))
	}
	first, err := b.core.Query(t.Context(), nil)
	if err != nil || len(first.Records) != 2 || first.Next == "" {
		t.Fatal(len(first.Records), err)
	}
	if got := b.walk(nil, nil); !slices.Equal(got, []uint64{1, 2, 3, 4, 5, 6, 7, 8, 9}) {
		t.Errorf("got %v", got)
	}
	big := newBench(t, func(o *Options) { o.PageBytes = 1 })
	big.add("title", "x")
	big.add("title", "y")
	if got := big.walk(nil, nil); !slices.Equal(got, []uint64{1, 2}) {
		t.Errorf("a page without a record: %v", got)
	}
}

func TestBatch94(t *testing.T) {
	b := newBench(t, nil)
	one, two := b.add("one", "x").Event.ID(), b.add("two", "x").Event.ID()
	request := wire.BatchRequest{IDs: []identity.ID{two, {1}, one}}
	response, err := b.core.Batch(t.Context(), request.Append(nil))
	if err != nil {
		t.Fatal(err)
	}
	page, err := request.Check(origin, response.Append(nil))
	if err != nil || len(page.Items) != 2 || page.Items[0].Offer.Event().ID() != two || page.Missing[0] != (identity.ID{1}) || page.AsOf != b.now {
		t.Errorf("%+v, %v", page, err)
	}
	if _, err := b.core.Batch(t.Context(), []byte(`{"hashes":[]}`)); code(t, err) != fault.InvalidRequest {
		t.Errorf("got %v", err)
	}
}

// TestBatchIsBounded94: a batch over the limit is an error, never missing IDs.
func TestBatchIsBounded94(t *testing.T) {
	b := newBench(t, nil)
	extra := `"basis":"b","extra":{"x":"` + strings.Repeat("x", 250_000) + `"}`
	var request wire.BatchRequest
	for i := range 75 {
		payload := strings.Replace(question(fmt.Sprint(i), "x"), `"basis":"b"`, extra, 1)
		r, _, err := b.core.Submit(t.Context(), []byte(b.sign(capsule.Publish, b.now, payload)))
		if err != nil {
			t.Fatal(err)
		}
		request.IDs = append(request.IDs, r.Event.ID())
	}
	if _, err := b.core.Batch(t.Context(), request.Append(nil)); code(t, err) != fault.QueryTooBroad {
		t.Errorf("got %v", err)
	}
	request.IDs = request.IDs[:40]
	if r, err := b.core.Batch(t.Context(), request.Append(nil)); err != nil || len(r.Records) != 40 {
		t.Errorf("%d records, %v", len(r.Records), err)
	}
}

func TestSearch95(t *testing.T) {
	b := newBench(t, func(o *Options) { o.Candidates = 1 })
	search := func(body string) wire.SearchPage {
		t.Helper()
		request, err := wire.ParseSearchRequest([]byte(body), []string{"lexical"})
		if err != nil {
			t.Fatal(err)
		}
		response, err := b.core.Search(t.Context(), []byte(body))
		if err != nil {
			t.Fatal(err)
		}
		page, err := request.Check(origin, response.Append(nil))
		if err != nil {
			t.Fatal(err)
		}
		return page
	}
	seqs := func(page wire.SearchPage) (list []uint64) {
		for _, hit := range page.Hits {
			list = append(list, hit.Item.Seq)
		}
		return list
	}
	b.add("about alpha", "beta")
	b.add("none", "alpha beta")
	b.add("beta of ALPHA", "x")
	for _, test := range []struct {
		body       string
		seqs       []uint64
		exhaustive bool
	}{
		{`{"text":"alpha beta alpha","mode":"lexical","limit":4}`, []uint64{3, 1, 2}, true},
		{`{"text":"alpha","mode":"lexical","limit":2}`, []uint64{3, 1}, false},
		{`{"text":"alpha","mode":"lexical","limit":3}`, []uint64{3, 1, 2}, true},
		{`{"text":"alpha","mode":"lexical","filters":{"kind":"resource"}}`, nil, true},
		{`{"text":"omega","mode":"lexical"}`, nil, true},
	} {
		page := search(test.body)
		if !slices.Equal(seqs(page), test.seqs) || page.Coverage.Exhaustive != test.exhaustive || page.Ranking.ID == "" {
			t.Errorf("%s: %v, %+v", test.body, seqs(page), page.Coverage)
		}
		if want := []string{"candidate_limit"}; !test.exhaustive && !slices.Equal(page.Coverage.Reasons, want) {
			t.Errorf("%s: %v", test.body, page.Coverage.Reasons)
		}
	}
	for range wire.MaxSearchLimit - 1 {
		b.add("x", "alpha")
	}
	b.add("beyond the candidates: alpha", "x")
	page := search(`{"text":"alpha","mode":"lexical","limit":3}`)
	if page.Coverage.Exhaustive || !slices.Equal(seqs(page), []uint64{3, 1, 100}) {
		t.Errorf("a ranking of some candidates: %v, %+v", seqs(page), page.Coverage)
	}
	if _, err := b.core.Search(t.Context(), []byte(`{"text":"a","mode":"semantic"}`)); code(t, err) != fault.UnsupportedSearchMode {
		t.Errorf("got %v", err)
	}
	plain := newBench(t, func(o *Options) { o.Ranked = false })
	if _, err := plain.core.Search(t.Context(), []byte(`{"text":"a","mode":"lexical"}`)); code(t, err) != fault.NotFound {
		t.Errorf("search that is not offered: %v", err)
	}
}

func TestDiscovery92(t *testing.T) {
	for _, ranked := range []bool{true, false} {
		b := newBench(t, func(o *Options) { o.Ranked, o.Peers = ranked, []identity.Origin{"https://p.example"} })
		d, err := wire.ParseDiscovery(b.core.Discovery().Append(nil), origin)
		if err != nil || d.Ranked() != ranked || len(d.Peers) != 1 || d.Endpoints.Query != string(origin)+wire.QueryPath {
			t.Errorf("%+v, %v", d, err)
		}
	}
}

func TestContextEndsEveryCall(t *testing.T) {
	b := newBench(t, nil)
	text := b.sign(capsule.Publish, b.now, question("a", "b"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	calls := map[string]func() error{
		"submit": func() error { _, _, err := b.core.Submit(ctx, []byte(text)); return err },
		"get":    func() error { _, err := b.core.Get(ctx, strings.Repeat("A", 43)); return err },
		"query":  func() error { _, err := b.core.Query(ctx, nil); return err },
		"batch": func() error {
			_, err := b.core.Batch(ctx, wire.BatchRequest{IDs: []identity.ID{{1}}}.Append(nil))
			return err
		},
		"search": func() error { _, err := b.core.Search(ctx, []byte(`{"text":"a","mode":"lexical"}`)); return err },
	}
	for name, call := range calls {
		if err := call(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
