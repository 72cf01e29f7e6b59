package services

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"akx/explore"
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/ui/slot"
	"akx/view/clean"
	"akx/view/desk"
)

// Rows are the keys of the list.
func (s *Screen) Rows() []kit.Row {
	k := s.options.Keys
	rows := []kit.Row{
		k.Row("open", s.openExceptions).Called("exceptions").Unless(s.noExceptions()),
		k.Row("sync", s.sync).Unless(s.noQuestion()),
		k.Row("sync-all", func() tea.Cmd { return s.options.Now(kit.Sync{}) }).Unless(s.noSyncAll()),
		k.Row("stop-sync", s.stop).Unless(s.noSync()),
		k.Row("check-service", s.check).Unless(s.noQuestion()),
		k.Row("add-service", s.add).Unless(s.noChange()),
		k.Row("enable-service", s.enable).Called(s.enableWords()).Unless(s.noChangeHere()),
		k.Row("remove-service", s.remove).Unless(s.noRemove()), s.refollowRow(),
		k.Row("edit-service", s.edit).Unless(s.noEdit()),
		k.Quiet("ask-when", s.askWhen).Unless(s.noChangeHere()),
		k.Quiet("seen-by", s.readSet).Unless(s.noSet()), k.Quiet("copy", s.copy).Unless(s.nothing()),
		k.Quiet("refresh", s.ask), k.Row("next-pane", s.nextPane), k.Quiet("previous-pane", s.nextPane),
	}
	if s.detail {
		return append(rows, s.scrollRows()...)
	}
	moved := func() tea.Cmd { s.scroll = 0; return nil }
	return append(rows, s.cursor.MoveRows(k, func() int { return len(s.services) }, s.rows, moved)...)
}

func (s *Screen) scrollRows() []kit.Row {
	k := s.options.Keys
	by := func(n int) func() tea.Cmd {
		return func() tea.Cmd { s.scrollBy(n); return nil }
	}
	half := max(s.detailHeight()/2, 1)
	return []kit.Row{
		k.Quiet("down", by(1)), k.Quiet("up", by(-1)), k.Quiet("half-down", by(half)), k.Quiet("half-up", by(-half)),
		k.Quiet("top", by(-1<<30)), k.Quiet("bottom", by(1<<30)),
	}
}

func (s *Screen) nextPane() tea.Cmd {
	s.detail = !s.detail
	return nil
}

// nothing says why there is no service under the cursor.
func (s *Screen) nothing() clean.Words {
	if _, ok := s.under(); ok {
		return ""
	}
	if !s.read {
		return kit.ReadingList
	}
	return "no service is known; + adds one"
}

// readSet lists what the chosen service showed.
func (s *Screen) readSet() tea.Cmd {
	v, _ := s.under()
	return s.options.Now(kit.SeenBy{Name: v.Service.Name})
}

func (s *Screen) noSet() clean.Words {
	if v, ok := s.under(); ok && !v.Follow.Complete {
		return "this service is not followed to the end, so its set is not known here; f follows it"
	}
	return s.nothing()
}

// noQuestion says why nothing can be asked of the chosen service.
func (s *Screen) noQuestion() clean.Words {
	v, ok := s.under()
	switch {
	case !ok:
		return s.nothing()
	case s.options.Offline:
		return kit.OfflineWords
	case !v.Service.Enabled:
		return "this service is disabled; e enables it"
	}
	return ""
}

func (s *Screen) noSyncAll() clean.Words {
	if s.options.Offline {
		return kit.OfflineWords
	}
	for _, v := range s.services {
		if v.Service.Enabled {
			return ""
		}
	}
	return "no service is enabled"
}

func (s *Screen) noSync() clean.Words {
	if v, ok := s.under(); !ok || !v.Syncing {
		return "no sync of this service runs"
	}
	return ""
}

func (s *Screen) noExceptions() clean.Words {
	v, ok := s.under()
	if !ok {
		return s.nothing()
	}
	if v.Follow.Exceptions == 0 {
		return "every record that this service gave is an event here"
	}
	return ""
}

func (s *Screen) noChange() clean.Words {
	if s.options.ReadOnly {
		return "read-only: the list of services is not changed"
	}
	return ""
}

func (s *Screen) noChangeHere() clean.Words {
	if why := s.noChange(); why != "" {
		return why
	}
	return s.nothing()
}

// noEdit says why the settings cannot be changed; a sync runs under the old name.
func (s *Screen) noEdit() clean.Words { return s.noRemove() }

func (s *Screen) noRemove() clean.Words {
	if v, ok := s.under(); ok && v.Syncing {
		return "a sync of this service runs; stop it first"
	}
	return s.noChangeHere()
}

func (s *Screen) sync() tea.Cmd {
	v, _ := s.under()
	return s.options.Now(kit.Sync{Names: []string{v.Service.Name}})
}

func (s *Screen) stop() tea.Cmd {
	v, _ := s.under()
	return s.options.Now(kit.StopSync{Name: v.Service.Name})
}

// Chosen is the service that a search from here starts with.
func (s *Screen) Chosen() string {
	v, _ := s.under()
	return v.Service.Name
}

