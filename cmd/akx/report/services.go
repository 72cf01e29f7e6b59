package report

import (
	"cmp"
	"slices"

	"akx/explore"
	"akx/view"
	"akx/view/clean"
	"akx/view/desk"
	"akx/view/fault"
)

// Service is one of the user's services and how far it was followed.
type Service struct {
	Name         string `json:"name"`
	Origin       string `json:"origin"`
	Enabled      bool   `json:"enabled"`
	AllowPrivate bool   `json:"allow_private"`
	CAFile       string `json:"ca_file,omitempty"`
	Ask          string `json:"ask"`
	// TokenActor is whose request tokens it is shown, TokenKey the name of that key where
	// it is here; absent for none.
	TokenActor string `json:"token_actor,omitempty"`
	TokenKey   string `json:"token_key,omitempty"`
	Added      int64  `json:"added_epoch_ms"`
	Follow
	// Exceptions lists records that are not events here, where it was asked for.
	Exceptions []Exception `json:"exceptions,omitempty"`

	now int64
}

// Follow is how far a service was followed. Scope is that of the last completed
// sync; absent for a service that is not followed.
type Follow struct {
	Scope     *Scope         `json:"scope,omitempty"`
	Reached   uint64         `json:"reached_seq"`
	Exception int            `json:"exception_count"`
	Tried     int64          `json:"tried_epoch_ms,omitempty"`
	Trouble   *Trouble       `json:"trouble,omitempty"`
	Faults    []ServiceFault `json:"faults"`

	// Waiting counts the exceptions that wait for others, and WaitsFor is what is not here
	// of those.
	Waiting  int      `json:"waiting_count,omitempty"`
	WaitsFor []string `json:"waits_for,omitempty"`

	seen   int64 // what the age of Scope is told from, in ms
	waits  string
	causes []desk.Contradiction
}

// Trouble is why the last sync did not finish.
type Trouble struct {
	Code   string `json:"code"`
	Detail string `json:"detail,omitempty"`
}

// ServiceFault is a contradiction of a service.
type ServiceFault struct {
	Kind   string `json:"kind"`
	At     int64  `json:"at_epoch_ms"`
	ID     string `json:"event_id,omitempty"`
	Before uint64 `json:"before_seq"`
	Now    uint64 `json:"now_seq"`
}

// Exception is a record of a service that is not an event here.
type Exception struct {
	Seq     uint64 `json:"seq"`
	ID      string `json:"event_id,omitempty"`
	Claimed string `json:"claimed_event_id,omitempty"`
	Code    string `json:"code"`
	Detail  string `json:"detail,omitempty"`
	Since   int64  `json:"since_epoch_ms"`
	Tries   int    `json:"try_count"`
}

// ServiceOf describes a service; now, in ms, is what ages are told from.
func ServiceOf(s desk.Service, f desk.Follow, now int64) Service {
	out := Service{Name: s.Name, Origin: string(s.Origin), Enabled: s.Enabled, AllowPrivate: s.AllowPrivate, CAFile: s.CAFile,
		Ask: s.Ask.String(), Added: s.Added, Follow: followOf(s, f), now: now}
	if !s.Token.IsZero() {
		out.TokenActor = s.Token.String()
	}
	return out
}

func followOf(s desk.Service, f desk.Follow) Follow {
	out := Follow{Reached: f.Reached, Exception: f.Exceptions, Tried: f.Tried, causes: f.Contradictions()}
	if f.Complete {
		scope := ScopeOf(f.Followed(s.Origin).Scope())
		out.Scope, out.seen = &scope, f.Followed(s.Origin).Seen()
	}
	if f.Trouble != (desk.Trouble{}) {
		out.Trouble = &Trouble{Code: string(f.Trouble.Code), Detail: f.Trouble.Detail}
	}
	for _, x := range f.Faults {
		out.Faults = append(out.Faults, faultOf(x))
	}
	return out
}

// AddUnresolved tells what exceptions wait for.
func (f *Follow) AddUnresolved(u explore.Unresolved) {
	if u.Records > 0 {
		f.Waiting, f.WaitsFor, f.waits = u.Records, idStrings(u.For), u.Words()
	}
}

