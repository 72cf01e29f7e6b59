package report

import (
	"slices"
	"strings"

	"akx/view"
)

// lanes draws a tree of versions, newest on top, in the lanes that view laid: one
// row a node, and rows between where lines leave a lane or come back to it.
type lanes struct {
	nodes []view.Version
	here  int
	ascii bool
	wait  []int // by lane: the node that its line runs to, or free
}

const free = -1

func newLanes(nodes []view.Version, here int, ascii bool) *lanes {
	width := 0
	for _, n := range nodes {
		width = max(width, n.Lane+1)
		for _, run := range n.Runs {
			width = max(width, run+1)
		}
	}
	return &lanes{nodes: nodes, here: here, ascii: ascii, wait: slices.Repeat([]int{free}, width)}
}

// rows draws node i. It must be called for each node in order.
func (l *lanes) rows(i int) (before []string, row string, after []string) {
	n := l.nodes[i]
	for lane, waits := range l.wait {
		if waits == i && lane != n.Lane {
			before = append(before, l.joint(n.Lane, lane, false))
			l.wait[lane] = free
		}
	}
	row = l.row(n.Lane, i == l.here)
	l.wait[n.Lane] = free
	for k, run := range n.Runs {
		if run == view.NoLane {
			continue
		}
		l.wait[run] = n.Supersedes[k]
		if run != n.Lane {
			after = append(after, l.joint(n.Lane, run, true))
		}
	}
	return before, row, after
}

func (l *lanes) row(at int, here bool) string {
	mark := "●"
	switch {
	case here && l.ascii:
		mark = "@"
	case here:
		mark = "◆"
	case l.ascii:
		mark = "*"
	}
	return l.draw(func(lane int) (string, string) {
		if lane == at {
			return mark, " "
		}
		return l.bar(lane), " "
	})
}

// joint draws the row in which lane b leaves lane a, or comes back to it.
func (l *lanes) joint(a, b int, leaves bool) string {
	low, high := min(a, b), max(a, b)
	return l.draw(func(lane int) (string, string) {
		link := " "
		if lane >= low && lane < high {
			link = l.glyph("─", "-")
		}
		switch {
		case lane == a && a < b:
			return l.glyph("├", "+"), link
		case lane == a:
			return l.glyph("┤", "+"), link
		case lane == b:
			return l.corner(a < b, leaves), link
		case lane > low && lane < high && l.wait[lane] != free:
			return l.glyph("┼", "+"), link
		case lane > low && lane < high:
			return l.glyph("─", "-"), link
		default:
			return l.bar(lane), link
		}
	})
}

func (l *lanes) corner(right, leaves bool) string {
	switch {
	case right && leaves:
		return l.glyph("╮", "\\")
	case right:
		return l.glyph("╯", "/")
	case leaves:
		return l.glyph("╭", "/")
	default:
		return l.glyph("╰", "\\")
	}
}

func (l *lanes) draw(cell func(lane int) (glyph, link string)) string {
	var b strings.Builder
	for lane := range l.wait {
		glyph, link := cell(lane)
		b.WriteString(glyph)
		b.WriteString(link)
	}
	return strings.TrimRight(b.String(), " ")
}

func (l *lanes) bar(lane int) string {
	if l.wait[lane] == free {
		return " "
	}
	return l.glyph("│", "|")
}

func (l *lanes) glyph(box, ascii string) string {
	if l.ascii {
		return ascii
	}
	return box
}
