package page

import (
	"context"
	"strconv"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"akx/explore"
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/ui/slot"
	"akx/view"
	"akx/view/capsule"
	"akx/view/clean"
	"akx/view/desk"
	"akx/view/identity"
)

// around is what services show of the event: which there are, and what those that
// were asked about it in this session answered.
type around struct {
	known  []explore.ServiceState
	kept   map[identity.Origin]explore.Answered
	newest []explore.Checked // of what is followed and what was answered
	differ []view.Difference // between those
	more   int               // differences beyond
	asking map[string]*slot.Slot[explore.Checked]
	came   []explore.Checked // of the services that were asked last
	opened bool              // what is asked on open was asked
	wanted bool              // the user asked for what is asked now
}

// reading is a page and the services that there are.
type reading struct {
	page     view.Page
	services []explore.ServiceState
}

func read(ctx context.Context, s *explore.Session, set explore.Set, id identity.ID) (reading, error) {
	page, err := set.Page(ctx, id)
	services, listed := s.ListServices(ctx)
	if listed != nil {
		services = nil // the page is read all the same; the list of services says why
	}
	return reading{page, services}, err
}

// look takes what services answered by now, and compares it.
func (s *Screen) look() {
	a := &s.around
	a.kept, a.newest, a.differ, a.more = s.session.Answers(s.id), nil, nil, 0
	if s.page == nil {
		return
	}
	a.newest = explore.Newest(s.page.Shown.At, a.kept)
	a.differ, a.more = explore.Differences(a.newest)
}

// waiting reports whether a service has yet to answer.
func (a *around) waiting() bool {
	for _, one := range a.asking {
		if one.Waiting() {
			return true
		}
	}
	return false
}

func (a *around) cancel() {
	for _, one := range a.asking {
		one.Cancel()
	}
}

// asked gives the services that may be asked about this page, by name.
func (a *around) asked(onOpen bool) []string {
	var names []string
	for _, v := range a.known {
		switch {
		case !v.Service.Enabled || v.Service.Ask == desk.AskNever:
		case onOpen && (v.Follow.Complete || v.Service.Ask != desk.AskOnOpen):
		default:
			names = append(names, v.Service.Name)
		}
	}
	return names
}

// noRecheck says why no service can be asked.
func (s *Screen) noRecheck() clean.Words {
	switch {
	case s.options.Offline:
		return kit.OfflineWords
	case s.reading.Waiting() && s.page == nil:
		return kit.ReadingPage
	case len(s.around.asked(false)) == 0:
		return "no enabled service may be asked about pages; s lists the services"
	}
	return ""
}

// recheck asks every enabled service what it shows of the event now.
func (s *Screen) recheck() tea.Cmd {
	s.around.wanted = true
	return s.question(s.around.asked(false))
}

// askOnOpen asks the services that are not followed and that the user lets be asked
// whenever a page is opened.
func (s *Screen) askOnOpen() tea.Cmd {
	names := s.around.asked(true)
	if s.around.opened || s.options.Offline || len(names) == 0 {
		return nil
	}
	s.around.opened = true
	return s.question(names)
}

// question asks each of these services by itself, so that none waits for another.
func (s *Screen) question(names []string) tea.Cmd {
	s.around.came = nil
	var cmds []tea.Cmd
	for _, name := range names {
		one := s.around.asking[name]
		if one == nil {
			one = slot.New[explore.Checked](s.options.Work)
			s.around.asking[name] = one
		}
		session, id := s.session, s.id
		cmds = append(cmds, one.Ask(func(ctx context.Context) (explore.Checked, error) {
			all, err := session.Recheck(ctx, id, name)
			if err != nil {
				return explore.Checked{}, err
			}
			return all[0], nil
		}))
	}
	return tea.Batch(cmds...)
}

// services is the table of what each service shows: never author text, and nothing
// of a service's own words.
func (s *Screen) services(p view.Page) []draw.Line {
	if len(s.around.known) == 0 {
		return nil
	}
	lines := []draw.Line{{draw.Own(draw.Strong, "As services show it")}}
	for _, v := range s.around.known {
		lines = append(lines, s.shown(v, p)...)
	}
	lines = append(lines, s.uneven()...)
	return append(lines, s.differences()...)
}

// shown is what one service shows: from the cache where it is followed, and as it
// answered where it was asked after that.
func (s *Screen) shown(v explore.ServiceState, p view.Page) []draw.Line {
	name := draw.Line{draw.Gap(2), draw.Say(draw.Strong, clean.Line(v.Service.Name)), draw.Gap(1)}
	var lines []draw.Line
	add := func(more draw.Line) { lines = append(lines, append(append(draw.Line{}, name...), more...)) }
	at, followed := shownBy(p, v.Service.Origin)
	if followed {
		add(s.followed(at, p))
	}
	a := s.around.kept[v.Service.Origin]
	if a.Last != nil && (!followed || a.Newer(at.Followed)) {
		add(append(s.when(a.At, a.Failed != nil), s.now(*a.Last, p)...))
	}
	switch f := a.Failed; {
	case f == nil:
	case len(lines) == 0 || f.Facts.Lifecycle == view.Retracted:
		add(append(s.when(a.Tried, false), s.now(*f, p)...))
	default:
		last := len(lines) - 1
		lines[last] = append(append(append(lines[last], draw.Own(draw.Normal, "; ")), s.when(a.Tried, false)...), draw.Say(draw.Warn, reason(f.Err)))
	}
	one := s.around.asking[v.Service.Name]
	switch asking := one != nil && one.Waiting(); {
	case asking && len(lines) == 0:
		add(draw.Line{draw.Own(draw.Warn, "asking...")})
	case asking:
		lines[len(lines)-1] = append(lines[len(lines)-1], draw.Own(draw.Warn, "; asking..."))
	case len(lines) == 0:
		add(draw.Line{draw.Own(draw.Normal, "unchecked"), draw.Own(draw.Quiet, s.unasked(v))})
	}
	return append(lines, s.earlier(a)...)
}