func faultOf(x desk.ServiceFault) ServiceFault {
	return ServiceFault{Kind: x.Kind.String(), At: x.At, ID: optional(x.ID), Before: x.Before, Now: x.Now}
}

// AddExceptions lists records that are not events here.
func (s *Service) AddExceptions(list []desk.Exception) {
	for _, e := range list {
		s.Exceptions = append(s.Exceptions, Exception{Seq: e.Seq, ID: optional(e.ID), Claimed: optional(e.Claimed), Code: string(e.Code), Detail: e.Detail, Since: e.Since, Tries: e.Tries})
	}
}

// state says in a word whether and how a service answers.
func (s Service) state() Cell {
	switch {
	case !s.Enabled:
		return Cell{Text: own("disabled"), Tone: Quiet}
	case s.Scope == nil:
		return words("live")
	case len(s.Faults) > 0:
		return Cell{Text: own("followed, contradicts itself"), Tone: Bad}
	case !s.Scope.Complete:
		return Cell{Text: own("followed, PARTIAL"), Tone: Bad}
	case s.Trouble != nil || s.now-s.seen > view.StaleAfter:
		return Cell{Text: own("followed, STALE"), Tone: Bad}
	default:
		return words("followed")
	}
}

// upTo says how far a service was followed.
func (f Follow) upTo(now int64) string {
	switch {
	case f.Scope == nil && f.Reached > 0:
		return "not followed yet: stored up to #" + uints(f.Reached) + ", the next sync goes on there"
	case f.Scope == nil:
		return "not followed"
	}
	return "up to #" + uints(f.Scope.Checkpoint) + ", " + Moment(f.Scope.AsOf) + ", " + AgeOf(f.Scope.AsOf, f.seen, now)
}

// Services lists the user's services.
type Services struct {
	Services []Service `json:"services"`
}

// Text prints a row a service, and below what is wrong with it.
func (r *Services) Text(p *Printer) {
	if len(r.Services) == 0 {
		p.Line(own("no services: akx service add ORIGIN adds one, and nothing is asked of any before"))
		return
	}
	var table [][]Cell
	for _, s := range r.Services {
		table = append(table, []Cell{{Text: own(s.Name), Tone: Strong}, s.state(), words(s.upTo(s.now)), plainCell(clean.Line(s.Origin))})
	}
	p.Table(nil, table)
	for _, s := range r.Services {
		s.remarks(p)
	}
}

// remarks prints what is special about a service, each with its name.
func (s Service) remarks(p *Printer) {
	lead := own(s.Name + ": ")
	if s.AllowPrivate {
		p.Wrapped(lead, words("private and loopback addresses are allowed for it"))
	}
	if s.CAFile != "" {
		p.Wrapped(lead, words("trusts the certificates of "), plainCell(clean.Line(s.CAFile)))
	}
	if s.Ask != desk.AskOnKey.String() && s.Scope == nil {
		p.Wrapped(lead, words("asked about an event on screen: "+s.Ask))
	}
	if s.TokenActor != "" {
		p.Wrapped(lead, s.tokens()...)
	}
	s.Follow.remarks(p, lead)
	s.Follow.wayOn(p, s.Name)
	for _, e := range s.Exceptions {
		cells := []Cell{words("#" + uints(e.Seq) + " "), p.tone(Bad, clean.Line(e.Code))}
		if e.Detail != "" {
			cells = append(cells, words(": "), plainCell(clean.Line(e.Detail)))
		}
		cells = append(cells, identified(e.ID, e.Claimed)...)
		p.Wrapped(lead, append(cells, gap, words("since "+Moment(e.Since)+", "+number(e.Tries)+" "+plural(e.Tries, "try", "tries")))...)
	}
	if len(s.Exceptions) > 0 {
		more(p, s.Follow.Exception-len(s.Exceptions), "record that is not an event here", "records that are not events here")
	}
}

