//go:build unix

package term

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// fileSource reads from a terminal. It waits with select, which works on
// terminals on every Unix; poll does not on macOS.
type fileSource struct{ f *os.File }

func (s fileSource) read(p []byte) (int, error) { return s.f.Read(p) }

func (s fileSource) now() time.Time { return time.Now() }

func (s fileSource) wait(d time.Duration) bool {
	fd := int(s.f.Fd())
	if fd < 0 || fd >= unix.FD_SETSIZE {
		return false
	}
	for end := time.Now().Add(d); ; {
		var set unix.FdSet
		set.Set(fd)
		left := unix.NsecToTimeval(max(time.Until(end), 0).Nanoseconds())
		n, err := unix.Select(fd+1, &set, nil, nil, &left)
		if err != unix.EINTR {
			return err == nil && n > 0
		}
	}
}
