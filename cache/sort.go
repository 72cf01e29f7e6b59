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
	var keys []sortKey
	w := s.newWalk(q.Filter, q.Terms, q.Lifecycle)
	w.visit = func(n uint64) bool {
		keys = append(keys, s.sortKey(n, q.Sort))
		return true
	}
	if err := w.run(ctx); err != nil {
		return err
	}
	less := s.byTitle
	if q.Sort == view.Created {
		less = s.byCreated
	}
	slices.SortFunc(keys, less)
	numbers := make([]uint64, 0, batchRows)
	for chunk := range slices.Chunk(keys, batchRows) {
		if err := ctx.Err(); err != nil {
			return err
		}
		numbers = numbers[:0]
		for _, k := range chunk {
			numbers = append(numbers, k.number)
		}
		s.away = true
		more := yield(slices.Clone(numbers))
		s.away = false
		if !more {
			return nil
		}
	}
	return ctx.Err()
}

// sortKey orders one match: front is created_at, or the first bytes of the folded
// title. row points into the transaction.
type sortKey struct {
	front  uint64
	number uint64
	row    row
}

func (s *snapshot) sortKey(n uint64, by view.Sort) sortKey {
	k := sortKey{number: n, row: s.rows.record(n)}
	switch {
	case !k.row.whole():
		k.row = nil
	case by == view.Created:
		k.front = uint64(k.row.created())
	default:
		var front [8]byte
		for i, c := range k.row.title()[:min(8, len(k.row.title()))] {
			front[i] = foldByte(c)
		}
		k.front = binary.BigEndian.Uint64(front[:])
	}
	return k
}

func (s *snapshot) byCreated(a, b sortKey) int {
	return cmp.Or(cmp.Compare(b.front, a.front), byID(a, b))
}

// byID decides between equals. Rows that cannot be read come first.
func byID(a, b sortKey) int {
	if a.row == nil || b.row == nil {
		return cmp.Or(cmp.Compare(len(a.row), len(b.row)), cmp.Compare(a.number, b.number))
	}
	return a.row.id().Compare(b.row.id())
}

// byTitle compares folded titles; where the kept parts do not decide, the whole
// titles of the events.
func (s *snapshot) byTitle(a, b sortKey) int {
	if a.front != b.front {
		return cmp.Compare(a.front, b.front)
	}
	if a.row == nil || b.row == nil {
		return byID(a, b)
	}
	x, y := a.row.title(), b.row.title()
	shared := commonFolded(x, y)
	if a.row.cut() && shared == len(x) || b.row.cut() && shared == len(y) {
		x, y = s.wholeTitle(a), s.wholeTitle(b)
		shared = commonFolded(x, y)
	}
	switch {
	case shared < len(x) && shared < len(y):
		return cmp.Compare(foldByte(x[shared]), foldByte(y[shared]))
	case len(x) != len(y):
		return cmp.Compare(len(x), len(y))
	default:
		return byID(a, b)
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
func (s *snapshot) wholeTitle(k sortKey) []byte {
	event, err := reopen(s.texts.record(k.number), k.row.id())
	if err != nil {
		return k.row.title()
	}
	return []byte(event.Title())
}
