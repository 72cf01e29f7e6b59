package cache

import (
	"path/filepath"
	"strings"

	"akx/view/fault"
)

// Serving keeps others from answering for the service of a home as long as this
// process does: two would tell two rates, two logs and two ends. The lock, on the file
// serve.lock, ends with the process, however that ends; it stops no import and no
// withholding. how is what others are told of this process, such as "akx serve
// --listen :443". release may be called once. Errors: *fault.Unavailable, with the
// code locked and who holds it where somebody does.
func Serving(dir, how string) (release func(), err error) {
	l := lease{base: filepath.Join(dir, "serve"), command: how}
	lock, err := l.file("lock", false)
	if err != nil {
		return nil, err
	}
	if lock == nil {
		return func() {}, nil // a disk that cannot be written
	}
	ok, err := tryLock(lock, true)
	if err == nil && ok {
		t := &tenure{lock: lock, slot: 0}
		t.sign(how)
		return t.release, nil
	}
	lock.Close()
	if err != nil {
		return nil, fail(lock.Name(), err)
	}
	who := "another process"
	if holders := l.holders(); len(holders) > 0 {
		who = strings.Join(holders, ", ")
	}
	return nil, &fault.Unavailable{Code: fault.Locked, What: dir, Detail: who + " serves this home already",
		Hint: "end it first; akx import and akx withhold work beside it"}
}
