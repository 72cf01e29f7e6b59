package report

import (
	"strings"

	"akx/explore"
	"akx/view"
	"akx/view/clean"
	"akx/view/fault"
	"akx/view/wire"
)

// Queried is the answer of a service to exact filters.
type Queried struct {
	Service string `json:"service"`
	// Scope is the service's, as of the enumeration; LocalScope that of the lifecycle
	// in events.
	Scope      Scope   `json:"scope"`
	LocalScope Scope   `json:"local_scope"`
	Events     []Entry `json:"events"`
	Total      int     `json:"total_count"`
	More       int     `json:"more_count,omitempty"`
	Counts
	Bytes    int64           `json:"text_bytes"`
	Refusals []RefusedRecord `json:"refusals"`
	Error    *Failure        `json:"error,omitempty"`
}

// QueriedOf describes a live query; rows are the first of its events, whose
// lifecycle holds for local.
func QueriedOf(q explore.Queried, rows []view.Entry, local view.Scope, failure *Failure) *Queried {
	here, p := ScopeOf(local), q.Progress
	return &Queried{Service: q.Service.Name, Scope: ScopeOf(q.Scope), LocalScope: here, Events: EntriesOf(rows, &here),
		Total: p.Records, More: p.Records - p.Refused - len(rows), Bytes: p.Bytes,
		Counts:   Counts{Added: p.Added, Held: p.Held, Pending: p.Pending, Refused: p.Refused},
		Refusals: refusedRecords(q.Refusals), Error: failure}
}

// Text prints the rows, then what the answer covers.
func (q *Queried) Text(p *Printer) {
	if len(q.Events) > 0 {
		p.entries(q.Events, q.LocalScope)
	}
	more(p, q.More, "of these; --limit 0 lists all", "of these; --limit 0 lists all")
	lead := own(q.Service + ": ")
	for _, x := range q.Refusals {
		x.text(p, lead)
	}
	more(p, q.Refused-len(q.Refusals), "refused", "refused")
	if q.Error != nil {
		p.unanswered(q.Service, q.Error)
	}
	p.Wrapped(clean.Text{}, words(number(q.Total)+" "+plural(q.Total, "record", "records")+" at "+q.Service+", "), plainCell(q.Scope.words()))
	p.Line(own(number(q.Added) + " added to the cache, " + number(q.Held) + " already held, " + number(q.Pending) + " pending, " + number(q.Refused) + " refused"))
	if q.Pending > 0 {
		p.Line(own("pending events have no effect yet, and " + q.Service + " did not give what they miss: akx pending fetch asks every service"))
	}
	if q.Total == 0 && q.Error == nil {
		p.Line(own("nothing matches there: that says nothing about other services"))
	}
}

// Short says why the answer is not complete; nil where it is.
func (q *Queried) Short() error {
	switch {
	case q.Error != nil:
		return &fault.Unavailable{Code: fault.Partial, What: q.Service, Detail: "its answer did not come to the end", Retry: q.Error.Retryable}
	case q.Refused > 0:
		return refusedShort(q.Refused)
	case !q.Scope.Complete:
		return &fault.Unavailable{Code: fault.Partial, What: q.Service, Detail: strings.Join(q.Scope.Reasons, "; ")}
	default:
		return nil
	}
}

func refusedShort(n int) error {
	return &fault.Unavailable{Code: fault.Partial, Detail: number(n) + " of its records " + plural(n, "is not an event", "are not events") + " here"}
}

// Found is the answer of a service to a ranked search (9.5).
type Found struct {
	Service    string `json:"service"`
	Scope      Scope  `json:"scope"`
	LocalScope Scope  `json:"local_scope"`
	Hits       []Hit  `json:"hits"`
	// Ranking names the order; it belongs to this service alone.
	Ranking  Ranking         `json:"ranking"`
	Coverage Coverage        `json:"coverage"`
	Refusals []RefusedRecord `json:"refusals"`

	limit int // of hits, as asked
}

// Ranking names the order of hits.
type Ranking struct {
	Mode string `json:"mode"`
	ID   string `json:"id"`
}

// Coverage says how much of the service's records a search covers.
type Coverage struct {
	Exhaustive bool     `json:"exhaustive"`
	Reasons    []string `json:"reasons"`
}

// Hit is one ranked event, from rank 1. Explanation is the service's own words.
type Hit struct {
	Rank int `json:"rank"`
	Entry
	Seq         uint64 `json:"seq"`
	AcceptedAt  int64  `json:"accepted_at_epoch_ms"`
	Explanation string `json:"service_explanation,omitempty"`
}

