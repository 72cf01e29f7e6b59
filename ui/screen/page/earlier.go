package page

import (
	"strconv"

	"akx/explore"
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/view"
	"akx/view/clean"
)

// earlier tells what a followed service gave, and did not show when it was asked: the
// reason why its answer and its set say different things. It accuses nobody (9.6).
func (s *Screen) earlier(a explore.Answered) []draw.Line {
	if a.Last == nil {
		return nil
	}
	var lines []draw.Line
	for _, e := range a.Last.Earlier {
		line := draw.Line{draw.Gap(4), draw.Own(draw.Warn, "not shown at "), draw.Say(draw.Warn, kit.ClockTime(a.At, s.options.Clock())), draw.Own(draw.Normal, ": ")}
		if e.Type == 0 {
			line = append(line, draw.Own(draw.Normal, "this event"))
		} else {
			line = append(line, draw.Own(draw.Normal, "the "), draw.Own(draw.Normal, differenceWords(view.Difference{Type: e.Type})), draw.Gap(1),
				draw.Say(draw.Normal, kit.ShortID(e.Event, s.options.Glyphs)))
		}
		line = append(line, draw.Own(draw.Normal, ", which it gave earlier"))
		if e.Record.Seq > 0 {
			line = append(line, draw.Own(draw.Normal, " as #"), draw.Say(draw.Normal, clean.Line(strconv.FormatUint(e.Record.Seq, 10))),
				draw.Own(draw.Normal, ", "), draw.Say(draw.Normal, kit.DateTime(e.Record.AcceptedAt)))
		}
		lines = append(lines, append(line, draw.Own(draw.Quiet, "; it withholds it, or has it no more")))
	}
	return lines
}
