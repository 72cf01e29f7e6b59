package versions

import (
	"akx/ui/draw"
	"akx/view"
)

// layLanes turns the marks of a tree into glyphs, one line a version.
func layLanes(v view.Versions, g draw.TreeGlyphs) []draw.Line {
	marks := v.Lanes()
	lines := make([]draw.Line, len(marks))
	for i, row := range marks {
		for _, m := range row {
			switch {
			case m&view.LaneHere != 0:
				lines[i] = append(lines[i], draw.Own(draw.Key, g.Here))
			case m&view.LaneNode != 0:
				lines[i] = append(lines[i], draw.Own(draw.Strong, g.Node))
			default:
				lines[i] = append(lines[i], draw.Own(draw.Border, g.Lines[m&15]))
			}
		}
	}
	return lines
}
