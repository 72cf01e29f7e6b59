package page

import (
	"strconv"

	"akx/ui/draw"
	"akx/ui/kit"
	"akx/view"
	"akx/view/clean"
	"akx/view/wire"
)

func decimal(n int64) string { return strconv.FormatInt(n, 10) }

// sources say where the event came from. A file's words about services are
// unsigned and give no scope.
func (s *Screen) sources(p view.Page) []draw.Line {
	lines := []draw.Line{{draw.Own(draw.Strong, "Came from")}}
	for _, c := range p.Claims {
		line := draw.Line{draw.Gap(2)}
		switch c.Source.Kind {
		case wire.FromFile:
			line = append(line, draw.Own(draw.Normal, "file "))
		case wire.FromService:
			line = append(line, draw.Own(draw.Normal, "service "))
		case wire.FromSample:
			line = append(line, draw.Own(draw.Normal, "the built-in sample "))
		case wire.FromOwn:
			line = append(line, draw.Own(draw.Normal, "signed here "))
		}
		line = append(line, draw.Say(draw.Normal, draw.Cut(clean.Line(c.Source.Name), 40, s.options.Glyphs.Ellipsis)))
		if c.Seq > 0 {
			line = append(line, draw.Own(draw.Quiet, " says #"), draw.Say(draw.Normal, draw.Int(c.Seq)))
		}
		if c.AcceptedAt > 0 {
			line = append(line, draw.Gap(1), draw.Say(draw.Normal, kit.DateTime(c.AcceptedAt)))
		}
		lines = append(lines, line)
	}
	if len(p.Claims) == 0 && s.options.Mine(p.Entry) {
		lines = append(lines, draw.Line{draw.Gap(2), draw.Own(draw.Normal, "signed with a key of yours")})
	} else if len(p.Claims) == 0 && s.options.Sample {
		lines = append(lines, draw.Line{draw.Gap(2), draw.Own(draw.Normal, "the built-in sample")})
	} else if len(p.Claims) == 0 {
		lines = append(lines, draw.Line{draw.Gap(2), draw.Own(draw.Normal, "nothing recorded")})
	}
	return lines
}
