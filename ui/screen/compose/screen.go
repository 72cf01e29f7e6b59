package compose

import (
	"context"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"akx/explore"
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/ui/slot"
	"akx/view/capsule"
	"akx/view/clean"
	"akx/view/desk"
	"akx/view/identity"
)

// Screen is the form of one draft, and its preview.
type Screen struct {
	shared  *Shared
	options kit.Options
	id      uint64
	size    kit.Size
	doc     document
	form    form
	pane    pane
	asks    asks
	signing signing
	kept    []byte // what an editor saved and the draft has not taken
}

// document is the draft and what is known of it.
type document struct {
	draft   desk.Draft
	open    bool
	failed  error
	holder  string // who else has it open
	frozen  error  // why nobody can write it
	targets []explore.TargetFacts
	check   explore.DraftCheck
	checked bool
	saved   int64 // when it was stored last
	unsaved bool
	lost    error // why the newest state could not be stored
}

// asks are what the screen may wait for.
type asks struct {
	opening *slot.Slot[opened]
	check   *slot.Slot[explore.DraftCheck]
	event   *slot.Slot[explore.Preview]
	choices *slot.Slot[kit.Choose]
	steps   *slot.Slot[[]desk.Step]
	ready   *slot.Slot[readiness]
}

// opened is a draft that was opened, the keys that there are, and what is left of an
// edit.
type opened struct {
	explore.Opened
	signers []Signer
	left    []byte      // what an edit left behind
	signed  identity.ID // what the draft became, in place of all that
}

// New makes the form of the draft that the route names.
func New(shared *Shared, o kit.Options, r kit.Route) *Screen {
	id, err := strconv.ParseUint(r.Query, 10, 64)
	s := &Screen{shared: shared, options: o, id: id, form: form{at: r.Cursor, past: make(map[string]desk.History)}}
	s.doc.failed = err
	s.pane.shown = shown(min(max(r.Pane, 0), int(showEvent)))
	w := o.Work
	s.asks = asks{
		slot.New[opened](w), slot.New[explore.DraftCheck](w), slot.New[explore.Preview](w), slot.New[kit.Choose](w),
		slot.New[[]desk.Step](w), slot.New[readiness](w),
	}
	s.signing.answered = make(map[string]bool)
	return s
}

// Route keeps the draft and the field.
func (s *Screen) Route() kit.Route {
	return kit.Route{Screen: kit.Compose, Query: strconv.FormatUint(s.id, 10), Cursor: s.form.at, Pane: int(s.pane.shown)}
}

// Crumb names the draft by what it is; author text never stands here.
func (s *Screen) Crumb() draw.Line {
	line := draw.Line{draw.Own(draw.Chrome, "Compose ")}
	if s.doc.open {
		line = append(line, draw.Say(draw.Normal, What(s.doc.draft)), draw.Gap(1))
	}
	return append(line, draw.Own(draw.Normal, "draft "), draw.Say(draw.Normal, number(s.id)))
}

// What names a draft in words: assessment, retraction, or its kind.
func What(d desk.Draft) clean.Text {
	switch d.Type {
	case capsule.Assess:
		return clean.Own("assessment")
	case capsule.Retract:
		return clean.Own("retraction")
	}
	if d.Payload.Kind == "" {
		return clean.Own("capsule")
	}
	return clean.Line(d.Payload.Kind)
}

func number(n uint64) clean.Text { return clean.Line(strconv.FormatUint(n, 10)) }

// Typing is always true: keys are text.
func (s *Screen) Typing() bool { return true }

// Show opens the draft when it is not open yet.
func (s *Screen) Show(size kit.Size) tea.Cmd {
	s.size = size
	if s.doc.open || s.doc.failed != nil {
		return s.askEvent()
	}
	shared, id := s.shared, s.id
	shared.Keeper.Opened(id)
	return s.asks.opening.Ask(func(ctx context.Context) (opened, error) {
		o, err := shared.Writer.OpenDraft(ctx, id)
		if err != nil {
			if signed, ok, _ := shared.Writer.SignedAs(ctx, id); ok {
				return opened{signed: signed}, nil
			}
			return opened{}, err
		}
		if newer, ok := shared.Keeper.Unsaved(id); ok {
			o.Draft = newer
		}
		signers, err := shared.Keys.Signers(ctx)
		if err != nil || o.Holder != "" || o.Frozen != nil { // whoever has it open may be editing now
			return opened{Opened: o, signers: signers}, err
		}
		left, err := shared.Texts.Left(id)
		return opened{Opened: o, signers: signers, left: left}, err
	})
}

// Hide stores what is left to be stored, and lets others have the draft.
func (s *Screen) Hide() {
	for _, end := range []func(){
		s.asks.opening.Cancel, s.asks.check.Cancel, s.asks.event.Cancel, s.asks.choices.Cancel,
		s.asks.steps.Cancel, s.asks.ready.Cancel,
	} {
		end()
	}
	s.options.Now(kit.Later{Cmd: s.shared.Keeper.Leave(s.id)})
}

