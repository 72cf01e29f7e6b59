package page

import (
	"context"
	"errors"

	tea "github.com/charmbracelet/bubbletea"

	"akx/explore"
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/view"
	"akx/view/clean"
	"akx/view/fault"
)

// takeChecks shows what services answered, and reads the page again: what they gave
// is held by now.
func (s *Screen) takeChecks(all []explore.Checked, err error) tea.Cmd {
	if err != nil {
		return kit.Send(kit.Fail{Err: err})
	}
	var cmds []tea.Cmd
	absent := s.page == nil
	now := s.options.Clock().UnixMilli()
	for _, c := range all {
		s.around.checked[c.Service.Origin] = checked{c, now}
		absent = absent && c.Record.Seq == 0
	}
	if n := s.told(all, absent); len(n.Line) > 0 {
		cmds = append(cmds, kit.Send(n))
	}
	if !absent {
		cmds = append(cmds, s.ask())
	}
	s.around.wanted = false
	s.clamp()
	return tea.Batch(cmds...)
}

// reasonLength bounds one reason in a notice of several services.
const reasonLength = 64

// told is the notice of what services answered: what failed, and every answer that the
// user asked for and that stands in the pane which is hidden.
func (s *Screen) told(all []explore.Checked, absent bool) kit.Notice {
	hidden := s.around.wanted && !s.wide() && s.pane != checksPane && s.page != nil
	var n kit.Notice
	add := func(more draw.Line) {
		if len(n.Line) > 0 {
			n.Line = append(n.Line, draw.Own(draw.Quiet, " "+s.options.Glyphs.Dot+" "))
		}
		n.Line = append(n.Line, more...)
	}
	if absent {
		add(draw.Line{draw.Own(draw.Normal, "none of the services that were asked gave it; they may withhold it, or not have it")})
	}
	for _, c := range all {
		bad := failure(c.Err)
		if n.Bad = n.Bad || bad; !bad && (!hidden || c.Err != nil) {
			continue
		}
		line := draw.Line{draw.Say(draw.Strong, clean.Line(c.Service.Name)), draw.Own(draw.Normal, ": ")}
		switch {
		case !bad:
			line = append(line, s.brief(c)...)
		case hidden:
			line = append(append(line, draw.Own(draw.Bad, "failed: ")), draw.ErrorLine(c.Err)...).Cut(reasonLength, s.options.Glyphs.Ellipsis)
		default:
			line = append(line, draw.ErrorLine(c.Err)...)
		}
		add(line)
	}
	switch {
	case hidden && len(n.Line) > 0:
		n.Line = append(n.Line, draw.Own(draw.Normal, "; tab shows the checks"))
	case n.Bad:
		n.Line = append(n.Line, draw.Own(draw.Normal, "; L asks again"))
	}
	return n
}

// brief is an answer in a few words.
func (s *Screen) brief(c explore.Checked) draw.Line {
	if c.Missing {
		line := draw.Line{draw.Own(draw.Warn, "missing")}
		if c.Facts.Lifecycle == view.Retracted {
			line = append(line, draw.Own(draw.Normal, ", but it shows a retraction"))
		}
		return line
	}
	line := draw.Line{kit.Life(s.page.Entry.Type, c.Facts.Lifecycle)}
	if c.Facts.Scope.Complete {
		return append(line, draw.Own(draw.Normal, ", complete"))
	}
	if c.Facts.Lifecycle == view.Partial {
		return line
	}
	return append(line, draw.Own(draw.Warn, ", PARTIAL"))
}

// failure reports whether a service could not be asked; one that the user stopped
// asking did not fail.
func failure(err error) bool { return err != nil && !errors.Is(err, context.Canceled) }

// reason says why a service was not checked, and where akx's own connection to it
// failed, how.
func reason(err error) clean.Text {
	words := clean.Own(errorWords(err))
	var own interface {
		error
		OwnWords() string
	}
	if errors.As(err, &own) {
		return clean.Join(words, clean.Own(": "), clean.Line(own.OwnWords()))
	}
	return words
}

// errorWords say in akx's own words why a service was not checked: its own words
// never stand among the checks.
func errorWords(err error) clean.Words {
	var coded fault.Coded
	if !errors.As(err, &coded) {
		return "stopped"
	}
	switch coded.FaultCode() {
	case fault.Offline:
		return "offline"
	case fault.UsageCode:
		return "not asked"
	case fault.RateLimited:
		return "it asks to wait"
	case fault.InvalidResponse, fault.InvalidDiscovery:
		return "its answer breaks the protocol"
	case fault.Partial:
		return "its answer did not come to the end"
	case fault.QueryUnavailable, fault.QueryTooBroad:
		return "it cannot answer this now"
	case fault.PermissionDenied, fault.InvalidToken:
		return "it refuses to answer"
	case fault.UnavailableCode:
		return "unreachable"
	}
	var refusal *fault.Refusal
	if errors.As(err, &refusal) {
		return "its copy of the event was refused"
	}
	return "it failed"
}
