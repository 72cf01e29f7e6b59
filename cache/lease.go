package cache

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"akx/view/fault"
)

// Two lock files stand beside each database. Whoever wants it takes 'queue'
// alone, then 'lock' (shared to read, alone to write), and lets 'queue' go. So
// there is an order, nobody starves, and a holder that finds 'queue' taken knows
// that somebody waits. bbolt's own lock on the database, which starves the second
// process, is then always free; it stays as the guard against other programs.
//
// 'lock' also says who holds it, for messages: one place a process.
type lease struct {
	base    string // path of the database
	command string // such as "akx import"
}

// tenure is a lease that is held.
type tenure struct {
	lock *os.File // nil on a disk that cannot be written and has no lock files
	slot int64    // where this process stands in lock; -1 for nowhere
}

const (
	retryMin  = time.Millisecond
	retryMax  = 2 * time.Millisecond
	slots     = 64
	slotBytes = 96
)

// acquire waits for the lease under ctx, at most patience. Errors are
// *fault.Unavailable with code locked, which says who holds it, or ctx's.
func (l *lease) acquire(ctx context.Context, alone bool, patience time.Duration) (*tenure, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errPatience)
	defer cancel()
	queue, err := l.file("queue", alone)
	if err != nil {
		return nil, err
	}
	if queue == nil {
		return &tenure{slot: -1}, nil
	}
	defer queue.Close()
	if err := l.wait(ctx, queue, true); err != nil {
		return nil, err
	}
	lock, err := l.file("lock", alone)
	if err != nil {
		return nil, err
	}
	if lock == nil {
		return &tenure{slot: -1}, nil
	}
	if err := l.wait(ctx, lock, alone); err != nil {
		lock.Close()
		return nil, err
	}
	t := &tenure{lock: lock, slot: int64(os.Getpid()%slots) * slotBytes}
	t.sign(l.command)
	return t, nil
}

var errPatience = errors.New("waited long enough")

// file opens a lock file. It is nil without an error where there is none and none
// can be made: on a read-only disk nobody writes, so nobody needs a lock to read.
func (l *lease) file(name string, alone bool) (*os.File, error) {
	path := l.base + "." + name
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err == nil || alone {
		return f, fail(path, err)
	}
	f, again := os.Open(path)
	switch {
	case again == nil:
		return f, nil
	case errors.Is(again, os.ErrNotExist) && (errors.Is(err, syscall.EROFS) || errors.Is(err, os.ErrPermission)):
		return nil, nil
	default:
		return nil, fail(path, err)
	}
}

// wait tries until f is locked or ctx ends.
func (l *lease) wait(ctx context.Context, f *os.File, alone bool) error {
	pause := retryMin
	for {
		ok, err := tryLock(f, alone)
		if err != nil {
			return fail(f.Name(), err)
		}
		if ok {
			return nil
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
			pause = retryMax
		case <-ctx.Done():
			timer.Stop()
			return l.lockedError(ctx)
		}
	}
}

func (l *lease) lockedError(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	detail := "held by another program"
	if holders := l.holders(); len(holders) > 0 {
		detail = "held by " + strings.Join(holders, ", ")
	}
	locked := &fault.Unavailable{Code: fault.Locked, What: l.base, Detail: detail, Hint: hintLocked, Retry: true}
	if context.Cause(ctx) != errPatience {
		locked.Err = ctx.Err()
	}
	return locked
}

func tryLock(f *os.File, alone bool) (bool, error) {
	how := syscall.LOCK_SH | syscall.LOCK_NB
	if alone {
		how = syscall.LOCK_EX | syscall.LOCK_NB
	}
	for {
		switch err := syscall.Flock(int(f.Fd()), how); err {
		case nil:
			return true, nil
		case syscall.EWOULDBLOCK:
			return false, nil
		case syscall.EINTR:
		default:
			return false, err
		}
	}
}

// wanted reports whether somebody waits for the lease.
func (l *lease) wanted() bool {
	queue, err := os.OpenFile(l.base+".queue", os.O_RDONLY, 0)
	if err != nil {
		return false
	}
	defer queue.Close()
	free, err := tryLock(queue, true)
	return err == nil && !free
}

// sign writes who holds the lease; where that cannot be written, messages say less.
func (t *tenure) sign(command string) {
	place := make([]byte, slotBytes)
	copy(place[:slotBytes-1], strconv.Itoa(os.Getpid())+" "+command)
	if _, err := t.lock.WriteAt(place, t.slot); err != nil {
		t.slot = -1
	}
}

// release gives the lease up.
func (t *tenure) release() {
	if t.lock == nil {
		return
	}
	if t.slot >= 0 {
		// Only messages read the place, and they ask whether the process lives.
		_, _ = t.lock.WriteAt(make([]byte, slotBytes), t.slot)
	}
	t.lock.Close()
}

// holders says who holds the lease, such as "akx import (process 123)".
func (l *lease) holders() []string {
	f, err := os.Open(l.base + ".lock")
	if err != nil {
		return nil
	}
	defer f.Close()
	all, err := io.ReadAll(io.LimitReader(f, slots*slotBytes))
	if err != nil {
		return nil
	}
	var found []string
	for len(all) > 0 {
		place := all[:min(slotBytes, len(all))]
		all = all[len(place):]
		id, command, ok := strings.Cut(string(bytes.TrimRight(place, "\x00")), " ")
		process, err := strconv.Atoi(id)
		if !ok || err != nil || process <= 0 || !alive(process) {
			continue
		}
		found = append(found, fmt.Sprintf("%s (process %d)", command, process))
	}
	return found
}

func alive(process int) bool {
	err := syscall.Kill(process, 0)
	return err == nil || err == syscall.EPERM
}