// Update takes answers, keys, pastes and the mouse.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	if cmd, ok := s.answer(msg); ok {
		return cmd
	}
	switch msg := msg.(type) {
	case kit.Saved:
		s.stored(msg)
	case edited:
		return s.edited(msg)
	case keptFormer:
		return msg.tell()
	case tea.KeyMsg:
		return s.key(msg)
	case kit.Paste:
		return s.paste(msg.Text)
	case kit.Wheel:
		s.wheel(msg)
	case kit.Click:
		return s.click(msg)
	}
	return nil
}

// answer takes what was asked for.
func (s *Screen) answer(msg tea.Msg) (tea.Cmd, bool) {
	if o, err, ok := s.asks.opening.Take(msg); ok {
		return s.take(o, err), true
	}
	if c, err, ok := s.asks.check.Take(msg); ok {
		return s.takeCheck(c, err), true
	}
	if p, err, ok := s.asks.event.Take(msg); ok {
		s.pane.event, s.pane.failed = p, err
		return nil, true
	}
	if menu, err, ok := s.asks.choices.Take(msg); ok {
		return s.offer(menu, err), true
	}
	if steps, err, ok := s.asks.steps.Take(msg); ok {
		return s.takeSteps(steps, err), true
	}
	if r, err, ok := s.asks.ready.Take(msg); ok {
		return s.ready(r, err), true
	}
	return nil, false
}

func failed(err error) tea.Cmd {
	if err == nil {
		return nil
	}
	return kit.Send(kit.Fail{Err: err})
}

// take shows a draft that was opened. A target that has successors or was withdrawn
// is said at once.
func (s *Screen) take(o opened, err error) tea.Cmd {
	if s.doc.failed = err; err != nil {
		return failed(err)
	}
	if !o.signed.IsZero() {
		s.options.Now(pageInstead(o.signed))
		return kit.Say("that draft was signed: this is the event it became")
	}
	s.doc.draft, s.doc.open, s.doc.holder, s.doc.frozen, s.doc.targets = o.Draft, true, o.Holder, o.Frozen, o.Targets
	s.doc.saved = o.Draft.Edited
	s.takeSigners(o.signers)
	s.refill()
	if string(o.left) != string(o.Draft.YAML()) { // else the editor ended before it saved anything
		s.kept = o.left
	}
	fresh := o.Draft.Created == o.Draft.Edited
	if fresh || s.form.at == 0 {
		s.focus(s.firstEmpty())
	} else {
		s.focus(s.form.at)
	}
	if fresh && len(s.moved()) > 0 && s.readOnly() == "" {
		return tea.Batch(s.askCheck(), s.askEvent(), s.retarget())
	}
	if s.kept != nil && s.readOnly() == "" {
		return tea.Batch(s.askCheck(), s.askEvent(), s.offerText())
	}
	return tea.Batch(s.askCheck(), s.askEvent())
}

// readOnly says why nothing can be typed here.
func (s *Screen) readOnly() clean.Words {
	switch {
	case s.options.ReadOnly:
		return kit.ReadOnlyWords
	case !s.doc.open:
		return "the draft is not open"
	case s.doc.holder != "":
		return "another akx has this draft open; it is read-only here until that one closes it"
	case s.doc.frozen != nil:
		return "this home cannot be written, so that the draft can only be read"
	case s.doc.draft.Trashed != 0:
		return "the draft is in the trash; d, then t and u takes it out"
	}
	return ""
}

// own are the Agent IDs of the user's keys.
func (s *Screen) own() []identity.Actor {
	out := make([]identity.Actor, len(s.signing.signers))
	for i, k := range s.signing.signers {
		out[i] = k.Actor
	}
	return out
}

func (s *Screen) askCheck() tea.Cmd {
	writer, d, own := s.shared.Writer, s.doc.draft.Clone(), s.own()
	return s.asks.check.Ask(func(ctx context.Context) (explore.DraftCheck, error) { return writer.CheckDraft(ctx, d, own) })
}

func (s *Screen) takeCheck(c explore.DraftCheck, err error) tea.Cmd {
	if err != nil {
		return failed(err)
	}
	s.doc.check, s.doc.checked, s.doc.targets = c, true, c.Targets
	return nil
}

// changed stores the draft, looks at it again, and lays out the form.
func (s *Screen) changed() tea.Cmd {
	s.refill()
	s.doc.unsaved = true
	return tea.Batch(s.shared.Keeper.Keep(s.doc.draft), s.askCheck(), s.askEvent())
}

func (s *Screen) stored(m kit.Saved) {
	if m.Draft != s.id {
		return
	}
	s.doc.lost = m.Err
	if m.Err == nil {
		s.doc.saved = m.At
		_, s.doc.unsaved = s.shared.Keeper.Unsaved(s.id)
	}
}
