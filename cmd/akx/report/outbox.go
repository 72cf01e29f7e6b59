package report

import (
	"strings"

	"akx/explore"
	"akx/view/clean"
	"akx/view/desk"
	"akx/view/fault"
)

// Sent is one signed event of the outbox and where it goes.
type Sent struct {
	ID         string     `json:"event_id"`
	Type       string     `json:"type"`
	Actor      string     `json:"actor"`
	LocalName  string     `json:"local_name,omitempty"` // the user's own of the actor
	Title      string     `json:"title"`
	SignedAt   int64      `json:"signed_at_epoch_ms"`
	Draft      uint64     `json:"draft_id,omitempty"`
	Bytes      int        `json:"envelope_bytes"`
	Deliveries []Delivery `json:"deliveries"`
}

// Delivery is one envelope at one service. Sentence and Action say in words how it
// stands and what comes next.
type Delivery struct {
	Service    string   `json:"service"`
	Name       string   `json:"name,omitempty"` // the user's own of the service
	State      string   `json:"state"`          // not_sent, sending, accepted, refused or unknown
	Seq        uint64   `json:"seq,omitempty"`
	AcceptedAt int64    `json:"accepted_at_epoch_ms,omitempty"`
	Code       string   `json:"code,omitempty"`
	Reason     string   `json:"reason,omitempty"`
	Missing    []string `json:"missing,omitempty"`
	Tries      int      `json:"try_count"`
	LastTry    int64    `json:"last_try_epoch_ms,omitempty"`
	NextTry    int64    `json:"next_try_epoch_ms,omitempty"` // of an open explorer
	Sentence   string   `json:"sentence"`
	Action     string   `json:"action,omitempty"`
}

// SentOf describes an entry; names gives the user's names of services by origin.
func SentOf(e desk.Entry, names map[string]string) Sent {
	out := Sent{ID: e.ID.String(), Type: e.Type.String(), Actor: e.Actor.String(), Title: e.Title, SignedAt: e.SignedAt, Draft: e.DraftID, Bytes: len(e.Envelope)}
	for _, d := range e.Deliveries {
		advice := d.Advice()
		advice.Action = action(e.ID.String(), d, advice, names[d.Service])
		out.Deliveries = append(out.Deliveries, Delivery{Service: d.Service, Name: names[d.Service], State: stateName(d.State), Seq: d.Seq,
			AcceptedAt: d.AcceptedAt, Code: string(d.Code), Reason: d.Reason, Missing: d.Missing, Tries: d.Tries, LastTry: d.LastTry, NextTry: d.NextTry,
			Sentence: advice.Sentence, Action: advice.Action})
	}
	return out
}

// action is what comes next, with the command that does it. name is the user's own of the
// service.
func action(id string, d desk.Delivery, advice desk.Advice, name string) string {
	if name == "" {
		name = d.Service
	}
	one := "akx submit " + Paste(id) + " --to "
	again := one + name
	if explore.Waits(d) && d.Code != fault.MissingDependency {
		again = "akx submit --to " + name
	}
	switch advice.Step {
	case desk.StepWait:
		// A command does not stay to try again by itself.
		return again + " sends the same bytes again; an explorer that is open does so by itself from " + Moment(d.NextTry) + " on."
	case desk.StepSendMissing:
		return again + " --with-dependencies sends the missing events first, as far as they are held here."
	case desk.StepResend, desk.StepFixClock, desk.StepAuthenticate:
		return strings.TrimSuffix(advice.Action, ".") + " (" + again + ")."
	case desk.StepAskService:
		return advice.Action + " " + again + " sends it again; another name behind --to sends it there."
	case desk.StepShorten:
		return advice.Action + " " + one + "NAME sends it to another one."
	}
	return advice.Action
}

// stateName spells a state as events do.
func stateName(s desk.SendState) string { return strings.ReplaceAll(s.String(), " ", "_") }

func (d Delivery) label() clean.Text {
	if d.Name == "" {
		return clean.Line(d.Service)
	}
	return clean.Join(clean.Line(d.Name), own(" "), clean.Line(d.Service))
}