// tokens says whose request tokens the service is shown.
func (s Service) tokens() []Cell {
	key := words("a key that is not here")
	if s.TokenKey != "" {
		key = words("your key " + s.TokenKey)
	}
	return []Cell{words("sees who submits: a request token, made for it alone, of "), key, gap, words(s.TokenActor)}
}

func (f Follow) remarks(p *Printer, lead clean.Text) {
	if f.Exception > 0 {
		p.Wrapped(lead, p.tone(Bad, own(number(f.Exception)+" of its records "+plural(f.Exception, "is not an event", "are not events")+" here: any check at it is PARTIAL")))
	}
	if f.waits != "" {
		p.Wrapped(lead, words(f.waits))
	}
	if f.Trouble != nil {
		if f.Trouble.Code == string(fault.Cancelled) {
			p.Wrapped(lead, words("last sync, "+Moment(f.Tried)+": it did not finish"))
		} else {
			trouble := Failure{Code: f.Trouble.Code, Message: cmp.Or(f.Trouble.Detail, f.Trouble.Code)}
			p.Wrapped(lead, append([]Cell{words("last sync, " + Moment(f.Tried) + ": ")}, trouble.coded(p)...)...)
		}
	}
	if f.Scope != nil {
		for _, clock := range []string{view.AheadWords, view.BackWords} {
			if slices.Contains(f.Scope.Reasons, clock) {
				p.Wrapped(lead, p.tone(Bad, clean.Line(clock)), words(": any check at it is PARTIAL"))
			}
		}
	}
	for _, c := range f.causes {
		cells := []Cell{words("contradicts itself, seen " + Moment(c.Fault.At) + ": "), p.tone(Bad, own(faultWords(faultOf(c.Fault))))}
		if c.More > 0 {
			cells = append(cells, words("; "+Counted(c.More, "more contradiction")+" of the same cause"))
		}
		p.Wrapped(lead, cells...)
	}
}

// wayOn tells how a service that contradicted itself is followed anew.
func (f Follow) wayOn(p *Printer, name string) {
	if len(f.causes) > 0 {
		p.Wrapped(own(name+": "), words("it contradicted itself: any check at it is PARTIAL; "+refollowHint(name)))
	}
}

func refollowHint(name string) string {
	return "nothing that was proven is lost; akx service refollow " + name + " follows it from the start"
}

func faultWords(f ServiceFault) string {
	before, now := "#"+uints(f.Before), "#"+uints(f.Now)
	switch f.Kind {
	case desk.CheckpointBack.String():
		return "its checkpoint went back from " + before + " to " + now
	case desk.SeqBack.String():
		return Paste(f.ID) + " was " + before + " and is " + now + " now"
	case desk.SeqShared.String():
		return now + " stands for two events, one is " + Paste(f.ID)
	default:
		if f.Now >= f.Before {
			return "it refuses to go on after " + before + ", which it gave"
		}
		return "it refuses to go on after " + before + " and has records up to " + now
	}
}

// ServiceChanged is one change of the user's services.
type ServiceChanged struct {
	Done string `json:"done"` // added, set, removed, reset, enabled or disabled
	Service
}

// Text says what was done and what it allows.
func (r *ServiceChanged) Text(p *Printer) {
	p.Wrapped(clean.Text{}, words(r.Done+" "+r.Name), gap, plainCell(clean.Line(r.Origin)))
	if r.Done == "removed" {
		p.Line(own("the events that it gave stay in the cache"))
		return
	}
	if r.AllowPrivate {
		p.Line(own("private and loopback addresses are allowed for this service, and for no other"))
	}
	if r.CAFile != "" {
		p.Wrapped(own("trusts, for this service alone, the certificates of "), plainCell(clean.Line(r.CAFile)))
	}
	if r.TokenActor != "" {
		p.Wrapped(clean.Text{}, r.tokens()...)
	}
	if r.Done == "reset" {
		p.Line(own("the events that it gave stay in the cache; akx sync " + r.Name + " follows it from the start"))
	}
	if r.Done == "added" {
		p.Line(own("nothing was asked of it; akx service check " + r.Name + " asks whether it is there, akx sync " + r.Name + " follows it"))
	}
}
