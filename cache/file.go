package cache

import (
	"context"
	"errors"
	"os"
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
	var tx *bolt.Tx
	err = f.guarded(h, func() error {
		var err error
		if tx, err = h.db.Begin(true); err != nil {
			return err
		}
		changed, err := do(tx)
		if err != nil || !changed {
			return err
		}
		if err := tx.Commit(); err != nil {
			f.drain(h)
			return err
		}
		return nil
	})
	f.undo(h, tx)
	return err
}

// undo ends a write transaction that was not committed. A handle in which that
// works is whole, whatever happened in the transaction.
func (f *file) undo(h *handle, tx *bolt.Tx) {
	if tx == nil || tx.DB() == nil {
		return
	}
	if err := f.guarded(h, tx.Rollback); err == nil {
		f.mu.Lock()
		h.lost = false
		f.mu.Unlock()
	}
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

// acquire gives a handle that can at least read, or write where that is asked. It
// waits for calls of this process no longer than for other processes.
func (f *file) acquire(ctx context.Context, write bool) (*handle, error) {
	waits, cancel := context.WithTimeout(ctx, f.patience)
	defer cancel()
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
		case <-waits.Done():
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			return nil, &fault.Unavailable{Code: fault.Locked, What: f.path, Detail: "in use by another part of this akx", Hint: hintLocked, Retry: true}
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
