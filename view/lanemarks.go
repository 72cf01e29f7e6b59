package view

// LaneMark is what one column of a version drawing holds: the directions in which
// lines leave it, or a node.
type LaneMark uint8

// The directions of a mark, and what it is.
const (
	LaneUp LaneMark = 1 << iota
	LaneDown
	LaneLeft
	LaneRight
	LaneNode // a version
	LaneHere // the version that was asked for
)

// DrawnLanes bounds the lanes that a drawing shows, so that the text beside it stays put.
const DrawnLanes = 12

// Lanes draws the tree: one row a node, two columns a lane (the second one joins it
// to the next). A line that passes another one goes under it and does not touch it.
func (v Versions) Lanes() [][]LaneMark {
	lanes := 1
	for _, n := range v.Nodes {
		lanes = max(lanes, n.Lane+1)
		for _, run := range n.Runs {
			lanes = max(lanes, run+1)
		}
	}
	lanes = min(lanes, DrawnLanes)
	rows := make([][]LaneMark, len(v.Nodes))
	for i := range rows {
		rows[i] = make([]LaneMark, 2*lanes-1)
	}
	for i, n := range v.Nodes {
		if n.Lane < lanes {
			rows[i][2*n.Lane] |= LaneNode
			if i == v.Here {
				rows[i][2*n.Lane] |= LaneHere
			}
		}
	}
	v.drawRuns(rows, lanes)
	return rows
}

// drawRuns draws the lines: verticals first, so that what crosses them knows.
func (v Versions) drawRuns(rows [][]LaneMark, lanes int) {
	each := func(f func(from, to, run int)) {
		for i, n := range v.Nodes {
			for k, older := range n.Supersedes {
				if run := n.Runs[k]; run >= 0 && run < lanes && n.Lane < lanes && v.Nodes[older].Lane < lanes {
					f(i, older, run)
				}
			}
		}
	}
	each(func(from, to, run int) {
		rows[from][2*run] |= LaneDown
		for row := from + 1; row < to; row++ {
			rows[row][2*run] |= LaneUp | LaneDown
		}
		rows[to][2*run] |= LaneUp
	})
	each(func(from, to, run int) {
		join(rows[from], 2*v.Nodes[from].Lane, 2*run)
		join(rows[to], 2*v.Nodes[to].Lane, 2*run)
	})
}

// join draws the level line between a node and the lane where its line runs.
func join(row []LaneMark, node, run int) {
	if node == run {
		return
	}
	low, high := min(node, run), max(node, run)
	row[low] |= LaneRight
	row[high] |= LaneLeft
	for x := low + 1; x < high; x++ {
		if row[x]&(LaneUp|LaneDown|LaneNode) == 0 {
			row[x] |= LaneLeft | LaneRight
		}
	}
}
