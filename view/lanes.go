package view

// MaxLanes bounds the lanes that lines of merges may open. A line that finds none
// is not drawn: its Run is NoLane, so that whoever draws can count it.
const MaxLanes = 100

// NoLane is the Run of a line that is not drawn.
const NoLane = -1

// lane is one column of the drawing while it is laid from the top down.
type lane struct {
	open   bool
	target int // the row that the open line runs to
	ended  int // the last row that the lane's former line or node touched
}

// layLanes gives every node a lane and every line a lane to run in. Nodes stand
// newest first and Supersedes point down, ascending.
//
// A line must never suggest a false ancestor. So a stretch of a lane belongs to one
// line: lines of different nodes meet only in the row of the node that both
// supersede. The first line of a node runs in the node's own lane, further ones
// open lanes of their own. And a lane is used again only with an empty row between,
// so that two strangers never touch.
func layLanes(nodes []Version) {
	var lanes []lane
	for row := range nodes {
		node := &nodes[row]
		node.Lane = settle(&lanes, row)
		node.Runs = make([]int, len(node.Supersedes))
		for k, target := range node.Supersedes {
			run := node.Lane
			if k > 0 {
				run = free(lanes, row)
				if run == len(lanes) {
					if run >= MaxLanes {
						node.Runs[k] = NoLane
						continue
					}
					lanes = append(lanes, lane{})
				}
			}
			lanes[run] = lane{open: true, target: target}
			node.Runs[k] = run
		}
	}
}

// settle closes the lines that end in row and gives the leftmost of their lanes,
// or a free one where none does.
func settle(lanes *[]lane, row int) int {
	at := -1
	for i := range *lanes {
		if l := &(*lanes)[i]; l.open && l.target == row {
			*l = lane{ended: row}
			if at < 0 {
				at = i
			}
		}
	}
	if at >= 0 {
		return at
	}
	at = free(*lanes, row)
	if at == len(*lanes) {
		*lanes = append(*lanes, lane{})
	}
	(*lanes)[at] = lane{ended: row}
	return at
}

// free gives the leftmost lane that row may open; len(lanes) means a new one.
func free(lanes []lane, row int) int {
	for i, l := range lanes {
		if !l.open && l.ended < row-1 {
			return i
		}
	}
	return len(lanes)
}
