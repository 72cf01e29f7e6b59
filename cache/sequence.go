package cache

import (
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"

	bolt "go.etcd.io/bbolt"

	"akx/view/fault"
)

// A service gives no sequence number twice, not even after its database was
// replaced by an older copy (8.3). So a service's home has a second file, sequence,
// which is written and synced before a transaction that gives numbers commits. It
// stands beside the database and is not to be restored with it.
//
// The file has two places, written in turn, so that a torn write leaves the one
// before: magic, reserved, committed, turn, CRC-32C.
const (
	sequenceName  = "sequence"
	sequenceMagic = "akxseq1\n"
	sequenceBytes = len(sequenceMagic) + 3*8 + 4
	sequencePlace = 512 // bytes from one place to the other
)

// unknownNumbers are given up where nothing says how many were given.
const unknownNumbers = 1 << 32

const hintRestored = "if the home was restored from an older copy, run 'akx serve restored': it goes on behind every number that was given"

// sequence is what the file says.
type sequence struct {
	reserved  uint64 // no number up to it is free, whatever the database says
	committed uint64 // the database had come this far when the file was written
	turn      uint64 // writes so far; 0 where there is no file
}

func readSequence(home string) (sequence, error) {
	path := filepath.Join(home, sequenceName)
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return sequence{}, nil
	}
	if err != nil {
		return sequence{}, fail(path, err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, 2*sequencePlace))
	if err != nil {
		return sequence{}, fail(path, err)
	}
	var newest sequence
	for at := 0; at < len(b); at += sequencePlace {
		if s, ok := parseSequence(b[at:]); ok && s.turn > newest.turn {
			newest = s
		}
	}
	if newest.turn == 0 {
		return sequence{}, &fault.Damaged{What: path, Detail: "it does not say which numbers were given", Hint: hintRestored}
	}
	return newest, nil
}

func parseSequence(b []byte) (sequence, bool) {
	if len(b) < sequenceBytes || string(b[:len(sequenceMagic)]) != sequenceMagic {
		return sequence{}, false
	}
	sum := binary.BigEndian.Uint32(b[sequenceBytes-4:])
	if crc32.Checksum(b[:sequenceBytes-4], castagnoli) != sum {
		return sequence{}, false
	}
	numbers := b[len(sequenceMagic):]
	return sequence{
		reserved:  binary.BigEndian.Uint64(numbers),
		committed: binary.BigEndian.Uint64(numbers[8:]),
		turn:      binary.BigEndian.Uint64(numbers[16:]),
	}, true
}

// write makes s durable, in the place that is older.
func (s sequence) write(home string) error {
	path := filepath.Join(home, sequenceName)
	b := append(make([]byte, 0, sequenceBytes), sequenceMagic...)
	for _, n := range []uint64{s.reserved, s.committed, s.turn} {
		b = binary.BigEndian.AppendUint64(b, n)
	}
	b = binary.BigEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return fail(path, err)
	}
	_, err = f.WriteAt(b, int64(s.turn%2)*sequencePlace)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil || s.turn > 1 {
		return fail(path, err)
	}
	dir, err := os.Open(home)
	if err != nil {
		return fail(home, err)
	}
	return fail(home, errors.Join(dir.Sync(), dir.Close()))
}

// check compares the file with a database that has come to high.
func (s sequence) check(home string, high uint64) error {
	path := filepath.Join(home, sequenceName)
	switch {
	case s.turn == 0 && high > 0:
		return &fault.Damaged{What: path, Detail: "the file that keeps numbers from being given twice is gone", Hint: hintRestored}
	case high < s.committed:
		return &fault.Damaged{What: filepath.Join(home, cacheName), Detail: "it is older than the numbers that this service has given", Hint: hintRestored}
	}
	return nil
}

// high is the last number that was given or given up.
func (c *counts) high() uint64 { return max(c.last, c.floor) }

func (c *Cache) serves() bool { return c.events.schema.role == Service }

// reserved readies a batch of a service to give numbers: none that is reserved.
func (c *Cache) reserved(b *batch) (sequence, error) {
	if !c.serves() {
		return sequence{}, nil
	}
	s, err := readSequence(c.home)
	if err != nil {
		return sequence{}, err
	}
	if err := s.check(c.home, b.counts.high()); err != nil {
		return sequence{}, err
	}
	s.committed = b.counts.high()
	b.counts.floor = max(b.counts.floor, s.reserved)
	return s, nil
}

// reserve makes the numbers that a batch of a service gave durable, before it
// commits.
func (c *Cache) reserve(s sequence, b *batch) error {
	if !c.serves() || b.counts.last <= s.reserved {
		return nil
	}
	s.reserved = b.counts.last
	s.turn++
	return s.write(c.home)
}

// checkSequence reports a service whose database is behind its numbers.
func (c *Cache) checkSequence(ctx context.Context) (high uint64, err error) {
	var before sequence
	if c.serves() {
		// Read first: the database only goes on.
		if before, err = readSequence(c.home); err != nil {
			return 0, err
		}
	}
	err = c.view(ctx, func(s *snapshot) error {
		high = s.counts.high()
		return nil
	})
	if err != nil || !c.serves() {
		return high, err
	}
	if before.turn == 0 && high > 0 {
		// The first number may have been given in between.
		if before, err = readSequence(c.home); err != nil {
			return 0, err
		}
	}
	return high, before.check(c.home, high)
}

// Create makes the home and its empty database, with the role of o. It is an error
// if there is a database of the other role; one of this role stays as it is.
func Create(ctx context.Context, home string, o Options) error {
	o = o.filled()
	f := newFile(filepath.Join(home, cacheName), cacheSchema(o.Role), o)
	defer f.close()
	return f.write(ctx, func(*bolt.Tx) (bool, error) { return false, nil })
}

// Restored says of a service's home that its database, or the file with the numbers
// given, is an older copy. It gives up all numbers that may have been given since,
// and answers the last of them.
func (c *Cache) Restored(ctx context.Context) (uint64, error) {
	if !c.serves() {
		return 0, &fault.Usage{Detail: "only the home of a service gives sequence numbers"}
	}
	there, err := c.events.exists()
	if err != nil {
		return 0, err
	}
	if !there {
		return 0, &fault.NotHeld{ID: cacheName, Where: c.home}
	}
	var high uint64
	err = c.events.write(ctx, func(tx *bolt.Tx) (bool, error) {
		b, err := c.begin(tx)
		if err != nil {
			return false, err
		}
		s, err := readSequence(c.home)
		if err != nil && !isDamaged(err) {
			return false, err
		}
		if high = s.reserved; high <= b.counts.high() {
			// The file is gone, or as old as the database.
			high = b.counts.high() + unknownNumbers
		}
		s = sequence{reserved: high, committed: b.counts.high(), turn: s.turn + 1}
		b.counts.floor = high
		if err := s.write(c.home); err != nil {
			return false, err
		}
		return true, tx.Bucket(metaBucket).Put(keyCounts, b.counts.encode())
	})
	if err != nil {
		return 0, err
	}
	return high, nil
}
