package wire

import (
	"strconv"

	"akx/view/identity"
)

// writer writes the members of one JSON object. Envelopes go out as the text that
// was first received, so documents are written, not built as values.
type writer struct{ dst []byte }

func newWriter(dst []byte) *writer { return &writer{dst: append(dst, '{')} }

// name begins a member.
func (w *writer) name(name string) {
	if w.dst[len(w.dst)-1] != '{' {
		w.dst = append(w.dst, ',')
	}
	w.dst = append(appendString(w.dst, name), ':')
}

func (w *writer) text(name, s string) {
	w.name(name)
	w.dst = appendString(w.dst, s)
}

func (w *writer) texts(name string, list []string) {
	w.name(name)
	w.dst = append(w.dst, '[')
	for i, s := range list {
		if i > 0 {
			w.dst = append(w.dst, ',')
		}
		w.dst = appendString(w.dst, s)
	}
	w.dst = append(w.dst, ']')
}

func (w *writer) number(name string, n int64) {
	w.name(name)
	w.dst = strconv.AppendInt(w.dst, n, 10)
}

func (w *writer) bool(name string, b bool) {
	w.name(name)
	w.dst = strconv.AppendBool(w.dst, b)
}

// list writes n items, each by item.
func (w *writer) list(name string, n int, item func(dst []byte, i int) []byte) {
	w.name(name)
	w.dst = append(w.dst, '[')
	for i := range n {
		if i > 0 {
			w.dst = append(w.dst, ',')
		}
		w.dst = item(w.dst, i)
	}
	w.dst = append(w.dst, ']')
}

func (w *writer) stamp(s Stamp) {
	w.text("service", string(s.Service))
	w.number("checkpoint", int64(s.Checkpoint))
	w.number("as_of", s.AsOf)
}

func (w *writer) end() []byte { return append(w.dst, '}') }

func appendString(dst []byte, s string) []byte {
	return identity.AppendCanonical(dst, identity.StringValue(s))
}

// Append appends the record as a document (8.3), with the exact envelope.
func (r Record) Append(dst []byte) []byte {
	w := newWriter(dst)
	w.name("envelope")
	w.dst = append(w.dst, r.Event.Envelope().Text()...)
	w.number("accepted_at", r.AcceptedAt)
	w.number("seq", int64(r.Seq))
	return w.end()
}