// elsewhere names the services that show something else of the event than the set
// that is read here, as many as there is room for.
func (s *Screen) elsewhere(room int) draw.Line {
	var line draw.Line
	for _, c := range s.around.newest {
		if c.Err != nil || c.Facts.Lifecycle == s.page.Facts.Lifecycle {
			continue
		}
		piece := draw.Line{draw.Own(draw.Normal, " "+s.options.Glyphs.Dot+" "), draw.Say(draw.Normal, s.nameOf(c.Service.Origin)), draw.Gap(1)}
		if c.Facts.Lifecycle == view.Unchecked {
			piece = append(piece, draw.Own(draw.Warn, "not shown"))
		} else {
			piece = append(piece, kit.Life(s.page.Entry.Type, c.Facts.Lifecycle))
		}
		if line.Width()+piece.Width() > room {
			return line
		}
		line = append(line, piece...)
	}
	for _, v := range s.around.known {
		piece := draw.Line{draw.Own(draw.Normal, " "+s.options.Glyphs.Dot+" "), draw.Say(draw.Normal, clean.Line(v.Service.Name)), draw.Own(draw.Warn, " failed")}
		if s.around.kept[v.Service.Origin].Failed != nil && line.Width()+piece.Width() <= room {
			line = append(line, piece...)
		}
	}
	return line
}

// when says when services were asked: an answer of before, above all one with a
// failure since, is not what they show now.
func (s *Screen) when(at int64, past bool) draw.Line {
	now := s.options.Clock()
	if !past && now.UnixMilli()-at < time.Minute.Milliseconds() {
		return draw.Line{draw.Own(draw.Quiet, "now ")}
	}
	role := draw.Normal
	if kit.Aged(at, now) {
		role = draw.Warn
	}
	return draw.Line{draw.Own(role, "asked "), draw.Say(role, kit.Age(at, now)), draw.Own(role, " ago ")}
}

func shownBy(p view.Page, origin identity.Origin) (view.At, bool) {
	for _, at := range p.Shown.At {
		if at.Followed.Origin == origin {
			return at, true
		}
	}
	return view.At{}, false
}

// unasked says why a service was not asked.
func (s *Screen) unasked(v explore.ServiceState) clean.Words {
	switch {
	case !v.Service.Enabled:
		return " (disabled)"
	case v.Service.Ask == desk.AskNever:
		return " (never asked about pages)"
	case s.options.Offline:
		return " (offline)"
	}
	return " (not asked; L asks it)"
}

// followed is a followed service's set, with its age where that is old.
func (s *Screen) followed(at view.At, p view.Page) draw.Line {
	line := s.stamp(at.Facts.Scope)
	if kit.Aged(at.Followed.Seen(), s.options.Clock()) {
		line = append(line, draw.Own(draw.Warn, "STALE "), draw.Say(draw.Warn, kit.Age(at.Followed.Seen(), s.options.Clock())), draw.Gap(1))
	}
	if !at.Held && at.Facts.Lifecycle != view.Retracted {
		return append(append(line, draw.Own(draw.Warn, "not shown")), completeness(at.Facts.Scope)...)
	}
	return append(line, standing(p, at.Facts)...)
}

// now is what a service answered when it was asked.
func (s *Screen) now(c explore.Checked, p view.Page) draw.Line {
	var line draw.Line
	if c.Facts.Scope.AsOf > 0 {
		line = s.stamp(c.Facts.Scope)
	}
	switch {
	case c.Missing:
		line = append(line, draw.Own(draw.Warn, "missing: it has not, or withholds, the event"))
		if c.Facts.Lifecycle != view.Retracted {
			return line
		}
		line = append(line, draw.Own(draw.Normal, "; it shows a retraction: "))
	case c.Err != nil:
		line = append(line, kit.Life(p.Entry.Type, c.Facts.Lifecycle))
		if c.Facts.Lifecycle == view.Retracted || c.Facts.Lifecycle == view.Active {
			line = append(line, draw.Own(draw.Warn, " PARTIAL"))
		}
		return append(line, draw.Own(draw.Normal, ": "), draw.Say(draw.Warn, reason(c.Err)))
	}
	return append(line, standing(p, c.Facts)...)
}

// stamp is the checkpoint and the time of a scope.
func (s *Screen) stamp(scope view.Scope) draw.Line {
	return draw.Line{draw.Own(draw.Normal, "#"), draw.Say(draw.Normal, clean.Line(strconv.FormatUint(scope.Checkpoint, 10))), draw.Gap(1),
		draw.Say(draw.Normal, kit.ClockTime(scope.AsOf, s.options.Clock())), draw.Gap(1)}
}

// standing is the lifecycle in a scope and how complete that is; PARTIAL is said once.
func standing(p view.Page, f view.Facts) draw.Line {
	line, rest := draw.Line{kit.Life(p.Entry.Type, f.Lifecycle)}, completeness(f.Scope)
	if f.Lifecycle == view.Partial && p.Entry.Type != capsule.Retract && !f.Scope.Complete {
		rest = rest[1:]
	}
	return append(line, rest...)
}

// completeness is the word first, and then why it is not complete.
func completeness(scope view.Scope) draw.Line {
	if scope.Complete {
		return draw.Line{draw.Own(draw.Good, " complete")}
	}
	line := draw.Line{draw.Own(draw.Warn, " PARTIAL")}
	for _, reason := range scope.Reasons {
		line = append(line, draw.Own(draw.Normal, ": "), draw.Say(draw.Normal, clean.Line(reason)))
	}
	return line
}
