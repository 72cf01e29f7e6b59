package ui

import (
	"context"
	"errors"

	"akx/ui/draw"
	"akx/ui/kit"
	"akx/view/clean"
)

// What the end of a sync matters: a lesser one does not take the place of a greater
// one that stands in the footer.
const (
	toldNothing = iota
	toldNew
	toldFailed
)

// tell puts a notice of a sync in the footer.
func (r *Root) tell(matters int, n kit.Notice) {
	if r.notice != nil && matters < r.network.told {
		return
	}
	r.notice, r.network.told = &n, matters
}

// synced tells how a sync ended, in one calm line.
func (r *Root) synced(e ended) {
	s, err := e.synced, e.err
	line := draw.Line{draw.Say(draw.Strong, clean.Line(e.name)), draw.Own(draw.Normal, ": ")}
	added, matters := draw.Say(draw.Strong, draw.Int(s.Progress.Added)), toldNew
	switch {
	case errors.Is(err, context.Canceled):
		line = append(line, draw.Own(draw.Normal, "stopped, and what came stays: "), added, draw.Own(draw.Normal, " new events; R shows them"))
	case err != nil:
		line = append(append(line, draw.ErrorAt(err)...), r.again()...)
		r.tell(toldFailed, kit.Notice{Line: line, Bad: true})
		return
	case s.Progress.Added == 1:
		line = append(line, draw.Own(draw.Strong, "1"), draw.Own(draw.Normal, " new event: R shows it"))
	case s.Progress.Added > 0:
		line = append(line, added, draw.Own(draw.Normal, " new events: R shows them"))
	default:
		matters = toldNothing
		line = append(line, draw.Own(draw.Normal, "nothing new up to #"), draw.Say(draw.Normal, draw.Int(s.After.Checkpoint)))
	}
	if short := s.Fetched.Short(); short != nil {
		line = append(append(line, draw.Own(draw.Normal, "; ")), draw.ErrorLine(short)...)
	}
	r.tell(matters, kit.Notice{Line: line})
}

// tellRound tells how the syncs that ran together have ended so far.
func (r *Root) tellRound() {
	round := r.network.round
	if len(round) == 1 {
		r.synced(round[0])
		return
	}
	added, done, stopped := 0, 0, 0
	var troubles []draw.Line
	matters := toldNothing
	for _, e := range round {
		added += e.synced.Progress.Added
		trouble := e.err
		switch {
		case errors.Is(e.err, context.Canceled):
			stopped++
			continue
		case e.err != nil:
			matters = toldFailed
		default:
			done++
			trouble = e.synced.Fetched.Short()
		}
		if trouble != nil {
			line := draw.Line{draw.Say(draw.Strong, clean.Line(e.name)), draw.Own(draw.Normal, ": ")}
			troubles = append(troubles, append(line, draw.ErrorAt(trouble)...))
		}
	}
	if added > 0 {
		matters = max(matters, toldNew)
	}
	r.tell(matters, kit.Notice{Line: r.sum(added, done, stopped, troubles), Bad: matters == toldFailed})
}

// What stands of troubles in a sum: so many of them, each so long.
const (
	troublesTold  = 3
	troubleLength = 64
)

// sum is what several syncs brought, and what failed, in one line.
func (r *Root) sum(added, done, stopped int, troubles []draw.Line) draw.Line {
	line := draw.Line{draw.Say(draw.Strong, draw.Int(done)), draw.Own(draw.Normal, " followed: ")}
	switch added {
	case 0:
		line = append(line, draw.Own(draw.Normal, "nothing new"))
	case 1:
		line = append(line, draw.Own(draw.Strong, "1"), draw.Own(draw.Normal, " new event, R shows it"))
	default:
		line = append(line, draw.Say(draw.Strong, draw.Int(added)), draw.Own(draw.Normal, " new events, R shows them"))
	}
	dot, ellipsis := draw.Own(draw.Quiet, " "+r.config.Options.Glyphs.Dot+" "), r.config.Options.Glyphs.Ellipsis
	if stopped > 0 {
		line = append(line, dot, draw.Say(draw.Normal, draw.Int(stopped)), draw.Own(draw.Normal, " stopped"))
	}
	for _, t := range troubles[:min(len(troubles), troublesTold)] {
		line = append(append(line, dot), t.Cut(troubleLength, ellipsis)...)
	}
	if more := len(troubles) - troublesTold; more > 0 {
		line = append(line, dot, draw.Say(draw.Normal, draw.Int(more)), draw.Own(draw.Normal, " more in trouble"))
	}
	if len(troubles) > 0 {
		line = append(line, r.again()...)
	}
	return line
}

// again is the way to try a sync once more.
func (r *Root) again() draw.Line {
	return draw.Line{draw.Own(draw.Quiet, " "+r.config.Options.Glyphs.Dot+" "), draw.Own(draw.Normal, "s, then f tries again")}
}
