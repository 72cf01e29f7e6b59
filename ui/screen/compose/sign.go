package compose

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"akx/explore"
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/view/clean"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
)

// signing is what is known on the way to a signature.
type signing struct {
	signers  []Signer // that can be read
	broken   []Signer // that cannot
	signer   Signer
	answered map[string]bool // the marks of findings that may be public
}

// readiness is the exact event, and where it can go.
type readiness struct {
	shown    explore.Preview
	services []desk.Service
	limits   map[identity.Origin]int // bytes of an envelope that they take, where they said so
	signers  []Signer
}

// sign begins the way to a signature: which key, then what is still wrong, then each
// finding, then the last step. No key of this way signs by itself.
func (s *Screen) sign() tea.Cmd {
	if s.kept != nil {
		return s.offerText()
	}
	if s.doc.checked && !s.doc.check.Ready() {
		return s.listProblems(s.doc.check)
	}
	switch {
	case s.onlyBroken():
		return s.chooseKey()
	case len(s.signing.signers) == 0 && !s.options.Sample:
		return s.makeKey()
	}
	if want := s.doc.draft.Actor; !want.IsZero() {
		for _, k := range s.signing.signers {
			if k.Actor == want {
				return s.signAs(k)
			}
		}
		return failed(&fault.Usage{Code: fault.NotHeldCode, Detail: "this draft is for " + want.String() + ", and none of your keys is that one", Hint: "the field key, at the top of the form, takes another"})
	}
	if len(s.signing.signers) == 1 {
		return s.signAs(s.signing.signers[0])
	}
	var choices []kit.Choice
	for _, k := range s.signing.signers {
		line := draw.Line{draw.Say(draw.Strong, clean.Line(k.Name)), draw.Gap(2), draw.Say(draw.Normal, clean.Line(k.Actor.String())), draw.Gap(1)}
		line = append(line, s.keyState(k)...)
		choice := kit.Choice{Line: line, Do: func() tea.Cmd { return s.signAs(k) }}
		if k.Default {
			choices = append([]kit.Choice{choice}, choices...)
			continue
		}
		choices = append(choices, choice)
	}
	return s.options.Now(kit.Choose{Title: "Sign with which key? Nothing is signed yet", Choices: choices})
}

// signAs stores the draft and asks for the exact event.
func (s *Screen) signAs(k Signer) tea.Cmd {
	s.signing.signer = k
	shared, d, own, id := s.shared, s.doc.draft.Clone(), s.own(), s.id
	return s.asks.ready.Ask(func(ctx context.Context) (readiness, error) {
		if saved, ok := shared.Keeper.store(ctx, id).(kit.Saved); ok && saved.Err != nil {
			return readiness{}, saved.Err
		}
		shown, err := shared.Writer.Preview(ctx, d, k.Actor, own)
		if err != nil {
			return readiness{}, err
		}
		states, err := shared.Session.ListServices(ctx)
		if err != nil {
			return readiness{}, err
		}
		r := readiness{shown: shown, limits: make(map[identity.Origin]int)}
		for _, state := range states {
			if !state.Service.Enabled {
				continue
			}
			r.services = append(r.services, state.Service)
			if most, ok := state.MostBytes(); ok {
				r.limits[state.Service.Origin] = most
			}
		}
		r.signers, err = shared.Keys.Signers(ctx)
		return r, err
	})
}

// ready goes on to what has to be done first, or to the last step.
func (s *Screen) ready(r readiness, err error) tea.Cmd {
	if err != nil {
		return failed(err)
	}
	s.takeSigners(r.signers)
	for _, k := range r.signers {
		if k.Name == s.signing.signer.Name && k.Actor == s.signing.signer.Actor {
			s.signing.signer = k
		}
	}
	s.doc.check, s.doc.checked, s.doc.targets = r.shown.Check, true, r.shown.Check.Targets
	_, s.doc.unsaved = s.shared.Keeper.Unsaved(s.id)
	if !r.shown.Check.Ready() {
		return s.listProblems(r.shown.Check)
	}
	for _, f := range r.shown.Check.Findings {
		if !s.signing.answered[f.Mark] {
			return s.askFinding(f)
		}
	}
	o := newDisclosure(s, r)
	return s.options.Now(kit.Open{Overlay: o})
}

