package report

import (
	"akx/explore"
	"akx/view"
)

// Earlier is an event that a followed service gave and does not show now: the event that
// was asked for, or one that points at it. The service may withhold it, or have it no
// more.
type Earlier struct {
	ID         string `json:"event_id"`
	What       string `json:"what"` // event, retraction, correction or assessment
	Seq        uint64 `json:"seq,omitempty"`
	AcceptedAt int64  `json:"accepted_at_epoch_ms,omitempty"`
	// Checkpoint is what the service was followed to with it, and AsOf the time of that.
	Checkpoint uint64 `json:"checkpoint"`
	AsOf       int64  `json:"as_of_epoch_ms"`
}

func earlierOf(a explore.Checked) []Earlier {
	var out []Earlier
	for _, e := range a.Earlier {
		x := Earlier{ID: e.Event.String(), What: "event", Seq: e.Record.Seq, AcceptedAt: e.Record.AcceptedAt,
			Checkpoint: a.Before.Checkpoint, AsOf: a.Before.AsOf}
		if e.Type != 0 {
			x.What = whatOf(view.Difference{Type: e.Type})
		}
		out = append(out, x)
	}
	return out
}

// earlier prints what the service gave before and does not show now, and accuses nobody.
func (s ServiceFacts) earlier(p *Printer) {
	for _, e := range s.Earlier {
		line := "this cache holds the " + e.What + " " + Paste(e.ID) + " that " + s.Service + " gave earlier"
		if e.Seq > 0 {
			line += ", as #" + uints(e.Seq) + ", accepted " + Moment(e.AcceptedAt)
		}
		p.Wrapped(own("             "), p.tone(Bad, own(line)),
			words("; followed up to #"+uints(e.Checkpoint)+", "+Moment(e.AsOf)+", and not shown now: "+s.Service+" withholds it, or does not have it any more"))
	}
}
