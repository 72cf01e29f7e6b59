package ui

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"akx/explore"
	"akx/ui/draw"
	"akx/ui/slot"
	"akx/view/clean"
)

// growth watches whether another process adds events to the library.
type growth struct {
	asking *slot.Slot[uint64]
	shown  uint64 // the local number that the screen is from
	latest uint64
	read   bool
	dot    clean.Words // between this and the name of what is open
}

// caughtUp notes that the screen shows what there is.
func (g *growth) caughtUp() { g.shown = g.latest }

// own counts an event that was signed here as shown: its signer sees it.
func (g *growth) own() {
	g.shown++
	g.latest = max(g.latest, g.shown)
}

// line says in the top row that there is more than the screen shows, until it is
// read: a list is never moved under the reader.
func (g *growth) line() draw.Line {
	if !g.read || g.latest <= g.shown {
		return nil
	}
	return draw.Line{draw.Own(draw.Warn, "+"), draw.Say(draw.Warn, draw.Int(g.latest-g.shown)), draw.Own(draw.Normal, " new: R"), draw.Own(draw.Quiet, " "+g.dot+" ")}
}

// tick is the time to look.
type tick struct{}

func (g *growth) wait(every time.Duration) tea.Cmd {
	if every <= 0 {
		return nil
	}
	return tea.Tick(every, func(time.Time) tea.Msg { return tick{} })
}

// start looks at once, so that what is added from now on is noticed.
func (g *growth) start(c Config) tea.Cmd {
	if c.Poll <= 0 {
		return nil
	}
	return g.ask(c.Session)
}

func (g *growth) ask(s *explore.Session) tea.Cmd {
	return g.asking.Ask(func(ctx context.Context) (uint64, error) {
		stats, err := s.Stats(ctx)
		return stats.LastNumber, err
	})
}

// grown takes the answer of a look.
func (r *Root) grown(msg tea.Msg) (tea.Cmd, bool) {
	number, err, ok := r.growth.asking.Take(msg)
	if !ok {
		return nil, false
	}
	again := r.growth.wait(r.config.Poll)
	if err != nil {
		return again, true // the next look may do better; reading goes on
	}
	if !r.growth.read {
		r.growth.shown, r.growth.read = number, true
	}
	r.growth.shown = min(r.growth.shown, number)
	if number != r.growth.latest {
		r.growth.latest = number
		return tea.Batch(again, r.written()), true // it may withdraw what the user relies on
	}
	return again, true
}
