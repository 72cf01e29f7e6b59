package cache

import (
	"context"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"syscall"
	"time"

	bolt "go.etcd.io/bbolt"

	"akx/view/fault"
)

// schema is what a database file must hold.
type schema struct {
	format     uint64
	role       Role // zero where the file has none
	buckets    []string
	migrations map[uint64]func(*bolt.Tx) error // from this format to the next
}

// numbered reports whether the file holds events, which it numbers.
func (s *schema) numbered() bool { return slices.Contains(s.buckets, "row") }

// Keys of the meta bucket, which every file has.
var (
	metaBucket = []byte("meta")
	keyFormat  = []byte("format")
	keyRole    = []byte("role")
	keyCounts  = []byte("counts")
)

// open takes the lease, looks at the file and opens it; it makes the file where
// there is none and write is set, and brings an older format up to date.
func (f *file) open(ctx context.Context, write bool) (*handle, error) {
	if write {
		if err := makeHome(filepath.Dir(f.path)); err != nil {
			return nil, err
		}
	}
	t, err := f.lease.acquire(ctx, write, f.patience)
	if err != nil {
		return nil, err
	}
	h, old, err := f.openHeld(t, write)
	if err != nil {
		t.release()
		return nil, err
	}
	if !old {
		return h, nil
	}
	h.close()
	if f.readOnly {
		return nil, &fault.Unavailable{Code: fault.ReadOnly, What: f.path, Detail: "its older format must be brought up to date first", Hint: "leave out --read-only once"}
	}
	return f.open(ctx, true)
}

// openHeld opens the file under t. old is true where it must be opened for
// writing first, to migrate it.
func (f *file) openHeld(t *tenure, write bool) (h *handle, old bool, err error) {
	if write {
		if err := f.create(); err != nil {
			return nil, false, err
		}
	}
	state, err := inspect(f.path)
	if err != nil {
		return nil, false, err
	}
	if write && state.metas < 2 {
		return nil, false, &fault.Damaged{
			What: f.path, Detail: "one of its two meta pages is damaged; the last changes may be missing, and nothing is written over it", Hint: hintAnew,
		}
	}
	db, disk, err := openBolt(f.path, write, state.size)
	if err != nil {
		return nil, false, err
	}
	h = &handle{db: db, disk: disk, tenure: t, write: write, since: time.Now()}
	err = f.guarded(h, func() error { old, err = f.checkSchema(db, write); return err })
	if err != nil {
		if h.lost {
			abandon(disk)
		} else {
			db.Close()
		}
		return nil, false, err
	}
	return h, old, nil
}

// openBolt opens a database whose lease is held. disk is bbolt's own file.
func openBolt(path string, write bool, size int64) (db *bolt.DB, disk *os.File, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			abandon(disk)
			db, err = nil, pages(path, r)
		}
	}()
	options := &bolt.Options{
		ReadOnly: !write, Timeout: flockTimeout, FreelistType: bolt.FreelistMapType, NoStatistics: true,
		OpenFile: func(name string, flag int, mode os.FileMode) (*os.File, error) {
			var err error
			disk, err = os.OpenFile(name, flag, mode)
			return disk, err
		},
	}
	if write {
		options.InitialMmapSize = int(size) + mapAhead
	}
	db, err = bolt.Open(path, 0o600, options)
	if err != nil {
		return nil, nil, fail(path, err)
	}
	db.AllocSize = growStep
	return db, disk, nil
}

// create makes the database where there is none: whole or not at all, so that no
// crash leaves an empty file behind.
func (f *file) create() error {
	there, err := f.exists()
	if err != nil || there {
		return err
	}
	made := f.path + ".new"
	if err := os.Remove(made); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fail(made, err)
	}
	db, _, err := openBolt(made, true, 0)
	if err != nil {
		return err
	}
	err = db.Update(func(tx *bolt.Tx) error {
		for _, name := range f.schema.buckets {
			if _, err := tx.CreateBucket([]byte(name)); err != nil {
				return err
			}
		}
		meta, err := tx.CreateBucket(metaBucket)
		if err != nil {
			return err
		}
		return errors.Join(meta.Put(keyFormat, number(f.schema.format)), meta.Put(keyRole, []byte{byte(f.schema.role)}))
	})
	if err := errors.Join(err, db.Close()); err != nil {
		return fail(made, err)
	}
	return replaceFile(made, f.path)
}

// replaceFile puts a finished file in the place of another, durably.
func replaceFile(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return fail(to, err)
	}
	dir, err := os.Open(filepath.Dir(to))
	if err != nil {
		return fail(to, err)
	}
	return fail(to, errors.Join(dir.Sync(), dir.Close()))
}

// checkSchema compares format and role; it migrates where write allows it, and
// says old where it does not.
func (f *file) checkSchema(db *bolt.DB, write bool) (old bool, err error) {
	var version uint64
	err = db.View(func(tx *bolt.Tx) error {
		meta := tx.Bucket(metaBucket)
		if meta == nil || len(meta.Get(keyFormat)) != 8 {
			return damaged(f.path, "it is a database of another program", nil)
		}
		version = binary.BigEndian.Uint64(meta.Get(keyFormat))
		if version > f.schema.format {
			return &fault.Damaged{Code: fault.NewerFormat, What: f.path, Detail: "a newer akx wrote it", Hint: hintNewer}
		}
		role := meta.Get(keyRole)
		if f.schema.role != 0 && (len(role) != 1 || Role(role[0]) != f.schema.role) {
			return wrongRole(filepath.Dir(f.path), role)
		}
		if version == f.schema.format {
			return f.checkBuckets(tx)
		}
		return f.checkMigrations(version)
	})
	if err != nil || version == f.schema.format || !write {
		return err == nil && version != f.schema.format, err
	}
	return false, db.Update(func(tx *bolt.Tx) error { return f.migrate(tx, version) })
}

func (f *file) checkBuckets(tx *bolt.Tx) error {
	for _, name := range f.schema.buckets {
		if tx.Bucket([]byte(name)) == nil {
			return damaged(f.path, "its part '"+name+"' is gone", nil)
		}
	}
	return nil
}

func (f *file) checkMigrations(version uint64) error {
	for ; version < f.schema.format; version++ {
		if f.schema.migrations[version] == nil {
			return damaged(f.path, "its format was never in use", nil)
		}
	}
	return nil
}

// migrate brings a file from an older format to this one, in one transaction.
func (f *file) migrate(tx *bolt.Tx, version uint64) error {
	for ; version < f.schema.format; version++ {
		if err := f.schema.migrations[version](tx); err != nil {
			return err
		}
	}
	if err := tx.Bucket(metaBucket).Put(keyFormat, number(f.schema.format)); err != nil {
		return err
	}
	return f.checkBuckets(tx)
}

func makeHome(home string) error {
	if err := os.MkdirAll(home, 0o700); err != nil {
		return fail(home, err)
	}
	return nil
}

// abandon drops bbolt's lock on a database that a panic made unusable. The map and
// the descriptor stay until the process ends: other goroutines may still read them.
func abandon(disk *os.File) {
	if disk != nil {
		// A lock that cannot be dropped ends with the process; nothing else is lost.
		_ = syscall.Flock(int(disk.Fd()), syscall.LOCK_UN)
	}
}
