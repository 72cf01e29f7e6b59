package cache

import (
	"encoding/binary"
	"math"

	bolt "go.etcd.io/bbolt"
)

// A pack holds the records of consecutive numbers in one value, under the number
// of its last: count, the end of each record, the records, and in the find bucket
// a hint. One key an event would waste half a page for each text.
//
// The last pack of a bucket grows until it is full, so that many small commits
// end in the same file as one large one.
type pack struct {
	first, last uint64
	ends        []byte // 4 bytes each, relative to data
	data        []byte
	hint        []byte // of hintBytes in the find bucket, else empty
}

const packHead = 4

// parsePack reads a value; ok is false where its sizes make no sense.
func parsePack(key, value []byte, hinted bool) (p pack, ok bool) {
	if len(key) != 8 || len(value) < packHead {
		return pack{}, false
	}
	if hinted {
		if len(value) < hintBytes+packHead {
			return pack{}, false
		}
		cut := len(value) - hintBytes
		value, p.hint = value[:cut], value[cut:]
	}
	count := uint64(binary.BigEndian.Uint32(value))
	p.last = binary.BigEndian.Uint64(key)
	if count == 0 || count > p.last || packHead+4*count > uint64(len(value)) {
		return pack{}, false
	}
	p.first = p.last - count + 1
	p.ends = value[packHead : packHead+4*count]
	p.data = value[packHead+4*count:]
	return p, int(binary.BigEndian.Uint32(p.ends[4*(count-1):])) == len(p.data)
}

// record gives the record of number n; nil where the pack does not hold it or its
// place makes no sense. It points into the transaction.
func (p *pack) record(n uint64) []byte {
	if n < p.first || n > p.last {
		return nil
	}
	i := int(n - p.first)
	start, end := 0, int(binary.BigEndian.Uint32(p.ends[4*i:]))
	if i > 0 {
		start = int(binary.BigEndian.Uint32(p.ends[4*i-4:]))
	}
	if start > end || end > len(p.data) {
		return nil
	}
	return p.data[start:end:end]
}

// packReader finds records by number and keeps the pack it read last, so that
// neighbours cost no walk of the tree.
type packReader struct {
	cursor *bolt.Cursor
	hinted bool
	at     pack
}

func newPackReader(b *bolt.Bucket, hinted bool) *packReader {
	return &packReader{cursor: b.Cursor(), hinted: hinted}
}

// record gives the record of n; nil where there is none that makes sense. It is
// valid while the transaction is.
func (r *packReader) record(n uint64) []byte {
	if n == 0 {
		return nil
	}
	if n < r.at.first || n > r.at.last {
		key, value := r.cursor.Seek(number(n))
		p, ok := parsePack(key, value, r.hinted)
		if !ok {
			r.at = pack{}
			return nil
		}
		r.at = p
	}
	return r.at.record(n)
}

// packWriter appends records to a bucket.
type packWriter struct {
	bucket *bolt.Bucket
	limit  int // bytes of records in a pack
	hinted bool
	opened bool
	grown  []byte // key of the stored pack that this one replaces
	last   uint64
	ends   []byte
	data   []byte
	hint   []byte
}

// add appends the record of n, greater than all before, which fill writes behind what it
// is given.
func (w *packWriter) add(n uint64, fill func(dst []byte) []byte) error {
	if !w.opened {
		w.open(n)
	}
	if len(w.data) >= w.limit || len(w.ends) > 0 && n != w.last+1 {
		if err := w.flush(); err != nil {
			return err
		}
	}
	start := len(w.data)
	w.data = fill(w.data)
	w.ends = binary.BigEndian.AppendUint32(w.ends, uint32(len(w.data)))
	if w.hinted {
		if w.hint == nil {
			w.hint = make([]byte, hintBytes)
		}
		addHint(w.hint, w.data[start:])
	}
	w.last = n
	return nil
}

// open takes up the last stored pack if it has room and n follows it.
func (w *packWriter) open(n uint64) {
	w.opened = true
	w.bucket.FillPercent = 0.95
	key, value := w.bucket.Cursor().Last()
	p, ok := parsePack(key, value, w.hinted)
	if !ok || len(p.data) >= w.limit || p.last+1 != n {
		return
	}
	w.grown = append([]byte(nil), key...)
	w.last = p.last
	w.ends = append([]byte(nil), p.ends...)
	w.data = append(make([]byte, 0, w.limit), p.data...)
	if w.hinted {
		w.hint = append([]byte(nil), p.hint...)
	}
}

// flush stores what was added.
func (w *packWriter) flush() error {
	if len(w.ends) == 0 {
		return nil
	}
	value := make([]byte, 0, packHead+len(w.ends)+len(w.data)+len(w.hint))
	value = binary.BigEndian.AppendUint32(value, uint32(len(w.ends)/4))
	value = append(append(append(value, w.ends...), w.data...), w.hint...)
	if w.grown != nil {
		if err := w.bucket.Delete(w.grown); err != nil {
			return err
		}
	}
	err := w.bucket.Put(number(w.last), value)
	w.grown, w.ends, w.data, w.hint = nil, w.ends[:0], w.data[:0], nil
	return err
}

// replacePack stores another record in the place of n's, or reports that there is
// no pack with that place.
func replacePack(b *bolt.Bucket, hinted bool, n uint64, record []byte) (bool, error) {
	key, value := b.Cursor().Seek(number(n))
	p, ok := parsePack(key, value, hinted)
	if !ok || n < p.first {
		return false, nil
	}
	w := packWriter{bucket: b, limit: math.MaxInt, hinted: hinted, opened: true, grown: append([]byte(nil), key...)}
	for i := p.first; i <= p.last; i++ {
		old := p.record(i)
		if i == n {
			old = record
		}
		if err := w.add(i, func(dst []byte) []byte { return append(dst, old...) }); err != nil {
			return false, err
		}
	}
	return true, w.flush()
}

// number is the key of a local number.
func number(n uint64) []byte { return binary.BigEndian.AppendUint64(make([]byte, 0, 8), n) }
