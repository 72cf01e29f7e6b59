package ui

import (
	"context"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"akx/explore"
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/ui/screen/compose"
	"akx/ui/slot"
	"akx/view/clean"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
)

// ownWork is what the root knows of the user's own work, and what it does for it
// whatever screen is shown.
type ownWork struct {
	shared     *compose.Shared // nil where nothing can be written
	beginning  *slot.Slot[uint64]
	looking    *slot.Slot[worked]
	retrying   *slot.Slot[retried]
	recovering *slot.Slot[struct{}]
	next       int64 // when to try again what was not accepted, in ms; 0 for never
}

// worked is what the user's own work comes to.
type worked struct {
	kit.Desk
	next int64 // the earliest next try, in ms
}

// retried is what a round of tries brought.
type retried struct {
	sent []desk.Entry
	next int64
}

func newOwnWork(c Config) ownWork {
	w := ownWork{beginning: slot.New[uint64](c.Options.Work), looking: slot.New[worked](c.Options.Work), retrying: slot.New[retried](c.Options.Work), recovering: slot.New[struct{}](c.Options.Work)}
	if c.Writer != nil && c.Keys != nil {
		w.shared = compose.NewShared(c.Session, c.Writer, c.Keys, c.Options)
		w.shared.OpenFile, w.shared.Texts = c.OpenFile, c.Texts
		if c.Texts == nil {
			w.shared.Texts = compose.NewMemory()
		}
	}
	return w
}

// Flush stores what was typed last, at the end of the program.
func (r *Root) Flush(ctx context.Context) error {
	if r.work.shared == nil {
		return nil
	}
	return r.work.shared.Keeper.Flush(ctx)
}

// lookAtWork counts drafts and what was not accepted yet, and reads which keys there
// are. What cannot be read is told by the screens that need it.
func (r *Root) lookAtWork() tea.Cmd {
	shared := r.work.shared
	if shared == nil {
		return nil
	}
	return r.work.looking.Ask(func(ctx context.Context) (worked, error) {
		w := worked{Desk: kit.Desk{Own: make(map[identity.Actor]string), Sent: make(map[identity.ID][]desk.Delivery)}}
		signers, _ := shared.Keys.Signers(ctx)
		for _, s := range signers {
			if s.Err != nil {
				continue
			}
			w.Own[s.Actor] = s.Name
		}
		drafts, lostDrafts := shared.Writer.Drafts(ctx)
		entries, lostEntries := shared.Writer.Outbox(ctx)
		names, lostNames := shared.Writer.Petnames(ctx)
		w.Names, w.Drafts = names, len(drafts)
		for _, lost := range []error{lostDrafts, lostEntries, lostNames} {
			w.Damaged += len(fault.AllDamaged(lost))
		}
		w.count(entries)
		return w, ctx.Err()
	})
}

// count takes in what was signed, and where it stands.
func (w *worked) count(entries []desk.Entry) {
	for _, e := range entries {
		w.Sent[e.ID] = e.Deliveries
		if !e.Settled() {
			w.Unsent++
		}
		for _, d := range e.Deliveries {
			if d.NextTry > 0 && (w.next == 0 || d.NextTry < w.next) {
				w.next = d.NextTry
			}
		}
	}
}

// recoverWork brings outbox and library together after an end in the middle, once,
// and then looks.
func (r *Root) recoverWork() tea.Cmd {
	if r.work.shared == nil {
		return nil
	}
	writer := r.work.shared.Writer
	return r.work.recovering.Ask(func(ctx context.Context) (struct{}, error) { return struct{}{}, writer.Recover(ctx) })
}

// written reads again what is known of the user's own work, here and on the screen.
func (r *Root) written() tea.Cmd { return tea.Batch(r.lookAtWork(), r.deliver(kit.Written{})) }

// begin stores a new draft, and opens it.
func (r *Root) begin(d kit.Draft) tea.Cmd {
	if r.work.shared == nil {
		return kit.Say("nothing can be written here")
	}
	writer := r.work.shared.Writer
	start := explore.Start{Kind: d.Kind, Relation: d.Relation, Target: d.Target, Assess: d.Assess, Retract: d.Retract, Correct: d.Correct}
	return r.work.beginning.Ask(func(ctx context.Context) (uint64, error) {
		o, err := writer.NewDraft(ctx, start)
		return o.Draft.ID, err
	})
}

