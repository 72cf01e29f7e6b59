package cache

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"akx/view/fault"
)

// holdFolder holds a locked file for each name that somebody has. The lock ends with
// its process, however that ends; what is left of the file says nothing.
const holdFolder = "holds"

// Hold takes a name across processes; see explore.Drafts.
func (d *Desk) Hold(ctx context.Context, name string) (release func(), holder string, err error) {
	if err := ctx.Err(); err != nil {
		return nil, "", err
	}
	if d.own.readOnly {
		return nil, "", &fault.Unavailable{Code: fault.ReadOnly, What: d.home, Detail: "it was opened for reading only", Hint: "leave out --read-only"}
	}
	if !isHoldName(name) {
		return nil, "", &fault.Usage{Detail: "nothing can be held under such a name"}
	}
	folder := filepath.Join(d.home, holdFolder)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, "", fail(folder, err)
	}
	path := filepath.Join(folder, name)
	for {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return nil, "", fail(path, err)
		}
		free, err := tryLock(f, true)
		if err != nil || !free {
			holder := holderOf(f)
			f.Close()
			return nil, holder, fail(path, err)
		}
		// Whoever had the name before may have removed the file meanwhile.
		if !stands(f, path) {
			f.Close()
			continue
		}
		// Only messages read it.
		_ = f.Truncate(0)
		_, _ = f.WriteAt([]byte(d.own.lease.command+" (process "+strconv.Itoa(os.Getpid())+")"), 0)
		return sync.OnceFunc(func() {
			// A file that stays is taken over by the next one.
			_ = os.Remove(path)
			f.Close()
		}), "", nil
	}
}

// isHoldName takes 1 to 100 of letters, digits, dash and underscore.
func isHoldName(name string) bool {
	const class = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	return name != "" && len(name) <= 100 && strings.Trim(name, class) == ""
}

// holderOf says who wrote itself into f.
func holderOf(f *os.File) string {
	text, err := io.ReadAll(io.LimitReader(f, 200))
	if err != nil || len(text) == 0 {
		return "another akx"
	}
	return string(text)
}

// stands reports whether f is the file at path.
func stands(f *os.File, path string) bool {
	mine, err := f.Stat()
	there, err2 := os.Lstat(path)
	return errors.Join(err, err2) == nil && os.SameFile(mine, there)
}
