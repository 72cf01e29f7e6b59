package conformance

import (
	"errors"
	"slices"
	"strconv"

	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

func objectCase(w *world, c *fields) error {
	_, _, err := w.submit(c.text("fixture"))
	var refusal *fault.Refusal
	errors.As(err, &refusal)
	got, err := outcome(err)
	if err != nil {
		return err
	}
	if err := expect("", c.text("expected"), got); err != nil {
		return err
	}
	if c.has("missing") && got == string(fault.MissingDependency) {
		return sameList("missing", c.texts("missing"), refusal.Missing)
	}
	return nil
}

func acceptanceCase(w *world, c *fields) error {
	for i, step := range c.objects("steps", "fixture", "now", "expected", "seq", "withhold") {
		if err := acceptanceStep(w, step); err != nil {
			return inStep(i, err)
		}
	}
	return c.err
}

// inStep says in which step a case went wrong.
func inStep(i int, err error) error {
	at := "step " + strconv.Itoa(i+1) + ": "
	var m *mismatch
	var b *broken
	switch {
	case errors.As(err, &m):
		return &mismatch{at + m.expected, at + m.got}
	case errors.As(err, &b):
		return err
	}
	return errors.New(at + err.Error())
}

func acceptanceStep(w *world, step *fields) error {
	if step.has("withhold") {
		if err := step.only("withhold"); err != nil {
			return err
		}
		return w.hide(step.text("withhold"))
	}
	name := step.text("fixture")
	if _, err := w.fixture(name); err != nil {
		return err
	}
	w.clock = step.integer("now", w.now)
	first, known := w.records[name]
	record, held, err := w.submit(name)
	got, err := outcome(err)
	if err != nil {
		return err
	}
	switch {
	case got == valid && held:
		got = "resubmission"
	case got == valid:
		got = "accepted"
	}
	if err := expect("", step.text("expected"), got); err != nil {
		return err
	}
	if held && (!known || !sameRecord(first, record)) {
		return &mismatch{"the first record", "another record"}
	}
	if step.has("seq") {
		checkpoint, err := w.store.Checkpoint(w.ctx)
		if err != nil {
			return &broken{err}
		}
		return expect("checkpoint", strconv.FormatInt(step.integer("seq", 0), 10), strconv.FormatUint(checkpoint, 10))
	}
	return step.err
}

func sameRecord(a, b wire.Record) bool {
	return a.Seq == b.Seq && a.AcceptedAt == b.AcceptedAt && a.Event.ID() == b.Event.ID() &&
		a.Event.Envelope().Text() == b.Event.Envelope().Text()
}

// params reads decoded [name, value] pairs.
func (f *fields) params(name string) []wire.Param {
	list, err := listOf(f.raw(name))
	if err != nil {
		f.wrong(name, "a list of pairs")
		return nil
	}
	params := make([]wire.Param, 0, len(list))
	for _, raw := range list {
		pair, err := listOf(raw)
		if err != nil || len(pair) != 2 {
			f.wrong(name, "a list of pairs")
			return nil
		}
		key, ok1 := unquote(pair[0])
		value, ok2 := unquote(pair[1])
		if !ok1 || !ok2 {
			f.wrong(name, "a list of pairs of strings")
			return nil
		}
		params = append(params, wire.Param{Name: key, Value: value})
	}
	return params
}

// queryCase reads the parameters and walks over all pages, two records each: the
// limit and the cursor of the case are read, and do not count.
func queryCase(w *world, c *fields) error {
	q, err := wire.ParseQuery(c.params("parameters"))
	if c.err != nil {
		return c.err
	}
	var matches []string
	if err == nil {
		q.Cursor, q.Limit = "", 2
		matches, err = w.walk(q)
	}
	got, err := outcome(err)
	if err != nil {
		return err
	}
	if err := expect("", c.text("expected"), got); err != nil || got != valid || !c.has("matches") {
		return err
	}
	return sameList("matches", c.texts("matches"), matches)
}

// walk gives the fixtures of every page of a query, each page judged as a client
// judges it.
func (w *world) walk(q wire.Query) ([]string, error) {
	var all []string
	e := wire.NewEnumeration(serviceOrigin, q)
	for {
		response, err := w.core.Enumerate(w.ctx, e.Request())
		if err != nil {
			return nil, err
		}
		page, err := e.Page(response.Append(nil))
		if err != nil {
			return nil, err
		}
		names, err := w.fixturesOf(page.Items)
		if err != nil {
			return nil, err
		}
		all = append(all, names...)
		if page.Next == "" {
			return all, nil
		}
	}
}

func sameList(what string, expected, got []string) error {
	if slices.Equal(expected, got) {
		return nil
	}
	return &mismatch{what + " " + list(expected), what + " " + list(got)}
}

func batchCase(w *world, c *fields) error {
	body, err := c.document()
	if err != nil {
		return err
	}
	var page wire.BatchPage
	response, err := w.core.Batch(w.ctx, body)
	if err == nil {
		text, bad := c.answered(response.Append(nil))
		if bad != nil {
			return bad
		}
		request, _ := wire.ParseBatchRequest(body)
		page, err = request.Check(serviceOrigin, text)
	}
	result, err := judged(page.Items, err)
	got, err := outcome(err)
	if err != nil {
		return err
	}
	if err := expect("", c.text("expected"), got); err != nil || got != valid {
		return err
	}
	if c.has("result") {
		if err := sameList("result", c.texts("result"), result); err != nil {
			return err
		}
	}
	if !c.has("missing") {
		return nil
	}
	missing := make([]string, len(page.Missing))
	for i, id := range page.Missing {
		missing[i] = id.String()
	}
	return sameList("missing", c.texts("missing"), missing)
}

// judged gives the event IDs of an answer that was not refused so far.
func judged(items []wire.Item, err error) ([]string, error) {
	if err != nil {
		return nil, err
	}
	ids, err := idsOf(items)
	return ids, invalidAnswer(err)
}

// invalidAnswer gives a record that was refused the code of its answer.
func invalidAnswer(err error) error {
	var b *brokenAnswer
	if errors.As(err, &b) {
		return &fault.Refusal{Step: fault.StepShape, Code: fault.InvalidResponse, Detail: b.why}
	}
	return err
}

func searchCase(w *world, c *fields) error {
	body, err := c.document()
	if err != nil {
		return err
	}
	modes := []string{"lexical", "semantic", "hybrid"}
	if c.has("modes") {
		modes = c.texts("modes")
	}
	var page wire.SearchPage
	request, err := wire.ParseSearchRequest(body, modes)
	if err == nil {
		var text []byte
		if text, err = w.searchResponse(c, request); err != nil {
			return err
		}
		if page, err = request.Check(serviceOrigin, text); err == nil {
			err = w.checkSearch(request, page)
		}
		if own := w.ownSearch(request, body); own != nil {
			return own
		}
	}
	items := make([]wire.Item, len(page.Hits))
	for i, hit := range page.Hits {
		items[i] = hit.Item
	}
	result, err := judged(items, err)
	got, err := outcome(err)
	if err != nil {
		return err
	}
	if err := expect("", c.text("expected"), got); err != nil || got != valid || !c.has("result") {
		return err
	}
	return sameList("result", c.texts("result"), result)
}

// searchResponse makes the response of a case from its candidates as ranked, cut
// at the limit, nothing filtered, and changes it.
func (w *world) searchResponse(c *fields, request wire.SearchRequest) ([]byte, error) {
	checkpoint, err := w.store.Checkpoint(w.ctx)
	if err != nil {
		return nil, &broken{err}
	}
	r := wire.SearchResponse{
		Stamp:    wire.Stamp{Service: serviceOrigin, Checkpoint: checkpoint, AsOf: w.clock},
		Ranking:  wire.Ranking{Mode: request.Mode, ID: "candidates"},
		Coverage: wire.Coverage{Exhaustive: true},
	}
	for _, name := range c.texts("candidates") {
		record, ok := w.records[name]
		if !ok {
			return nil, errors.New("the candidate " + quoted(name) + " is not accepted")
		}
		if len(r.Hits) < request.Limit {
			r.Hits = append(r.Hits, wire.Hit{Record: record})
		}
	}
	if c.has("coverage") {
		coverage, err := fieldsOf(c.raw("coverage"))
		if err != nil {
			return nil, err
		}
		if err := coverage.only("exhaustive", "reasons"); err != nil {
			return nil, err
		}
		r.Coverage = wire.Coverage{Exhaustive: coverage.bool("exhaustive"), Reasons: coverage.texts("reasons")}
		if coverage.err != nil {
			return nil, coverage.err
		}
	}
	return c.answered(r.Append(nil))
}

// checkSearch judges an answer by the store behind it: every hit can be read, and
// an exhaustive one holds every visible lexical match at its checkpoint.
func (w *world) checkSearch(request wire.SearchRequest, page wire.SearchPage) error {
	hits := make(map[identity.ID]bool, len(page.Hits))
	for _, hit := range page.Hits {
		if hit.Item.Refusal != nil {
			continue
		}
		id := hit.Item.Offer.Event().ID()
		hits[id] = true
		_, err := w.store.Record(w.ctx, id)
		var absent *fault.NotHeld
		switch {
		case errors.As(err, &absent):
			return invalidAnswer(&brokenAnswer{"a hit that is withheld"})
		case err != nil:
			return &broken{err}
		}
	}
	if !page.Coverage.Exhaustive {
		return nil
	}
	records, _, err := w.store.Records(w.ctx, wire.Range{Filter: request.Filter, Terms: request.Terms,
		Through: page.Checkpoint, Limit: len(w.records) + 1})
	if err != nil {
		return &broken{err}
	}
	for _, r := range records {
		if !hits[r.Event.ID()] {
			return invalidAnswer(&brokenAnswer{"an exhaustive answer lacks " + r.Event.ID().String()})
		}
	}
	return nil
}

// ownSearch holds the answer of akx's own service to the same rules.
func (w *world) ownSearch(request wire.SearchRequest, body []byte) error {
	if request.Mode != wire.Lexical {
		return nil
	}
	response, err := w.core.Search(w.ctx, body)
	if err != nil {
		return &mismatch{"an answer of the service", err.Error()}
	}
	page, err := request.Check(serviceOrigin, response.Append(nil))
	if err == nil {
		err = w.checkSearch(request, page)
	}
	if err != nil {
		return &mismatch{"a sound answer of the service", err.Error()}
	}
	for _, hit := range page.Hits {
		if event := hit.Item.Offer.Event(); event == nil || !capsule.Lexical(event, request.Terms) {
			return &mismatch{"lexical hits of the service", "a hit that does not match"}
		}
	}
	return nil
}