// gather lets the user choose what a correction supersedes.
func (r *Root) gather(want kit.Gather) tea.Cmd {
	if r.work.shared == nil {
		return kit.Say("nothing can be written here")
	}
	g := compose.NewGatherer(r.work.shared, want)
	r.openOverlay(g)
	return g.Ask()
}

// unlock lets the user unlock a key of theirs.
func (r *Root) unlock(want kit.Unlock) tea.Cmd {
	if r.work.shared == nil {
		return kit.Say("there are no keys here")
	}
	u := compose.NewUnlocker(r.work.shared, want)
	r.openOverlay(u)
	return u.Ask()
}

// edit gives a text to the user's editor.
func (r *Root) edit(e kit.Edit) tea.Cmd {
	if r.config.Edit == nil {
		return kit.Say("no editor can be opened here")
	}
	return r.config.Edit(e)
}

// workDone takes the answers to what the root asked about the user's own work.
func (r *Root) workDone(msg tea.Msg) (tea.Cmd, bool) {
	if id, err, ok := r.work.beginning.Take(msg); ok {
		if err != nil {
			r.fail(err)
			return nil, true
		}
		return tea.Batch(r.visit(kit.Route{Screen: kit.Compose, Query: strconv.FormatUint(id, 10), Pane: 1}), r.lookAtWork()), true
	}
	if _, err, ok := r.work.recovering.Take(msg); ok {
		r.fail(err)
		return r.lookAtWork(), true
	}
	if w, err, ok := r.work.looking.Take(msg); ok {
		if err == nil {
			*r.config.Options.Desk = w.Desk
			r.work.next = w.next
		}
		return nil, true
	}
	if t, err, ok := r.work.retrying.Take(msg); ok {
		r.fail(err)
		if len(t.sent) == 0 {
			r.work.next = t.next
			return nil, true
		}
		return r.written(), true
	}
	return nil, false
}

// retry sends again what the user sent before and whose time has come.
func (r *Root) retry() tea.Cmd {
	o := r.config.Options
	due := r.work.next > 0 && r.work.next <= o.Clock().UnixMilli()
	if r.work.shared == nil || !due || o.Offline || o.ReadOnly || r.work.retrying.Waiting() {
		return nil
	}
	r.work.next = 0
	writer := r.work.shared.Writer
	return r.work.retrying.Ask(func(ctx context.Context) (retried, error) {
		sent, next, err := writer.Retry(ctx, explore.SendOptions{})
		return retried{sent, next}, err
	})
}

// saved tells on every screen that a draft could not be stored.
func (r *Root) saved(m kit.Saved) tea.Cmd {
	r.fail(m.Err)
	return r.deliver(m)
}

// workLine is what the top row says of drafts and outbox.
func (r *Root) workLine() draw.Line {
	d := r.config.Options.Desk
	if d == nil {
		return nil
	}
	drafts := draw.Own(draw.Normal, " drafts")
	if d.Drafts == 1 {
		drafts = draw.Own(draw.Normal, " draft")
	}
	var line draw.Line
	for _, part := range []struct {
		n     int
		role  draw.Role
		words draw.Span
	}{{d.Drafts, draw.Strong, drafts}, {d.Unsent, draw.Strong, draw.Own(draw.Normal, kit.LeftToSend)}, {d.Damaged, draw.Bad, draw.Own(draw.Bad, " DAMAGED")}} {
		if part.n == 0 {
			continue
		}
		if len(line) > 0 {
			line = append(line, draw.Own(draw.Quiet, " "+r.config.Options.Glyphs.Dot+" "))
		}
		line = append(line, draw.Say(part.role, draw.Int(part.n)), part.words)
	}
	if line == nil {
		return nil
	}
	return append(line, draw.Gap(2))
}

// noDrafts says why there is no list of drafts.
func (r *Root) noDrafts() clean.Words {
	if r.work.shared == nil {
		return "nothing can be written here"
	}
	return ""
}

func (r *Root) runDrafts(string) tea.Cmd {
	if why := r.noDrafts(); why != "" {
		return kit.Say(why)
	}
	return r.visit(kit.Route{Screen: kit.Outbox})
}
