package report

import (
	"cmp"
	"strings"

	"akx/explore"
	"akx/view"
	"akx/view/clean"
	"akx/view/fault"
)

// Sync is what following services did.
type Sync struct {
	Services []Synced `json:"services"`
}

// Synced is what one sync did. Follow is the state as stored; Error says why the
// enumeration was not completed.
type Synced struct {
	Name    string `json:"name"`
	Origin  string `json:"origin"`
	Before  uint64 `json:"before_seq"`
	Records int    `json:"record_count"`
	Counts
	Bytes int64 `json:"text_bytes"`
	Follow
	Retried  *Retried        `json:"retried,omitempty"`
	Fetched  *Fetched        `json:"fetched,omitempty"`
	Refusals []RefusedRecord `json:"refusals"`
	Error    *Failure        `json:"error,omitempty"`

	now  int64
	told bool // the error ends the command, which tells it
}

// Retried is what trying exceptions of earlier syncs again did.
type Retried struct {
	Tried    int  `json:"tried_count"`
	Resolved int  `json:"resolved_count"`
	Gone     int  `json:"gone_count"`
	Limited  bool `json:"limited"`
	Failed   bool `json:"failed"`
}

// Fetched is what fetching the events that others wait for did. Limit names the
// setting that ended it.
type Fetched struct {
	Asked   int      `json:"asked_count"`
	Found   int      `json:"found_count"`
	Added   int      `json:"added_count"` // with what waited for it
	Bytes   int64    `json:"text_bytes"`
	Limit   string   `json:"limited_by,omitempty"`
	Missing []string `json:"missing"`
	Failed  bool     `json:"failed"`
}

// RefusedRecord is one record of a service that is not an event here.
type RefusedRecord struct {
	Where   string `json:"where,omitempty"`
	ID      string `json:"event_id,omitempty"`
	Claimed string `json:"claimed_event_id,omitempty"`
	Refusal
}

func refusedRecords(list []explore.Refused) []RefusedRecord {
	var out []RefusedRecord
	for _, r := range list {
		x := RefusedRecord{Where: r.Where, ID: optional(r.ID), Claimed: optional(r.Claimed)}
		if r.Refusal != nil {
			x.Refusal = *RefusalOf(r.Refusal)
		}
		out = append(out, x)
	}
	return out
}

// Add takes what one sync did; now, in ms, is what ages are told from.
func (r *Sync) Add(s explore.Synced, failure *Failure, now int64) {
	p := s.Progress
	out := Synced{Name: s.Service.Name, Origin: string(s.Service.Origin), Before: s.Before.Reached, Records: p.Records,
		Counts: Counts{Added: p.Added, Held: p.Held, Pending: p.Pending, Refused: p.Refused},
		Bytes:  p.Bytes, Follow: followOf(s.Service, s.After), Refusals: refusedRecords(s.Refusals), Error: failure, now: now}
	if t := s.Retried; t.Tried > 0 || t.Limited || t.Err != nil {
		out.Retried = &Retried{Tried: t.Tried, Resolved: t.Resolved, Gone: t.Gone, Limited: t.Limited, Failed: t.Err != nil}
	}
	if f := s.Fetched; f.Asked > 0 || f.Limit != explore.NoLimit || f.Err != nil {
		fetched := FetchedOf(f)
		out.Fetched = &fetched
	}
	r.Services = append(r.Services, out)
}

// AddUnresolved tells what exceptions of the service that was added last wait for.
func (r *Sync) AddUnresolved(u explore.Unresolved) {
	r.Services[len(r.Services)-1].Follow.AddUnresolved(u)
}

// Told leaves the errors to the end of the command, which tells them.
func (r *Sync) Told() {
	for i := range r.Services {
		r.Services[i].told = true
	}
}

// FetchedOf describes a fetch.
func FetchedOf(f explore.Fetched) Fetched {
	return Fetched{Asked: f.Asked, Found: f.Found, Added: f.Added, Bytes: f.Bytes, Limit: string(f.Limit), Missing: idStrings(f.Missing), Failed: f.Err != nil}
}

func (f *Fetched) text(p *Printer, lead clean.Text) {
	text := "fetched " + number(f.Found) + " of " + Counted(f.Asked, "event") + " that others wait for"
	if f.Added > 0 {
		text += ": " + number(f.Added) + " added, with what waited"
	}
	p.Wrapped(lead, words(text))
	if f.Limit != "" {
		p.Wrapped(lead, p.tone(Bad, own("stopped at the bound of the setting "+f.Limit)))
	}
}

// PendingFetched is what asking services for what pending events miss did.
type PendingFetched struct {
	Fetched Fetched `json:"fetched"`
	// Pending counts the events that still wait.
	Pending int      `json:"pending_count"`
	Error   *Failure `json:"error,omitempty"`
}

// Text prints what was found and what still waits.
func (r *PendingFetched) Text(p *Printer) {
	r.Fetched.text(p, clean.Text{})
	if r.Error != nil {
		p.unanswered("a service", r.Error)
	}
	p.Line(own(number(r.Pending) + " pending " + plural(r.Pending, "event", "events") + " left"))
}

