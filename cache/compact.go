package cache

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime/debug"

	bolt "go.etcd.io/bbolt"
)

const (
	// compactBytes is what one transaction of a copy holds.
	compactBytes = 16 << 20
	// lostNumbers are skipped where the newest transaction may be lost, so that no
	// number is given twice.
	lostNumbers = 1 << 20
)

// Compact writes the databases of a home anew without their free pages, and with two
// whole meta pages, and puts each copy in its place when it is complete. It gives
// the sizes before and after; both are 0 where there is no database. Values are
// copied as they are; pages that make no sense end it with *fault.Damaged and
// leave the file as it was.
func Compact(ctx context.Context, home string, o Options) (before, after int64, err error) {
	o = o.filled()
	for _, f := range []*file{
		newFile(filepath.Join(home, cacheName), cacheSchema(0), o),
		newFile(filepath.Join(home, ownName), ownSchema(), o),
	} {
		from, to, err := f.compact(ctx)
		if err != nil {
			return before, after, err
		}
		before, after = before+from, after+to
	}
	return before, after, nil
}

func (f *file) compact(ctx context.Context) (before, after int64, err error) {
	there, err := f.exists()
	if err != nil || !there {
		return 0, 0, err
	}
	t, err := f.lease.acquire(ctx, true, f.patience)
	if err != nil {
		return 0, 0, err
	}
	defer t.release()
	state, err := inspect(f.path)
	if err != nil {
		return 0, 0, err
	}
	made := f.path + ".compact"
	defer os.Remove(made)
	if err := f.copyTo(ctx, made, state); err != nil {
		return 0, 0, err
	}
	if err := replaceFile(made, f.path); err != nil {
		return 0, 0, err
	}
	after, err = f.size()
	return state.size, after, err
}

// copyTo writes a copy of the database whose lease is held.
func (f *file) copyTo(ctx context.Context, path string, state health) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fail(path, err)
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	from, disk, err := openBolt(f.path, false, state.size)
	if err != nil {
		return err
	}
	h := &handle{db: from, disk: disk, tenure: &tenure{}}
	defer h.close()
	if err := f.guarded(h, func() error { _, err := f.checkSchema(from, false); return err }); err != nil {
		return err
	}
	to, _, err := openBolt(path, true, state.size)
	if err != nil {
		return err
	}
	err = f.guarded(h, func() error {
		return from.View(func(tx *bolt.Tx) error { return copyBuckets(ctx, to, tx) })
	})
	if err == nil && state.metas < 2 && f.schema.numbered() {
		err = skipNumbers(to, path)
	}
	if err := errors.Join(fail(path, err), fail(path, to.Close())); err != nil {
		return err
	}
	return trim(path)
}

// trim cuts a file to its pages in use.
func trim(path string) error {
	h, err := inspect(path)
	if err != nil {
		return err
	}
	return fail(path, os.Truncate(path, h.meta.pages*h.meta.pageSize))
}

// skipNumbers leaves a gap behind the last number.
func skipNumbers(db *bolt.DB, path string) error {
	return db.Update(func(tx *bolt.Tx) error {
		c, err := loadCounts(tx, path)
		if err != nil || c.last == 0 {
			return err
		}
		c.floor = max(c.last, c.floor) + lostNumbers
		return tx.Bucket(metaBucket).Put(keyCounts, c.encode())
	})
}

// copier writes into one transaction until it is large enough.
type copier struct {
	db   *bolt.DB
	tx   *bolt.Tx
	size int
}

func copyBuckets(ctx context.Context, to *bolt.DB, from *bolt.Tx) error {
	c := &copier{db: to}
	err := from.ForEach(func(name []byte, b *bolt.Bucket) error { return c.bucket(ctx, name, b) })
	if c.tx == nil {
		return err
	}
	if err != nil {
		return errors.Join(err, c.tx.Rollback())
	}
	return c.tx.Commit()
}

func (c *copier) bucket(ctx context.Context, name []byte, from *bolt.Bucket) error {
	to, err := c.open(name)
	if err != nil {
		return err
	}
	if err := to.SetSequence(from.Sequence()); err != nil {
		return err
	}
	cursor := from.Cursor()
	for key, value := cursor.First(); key != nil; key, value = cursor.Next() {
		if c.size > compactBytes {
			if err := errors.Join(ctx.Err(), c.tx.Commit()); err != nil {
				return err
			}
			c.tx = nil
			if to, err = c.open(name); err != nil {
				return err
			}
		}
		c.size += len(key) + len(value)
		if err := to.Put(key, value); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (c *copier) open(name []byte) (*bolt.Bucket, error) {
	if c.tx == nil {
		tx, err := c.db.Begin(true)
		if err != nil {
			return nil, err
		}
		c.tx, c.size = tx, 0
	}
	b, err := c.tx.CreateBucketIfNotExists(name)
	if err != nil {
		return nil, err
	}
	b.FillPercent = 1
	return b, nil
}
