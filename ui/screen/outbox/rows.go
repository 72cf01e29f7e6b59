package outbox

import (
	"context"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"akx/explore"
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/view/clean"
	"akx/view/desk"
)

// Rows are the keys of the list.
func (s *Screen) Rows() []kit.Row {
	k := s.options.Keys
	trashWords := clean.Words("trash")
	if s.trash {
		trashWords = "drafts"
	}
	rows := []kit.Row{
		k.Row("open", s.open).Unless(s.nothing()),
		k.Row("send", s.send).Called(s.sendWords()).Unless(s.noSend()),
		k.Row("add-destination", s.chooseService).Unless(s.noDestination()),
		k.Row("discard", s.discard).Called(s.discardWords()).Unless(s.noDiscard()),
		s.restoreRow(),
		k.Row("trash", s.toggleTrash).Called(trashWords),
		k.Quiet("refresh", s.ask), k.Quiet("copy", s.copy).Unless(s.noEntry()),
	}
	rows = append(rows, s.options.WriteRows(kit.About{Why: "this is no page of an event"})[0])
	moved := func() tea.Cmd { s.scroll = 0; return nil }
	return append(rows, s.cursor.MoveRows(k, func() int { return len(s.rows()) }, s.height, moved)...)
}

func (s *Screen) nothing() clean.Words {
	switch r, ok := s.under(); {
	case ok && r.damaged != nil:
		return "this cannot be read; what helps stands below the list"
	case ok:
		return ""
	}
	if !s.list.read {
		return kit.ReadingList
	}
	return "there is nothing here"
}

func (s *Screen) noChange() clean.Words {
	if s.options.ReadOnly {
		return kit.ReadOnlyWords
	}
	return s.nothing()
}

func (s *Screen) noEntry() clean.Words {
	if r, ok := s.under(); ok && r.draft != nil {
		return "a draft has no ID before it is signed"
	}
	return s.nothing()
}

// noOutbox says why nothing can be sent from the row under the cursor.
func (s *Screen) noOutbox() clean.Words {
	r, _ := s.under()
	switch {
	case s.noChange() != "":
		return s.noChange()
	case r.entry == nil:
		return "a draft is not signed yet: enter opens it, ctrl+x leads to the signature"
	case r.entry.Sample:
		return "what was signed in the sample is never sent: its keys are public test keys"
	}
	return ""
}

func (s *Screen) noSend() clean.Words {
	if why := s.noOutbox(); why != "" {
		return why
	}
	r, _ := s.under()
	d, ok := r.at()
	switch {
	case !ok:
		return "it is queued for no service; + queues it"
	case s.options.Offline:
		return kit.OfflineWords
	case d.State == desk.Accepted:
		return "this service has accepted it"
	case d.State == desk.Sending, s.changing.Waiting():
		return "it is being sent"
	}
	return ""
}

func (s *Screen) noDestination() clean.Words { return s.noOutbox() }

func (s *Screen) noDiscard() clean.Words {
	if why := s.noChange(); why != "" {
		return why
	}
	if d, ok := s.delivery(); ok && d.State == desk.Sending {
		return "it is being sent"
	}
	return ""
}

func (s *Screen) noRestore() clean.Words {
	if why := s.noChange(); why != "" {
		return why
	}
	if !s.trash {
		return "only a draft of the trash can be taken out of it; t shows the trash"
	}
	return ""
}

// restoreRow takes out of the trash the draft under the cursor there, and on the list of
// drafts the one that was discarded last.
func (s *Screen) restoreRow() kit.Row {
	k := s.options.Keys
	if s.trash || s.discarded == 0 {
		return k.Row("restore", s.restore).Unless(s.noRestore())
	}
	row := k.Row("restore", func() tea.Cmd { return s.takeOut(s.discarded) }).Called("undo discard")
	if s.options.ReadOnly {
		row.Why = kit.ReadOnlyWords
	}
	return row
}

func (s *Screen) delivery() (desk.Delivery, bool) {
	r, _ := s.under()
	return r.at()
}

func (s *Screen) sendWords() clean.Words {
	switch d, _ := s.delivery(); {
	case d.State == desk.Unknown:
		return "send the same bytes"
	case d.Advice().Step == desk.StepSendMissing:
		return "send missing..."
	case d.State == desk.Refused:
		return "send again"
	}
	return "send"
}

func (s *Screen) discardWords() clean.Words {
	r, _ := s.under()
	if s.trash || r.entry != nil {
		return "forget..."
	}
	return "discard"
}

// change does something off the update loop, and says how it ended.
func (s *Screen) change(do func(context.Context) (kit.Notice, error)) tea.Cmd {
	return s.changing.Ask(do)
}

