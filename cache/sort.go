package cache

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"

	"akx/view"
)

// scanSorted gathers all matches, sorts them and yields them.
func (s *snapshot) scanSorted(ctx context.Context, q view.Query, yield func([]uint64) bool) error {
	o := &order{s: s, by: q.Sort}
	w := s.newWalk(q.Filter, q.Terms, q.Lifecycle)
	w.visit = func(n uint64) bool {
		o.add(n)
		return true
	}
	if err := w.run(ctx); err != nil {
		return err
	}
	less := o.byTitle
	if q.Sort == view.Created {
		less = o.byCreated
	}
	slices.SortFunc(o.keys, less)
	for chunk := range slices.Chunk(o.keys, batchRows) {
		if err := ctx.Err(); err != nil {
			return err
		}
		numbers := make([]uint64, 0, len(chunk))
		for _, k := range chunk {
			numbers = append(numbers, o.number(k))
		}
		s.away = true
		more := yield(numbers)
		s.away = false
		if !more {
			return nil
		}
	}
	return ctx.Err()
}

// order is all matches of a query, 16 bytes each: a library has millions.
type order struct {
	s     *snapshot
	by    view.Sort
	packs []pack // of the matches; they point into the transaction
	keys  []sortKey
}

// sortKey orders one match: front is created_at, or the first bytes of the folded
// title.
type sortKey struct {
	front uint64
	pack  uint32 // of order.packs
	place uint32 // in the pack
}

// add takes up one match; matches of one pack come one after the other.
func (o *order) add(n uint64) {
	rows := o.s.rows
	rows.record(n)
	if last := len(o.packs) - 1; last < 0 || n < o.packs[last].first || n > o.packs[last].last {
		p := rows.at
		if n < p.first || n > p.last {
			// It cannot be read: an empty row of its own.
			p = pack{first: n, last: n, ends: make([]byte, 4)}
		}
		o.packs = append(o.packs, p)
	}
	last := len(o.packs) - 1
	k := sortKey{pack: uint32(last), place: uint32(n - o.packs[last].first)}
	if r := o.row(k); r != nil {
		k.front = o.front(r)
	}
	o.keys = append(o.keys, k)
}

func (o *order) front(r row) uint64 {
	if o.by == view.Created {
		return uint64(r.created())
	}
	var front [8]byte
	for i, c := range r.title()[:min(8, len(r.title()))] {
		front[i] = foldByte(c)
	}
	return binary.BigEndian.Uint64(front[:])
}

func (o *order) number(k sortKey) uint64 { return o.packs[k.pack].first + uint64(k.place) }

// row gives the row of a match; nil for one that cannot be read.
func (o *order) row(k sortKey) row {
	if r := row(o.packs[k.pack].record(o.number(k))); r.whole() {
		return r
	}
	return nil
}

func (o *order) byCreated(a, b sortKey) int {
	if a.front != b.front {
		return cmp.Compare(b.front, a.front)
	}
	return o.byID(a, b)
}

// byID decides between equals. Rows that cannot be read come first.
func (o *order) byID(a, b sortKey) int {
	x, y := o.row(a), o.row(b)
	if x == nil || y == nil {
		return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(o.number(a), o.number(b)))
	}
	return x.id().Compare(y.id())
}

// byTitle compares folded titles; where the kept parts do not decide, the whole
// titles of the events.
func (o *order) byTitle(a, b sortKey) int {
	if a.front != b.front {
		return cmp.Compare(a.front, b.front)
	}
	r, q := o.row(a), o.row(b)
	if r == nil || q == nil {
		return o.byID(a, b)
	}
	x, y := r.title(), q.title()
	shared := commonFolded(x, y)
	if r.cut() && shared == len(x) || q.cut() && shared == len(y) {
		x, y = o.s.wholeTitle(o.number(a), r), o.s.wholeTitle(o.number(b), q)
		shared = commonFolded(x, y)
	}
	switch {
	case shared < len(x) && shared < len(y):
		return cmp.Compare(foldByte(x[shared]), foldByte(y[shared]))
	case len(x) != len(y):
		return cmp.Compare(len(x), len(y))
	default:
		return o.byID(a, b)
	}
}

// commonFolded counts the bytes that both begin with, ASCII letters folded.
func commonFolded(x, y []byte) int {
	n := min(len(x), len(y))
	for i := range n {
		if x[i] != y[i] && foldByte(x[i]) != foldByte(y[i]) {
			return i
		}
	}
	return n
}

func foldByte(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// wholeTitle reads the title of the event itself; what the row keeps of it where
// the event is damaged.
func (s *snapshot) wholeTitle(n uint64, r row) []byte {
	event, err := reopen(s.texts.record(n), r.id())
	if err != nil {
		return r.title()
	}
	return []byte(event.Title())
}
