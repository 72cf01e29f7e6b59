package ui

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"akx/explore"
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/ui/slot"
)

// growth watches whether another process adds events to the library.
type growth struct {
	asking *slot.Slot[uint64]
	known  uint64 // the local number that the screen is from
	read   bool
}

// tick is the time to look.
type tick struct{}

func (g *growth) wait(every time.Duration) tea.Cmd {
	if every <= 0 {
		return nil
	}
	return tea.Tick(every, func(time.Time) tea.Msg { return tick{} })
}

func (g *growth) ask(s *explore.Session) tea.Cmd {
	return g.asking.Ask(func(ctx context.Context) (uint64, error) {
		stats, err := s.Stats(ctx)
		return stats.LastNumber, err
	})
}

// grown takes the answer of a look. The list is not moved under the reader: a
// calm line says what there is, and R reads it.
func (r *Root) grown(msg tea.Msg) (tea.Cmd, bool) {
	number, err, ok := r.growth.asking.Take(msg)
	if !ok {
		return nil, false
	}
	again := r.growth.wait(r.config.Poll)
	if err != nil {
		return again, true // the next look may do better; reading goes on
	}
	if r.network.syncing() {
		r.growth.read = false // its end tells what came
		return again, true
	}
	if r.growth.read && number > r.growth.known && r.notice != nil {
		return again, true // told at the next look, when the footer is free
	}
	if r.growth.read && number > r.growth.known {
		r.notice = &kit.Notice{Line: draw.Line{
			draw.Say(draw.Strong, draw.Int(number-r.growth.known)), draw.Own(draw.Normal, " events were added meanwhile; R shows them"),
		}}
	}
	r.growth.known, r.growth.read = number, true
	return again, true
}
