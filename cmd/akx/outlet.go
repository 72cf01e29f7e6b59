package main

import (
	"errors"
	"os"
	"syscall"

	"akx/view/fault"
)

// outlet is the standard output: the only way there. It remembers the first write
// that failed, so that no command ends as if its report had arrived.
type outlet struct {
	f    *os.File
	lost error // *fault.Unavailable
	left bool  // the reader of a pipe went away, which needs no words
}

// Write gives *fault.Unavailable for what cannot be written.
func (o *outlet) Write(p []byte) (int, error) {
	n, err := o.f.Write(p)
	if err == nil {
		return n, nil
	}
	if o.lost == nil {
		o.left = errors.Is(err, syscall.EPIPE)
		o.lost = &fault.Unavailable{Code: fault.UnavailableCode, What: "standard output",
			Detail: "a part of what was asked for is lost: " + reason(err)}
	}
	return n, o.lost
}
