package wire

import "io"

// chunk is how many bytes the splitter asks its reader for at once.
const chunk = 64 << 10

// window is the stretch of a stream that is in memory. Bytes before keep are
// dropped when it needs room, so that it grows only with what is kept.
type window struct {
	r    io.Reader
	buf  []byte
	base int64 // offset of buf[0] in the stream
	pos  int   // the next byte to look at
	keep int   // the first byte that must stay; -1 keeps nothing before pos
	err  error // why nothing more can be read
}

// offset gives the place of the next byte in the stream.
func (w *window) offset() int64 { return w.base + int64(w.pos) }

// more reads on; false at the end of the stream or after an error.
func (w *window) more() bool {
	if w.err != nil {
		return false
	}
	from := w.pos
	if w.keep >= 0 {
		from = w.keep
	}
	if from > 0 && cap(w.buf)-len(w.buf) < chunk {
		n := copy(w.buf, w.buf[from:])
		w.buf = w.buf[:n]
		w.base += int64(from)
		w.pos -= from
		if w.keep >= 0 {
			w.keep = 0
		}
	}
	if cap(w.buf)-len(w.buf) < chunk {
		grown := make([]byte, len(w.buf), 2*cap(w.buf)+chunk)
		copy(grown, w.buf)
		w.buf = grown
	}
	return w.read()
}

// read fills free room until at least one byte came.
func (w *window) read() bool {
	for range 100 {
		n, err := w.r.Read(w.buf[len(w.buf):cap(w.buf)])
		w.buf = w.buf[:len(w.buf)+n]
		if err != nil {
			w.err = err
		}
		if n > 0 {
			return true
		}
		if err != nil {
			return false
		}
	}
	w.err = io.ErrNoProgress
	return false
}

// peek gives the next byte; ok is false at the end.
func (w *window) peek() (c byte, ok bool) {
	if w.pos == len(w.buf) && !w.more() {
		return 0, false
	}
	return w.buf[w.pos], true
}

// ahead gives up to n of the next bytes without taking them.
func (w *window) ahead(n int) []byte {
	for len(w.buf)-w.pos < n && w.more() {
	}
	return w.buf[w.pos:min(len(w.buf), w.pos+n)]
}

// failed gives the reader's error; nil at an ordinary end.
func (w *window) failed() error {
	if w.err == io.EOF {
		return nil
	}
	return w.err
}
