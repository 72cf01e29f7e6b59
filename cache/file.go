package cache

import (
	"context"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"

	"akx/view/fault"
)

// How long things are held and waited for.
const (
	// linger is how long an unused handle stays open for the next call.
	linger = 20 * time.Millisecond
	// turn is after how long a handle in constant use looks whether others wait.
	turn = 50 * time.Millisecond
	// flockTimeout bounds the wait for bbolt's own lock, which only programs that
	// are not akx can hold while the lease is ours.
	flockTimeout = time.Second
	// mapAhead is how far the map reaches beyond the file, so that a growing file
	// seldom has to wait for readers in order to map anew.
	mapAhead = 1 << 30
	// growStep is by how much a file grows at least.
	growStep = 1 << 20
)

// schema is what a database file must hold.
type schema struct {
	format     uint64
	role       Role // zero where the file has none
	buckets    []string
	migrations map[uint64]func(*bolt.Tx) error // from this format to the next
}

// Keys of the meta bucket, which every file has.
var (
	metaBucket = []byte("meta")
	keyFormat  = []byte("format")
	keyRole    = []byte("role")
	keyCounts  = []byte("counts")
)

// file is one database as this process uses it: at most one bbolt handle at a
// time, shared by all calls, opened under the lease and given up as soon as it is
// idle or somebody waits. It is safe for concurrent use.
type file struct {
	path     string
	lease    lease
	schema   schema
	readOnly bool
	patience time.Duration

	writing chan struct{} // holds a token while a write goes on in this process

	mu      sync.Mutex
	busy    bool // a handle is being opened
	closed  bool
	handle  *handle
	changed chan struct{} // closed when mu's fields changed
}

// handle is an open bbolt database.
type handle struct {
	db       *bolt.DB
	disk     *os.File // bbolt's own, to drop its lock if the handle is lost
	tenure   *tenure
	write    bool
	draining bool // no new users
	lost     bool // a panic left it in an unknown state
	users    int
	since    time.Time
	idle     *time.Timer
}

func newFile(path string, s schema, o Options) *file {
	return &file{
		path: path, lease: lease{base: path, command: o.Command}, schema: s, readOnly: o.ReadOnly, patience: o.Patience,
		writing: make(chan struct{}, 1), changed: make(chan struct{}),
	}
}

// exists reports whether there is a database file, whatever it holds.
func (f *file) exists() (bool, error) {
	_, err := os.Lstat(f.path)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	return err == nil, fail(f.path, err)
}

// read runs do over a read transaction. do guards its own reads of pages (see
// guarded), so that a panic of the caller's code is not taken for damage.
func (f *file) read(ctx context.Context, do func(*bolt.Tx) error) error {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	h, err := f.acquire(ctx, false)
	if err != nil {
		return err
	}
	defer f.release(h)
	var tx *bolt.Tx
	if err := f.guarded(h, func() (err error) { tx, err = h.db.Begin(false); return err }); err != nil {
		return err
	}
	defer f.guarded(h, tx.Rollback)
	return do(tx)
}

// write runs do over the write transaction and commits it if do says that it
// changed something. One write at a time goes on; others wait under ctx.
func (f *file) write(ctx context.Context, do func(*bolt.Tx) (changed bool, err error)) error {
	if f.readOnly {
		return &fault.Unavailable{Code: fault.ReadOnly, What: f.path, Detail: "it was opened for reading only", Hint: "leave out --read-only"}
	}
	select {
	case f.writing <- struct{}{}:
		defer func() { <-f.writing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	h, err := f.acquire(ctx, true)
	if err != nil {
		return err
	}
	defer f.release(h)
	return f.guarded(h, func() error {
		tx, err := h.db.Begin(true)
		if err != nil {
			return err
		}
		changed, err := do(tx)
		if err != nil || !changed {
			return errors.Join(err, tx.Rollback())
		}
		if err := tx.Commit(); err != nil {
			f.drain(h)
			return err
		}
		return nil
	})
}

// guarded runs do and turns a panic into damage. The handle is given up then.
func (f *file) guarded(h *handle, do func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			f.mu.Lock()
			h.lost = true
			h.draining = true
			f.mu.Unlock()
			err = pages(f.path, r)
		}
	}()
	return fail(f.path, do())
}

func (f *file) drain(h *handle) {
	f.mu.Lock()
	h.draining = true
	f.mu.Unlock()
}

// acquire gives a handle that can at least read, or write where that is asked.
func (f *file) acquire(ctx context.Context, write bool) (*handle, error) {
	for {
		f.mu.Lock()
		if f.closed {
			f.mu.Unlock()
			return nil, &fault.Usage{Detail: "the cache is closed"}
		}
		h := f.handle
		if h != nil && !h.draining && (write && !h.write || time.Since(h.since) > turn && f.lease.wanted()) {
			h.draining = true
			f.dropIdle()
			h = f.handle
		}
		switch {
		case h != nil && !h.draining:
			h.users++
			if h.idle != nil {
				h.idle.Stop()
			}
			f.mu.Unlock()
			return h, nil
		case h == nil && !f.busy:
			f.busy = true
			f.mu.Unlock()
			return f.openAs(ctx, write)
		}
		changed := f.changed
		f.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// openAs opens a handle for its first user.
func (f *file) openAs(ctx context.Context, write bool) (*handle, error) {
	h, err := f.open(ctx, write)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.busy = false
	if err == nil {
		h.users = 1
		f.handle = h
	}
	f.wake()
	return h, err
}

func (f *file) release(h *handle) {
	f.mu.Lock()
	defer f.mu.Unlock()
	h.users--
	if h.users > 0 {
		return
	}
	if h.draining || f.closed || f.lease.wanted() {
		h.draining = true
		f.dropIdle()
		return
	}
	if h.idle == nil {
		h.idle = time.AfterFunc(linger, f.expire)
		return
	}
	h.idle.Reset(linger)
}

func (f *file) expire() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.handle != nil && f.handle.users == 0 {
		f.handle.draining = true
		f.dropIdle()
	}
}

// dropIdle closes a draining handle that nobody uses. mu is held.
func (f *file) dropIdle() {
	h := f.handle
	if h == nil || !h.draining || h.users > 0 {
		return
	}
	if h.idle != nil {
		h.idle.Stop()
	}
	h.close()
	f.handle = nil
	f.wake()
}

func (f *file) wake() {
	close(f.changed)
	f.changed = make(chan struct{})
}

// close ends all use; calls that go on keep their handle to their end.
func (f *file) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	if f.handle != nil {
		f.handle.draining = true
		f.dropIdle()
	}
	f.wake()
}

// close gives up the database, then the lease. A lost handle may hold bbolt's own
// mutex for ever: it is left behind, without its lock.
func (h *handle) close() {
	if h.lost {
		abandon(h.disk)
	} else {
		h.db.Close()
	}
	h.tenure.release()
}

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
		return nil, false, damaged(f.path, "one of its two meta pages is damaged; the last changes may be missing, and nothing is written over it", nil)
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
