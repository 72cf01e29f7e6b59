package desk

import "slices"

// Bounds of one field's history.
const (
	maxSteps        = 200
	maxHistoryBytes = 4 << 20
)

// State is what stands in a field and where the caret is, in bytes. At is which change
// of the whole form led to it, for whoever keeps more histories than one; else 0.
type State struct {
	Text  string
	Caret int
	At    int
}

// History is undo and redo within one field: a value, whose methods give the next
// one. It keeps the last 200 states, and 4 MiB of text at most, but always the
// present one. The zero History is an empty field.
type History struct {
	states []State
	at     int
}

// Present gives the state that stands in the field.
func (h History) Present() State {
	if len(h.states) == 0 {
		return State{}
	}
	return h.states[h.at]
}

// Record makes s the present state and drops what was undone. With join it takes
// the place of the present one: letters that are typed in a row are one step. The
// first state of a History is never joined to, so that undo gets back to it.
func (h History) Record(s State, join bool) History {
	states := slices.Clone(h.states[:min(h.at+1, len(h.states))])
	if len(states) == 0 {
		states = append(states, State{})
	}
	if join && len(states) > 1 {
		states[len(states)-1] = s
	} else {
		states = append(states, s)
	}
	size := 0
	for _, state := range states {
		size += len(state.Text)
	}
	for len(states) > 1 && (len(states) > maxSteps || size > maxHistoryBytes) {
		size -= len(states[0].Text)
		states = states[1:]
	}
	return History{states: states, at: len(states) - 1}
}

// StartAt begins a history with text that was there before.
func StartAt(s State) History { return History{states: []State{s}} }

// Undo goes one state back; ok is false at the first.
func (h History) Undo() (next History, ok bool) {
	if h.at == 0 {
		return h, false
	}
	h.at--
	return h, true
}

// Redo goes one state forward; ok is false at the last.
func (h History) Redo() (next History, ok bool) {
	if h.at+1 >= len(h.states) {
		return h, false
	}
	h.at++
	return h, true
}
