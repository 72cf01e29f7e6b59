package cache

import (
	"context"
	"slices"

	bolt "go.etcd.io/bbolt"

	"akx/view"
	"akx/view/capsule"
	"akx/view/identity"
)

// matcher decides from rows and states alone whether an event passes a query but
// for its terms. A test compares it with capsule.Filter.Match over all events.
type matcher struct {
	filter    capsule.Filter
	lifecycle view.Lifecycle
	target    bool
	actor     bool
	profile   bool
	onlyPubs  bool
	language  string // folded
}

func newMatcher(f capsule.Filter, lifecycle view.Lifecycle) matcher {
	return matcher{
		filter:    f,
		lifecycle: lifecycle,
		target:    f.FilterText("target") != "",
		actor:     f.FilterText("actor") != "",
		profile:   f.FilterText("profile") != "",
		onlyPubs:  f.Kind != 0 || f.Relation != 0 || f.Tag != "" || f.Language != "",
		language:  capsule.FoldASCII(f.Language),
	}
}

// row reports whether a row passes everything but target and lifecycle.
func (m *matcher) row(r row) bool {
	f, typ, at := &m.filter, r.typ(), r.created()
	if f.Type != 0 && typ != f.Type || f.Kind != 0 && r.kind() != f.Kind || f.Verdict != 0 && r.verdict() != f.Verdict ||
		m.onlyPubs && typ != capsule.Publish ||
		f.CreatedFrom.Set && at < f.CreatedFrom.MS || f.CreatedBefore.Set && at >= f.CreatedBefore.MS ||
		m.actor && r.actor() != f.Actor ||
		f.Relation != 0 && !r.has(f.Relation) {
		return false
	}
	if f.Tag == "" && m.language == "" && !m.profile {
		return true
	}
	return m.tail(r)
}

func (m *matcher) tail(r row) bool {
	t, _ := r.tail()
	t.text()
	if language := t.text(); m.language != "" && !equalFold(language, m.language) {
		return false
	}
	tagged := m.filter.Tag == ""
	for range t.count() {
		tagged = string(t.text()) == m.filter.Tag || tagged
	}
	bound := !m.profile
	for range t.count() {
		if digest := t.take(32); digest != nil {
			bound = identity.Digest(digest) == m.filter.Profile || bound
		}
	}
	return tagged && bound
}

// equalFold compares with an ASCII-folded label.
func equalFold(label []byte, folded string) bool {
	if len(label) != len(folded) {
		return false
	}
	for i, c := range label {
		if foldByte(c) != folded[i] {
			return false
		}
	}
	return true
}

// walk is one enumeration of matching numbers.
type walk struct {
	s       *snapshot
	match   matcher
	find    finder
	ascends bool
	after   uint64 // numbers beyond it
	through uint64 // and up to it
	visit   func(n uint64) bool
	pause   func() bool // between packs
}

func (s *snapshot) newWalk(f capsule.Filter, terms []string, lifecycle view.Lifecycle) *walk {
	return &walk{
		s: s, match: newMatcher(f, lifecycle), find: newFinder(terms), through: s.counts.last,
		pause: func() bool { return true },
	}
}

// run visits matching numbers in order until visit or pause says no.
func (w *walk) run(ctx context.Context) error {
	if w.s.tx == nil || w.after >= w.through {
		return ctx.Err()
	}
	switch {
	case w.match.target:
		return w.overLinks(ctx)
	case len(w.find.terms) > 0:
		return w.overPacks(ctx, w.s.bucket("find"), true)
	default:
		return w.overPacks(ctx, w.s.bucket("row"), false)
	}
}

