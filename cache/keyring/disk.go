package keyring

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"akx/view/fault"
)

const (
	keySuffix   = ".key"
	lockFile    = "lock"
	defaultFile = "default"
	tempPrefix  = ".new-"

	lockRetry    = 5 * time.Millisecond
	lockPatience = 10 * time.Second
)

func (r *Ring) path(name string) string { return filepath.Join(r.dir, name+keySuffix) }

// locked runs change while no other process changes the folder. It makes the
// folder, and clears what a process left that died in the middle.
func (r *Ring) locked(ctx context.Context, change func() error) error {
	if err := r.makeDir(); err != nil {
		return err
	}
	path := filepath.Join(r.dir, lockFile)
	lock, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return diskError(path, err)
	}
	defer lock.Close()
	if err := waitLock(ctx, lock); err != nil {
		return err
	}
	r.clearLeftovers()
	return change()
}

// waitLock waits for the lock under ctx, at most lockPatience.
func waitLock(ctx context.Context, lock *os.File) error {
	patience := time.NewTimer(lockPatience)
	defer patience.Stop()
	again := time.NewTicker(lockRetry)
	defer again.Stop()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return diskError(lock.Name(), err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-patience.C:
			return &fault.Unavailable{
				Code: fault.Locked, What: filepath.Dir(lock.Name()),
				Detail: "another akx changes the keys", Hint: "wait for it to end, or end it", Retry: true,
			}
		case <-again.C:
		}
	}
}

// makeDir makes the folder with mode 0700, durably.
func (r *Ring) makeDir() error {
	info, err := os.Stat(r.dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := os.MkdirAll(r.dir, 0o700); err != nil {
			return diskError(r.dir, err)
		}
		return syncDir(filepath.Dir(r.dir))
	case err != nil:
		return diskError(r.dir, err)
	case info.Mode().Perm()&0o077 != 0:
		return diskError(r.dir, os.Chmod(r.dir, 0o700))
	}
	return nil
}

// clearLeftovers removes files of writers that died; the lock is held. Failing to
// is no failure of what follows.
func (r *Ring) clearLeftovers() {
	entries, err := os.ReadDir(r.dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), tempPrefix) && e.Type().IsRegular() {
			_ = os.Remove(filepath.Join(r.dir, e.Name()))
		}
	}
}

// create writes a new key file, whole or not at all; the lock is held. A name that
// is taken is never overwritten, not even by a program that ignores the lock.
func (r *Ring) create(name string, text []byte) error {
	path := r.path(name)
	if _, err := os.Lstat(path); err == nil {
		return nameTaken(name)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return diskError(path, err)
	}
	temp, err := r.writeTemp(text)
	if err != nil {
		return err
	}
	defer os.Remove(temp)
	err = os.Link(temp, path)
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOTSUP) || errors.Is(err, syscall.ENOSYS) {
		err = os.Rename(temp, path) // a disk without hard links; the lock stands guard
	}
	if errors.Is(err, fs.ErrExist) {
		return nameTaken(name)
	}
	if err != nil {
		return diskError(path, err)
	}
	return syncDir(r.dir)
}

// replace writes a file of the ring's own bookkeeping, whole or not at all.
func (r *Ring) replace(file string, text []byte) error {
	temp, err := r.writeTemp(text)
	if err != nil {
		return err
	}
	if err := os.Rename(temp, filepath.Join(r.dir, file)); err != nil {
		os.Remove(temp)
		return diskError(filepath.Join(r.dir, file), err)
	}
	return syncDir(r.dir)
}

// writeTemp writes text to a new file of mode 0600 and brings it to the disk.
func (r *Ring) writeTemp(text []byte) (path string, err error) {
	f, err := os.CreateTemp(r.dir, tempPrefix+"*")
	if err != nil {
		return "", diskError(r.dir, err)
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		os.Remove(f.Name())
		return "", diskError(f.Name(), err)
	}
	return f.Name(), nil
}

// remove deletes a file, durably.
func (r *Ring) remove(file string) error {
	path := filepath.Join(r.dir, file)
	if err := os.Remove(path); err != nil {
		return diskError(path, err)
	}
	return syncDir(r.dir)
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return diskError(dir, err)
	}
	defer d.Close()
	return diskError(dir, d.Sync())
}

// readKeyFile reads a key's file: *fault.Usage with not_held where there is none.
// exposed reports that its mode lets others read it.
func (r *Ring) readKeyFile(name string) (f *keyFile, exposed bool, err error) {
	path := r.path(name)
	text, mode, err := readBounded(path, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, noSuchKey(name)
	}
	if err != nil {
		return nil, false, diskError(path, err)
	}
	exposed = mode.Perm()&0o077 != 0
	if !mode.IsRegular() {
		return nil, exposed, damaged(path, "it is not a regular file")
	}
	f, err = parseKeyFile(path, text)
	if err == nil && f.name != name {
		return nil, exposed, damaged(path, "it was written for a key of another name")
	}
	return f, exposed, err
}

// readBounded reads at most limit bytes and one more; of what is not a regular file
// it reads none. It follows no link and waits for no pipe.
func readBounded(path string, limit int64) ([]byte, fs.FileMode, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if errors.Is(err, syscall.ELOOP) {
		return nil, fs.ModeSymlink, nil
	}
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil, infoMode(info), err
	}
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	return text, info.Mode(), err
}

func infoMode(info fs.FileInfo) fs.FileMode {
	if info == nil {
		return fs.ModeIrregular
	}
	return info.Mode()
}
