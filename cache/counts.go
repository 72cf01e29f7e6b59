package cache

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"os"

	bolt "go.etcd.io/bbolt"

	"akx/view"
)

// counts are kept in meta, so that Stats and Open read one value.
type counts struct {
	last         uint64 // local number of the last event
	publications uint64
	assessments  uint64
	retractions  uint64
	textBytes    uint64
	pending      uint64
	pendingBytes uint64
	arrivals     uint64 // of waiting events, for their order; never reused
	floor        uint64 // numbers up to it are not given any more
}

const countsBytes = 9*8 + 4

func (c *counts) fields() []*uint64 {
	return []*uint64{&c.last, &c.publications, &c.assessments, &c.retractions, &c.textBytes, &c.pending, &c.pendingBytes, &c.arrivals, &c.floor}
}

// next is the number of the next event.
func (c *counts) next() uint64 { return max(c.last, c.floor) + 1 }

func (c *counts) encode() []byte {
	b := make([]byte, 0, countsBytes)
	for _, field := range c.fields() {
		b = binary.BigEndian.AppendUint64(b, *field)
	}
	return binary.BigEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

// loadCounts reads the counts; a file without any is new. The number of the last
// event is compared with the rows, so that no number is given twice.
func loadCounts(tx *bolt.Tx, path string) (counts, error) {
	var c counts
	b := tx.Bucket(metaBucket).Get(keyCounts)
	lastRow, _ := tx.Bucket([]byte("row")).Cursor().Last()
	if b == nil && lastRow == nil {
		return c, nil
	}
	if len(b) != countsBytes || binary.BigEndian.Uint32(b[countsBytes-4:]) != crc32.Checksum(b[:countsBytes-4], castagnoli) {
		return c, damaged(path, "its counts are damaged", nil)
	}
	for i, field := range c.fields() {
		*field = binary.BigEndian.Uint64(b[8*i:])
	}
	if c.last > 0 && (len(lastRow) != 8 || binary.BigEndian.Uint64(lastRow) != c.last) {
		return c, damaged(path, "its counts do not fit its rows", nil)
	}
	return c, nil
}

func (c *counts) stats() view.Stats {
	return view.Stats{
		Events:       c.publications + c.assessments + c.retractions,
		LastNumber:   c.last,
		Publications: c.publications,
		Assessments:  c.assessments,
		Retractions:  c.retractions,
		Pending:      int(c.pending),
		PendingBytes: int64(c.pendingBytes),
		TextBytes:    int64(c.textBytes),
	}
}

// size is that of the database file; 0 where there is none.
func (f *file) size() (int64, error) {
	info, err := os.Stat(f.path)
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fail(f.path, err)
	}
	return info.Size(), nil
}