// overLinks visits what points at the filter's target.
func (w *walk) overLinks(ctx context.Context) error {
	target := w.s.number(w.match.filter.Target)
	if target == 0 {
		return ctx.Err()
	}
	prefix := number(target)
	if w.match.filter.Relation != 0 {
		prefix = append(prefix, byte(w.match.filter.Relation))
	}
	var sources []uint64
	err := w.s.eachLink(prefix, func(_ capsule.Relation, source uint64) (bool, error) {
		sources = append(sources, source)
		return true, nil
	})
	if err != nil {
		return err
	}
	slices.Sort(sources)
	sources = slices.Compact(sources)
	if !w.ascends {
		slices.Reverse(sources)
	}
	for i, n := range sources {
		if i%batchRows == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if n <= w.after || n > w.through || len(w.find.terms) > 0 && !w.find.record(w.s.finds.record(n)) {
			continue
		}
		if more, err := w.offer(n, row(w.s.rows.record(n))); err != nil || !more {
			return err
		}
	}
	return ctx.Err()
}

// overPacks visits the numbers of all packs of a bucket, in order.
func (w *walk) overPacks(ctx context.Context, b *bolt.Bucket, search bool) error {
	cursor := b.Cursor()
	key, value := w.start(cursor)
	for ; key != nil; key, value = w.next(cursor) {
		p, ok := parsePack(key, value, search)
		if !ok {
			return damaged(w.s.path, "a part of its index is damaged", nil)
		}
		if w.ascends && p.first > w.through || !w.ascends && p.last <= w.after {
			break
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if search && !w.find.pack(&p) {
			continue
		}
		if more, err := w.overPack(&p, search); err != nil || !more {
			return err
		}
		if !w.pause() {
			return nil
		}
	}
	return ctx.Err()
}

func (w *walk) start(c *bolt.Cursor) (key, value []byte) {
	if w.ascends {
		return c.Seek(number(w.after + 1))
	}
	if key, value = c.Seek(number(w.through)); key == nil {
		return c.Last()
	}
	return key, value
}

func (w *walk) next(c *bolt.Cursor) (key, value []byte) {
	if w.ascends {
		return c.Next()
	}
	return c.Prev()
}

func (w *walk) overPack(p *pack, search bool) (more bool, err error) {
	low, high := max(p.first, w.after+1), min(p.last, w.through)
	for i := low; i <= high; i++ {
		n := i
		if !w.ascends {
			n = high - (i - low)
		}
		record := p.record(n)
		if search {
			if !w.find.record(record) {
				continue
			}
			record = w.s.rows.record(n)
		}
		if more, err := w.offer(n, row(record)); err != nil || !more {
			return false, err
		}
	}
	return true, nil
}

// offer visits n if its row and state pass. A row that cannot be read is shown:
// its entry says that it is damaged.
func (w *walk) offer(n uint64, r row) (more bool, err error) {
	if r.whole() && !w.match.row(r) {
		return true, nil
	}
	if w.match.lifecycle != view.Unchecked {
		st, ok := w.s.states.get(n)
		if !ok {
			return false, damaged(w.s.path, "its states are damaged", nil)
		}
		if st.lifecycle() != w.match.lifecycle {
			return true, nil
		}
	}
	return w.visit(n), nil
}

// Scan yields the numbers of matching events in the query's order, in batches.
// The first batch is small, so that first rows come early.
func (s *snapshot) Scan(ctx context.Context, q view.Query, yield func(numbers []uint64) bool) (err error) {
	defer s.guard(&err)
	if q.Sort != view.Newest {
		return s.scanSorted(ctx, q, yield)
	}
	return s.matching(ctx, q, yield)
}

const (
	firstRows  = 64
	quietPacks = 32 // packs without a batch before a short one goes out
)

// matching yields the numbers of matching events by arrival, newest first.
func (s *snapshot) matching(ctx context.Context, q view.Query, yield func([]uint64) bool) error {
	w := s.newWalk(q.Filter, q.Terms, q.Lifecycle)
	found, size, packs, more := make([]uint64, 0, firstRows), firstRows, 0, true
	hand := func() bool {
		s.away = true
		more = yield(found)
		s.away = false
		found, size, packs = make([]uint64, 0, batchRows), batchRows, 0
		return more
	}
	w.visit = func(n uint64) bool {
		found = append(found, n)
		return len(found) < size || hand()
	}
	w.pause = func() bool {
		packs++
		return packs < quietPacks || len(found) == 0 || hand()
	}
	err := w.run(ctx)
	if err == nil && more && len(found) > 0 {
		hand()
	}
	return err
}