// listProblems lists what blocks the signature; each leads to its field.
func (s *Screen) listProblems(c explore.DraftCheck) tea.Cmd {
	var choices []kit.Choice
	for _, p := range c.Problems {
		if p.Severity != desk.Blocks {
			continue
		}
		line := draw.Line{draw.Own(draw.Bad, "! "), draw.Say(draw.Strong, clean.Line(p.Path)), draw.Gap(1), draw.Say(draw.Normal, clean.Line(p.Words))}
		choices = append(choices, kit.Choice{Line: line, Do: func() tea.Cmd { return s.focusPath(p.Path) }})
	}
	if c.More {
		choices = append(choices, kit.Choice{
			Line: draw.Line{draw.Own(draw.Bad, "! "), draw.Own(draw.Normal, "more places may not be meant for the public than can be asked about")},
			Do:   func() tea.Cmd { return nil },
		})
	}
	return s.options.Now(kit.Choose{Title: "Cannot be signed yet; enter goes to the field", Choices: choices})
}

// askFinding asks about one place that may not be meant for the public. Going back is
// what enter does first.
func (s *Screen) askFinding(f desk.Finding) tea.Cmd {
	found := draw.Line{
		draw.Own(draw.Warn, "looks like a "), draw.Say(draw.Warn, clean.Line(f.Kind.String())), draw.Own(draw.Normal, " in "),
		draw.Say(draw.Strong, clean.Line(f.Path)), draw.Own(draw.Normal, ": "), draw.Say(draw.Author, clean.Line(f.Excerpt)),
	}
	back := append(draw.Line{draw.Own(draw.Strong, "go to it "), draw.Own(draw.Normal, " - ")}, found...)
	public := append(draw.Line{draw.Own(draw.Strong, "it may be public"), draw.Own(draw.Normal, " - ")}, found...)
	return s.options.Now(kit.Choose{Title: "May this be public, for good?", Choices: []kit.Choice{
		{Line: back, Do: func() tea.Cmd { return s.focusPath(f.Path) }},
		{Line: public, Do: func() tea.Cmd {
			s.signing.answered[f.Mark] = true
			return s.signAs(s.signing.signer)
		}},
	}})
}

// signed shows the page of what was signed.
func (s *Screen) signed(r explore.Signed) tea.Cmd {
	line := draw.Line{draw.Own(draw.Good, "signed"), draw.Own(draw.Normal, " and held here; ")}
	if r.Again {
		line = draw.Line{draw.Own(draw.Warn, "signed before"), draw.Own(draw.Normal, ": this is the event of then; ")}
	}
	switch n := len(r.Entry.Deliveries); {
	case s.options.Sample:
		line = append(line, draw.Own(draw.Normal, "it stays in the sample, in memory"))
	case n == 0:
		line = append(line, draw.Own(draw.Normal, "queued for no service; d shows the outbox"))
	default:
		line = append(line, draw.Own(draw.Normal, "queued for "), draw.Say(draw.Strong, draw.Int(n)), draw.Own(draw.Normal, plural(n, " service", " services")+", nothing is sent yet; > sends it"))
	}
	s.options.Now(pageInstead(r.Event.ID()))
	return tea.Batch(kit.Send(kit.Notice{Line: line}), kit.Send(kit.Written{Signed: !r.Again}))
}

// pageInstead opens the page of what a draft became, in the place of its form.
func pageInstead(id identity.ID) kit.Instead {
	return kit.Instead{Route: kit.Route{Screen: kit.Page, ID: id.String()}}
}

// unlock gives the key that was chosen.
func unlock(ctx context.Context, keys Keys, k Signer, passphrase []byte) (identity.Key, error) {
	key, err := keys.Unlock(ctx, k.Name, passphrase)
	if err == nil && key.Actor() != k.Actor {
		key.Wipe()
		err = &fault.Damaged{What: "key " + k.Name, Detail: "it is not the key of " + k.Actor.String(), Hint: "'akx key list' names yours"}
	}
	return key, err
}
