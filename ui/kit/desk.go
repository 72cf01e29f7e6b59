package kit

import (
	tea "github.com/charmbracelet/bubbletea"

	"akx/ui/draw"
	"akx/view"
	"akx/view/capsule"
	"akx/view/clean"
	"akx/view/desk"
	"akx/view/identity"
)

// Desk is what every screen may know of the user's own work without asking: the
// root keeps it up to date, in the update loop only.
type Desk struct {
	// Own are the Agent IDs of the user's keys, with the names of the keys.
	Own map[identity.Actor]string
	// Names are the user's own names of Agent IDs, which nobody else sees.
	Names map[identity.Actor]string
	// Sent is how each event of the outbox stands at the services it is queued for.
	Sent    map[identity.ID][]desk.Delivery
	Drafts  int // that are not in the trash
	Unsent  int // entries of the outbox that some service has not accepted
	Damaged int // drafts, entries and names that cannot be read
}

// LeftToSend follows the number of entries of the outbox that some service has not
// accepted, wherever that stands.
const LeftToSend clean.Words = " left to send"

// Draft asks the root to begin a draft and to open it: exactly one of Kind,
// Relation, Assess, Retract and Correct is set.
type Draft struct {
	Kind     capsule.Kind
	Relation capsule.Relation // to Target
	Target   identity.ID
	Assess   identity.ID
	Retract  identity.ID
	Correct  []identity.ID
}

// Unlock asks the root to let the user unlock a key of theirs, and to go on then.
type Unlock struct {
	Actor identity.Actor
	Why   draw.Line // what it is needed for
	Then  func() tea.Cmd
}

// Gather asks the root to let the user choose which of an actor's own capsules a
// correction supersedes, one of them chosen already.
type Gather struct {
	First identity.ID
	Actor identity.Actor
}

// Name asks the root to let the user name an Agent ID, or forget its name.
type Name struct{ Actor identity.Actor }

// Edit asks the root to open the user's own editor on a text of a draft; Again opens
// what an edit of before left behind. Done makes the message of what it saved, which
// stays behind until it is dropped; err says why nothing can be taken from it.
type Edit struct {
	Draft uint64
	Text  []byte
	Again bool
	Done  func(text []byte, err error) tea.Msg
}

// Later asks the root to run a command for a screen that is being left.
type Later struct{ Cmd tea.Cmd }

// Written tells everyone that drafts or the outbox have changed. Signed says that an
// event was signed here, which the screen shows already.
type Written struct{ Signed bool }

// Saved tells that a draft was stored, or why it could not be.
type Saved struct {
	Draft uint64
	At    int64
	Err   error
}

// ReadOnlyWords say why a row that writes does not work.
const ReadOnlyWords clean.Words = "read-only: nothing of your own is changed, signed or sent; leave out --read-only"

// noDesk says why nothing can be written.
func (o Options) noDesk() clean.Words {
	switch {
	case o.Desk == nil:
		return "nothing can be written here"
	case o.ReadOnly:
		return ReadOnlyWords
	}
	return ""
}

// About is the event that drafts of a screen are about.
type About struct {
	Entry view.Entry
	// Why says why there is no such event now; empty where there is one.
	Why clean.Words
	// Page offers extensions, answers and restatements before new capsules, not after.
	Page bool
	// Actor is who can be named, where that is not who signed Entry.
	Actor identity.Actor
	// Subject is the capsule that a list of assessments is about: what is assessed from
	// there. Zero elsewhere, where that is Entry.
	Subject view.Entry
}

// WriteRows are the rows that begin drafts. None of them signs.
func (o Options) WriteRows(a About) []Row {
	k, e := o.Keys, a.Entry
	want := func(msg tea.Msg) func() tea.Cmd { return func() tea.Cmd { return o.Now(msg) } }
	return []Row{
		k.Quiet("new-capsule", func() tea.Cmd { return o.chooseNew(a) }).Unless(o.noDesk()),
		o.assessRow(a),
		k.Quiet("correct", want(Gather{e.ID, e.Actor})).Unless(o.noOwn(a, e.Type != capsule.Publish, "only capsules are corrected; an assessment or a retraction is not")),
		k.Quiet("retract", want(Draft{Retract: e.ID})).Unless(o.noOwn(a, e.Type == capsule.Retract, "a retraction is final and cannot be retracted")),
		o.nameRow(a),
		o.sendRow(a),
	}
}

// SendNow is the query of the outbox that sends what its route names, once that is read.
const SendNow = "send"

