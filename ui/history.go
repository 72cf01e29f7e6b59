package ui

import "akx/ui/kit"

// maxVisits bounds the history; the oldest steps are forgotten first.
const maxVisits = 200

// history is the way a reader went, with browser rules: a new step drops the old
// forward path, and each step keeps the place in it.
type history struct {
	visits []kit.Route
	at     int
	last   int // where the reader was before the last step
}

func (h *history) current() kit.Route { return h.visits[h.at] }

// keep notes the place in the current step before it is left.
func (h *history) keep(r kit.Route) { h.visits[h.at] = r }

// replace puts a route in the place of the present step.
func (h *history) replace(r kit.Route) bool {
	h.keep(r)
	return true
}

// push takes a new step.
func (h *history) push(r kit.Route) {
	if len(h.visits) == 0 {
		h.visits, h.at, h.last = []kit.Route{r}, 0, 0
		return
	}
	h.visits = append(h.visits[:h.at+1:h.at+1], r)
	h.last = h.at
	h.at++
	if drop := len(h.visits) - maxVisits; drop > 0 {
		h.visits = append([]kit.Route(nil), h.visits[drop:]...)
		h.at, h.last = h.at-drop, max(h.last-drop, 0)
	}
}

// step moves by a number of steps; false when there is nowhere to go.
func (h *history) step(by int) bool { return h.jump(h.at + by) }

// jump moves to a step.
func (h *history) jump(to int) bool {
	if to < 0 || to >= len(h.visits) || to == h.at {
		return false
	}
	h.last, h.at = h.at, to
	return true
}