func (s Sent) text(p *Printer) {
	p.Wrapped(clean.Text{}, append([]Cell{words(Paste(s.ID)), gap, words(s.Type), gap, p.Signed(s.Title)}, named(s.LocalName)...)...)
	if len(s.Deliveries) == 0 {
		p.Wrapped(own("  "), words("queued for no service: akx submit "+Paste(s.ID)+" --to NAME sends it"))
	}
	for _, d := range s.Deliveries {
		d.text(p)
	}
}

func (d Delivery) text(p *Printer) {
	lead := clean.Join(own("  "), d.label(), own(": "))
	if d.State == desk.Accepted.String() {
		p.Wrapped(lead, Cell{Text: own("accepted by it as #" + uints(d.Seq) + ", " + Moment(d.AcceptedAt)), Tone: Good})
		return
	}
	p.Wrapped(lead, d.stands(p)...)
	p.Wrapped(own("    "), words(d.Sentence))
	if d.Action != "" {
		p.Wrapped(own("    "), words(d.Action))
	}
	for _, id := range d.Missing {
		p.Wrapped(own("    "), words("misses "), plainCell(clean.Line(Paste(id))))
	}
}

// words is the state as people read it.
func (d Delivery) words() string { return strings.ReplaceAll(d.State, "_", " ") }

// stands says how a delivery that is not accepted stands, with the service's own words.
func (d Delivery) stands(p *Printer) []Cell {
	state := Cell{Text: own(d.words())}
	if d.State == desk.Refused.String() || d.State == desk.Unknown.String() {
		state.Tone = Bad
	}
	cells := []Cell{state}
	if d.Code != "" {
		cells = append(cells, words(", "), p.tone(state.Tone, clean.Line(d.Code)))
	}
	if d.Reason != "" {
		cells = append(cells, words(": "), p.Signed(d.Reason))
	}
	return cells
}

// Outbox lists what was signed, newest first.
type Outbox struct {
	Entries []Sent `json:"entries"`
	// Unsettled counts deliveries that were not accepted.
	Unsettled int `json:"unsettled_count"`
	// Damaged says what is damaged and therefore not in the list.
	Damaged []string `json:"damaged,omitempty"`
}

// Add counts an entry in.
func (r *Outbox) Add(s Sent) {
	r.Entries = append(r.Entries, s)
	for _, d := range s.Deliveries {
		if d.State != desk.Accepted.String() {
			r.Unsettled++
		}
	}
}

// Text prints an entry and its deliveries after the other.
func (r *Outbox) Text(p *Printer) {
	for _, s := range r.Entries {
		s.text(p)
	}
	p.Line(own(number(len(r.Entries)) + " signed, " + number(r.Unsettled) + " " + plural(r.Unsettled, "delivery", "deliveries") + " not accepted"))
	unread(p, r.Damaged)
}

// Submitted is what sending did.
type Submitted struct {
	Entries []Sent `json:"entries"`
	Plans   []Plan `json:"missing_plans,omitempty"`
	// Asked are the origins that something was to be sent to; what else stands in the
	// entries is how it was before.
	Asked []string `json:"services"`
	// Refused counts deliveries to those that stand refused and were not sent again.
	Refused int `json:"refused_before_count,omitempty"`
	// RefusedBefore are the events of these deliveries, as they stand.
	RefusedBefore []Sent `json:"refused_before,omitempty"`
}

// Plan is what a service misses before it takes an event.
type Plan struct {
	ID      string     `json:"event_id"`
	Service string     `json:"service"`
	Send    []PlanItem `json:"held_here"`
	// Barred are held here and cannot be sent; with one, the event cannot be taken there.
	Barred  []BarredItem `json:"not_sendable,omitempty"`
	NotHeld []string     `json:"not_held"`
	More    bool         `json:"more"`
}

// BarredItem is one envelope that is never sent, and why.
type BarredItem struct {
	PlanItem
	Why string `json:"reason"`
}

