package report

import "akx/view/clean"

// Exported is the exact text of an envelope.
type Exported struct {
	ID       string `json:"event_id"`
	Envelope string `json:"envelope_text"`
}

// Text prints it made harmless; whoever wants the bytes takes them from a pipe.
func (r *Exported) Text(p *Printer) { p.Wrapped(clean.Text{}, p.Signed(r.Envelope)) }
