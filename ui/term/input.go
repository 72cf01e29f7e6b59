package term

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

const (
	// joinTime is how long an ESC waits for the rest of a sequence before it
	// counts as the Esc key. Over ssh the two halves of one arrow key arrive a
	// few milliseconds apart; a person notices from about 100 ms on.
	joinTime = 40 * time.Millisecond

	// lateTime is how long the rest of a sequence that cannot be a key, as half
	// of a mouse report or of an answer, may stay away. What comes later is new.
	lateTime = time.Second
)

// ErrGone is what a read gives once nothing can be read any more. io.EOF would
// leave Bubble Tea running without a keyboard.
var ErrGone = errors.New("the terminal is gone")

// source is what an Input reads from and the time it reads at.
type source interface {
	read(p []byte) (int, error)
	// wait waits until a read would not block, at most for d, and tells whether
	// one would not.
	wait(d time.Duration) bool
	now() time.Time
}

// Input is a terminal's input, made fit for Bubble Tea v1. It joins sequences
// and characters that were split on the way, swallows the terminal's answers,
// and takes pastes out.
//
// A read starts no goroutine and leaves none behind. It ends at the boundary of
// a key and never fills the buffer to the brim, as Bubble Tea waits for more
// input after a full one. It gives 0 bytes and no error when it swallowed all
// that it read, so that a cancelled read stays cancelled.
type Input struct {
	file *os.File
	src  source

	mu   sync.Mutex // held by the one read that goes on
	dec  decoder
	rest []byte // decoded bytes that did not fit; only for tiny buffers
	last time.Time
}

// NewInput wraps the terminal f, usually os.Stdin.
func NewInput(f *os.File) *Input {
	return &Input{file: f, src: fileSource{f}}
}

// Read implements io.Reader.
func (in *Input) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	if len(in.rest) > 0 {
		return in.give(p, in.rest), nil
	}
	// What is decoded can be longer than what is read, by the sequence that
	// waited and by tickets; half the buffer leaves room for both.
	buf := make([]byte, max(len(p)/2, 1))
	// What was typed may be a passphrase: no copy of it stays here.
	defer clear(buf)
	n, err := in.src.read(buf)
	out := in.decode(make([]byte, 0, len(p)), buf[:n])
	for err == nil && in.dec.ambiguous() && len(out) < len(p)-maxSequence && in.src.wait(joinTime) {
		n, err = in.src.read(buf[:1])
		out = in.decode(out, buf[:n])
	}
	out = in.dec.expire(out)
	defer clear(out)
	if err != nil && len(out) == 0 {
		if errors.Is(err, io.EOF) {
			err = ErrGone
		}
		return 0, err
	}
	return in.give(p, out), nil
}

// decode is feed, with an eye on the clock.
func (in *Input) decode(dst, b []byte) []byte {
	if len(b) == 0 {
		return dst
	}
	now := in.src.now()
	if now.Sub(in.last) > lateTime {
		if in.dec.state == statePaste && string(b) == "\x03" {
			// The end of the paste was lost, and ctrl-c alone, after a pause,
			// is the way out of it.
			in.dec.state = stateGround
		}
		in.dec.forget()
	}
	in.last = now
	return in.dec.feed(dst, b)
}

func (in *Input) give(p, out []byte) int {
	n := copy(p, out)
	left := append([]byte(nil), out[n:]...)
	clear(in.rest)
	in.rest = left
	return n
}

// Take gives what the ticket stands for that arrived as the text of a pasted
// key: a [Paste] or a [Background]. [Terminal.Run] does this for its program.
func (in *Input) Take(ticket string) (item any, ok bool) { return in.dec.items.take(ticket) }

// Write writes to the terminal.
func (in *Input) Write(p []byte) (int, error) { return in.file.Write(p) }

// Close closes the terminal.
func (in *Input) Close() error { return in.file.Close() }

// Fd is the terminal's file descriptor.
func (in *Input) Fd() uintptr { return in.file.Fd() }

// Name is the terminal's file name.
func (in *Input) Name() string { return in.file.Name() }

// Attach gives cmd the real files of the terminal. A command run by Bubble Tea
// needs them: with a wrapper in their place it would be fed through a pipe, and
// would steal the first key after its end.
func (t *Terminal) Attach(cmd *exec.Cmd) *exec.Cmd {
	cmd.Stdin, cmd.Stdout, cmd.Stderr = t.in.file, t.out.file, os.Stderr
	return cmd
}

// drainTime is how long the end of a program waits for an answer that is still
// out; it would end up in the shell's prompt.
const drainTime = 100 * time.Millisecond

// drain reads and drops input until an answer has come, at most for d.
func (in *Input) drain(d time.Duration) {
	in.mu.Lock()
	defer in.mu.Unlock()
	buf := make([]byte, maxReply)
	for end := in.src.now().Add(d); !in.dec.items.any() && in.src.wait(end.Sub(in.src.now())); {
		n, err := in.src.read(buf)
		if err != nil {
			return
		}
		in.decode(nil, buf[:n])
	}
}
