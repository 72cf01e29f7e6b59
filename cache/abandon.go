package cache

import (
	"os"
	"syscall"
)

// abandon drops bbolt's lock on a database that a panic made unusable. The map and
// the descriptor stay until the process ends: other goroutines may still read them.
func abandon(disk *os.File) {
	if disk != nil {
		// A lock that cannot be dropped ends with the process; nothing else is lost.
		_ = syscall.Flock(int(disk.Fd()), syscall.LOCK_UN)
	}
}
