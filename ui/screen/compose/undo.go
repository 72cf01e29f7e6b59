package compose

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"akx/ui/draw"
	"akx/ui/kit"
	"akx/view/clean"
	"akx/view/desk"
)

// step is the draft before, or after, a change of more than the text of one field.
type step struct {
	list  string // the list that was changed; empty where it was all of the draft
	draft desk.Draft
	past  map[string]desk.History // of the fields that it was about
	path  string                  // of the field that had the keys
	at    int                     // which change of the form it was
}

// steps are such changes. at counts all changes of the form: what was done last is
// undone first, and what was done first is done again first.
type steps struct {
	done, undone []step
	at           int
}

// maxSteps bounds the changes that can be undone.
const maxSteps = 50

func (t *steps) next() int {
	t.at++
	return t.at
}

// about reports whether a change was about a field.
func (t step) about(path string) bool {
	return t.list == "" || path == t.list || strings.HasPrefix(path, t.list+"/")
}

// nearest gives the index of the change of a field that comes before all others by
// first; -1 for none.
func nearest(all []step, path string, first func(a, b int) bool) int {
	found := -1
	for i, t := range all {
		if t.about(path) && (found < 0 || first(t.at, all[found].at)) {
			found = i
		}
	}
	return found
}

// present keeps the draft as it is now, before a change of a list or of all of it.
func (s *Screen) present(list string) step {
	now := step{list: list, draft: s.doc.draft.Clone(), past: make(map[string]desk.History), path: s.path(), at: s.form.steps.next()}
	for path, t := range s.form.past {
		if now.about(path) {
			now.past[path] = t
		}
	}
	return now
}

// did takes a change that was made: what was undone before cannot be done again.
func (s *Screen) did(before step) {
	t := &s.form.steps
	t.undone = slices.DeleteFunc(t.undone, func(u step) bool { return u.about(before.path) || before.list == "" || before.list == u.list })
	t.done = append(t.done, before)
	t.done = t.done[max(len(t.done)-maxSteps, 0):]
}

// undo takes back what was done last in the field with the keys: what was typed, or a
// change of its list or of the whole draft.
func (s *Screen) undo() tea.Cmd {
	t := &s.form.steps
	path := s.path()
	h, ok := s.form.past[path].Undo()
	i := nearest(t.done, path, func(a, b int) bool { return a > b })
	if i >= 0 && (!ok || t.done[i].at > s.form.past[path].Present().At) {
		return s.swap(i, &t.done, &t.undone)
	}
	return s.travel(h, ok, "nothing to undo in this field")
}

// redo does again what was undone.
func (s *Screen) redo() tea.Cmd {
	t := &s.form.steps
	path := s.path()
	h, ok := s.form.past[path].Redo()
	i := nearest(t.undone, path, func(a, b int) bool { return a < b })
	if i >= 0 && (!ok || t.undone[i].at < h.Present().At) {
		return s.swap(i, &t.undone, &t.done)
	}
	return s.travel(h, ok, "nothing to do again in this field")
}

// travel puts the field with the keys to another state of its history.
func (s *Screen) travel(h desk.History, ok bool, none clean.Words) tea.Cmd {
	if !ok {
		return kit.Say(none)
	}
	path, state := s.path(), h.Present()
	if err := s.doc.draft.SetText(path, state.Text); err != nil {
		return failed(err)
	}
	s.form.past[path] = h
	if s.form.area != nil {
		s.form.area.Set(state.Text, state.Caret)
	}
	s.form.typed = false
	return s.changed()
}

// swap puts the draft, or one list of it, back to a step of from, and what stands now
// into to.
func (s *Screen) swap(i int, from, to *[]step) tea.Cmd {
	back := (*from)[i]
	*from = slices.Delete(*from, i, i+1)
	now := s.present(back.list)
	now.at = back.at
	*to = append(*to, now)
	d := &s.doc.draft
	if back.list == "" {
		d.Actor, d.Used, d.Payload = back.draft.Actor, back.draft.Used, back.draft.Clone().Payload
	} else if err := d.TakeList(back.list, &back.draft); err != nil {
		return failed(err)
	}
	maps.DeleteFunc(s.form.past, func(path string, _ desk.History) bool { return back.about(path) })
	maps.Copy(s.form.past, back.past)
	cmd := s.changed()
	at := s.indexOf(back.path)
	if at < 0 {
		at = max(s.indexOf(back.list), 0)
	}
	what := draw.Own(draw.Normal, "the whole draft is as it was; ")
	if back.list != "" {
		what = draw.Own(draw.Normal, "the list is as it was, with all its items; ")
	}
	told := draw.Line{what, draw.Own(draw.Key, "ctrl+_"), draw.Own(draw.Normal, " goes further back, "), draw.Own(draw.Key, "alt+_"), draw.Own(draw.Normal, " forward again")}
	return tea.Batch(cmd, s.focus(at), kit.Send(kit.Notice{Line: told}))
}

// reshape changes a list. order says which item of before each item is after that, -1
// for a new one: what was typed in an item stays with it. The keys go to an item, or
// to the list where that is -1.
func (s *Screen) reshape(list string, item int, order []int, change func() error) tea.Cmd {
	before := s.present(list)
	if err := change(); err != nil {
		return failed(err)
	}
	s.did(before)
	maps.DeleteFunc(s.form.past, func(path string, _ desk.History) bool { return path != list && before.about(path) })
	for to, from := range order {
		prefix := list + "/" + strconv.Itoa(from)
		for path, t := range before.past {
			if rest, ok := strings.CutPrefix(path, prefix); ok && (rest == "" || rest[0] == '/') {
				s.form.past[list+"/"+strconv.Itoa(to)+rest] = t
			}
		}
	}
	cmd := s.changed()
	to := s.indexOf(list)
	if item >= 0 {
		prefix := list + "/" + strconv.Itoa(item)
		if i := slices.IndexFunc(s.form.fields, func(f desk.Field) bool {
			return f.Path == prefix || strings.HasPrefix(f.Path, prefix+"/")
		}); i >= 0 {
			to = i
		}
	}
	return tea.Batch(cmd, s.focus(to))
}

// places gives the numbers of the items of a list.
func (s *Screen) places(list string) []int {
	n, _ := s.doc.draft.Size(list)
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// replace takes a draft that was changed as a whole, as one step.
func (s *Screen) replace(d desk.Draft) tea.Cmd {
	if why := s.readOnly(); why != "" {
		return kit.Say(why)
	}
	s.did(s.present(""))
	d.ID = s.id
	s.doc.draft = d
	clear(s.form.past)
	s.refill()
	return tea.Batch(s.focus(s.form.at), s.changed())
}
