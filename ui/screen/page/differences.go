package page

import (
	"strconv"

	"akx/ui/draw"
	"akx/ui/kit"
	"akx/view"
	"akx/view/capsule"
	"akx/view/clean"
	"akx/view/identity"
)

// uneven counts successors and assessments by service where services differ, of what
// is newest of each.
func (s *Screen) uneven() []draw.Line {
	type count struct{ successors, assessments int }
	var lines []draw.Line
	var first count
	same := true
	for _, c := range s.around.newest {
		if c.Err != nil || c.Facts.Scope.AsOf == 0 {
			continue
		}
		n := count{len(c.Facts.Successors), len(c.Facts.Assessments)}
		if len(lines) == 0 {
			first = n
		}
		same = same && n == first
		lines = append(lines, draw.Line{draw.Gap(2), draw.Say(draw.Strong, s.nameOf(c.Service.Origin)), draw.Own(draw.Quiet, " successors "), draw.Say(draw.Normal, draw.Int(n.successors)),
			draw.Own(draw.Quiet, ", assessments "), draw.Say(draw.Normal, draw.Int(n.assessments))})
	}
	if same {
		return nil
	}
	return lines
}

// differences tell what one service shows and another does not, and accuse nobody.
func (s *Screen) differences() []draw.Line {
	var lines []draw.Line
	for _, d := range s.around.differ {
		line := draw.Line{draw.Gap(2), draw.Own(draw.Warn, differenceWords(d)), draw.Gap(1), draw.Say(draw.Normal, kit.ShortID(d.Event, s.options.Glyphs)), draw.Own(draw.Normal, " shown by ")}
		for i, origin := range d.Shown {
			if i > 0 {
				line = append(line, draw.Own(draw.Normal, ", "))
			}
			line = append(line, draw.Say(draw.Strong, s.nameOf(origin)))
		}
		for _, scope := range d.Not {
			line = append(line, draw.Own(draw.Normal, "; not shown by "), draw.Say(draw.Strong, s.nameOf(identity.Origin(scope.Origin))),
				draw.Own(draw.Normal, " up to #"), draw.Say(draw.Normal, clean.Line(strconv.FormatUint(scope.Checkpoint, 10))),
				draw.Own(draw.Normal, ", as of "), draw.Say(draw.Normal, kit.DateTime(scope.AsOf)))
		}
		lines = append(lines, line)
	}
	if s.around.more > 0 {
		lines = append(lines, draw.Line{draw.Gap(2), draw.Own(draw.Normal, "and "), draw.Say(draw.Normal, draw.Int(s.around.more)), draw.Own(draw.Normal, " more differences")})
	}
	if len(lines) > 0 {
		lines = append(lines, draw.Line{draw.Gap(2), draw.Own(draw.Quiet, "services may get things at other times; how many show one is no evidence")})
	}
	return lines
}

func differenceWords(d view.Difference) clean.Words {
	switch d.Type {
	case capsule.Retract:
		return "retraction"
	case capsule.Assess:
		return "assessment"
	}
	return "correction"
}

// nameOf is the user's name of a service, or its origin where it has none any more.
func (s *Screen) nameOf(origin identity.Origin) clean.Text {
	for _, v := range s.around.known {
		if v.Service.Origin == origin {
			return clean.Line(v.Service.Name)
		}
	}
	return clean.Line(string(origin))
}
