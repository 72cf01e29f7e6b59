package waiting

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"akx/explore"
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/view/clean"
)

// noFetch says why no service can be asked for what events wait for.
func (s *Screen) noFetch() clean.Words {
	switch {
	case s.options.Offline:
		return kit.OfflineWords
	case len(s.events) == 0:
		return "nothing waits"
	}
	return ""
}

// fetch asks the enabled services for what the events wait for. Leaving ends it;
// what came stays.
func (s *Screen) fetch() tea.Cmd {
	session := s.session
	return s.fetching.Ask(func(ctx context.Context) (explore.Fetched, error) { return session.FetchPending(ctx, nil) })
}

// fetched tells what came, and what ended it.
func (s *Screen) fetched(f explore.Fetched, err error) tea.Cmd {
	if err != nil {
		return kit.Send(kit.Fail{Err: err})
	}
	line := draw.Line{
		draw.Own(draw.Normal, "services gave "), draw.Say(draw.Strong, draw.Int(f.Found)), draw.Own(draw.Normal, " of "),
		draw.Say(draw.Strong, draw.Int(f.Asked)), draw.Own(draw.Normal, " missing events"),
	}
	notice := kit.Notice{}
	for _, why := range []error{f.Short(), f.Err} {
		if why != nil {
			line, notice.Bad = append(append(line, draw.Own(draw.Normal, "; ")), draw.ErrorLine(why)...), true
		}
	}
	notice.Line = line
	return tea.Batch(s.ask(), kit.Send(notice), kit.Send(kit.Stirred{}))
}