// PlanItem is one envelope that would be sent first.
type PlanItem struct {
	ID    string `json:"event_id"`
	Type  string `json:"type"`
	Actor string `json:"actor"`
	// LocalName is the user's own of the actor.
	LocalName string `json:"local_name,omitempty"`
	Title     string `json:"title"`
	Bytes     int    `json:"envelope_bytes"`
}

// PlanOf describes a plan.
func PlanOf(plan explore.Plan) Plan {
	out := Plan{ID: plan.ID.String(), Service: plan.Service, NotHeld: idStrings(plan.NotHeld), More: plan.More}
	for _, item := range plan.Send {
		out.Send = append(out.Send, planItemOf(item))
	}
	for _, item := range plan.Barred {
		out.Barred = append(out.Barred, BarredItem{planItemOf(item.PlanItem), "signed with a public test key (" + item.Key + "), so that it cannot be sent"})
	}
	return out
}

func planItemOf(item explore.PlanItem) PlanItem {
	return PlanItem{ID: item.ID.String(), Type: item.Type.String(), Actor: item.Actor.String(), Title: item.Title, Bytes: item.Bytes}
}

func (i PlanItem) text(p *Printer) {
	p.Wrapped(own("  "), append([]Cell{words(Paste(i.ID)), gap, words(i.Type), gap, p.Signed(i.Title)}, named(i.LocalName)...)...)
}

func (r Plan) text(p *Printer) {
	p.Wrapped(clean.Text{}, words("before "+Paste(r.ID)+", "), plainCell(clean.Line(r.Service)), words(" needs:"))
	for _, item := range r.Send {
		item.text(p)
	}
	for _, item := range r.Barred {
		item.text(p)
		p.Wrapped(own("    "), p.tone(Bad, clean.Line(item.Why)))
	}
	for _, id := range r.NotHeld {
		p.Wrapped(own("  "), words(Paste(id)), gap, p.tone(Bad, own("not held here: import or sync it first")))
	}
	if r.More {
		p.Wrapped(own("  "), words("and more than one plan may hold"))
	}
	switch {
	case len(r.Barred) > 0:
		p.Wrapped(own("  "), words("nothing is sent for it: the service cannot take the event without what cannot be sent"))
	case len(r.Send) > 0:
		p.Wrapped(own("  "), words("--with-dependencies sends those that are held here first"))
	}
}

// Text prints what each service said.
func (r *Submitted) Text(p *Printer) {
	for _, s := range r.Entries {
		s.text(p)
	}
	for _, plan := range r.Plans {
		plan.text(p)
	}
	switch {
	case r.Refused > 0:
		p.Line(own(number(r.Refused) + " " + plural(r.Refused, "delivery is", "deliveries are") + " left to send and " + plural(r.Refused, "stands", "stand") + " refused: only its own ID sends an event again"))
	case len(r.Entries) == 0:
		p.Line(own("nothing is left to send"))
	}
	for _, s := range r.RefusedBefore {
		s.text(p)
	}
}

// open lists deliveries that were asked for and not accepted.
func (r *Submitted) open() []Delivery {
	asked := make(map[string]bool, len(r.Asked))
	for _, origin := range r.Asked {
		asked[origin] = true
	}
	var open []Delivery
	for _, s := range r.Entries {
		for _, d := range s.Deliveries {
			if asked[d.Service] && d.State != desk.Accepted.String() {
				open = append(open, d)
			}
		}
	}
	return open
}

// Short says why not all was accepted; nil where it was.
func (r *Submitted) Short() error {
	open := r.open()
	if len(open) == 0 {
		return nil
	}
	d := open[0]
	if len(open) > 1 {
		return &fault.Unavailable{Code: fault.Partial, Detail: number(len(open)) + " deliveries were not accepted",
			Hint: "akx outbox says how each stands", Retry: true}
	}
	code := fault.Code(d.Code)
	if d.State == desk.Unknown.String() || code == "" {
		code = fault.UnavailableCode
	}
	return &fault.Unavailable{Code: code, What: d.Service, Detail: d.words() + ": " + d.Sentence, Hint: d.Action, Retry: d.State != desk.Refused.String()}
}
