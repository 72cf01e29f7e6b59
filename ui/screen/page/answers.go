package page

import (
	"context"
	"errors"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"akx/explore"
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/view"
	"akx/view/clean"
	"akx/view/fault"
)

// takeCheck shows what one service answered, and reads the page again: what it gave
// is held by now.
func (s *Screen) takeCheck(c explore.Checked, err error) tea.Cmd {
	if err != nil {
		return kit.Send(kit.Fail{Err: err})
	}
	s.around.came = append(s.around.came, c)
	s.look()
	var cmds []tea.Cmd
	if n := s.told(c); len(n.Line) > 0 {
		cmds = append(cmds, kit.Send(n))
	}
	if s.page != nil || c.Record.Seq > 0 {
		cmds = append(cmds, s.ask())
	}
	s.clamp()
	return tea.Batch(append(cmds, kit.Send(kit.Stirred{}))...)
}

// told is the notice of what services answered so far, where the newest answer adds to
// it: who failed, and each answer that the user asked for and that stands in the pane
// which is hidden.
func (s *Screen) told(newest explore.Checked) kit.Notice {
	hidden := s.around.wanted && !s.wide() && s.pane != checksPane && s.page != nil
	none := s.page == nil && !s.around.waiting() && !slices.ContainsFunc(s.around.came, func(c explore.Checked) bool { return c.Record.Seq > 0 })
	if !none && !failure(newest.Err) && (!hidden || newest.Err != nil) {
		return kit.Notice{}
	}
	var n kit.Notice
	dot := draw.Own(draw.Quiet, " "+s.options.Glyphs.Dot+" ")
	add := func(more draw.Line) {
		if len(n.Line) > 0 {
			n.Line = append(n.Line, dot)
		}
		n.Line = append(n.Line, more...)
	}
	if none {
		add(draw.Line{draw.Own(draw.Normal, "none of the services that were asked gave it; they may withhold it, or not have it")})
	}
	var whys []string
	failed := make(map[string]draw.Line)
	for _, c := range s.around.came {
		name := draw.Say(draw.Strong, clean.Line(c.Service.Name))
		switch why := words(c.Err).String(); {
		case failure(c.Err) && failed[why] == nil:
			whys = append(whys, why)
			failed[why] = draw.Line{name}
		case failure(c.Err):
			failed[why] = append(failed[why], draw.Own(draw.Normal, ", "), name)
		case hidden && c.Err == nil:
			add(append(draw.Line{name, draw.Own(draw.Normal, ": ")}, s.brief(c)...))
		}
	}
	for _, why := range whys {
		add(append(failed[why], draw.Own(draw.Normal, ": "), draw.Say(draw.Normal, clean.Line(why))))
	}
	n.Bad = len(whys) > 0
	switch {
	case hidden:
		add(draw.Line{draw.Own(draw.Normal, "tab shows the checks")})
	case n.Bad:
		add(draw.Line{draw.Own(draw.Normal, "L asks again")})
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

// words say why a service was not checked, with the code where it is the protocol's.
func words(err error) clean.Text {
	why := clean.Own(errorWords(err))
	var coded fault.Coded
	if errors.As(err, &coded) && coded.FaultCode().Protocol() {
		return clean.Join(why, clean.Own(" ("), clean.Line(string(coded.FaultCode())), clean.Own(")"))
	}
	return why
}

// reason is words, and where akx's own connection to the service failed, how.
func reason(err error) clean.Text {
	var own interface {
		error
		OwnWords() string
	}
	if errors.As(err, &own) {
		return clean.Join(words(err), clean.Own(": "), clean.Line(own.OwnWords()))
	}
	return words(err)
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