// sendRow sends an event of the outbox from wherever it is shown: the outbox opens on it,
// so that what becomes of it is seen.
func (o Options) sendRow(a About) Row {
	e := a.Entry
	row := o.Keys.Quiet("send", func() tea.Cmd {
		return o.Now(Go{Route{Screen: Outbox, ID: e.ID.String(), Query: SendNow}})
	})
	list, signed := o.Sent(e.ID)
	accepted, all := AcceptedBy(list)
	switch {
	case o.ReadOnly:
		row.Why = ReadOnlyWords
	case a.Why != "":
		row.Why = a.Why
	case !signed:
		row.Why = "only what you signed is sent; this is not in your outbox"
	case o.Sample:
		row.Why = "what was signed in the sample is never sent: its keys are public test keys"
	case all == 0:
		row.Why = "it is queued for no service: d, then + queues it"
	case accepted == all:
		row.Why = "every service that it is queued for has accepted it"
	case o.Offline:
		row.Why = OfflineWords
	default:
		row.Hidden = false
	}
	return row
}

func (o Options) nameRow(a About) Row {
	if !a.Actor.IsZero() {
		return o.NameRow(a.Actor, "")
	}
	return o.NameRow(a.Entry.Actor, a.Why)
}

// assessRow begins an assessment. Where there is a list of them it stands in the footer.
func (o Options) assessRow(a About) Row {
	subject := !a.Subject.ID.IsZero()
	if subject {
		a = About{Entry: a.Subject}
	}
	row := o.Keys.Quiet("assess", func() tea.Cmd { return o.Now(Draft{Assess: a.Entry.ID}) }).
		Unless(o.noWrite(a, a.Entry.Type != capsule.Publish, "only capsules are assessed; this is another event"))
	if row.Hidden = !subject; subject {
		row = row.Called("assess the capsule")
	}
	return row
}

// NameRow is the row that names an Agent ID; why says why there is none now.
func (o Options) NameRow(a identity.Actor, why clean.Words) Row {
	if why == "" && a.IsZero() {
		why = "nothing here was signed by anybody"
	}
	if no := o.noDesk(); no != "" {
		why = no
	}
	return o.Keys.Quiet("name-actor", func() tea.Cmd { return o.Now(Name{a}) }).Unless(why)
}

func (o Options) noWrite(a About, wrong bool, why clean.Words) clean.Words {
	switch {
	case o.noDesk() != "":
		return o.noDesk()
	case a.Why != "":
		return a.Why
	case wrong:
		return why
	}
	return ""
}

func (o Options) noOwn(a About, wrong bool, why clean.Words) clean.Words {
	if no := o.noWrite(a, wrong, why); no != "" {
		return no
	}
	if _, own := o.Desk.Own[a.Entry.Actor]; !own {
		return "this is not your own: none of your keys signed it"
	}
	return ""
}

// links are what a page offers to begin as its answer or continuation.
var links = []struct {
	relation capsule.Relation
	words    clean.Words
}{
	{capsule.Extends, "extension of this"},
	{capsule.Addresses, "answer to this"},
	{capsule.DerivedFrom, "restatement of this"},
}

// newColumns is the width of the names in the menu of what to begin.
const newColumns = 20

// choice is one line of that menu: a name, what it is for, and what it begins.
func (o Options) choice(name, help clean.Text, do func() tea.Cmd) Choice {
	return Choice{Line: draw.Line{draw.Say(draw.Strong, name), draw.Gap(newColumns - draw.Width(name)), draw.Say(draw.Normal, help)}, Do: do}
}

// chooseNew lists what can be begun, each with what it is for.
func (o Options) chooseNew(a About) tea.Cmd {
	var kinds []Choice
	for _, kind := range capsule.Kinds() {
		kinds = append(kinds, o.choice(clean.Line(kind.String()), clean.Line(desk.KindHelp(kind)), func() tea.Cmd { return o.Now(Draft{Kind: kind}) }))
	}
	choices := append(kinds, o.linkChoices(a)...)
	if a.Page {
		choices = append(o.linkChoices(a), kinds...)
	}
	return o.Now(Choose{Title: "Begin a draft; nothing is signed by this", Choices: choices})
}

// linkChoices begin a capsule that points at the event; one that may not says why.
func (o Options) linkChoices(a About) []Choice {
	if a.Why != "" {
		return nil
	}
	var choices []Choice
	e, d := a.Entry, desk.Draft{Type: capsule.Publish}
	for _, l := range links {
		help := clean.Join(clean.Own("a capsule that "), clean.Line(l.relation.String()), clean.Own(" this event"))
		do := func() tea.Cmd { return o.Now(Draft{Relation: l.relation, Target: e.ID}) }
		if r := d.CheckLink(identity.Actor{}, l.relation, capsule.Target{Type: e.Type, Kind: e.Kind, Actor: e.Actor, Nonce: e.Nonce}); r != nil {
			why := draw.Line{draw.Own(draw.Normal, "not of this event: "), draw.Say(draw.Normal, clean.Line(r.Detail))}
			help = clean.Join(why[0].Text, why[1].Text)
			do = func() tea.Cmd { return Send(Notice{Line: why}) }
		}
		choices = append(choices, o.choice(clean.Own(l.words), help, do))
	}
	return choices
}