// FoundOf describes a search for at most limit hits; rows are those of the hits that are
// events here, in their order.
func FoundOf(f explore.Found, rows []view.Entry, local view.Scope, limit int) *Found {
	here := ScopeOf(local)
	page := f.Page
	out := &Found{Service: f.Service.Name, LocalScope: here, limit: limit,
		Scope:    Scope{Origin: string(page.Service), Checkpoint: page.Checkpoint, AsOf: page.AsOf, Complete: page.Coverage.Exhaustive, Reasons: page.Coverage.Reasons},
		Ranking:  Ranking{Mode: page.Ranking.Mode.String(), ID: page.Ranking.ID},
		Coverage: Coverage{Exhaustive: page.Coverage.Exhaustive, Reasons: page.Coverage.Reasons}}
	next := 0
	for i, hit := range page.Hits {
		if r := f.Outcomes[i].Refusal; r != nil {
			out.Refusals = append(out.Refusals, RefusedRecord{Where: "#" + uints(hit.Item.Seq), ID: optional(f.Outcomes[i].ID), Refusal: *RefusalOf(r)})
			continue
		}
		out.Hits = append(out.Hits, Hit{Rank: i + 1, Entry: EntryOf(rows[next], &here), Seq: hit.Item.Seq, AcceptedAt: hit.Item.AcceptedAt, Explanation: hit.Explanation})
		next++
	}
	if len(out.Refusals) > 0 {
		out.Scope.Complete = false
	}
	return out
}

// Text prints the hits in their order, then the ranking and the coverage in words.
func (f *Found) Text(p *Printer) {
	for _, h := range f.Hits {
		p.Wrapped(p.label("", number(h.Rank), 4), words(h.role()), gap, h.state(), words(" in "), plainCell(clean.Line(f.LocalScope.Origin)),
			gap, day(h.CreatedAt, f.Scope.AsOf), gap, words(Paste(h.ID)))
		p.Wrapped(own("    "), append([]Cell{p.title(h.Entry)}, named(h.LocalName)...)...)
		if h.Explanation != "" {
			p.Wrapped(own("    the service says, not the author: "), p.Signed(h.Explanation))
		}
	}
	lead := own(f.Service + ": ")
	for _, x := range f.Refusals {
		x.text(p, lead)
	}
	p.Wrapped(clean.Text{}, words(number(len(f.Hits))+" "+plural(len(f.Hits), "hit", "hits")+" at "+f.Service+", "), plainCell(clean.Line(f.Scope.Origin)),
		words(" #"+uints(f.Scope.Checkpoint)+", "+Moment(f.Scope.AsOf)))
	p.Wrapped(own("ranking: "), words(f.Ranking.Mode+" mode, in the service's own order "), plainCell(clean.Line(f.Ranking.ID)),
		words(": it says what fits the words, not what is right, and compares with no other service"))
	p.Wrapped(own("coverage: "), words(f.covers()))
	if len(f.Hits) == 0 {
		p.Line(own("no hit there: that does not mean that nothing is known"))
	}
}

// reasonWords says the reasons of 9.5.
var reasonWords = map[string]string{
	"candidate_limit": "only its best candidates were looked at",
	"index_lag":       "its index lags behind its records",
	"approximate":     "the mode is approximate",
	"timeout":         "it ran out of time",
}

// covers says what part of the matches the hits are. Hits up to the limit of the request
// are cut by that, whatever else the service looked at (9.5).
func (f *Found) covers() string {
	if f.Coverage.Exhaustive {
		return "every match that " + f.Service + " shows up to #" + uints(f.Scope.Checkpoint)
	}
	text, cut := "not every match", len(f.Hits)+len(f.Refusals) >= f.limit
	switch {
	case cut && f.limit < wire.MaxSearchLimit:
		text += "; the first " + number(f.limit) + " were asked for: raise --limit, up to " + number(wire.MaxSearchLimit)
	case cut:
		text += "; no search gives more than " + number(wire.MaxSearchLimit) + ": add filters"
	}
	for _, r := range f.Coverage.Reasons {
		if cut && r == "candidate_limit" {
			continue
		}
		if words, ok := reasonWords[r]; ok {
			text += "; " + words
		}
	}
	return text
}

// Short says why the answer is not all events; nil where it is.
func (f *Found) Short() error {
	if len(f.Refusals) == 0 {
		return nil
	}
	return refusedShort(len(f.Refusals))
}

// ServicePage is the page of an event that a service gave just now.
type ServicePage struct {
	Page
	Given Given `json:"given"`
}

// Given is the acceptance record of one service (8.3): its own words, unsigned.
type Given struct {
	Service    string   `json:"service"`
	Origin     string   `json:"origin"`
	Seq        uint64   `json:"seq"`
	AcceptedAt int64    `json:"accepted_at_epoch_ms"`
	Pending    bool     `json:"pending"`
	Missing    []string `json:"missing,omitempty"`
}

// GivenOf describes what a service gave.
func GivenOf(s explore.Shown) Given {
	return Given{Service: s.Service.Name, Origin: string(s.Service.Origin), Seq: s.Item.Seq, AcceptedAt: s.Item.AcceptedAt,
		Pending: len(s.Outcome.Missing) > 0, Missing: idStrings(s.Outcome.Missing)}
}

// Text prints who gave the event, then its page.
func (s *ServicePage) Text(p *Printer) {
	p.Wrapped(own("given by "+s.Given.Service+" now: "), words("#"+uints(s.Given.Seq)+", accepted "+Moment(s.Given.AcceptedAt)))
	if s.Given.Pending {
		p.Line(own("it waits, without effect, for what it points at:"))
		for _, m := range s.Given.Missing {
			p.Line(own("  " + Paste(m)))
		}
		p.Line(own("akx pending fetch " + s.Given.Service + " asks for that"))
	}
	s.Page.Text(p)
}