func said(w clean.Words) kit.Notice {
	return kit.Notice{Line: draw.Line{draw.Own(draw.Normal, w)}}
}

// send is the user's step: the same bytes go to the service of the row. Where the
// service lacks what the event points at, what would be sent first is shown.
func (s *Screen) send() tea.Cmd {
	r, _ := s.under()
	d, _ := r.at()
	writer, id, service, name := s.writer, r.entry.ID, d.Service, s.name(d.Service)
	if d.Advice().Step == desk.StepSendMissing {
		return s.planning.Ask(func(ctx context.Context) (explore.Plan, error) { return writer.PlanMissing(ctx, id, service) })
	}
	return s.withToken(service, func() tea.Cmd {
		return s.change(func(ctx context.Context) (kit.Notice, error) {
			entry, err := writer.Submit(ctx, id, []string{service}, explore.SendOptions{})
			return told(entry, service, name), err
		})
	})
}

// withToken sends once the key whose request token the service is to see is unlocked.
func (s *Screen) withToken(service string, then func() tea.Cmd) tea.Cmd {
	writer := s.writer
	return s.locking.Ask(func(ctx context.Context) (locked, error) {
		actor, err := writer.LockedToken(ctx, service)
		return locked{actor, service, then}, err
	})
}

// unlocked goes on with a sending, and asks for its key first where that is locked.
func (s *Screen) unlocked(l locked) tea.Cmd {
	if l.actor.IsZero() {
		return l.then()
	}
	return s.options.Now(kit.Unlock{Actor: l.actor, Then: l.then, Why: draw.Line{
		draw.Say(draw.Strong, clean.Line(l.service)), draw.Own(draw.Normal, " is shown a request token with what you send, made for it alone. Your key makes it; nothing is sent before."),
	}})
}

// told says how a delivery stands now.
func told(e desk.Entry, service string, name clean.Text) kit.Notice {
	for _, d := range e.Deliveries {
		if d.Service == service {
			return kit.Notice{Line: append(deliveryLine(d, name), draw.Own(draw.Normal, "; "), draw.Say(draw.Normal, clean.Line(d.Advice().Sentence))), Bad: d.State != desk.Accepted}
		}
	}
	return kit.Notice{}
}

// confirmPlan shows what would be sent first, and asks.
func (s *Screen) confirmPlan(p explore.Plan) tea.Cmd {
	if len(p.Barred) > 0 {
		return s.tellBarred(p)
	}
	lines := []draw.Line{{draw.Own(draw.Normal, "To "), draw.Say(draw.Strong, clean.Line(p.Service)), draw.Own(draw.Normal, ", in this order:")}}
	for _, i := range p.Send {
		lines = append(lines, s.planLine(i))
	}
	lines = append(lines, draw.Line{draw.Say(draw.Strong, clean.Line(p.ID.String())), draw.Own(draw.Normal, " itself")})
	for _, id := range p.NotHeld {
		lines = append(lines, draw.Line{draw.Own(draw.Warn, "not held here, and missing there: "), draw.Say(draw.Normal, clean.Line(id.String()))})
	}
	if p.More {
		lines = append(lines, draw.Line{draw.Own(draw.Warn, "there is more than one plan can hold: send this, then look again")})
	}
	writer, name := s.writer, s.name(p.Service)
	return s.options.Now(kit.Confirm{
		Title: "Send what is missing first? [network]", Lines: lines, Yes: "Send these",
		Do: func() tea.Cmd {
			return s.withToken(p.Service, func() tea.Cmd {
				return s.change(func(ctx context.Context) (kit.Notice, error) {
					entries, err := writer.SubmitPlan(ctx, p, explore.SendOptions{})
					if len(entries) == 0 {
						return kit.Notice{}, err
					}
					return told(entries[len(entries)-1], p.Service, name), err
				})
			})
		},
	})
}

func (s *Screen) planLine(i explore.PlanItem) draw.Line {
	return draw.Line{
		draw.Say(draw.Normal, clean.Line(i.ID.String())), draw.Gap(1), draw.Say(draw.Normal, draw.Int(i.Bytes)), draw.Own(draw.Quiet, " bytes "),
		draw.Own(draw.Gutter, s.options.Glyphs.Gutter), draw.Say(draw.Author, clean.Line(i.Title)),
	}
}

// tellBarred says what the service lacks and nobody may send. There is nothing to do.
func (s *Screen) tellBarred(p explore.Plan) tea.Cmd {
	lines := []draw.Line{{draw.Say(draw.Strong, clean.Line(p.Service)), draw.Own(draw.Normal, " misses these, which are signed with public test keys:")}}
	for _, i := range p.Barred {
		lines = append(lines, append(s.planLine(i.PlanItem), draw.Own(draw.Quiet, "  key "), draw.Say(draw.Normal, clean.Line(i.Key))))
	}
	lines = append(lines, draw.Line{draw.Own(draw.Normal, "Anybody can sign with such a key, so akx sends none of them, and the service cannot take")},
		draw.Line{draw.Say(draw.Strong, clean.Line(p.ID.String())), draw.Own(draw.Normal, " without them.")})
	return s.options.Now(kit.Confirm{Title: "What is missing there cannot be sent", Lines: lines, Yes: "Close", Do: func() tea.Cmd { return nil }})
}