// Short says why events still wait; nil where none does.
func (r *PendingFetched) Short() error {
	switch {
	case r.Fetched.Limit != "":
		return &fault.Unavailable{Code: fault.Partial, Detail: "the bound of the setting " + r.Fetched.Limit + " was reached", Hint: "raise it in config.yaml, or do it again"}
	case r.Fetched.Failed:
		return &fault.Unavailable{Code: fault.Partial, Detail: "not every service answered", Retry: true}
	case r.Pending > 0:
		return &fault.Unavailable{Code: fault.Partial, Detail: Counted(r.Pending, "event") + " still " + plural(r.Pending, "waits", "wait") + ": no service that was asked gave what is missing",
			Hint: "akx pending list names what is missing; akx service add ORIGIN adds a service that may have it"}
	default:
		return nil
	}
}

// Text prints each service: what is wrong first, the counts last.
func (r *Sync) Text(p *Printer) {
	for _, s := range r.Services {
		s.text(p)
	}
}

func (s Synced) text(p *Printer) {
	lead := own(s.Name + ": ")
	for _, x := range s.Refusals {
		x.text(p, lead)
	}
	more(p, s.Refused-len(s.Refusals), "refused", "refused")
	if t := s.Retried; t != nil {
		text := "tried " + Counted(t.Tried, "exception") + " again: " + number(t.Resolved) + " " + plural(t.Resolved, "is an event", "are events") + " here now, " + number(t.Gone) + " " + plural(t.Gone, "is", "are") + " not shown any more"
		if t.Limited {
			text += "; others wait for the next sync"
		}
		p.Wrapped(lead, words(text))
	}
	if s.Fetched != nil {
		s.Fetched.text(p, lead)
	}
	if s.Error != nil && !s.told {
		p.unanswered(s.Name, s.Error)
	}
	// The trouble of this very attempt was told just now.
	f := s.Follow
	f.Trouble = nil
	f.remarks(p, lead)
	if s.Records > 0 || s.Error == nil {
		s.counts(p, lead)
	}
	end := "followed " + s.upTo(s.now)
	if s.Scope == nil {
		end = s.upTo(s.now)
	} else if s.goesOn() {
		end += "; stored up to #" + uints(s.Reached) + ", the next sync goes on from there"
	}
	p.Wrapped(lead, words(end))
}

// goesOn reports whether a sync stored something beyond the checkpoint that was
// completed, and another one can go on behind it.
func (s Synced) goesOn() bool {
	return s.Error != nil && s.Reached > s.Scope.Checkpoint && len(s.Faults) == 0
}

// counts prints what became of the records that came.
func (s Synced) counts(p *Printer, lead clean.Text) {
	p.Wrapped(lead, words(number(s.Records)+" "+plural(s.Records, "record", "records")+", "+Size(s.Bytes)+": "+number(s.Added)+" added, "+
		number(s.Held)+" already held, "+number(s.Pending)+" pending, "+number(s.Refused)+" refused"))
}

func (x RefusedRecord) text(p *Printer, lead clean.Text) {
	cells := []Cell{words("refused "), plainCell(clean.Line(x.Where)), words(": "), p.tone(Bad, x.words())}
	p.Wrapped(lead, append(cells, identified(x.ID, x.Claimed)...)...)
}

// Short says why a sync fell short of its intent; nil where it did not.
func (r *Sync) Short() error {
	failed, exceptions := 0, 0
	var doubted error
	for _, s := range r.Services {
		if s.Error != nil {
			failed++
		}
		exceptions += s.Follow.Exception
		switch {
		case doubted != nil:
		case len(s.Faults) > 0:
			doubted = &fault.Unavailable{Code: fault.Partial, What: s.Name, Detail: view.ContradictionWords(len(s.causes)),
				Hint: refollowHint(s.Name)}
		case s.Exception == 0 && s.Scope != nil && !s.Scope.Complete:
			doubted = &fault.Unavailable{Code: fault.Partial, What: s.Name, Detail: strings.Join(s.Scope.Reasons, "; ")}
		}
	}
	if err := cmp.Or(unanswered(failed, len(r.Services)), doubted); err != nil || exceptions == 0 {
		return err
	}
	return &fault.Unavailable{Code: fault.Partial,
		Detail: number(exceptions) + " " + plural(exceptions, "record is not an event", "records are not events") + " here",
		Hint:   "akx service list NAME lists them; the next sync tries them again"}
}

// Pause tells that a request to a service waits, and until when.
type Pause struct {
	Message string `json:"message"`
	Service string `json:"service"`
	Until   int64  `json:"until_epoch_ms"`
}

// Activity tells how far work at services has come. Done of Total are sequence
// numbers of a walk, or objects.
type Activity struct {
	Message string `json:"message"`
	Service string `json:"service,omitempty"`
	Records int    `json:"record_count"`
	Bytes   int64  `json:"text_bytes"`
	Rate    int64  `json:"records_per_second"`
	Done    uint64 `json:"done_count,omitempty"`
	Total   uint64 `json:"total_count,omitempty"`
}