func (s *Screen) copy() tea.Cmd {
	v, _ := s.under()
	return kit.Send(kit.Copy{Text: string(v.Service.Origin), What: "the service's origin"})
}

func (s *Screen) openExceptions() tea.Cmd {
	v, _ := s.under()
	return s.options.Now(kit.Go{Route: kit.Route{Screen: kit.Exceptions, Query: v.Service.Name}})
}

// check reads the description of the chosen service, and nothing else of it.
func (s *Screen) check() tea.Cmd {
	v, _ := s.under()
	session, name := s.session, v.Service.Name
	c := s.checks[name]
	if c == nil {
		c = &check{asking: slot.New[explore.ServiceState](s.options.Work)}
		s.checks[name] = c
	}
	c.done, c.failed = false, nil
	return c.asking.Ask(func(ctx context.Context) (explore.ServiceState, error) { return session.CheckService(ctx, name) })
}

func (s *Screen) enableWords() clean.Words {
	if v, ok := s.under(); ok && v.Service.Enabled {
		return "disable"
	}
	return "enable"
}

// enable turns questions to the chosen service on or off; a sync of one that is
// disabled ends.
func (s *Screen) enable() tea.Cmd {
	v, _ := s.under()
	session, name, on := s.session, v.Service.Name, !v.Service.Enabled
	if !on {
		s.options.Now(kit.StopSync{Name: name})
	}
	return s.change(func(ctx context.Context) (clean.Words, error) {
		_, err := session.EnableService(ctx, name, on)
		if on {
			return "enabled: it is asked when you ask", err
		}
		return "disabled: nothing is asked of it; what it gave stays", err
	})
}

// askWhen goes round the settings of when it is asked about a page.
func (s *Screen) askWhen() tea.Cmd {
	v, _ := s.under()
	session, name := s.session, v.Service.Name
	next := (v.Service.Ask + 1) % (desk.AskNever + 1)
	return s.change(func(ctx context.Context) (clean.Words, error) {
		_, err := session.ChangeService(ctx, name, func(d *desk.Service) { d.Ask = next })
		return askWords(next), err
	})
}

// askWords says when a service that is not followed is asked about a page.
func askWords(a desk.AskWhen) clean.Words {
	switch a {
	case desk.AskOnOpen:
		return "asked about a page when it is opened"
	case desk.AskNever:
		return "never asked about a page on its own account"
	}
	return "asked about a page on the key L only"
}

// remove asks for a second step.
func (s *Screen) remove() tea.Cmd {
	v, _ := s.under()
	session, name := s.session, v.Service.Name
	return s.options.Now(kit.Confirm{
		Title: "Forget this service?", Yes: "Forget it",
		Lines: []draw.Line{
			{draw.Say(draw.Strong, clean.Line(name)), draw.Gap(2), draw.Say(draw.Normal, clean.Line(string(v.Service.Origin)))}, {},
			{draw.Own(draw.Normal, "How far it was followed, its exceptions and its faults are forgotten. The events that it gave stay here.")},
			{draw.Own(draw.Normal, "Nothing is sent to it. Adding it again starts from its first record.")},
		},
		Do: func() tea.Cmd {
			delete(s.checks, name)
			return s.change(func(ctx context.Context) (clean.Words, error) {
				_, err := session.RemoveService(ctx, name)
				return "forgotten; the events that it gave stay", err
			})
		},
	})
}

// refollowRow stands in the footer where it is the way on.
func (s *Screen) refollowRow() kit.Row {
	row := s.options.Keys.Quiet
	if v, ok := s.under(); ok && len(v.Follow.Faults) > 0 {
		row = s.options.Keys.Row
	}
	return row("refollow-service", s.refollow).Unless(s.noRefollow())
}

func (s *Screen) noRefollow() clean.Words {
	if v, ok := s.under(); ok && v.Follow.Reached == 0 && len(v.Follow.Faults) == 0 {
		return "nothing of this service was followed yet; f follows it"
	}
	return s.noRemove()
}

// refollow asks for a second step: until the next sync is complete, the service is not
// followed.
func (s *Screen) refollow() tea.Cmd {
	v, _ := s.under()
	session, name := s.session, v.Service.Name
	return s.options.Now(kit.Confirm{
		Title: "Follow this service anew?", Yes: "Forget how far it was followed",
		Lines: []draw.Line{
			{draw.Say(draw.Strong, clean.Line(name)), draw.Gap(2), draw.Say(draw.Normal, clean.Line(string(v.Service.Origin)))}, {},
			{draw.Own(draw.Normal, "How far it was followed, its exceptions and its faults are forgotten. Its settings and the events that it gave stay here.")},
			{draw.Own(draw.Normal, "Nothing is sent to it; f follows it from its first record then.")},
		},
		Do: func() tea.Cmd {
			return s.change(func(ctx context.Context) (clean.Words, error) {
				_, err := session.RefollowService(ctx, name)
				return "forgotten how far it was followed; f follows it from the start", err
			})
		},
	})
}

func (s *Screen) add() tea.Cmd {
	return s.options.Now(kit.Open{Overlay: newForm(s.session, s.options)})
}

func (s *Screen) edit() tea.Cmd {
	v, _ := s.under()
	return s.options.Now(kit.Open{Overlay: newEdit(s.session, s.options, v.Service)})
}