// chooseService offers the services that the event is not queued for.
func (s *Screen) chooseService() tea.Cmd {
	r, _ := s.under()
	session, entry := s.session, *r.entry
	return s.services.Ask(func(ctx context.Context) ([]kit.Choice, error) {
		states, err := session.ListServices(ctx)
		var choices []kit.Choice
		for _, v := range states {
			if !v.Service.Enabled || queued(entry, string(v.Service.Origin)) {
				continue
			}
			name := v.Service.Name
			line := draw.Line{draw.Say(draw.Strong, clean.Line(name)), draw.Gap(2), draw.Say(draw.Normal, clean.Line(string(v.Service.Origin)))}
			choices = append(choices, kit.Choice{Line: line, Do: func() tea.Cmd { return s.queue(entry, name) }})
		}
		return choices, err
	})
}

func queued(e desk.Entry, service string) bool {
	for _, d := range e.Deliveries {
		if d.Service == service {
			return true
		}
	}
	return false
}

func (s *Screen) queue(e desk.Entry, name string) tea.Cmd {
	writer := s.writer
	return s.change(func(ctx context.Context) (kit.Notice, error) {
		_, err := writer.Queue(ctx, e.ID, []string{name})
		return said("queued; nothing is sent: > sends it"), err
	})
}

// discard puts a draft into the trash. Out of the trash, and in the outbox, it asks.
func (s *Screen) discard() tea.Cmd {
	r, _ := s.under()
	writer := s.writer
	switch {
	case r.entry != nil:
		id := r.entry.ID
		return s.options.Now(kit.Confirm{
			Title: "Take this out of the outbox?", Yes: "Forget it",
			Lines: []draw.Line{
				{draw.Say(draw.Normal, clean.Line(id.String()))}, {},
				{draw.Own(draw.Normal, "Where it was sent, and how that ended, is forgotten. The event stays in the library, and what services hold stays there.")},
			},
			Do: func() tea.Cmd {
				return s.change(func(ctx context.Context) (kit.Notice, error) {
					return said("taken out of the outbox; the event stays in the library"), writer.RemoveEntry(ctx, id)
				})
			},
		})
	case s.trash:
		id := r.draft.ID
		return s.options.Now(kit.Confirm{
			Title: "Forget this draft for good?", Yes: "Forget it",
			Lines: []draw.Line{s.draftLine(*r.draft, nil), {}, {draw.Own(draw.Normal, "It cannot be had again.")}},
			Do: func() tea.Cmd {
				texts := s.texts
				return s.change(func(ctx context.Context) (kit.Notice, error) {
					err := writer.DeleteDraft(ctx, id)
					if err == nil {
						err = texts.Drop(id)
					}
					return said("forgotten"), err
				})
			},
		})
	}
	id := r.draft.ID
	s.discarded = id
	return s.change(func(ctx context.Context) (kit.Notice, error) {
		line := draw.Line{
			draw.Own(draw.Normal, "draft "), draw.Say(draw.Strong, clean.Line(strconv.FormatUint(id, 10))), draw.Own(draw.Normal, " is in the trash; "),
			draw.Own(draw.Key, "u"), draw.Own(draw.Normal, " takes it out again, "), draw.Own(draw.Key, "t"), draw.Own(draw.Normal, " shows the trash"),
		}
		return kit.Notice{Line: line}, writer.Discard(ctx, id)
	})
}

func (s *Screen) restore() tea.Cmd {
	r, _ := s.under()
	return s.takeOut(r.draft.ID)
}

// takeOut takes a draft out of the trash.
func (s *Screen) takeOut(id uint64) tea.Cmd {
	writer, words := s.writer, clean.Words("taken out of the trash")
	if s.trash {
		words += "; t shows the drafts"
	}
	s.discarded = 0
	return s.change(func(ctx context.Context) (kit.Notice, error) { return said(words), writer.Restore(ctx, id) })
}

func (s *Screen) toggleTrash() tea.Cmd {
	s.trash, s.cursor, s.scroll = !s.trash, kit.Cursor{}, 0
	s.list = list{}
	return s.ask()
}

func (s *Screen) copy() tea.Cmd {
	r, _ := s.under()
	return kit.Send(kit.Copy{Text: r.entry.ID.String(), What: "the event ID"})
}
