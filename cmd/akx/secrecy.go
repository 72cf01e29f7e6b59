package main

import "golang.org/x/sys/unix"

// keepFromDumps lets no dump of this process be written, whose memory may hold keys
// and passphrases: no core file, and on Linux no dump by whatever the system pipes
// them to, which pays no heed to the limit, and no look into the memory by other
// programs of the same user. A program that akx starts, such as an editor, keeps the
// limit alone. Where a system refuses, akx is as safe as any other program there.
func keepFromDumps() {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_CORE, &limit); err == nil {
		limit.Cur = 0
		_ = unix.Setrlimit(unix.RLIMIT_CORE, &limit)
	}
	undumpable()
}
