package compose

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"akx/ui/draw"
	"akx/ui/kit"
	"akx/view/clean"
	"akx/view/desk"
)

// form is the fields of the draft, and the one that has the keys.
type form struct {
	fields []desk.Field
	at     int
	area   *draw.Area              // the text of the field with the keys; nil for lists and choices
	past   map[string]desk.History // by path
	steps  steps
	typed  bool // the last change was a letter: the next one joins it
	scroll int
	starts []int // the row at which each field was drawn
}

// Most characters of a field for which services recommend no limit.
const (
	maxProse = 65536
	maxLine  = 4096
)

// refill reads the fields of the draft anew; the keys stay with their field.
func (s *Screen) refill() {
	path := s.path()
	s.form.fields = append([]desk.Field{s.keyField()}, s.doc.draft.Fields(desk.DefaultLimits)...)
	if i := s.indexOf(path); path != "" && i >= 0 {
		s.form.at = i
	}
	s.form.at = min(max(s.form.at, 0), max(len(s.form.fields)-1, 0))
}

func (s *Screen) indexOf(path string) int {
	return slices.IndexFunc(s.form.fields, func(f desk.Field) bool { return f.Path == path })
}

// field is the field with the keys; its Path is empty where there is none.
func (s *Screen) field() desk.Field {
	if s.form.at < 0 || s.form.at >= len(s.form.fields) {
		return desk.Field{}
	}
	return s.form.fields[s.form.at]
}

func (s *Screen) path() string { return s.field().Path }

// written reports whether a field is text that is typed.
func written(f desk.Field) bool {
	switch f.Input {
	case desk.Line, desk.Area, desk.Code, desk.JSON:
		return true
	}
	return false
}

// most is how many characters go into a field by typing.
func most(f desk.Field) int {
	switch {
	case f.Input == desk.Area || f.Input == desk.JSON:
		return max(maxProse, 2*f.Limit)
	case f.Limit > 0:
		return 2 * f.Limit
	}
	return maxLine
}

// focus gives the keys to a field.
func (s *Screen) focus(i int) tea.Cmd {
	s.form.at = min(max(i, 0), max(len(s.form.fields)-1, 0))
	s.form.area, s.form.typed = nil, false
	f := s.field()
	if !written(f) {
		return nil
	}
	text, _ := s.doc.draft.Text(f.Path)
	caret := len(text)
	if h, ok := s.form.past[f.Path]; ok && h.Present().Text == text {
		caret = h.Present().Caret
	}
	s.form.area = draw.NewArea(text, caret, most(f), f.Input == desk.Area || f.Input == desk.JSON)
	return nil
}

func (s *Screen) focusPath(path string) tea.Cmd {
	if i := s.indexOf(path); i >= 0 {
		s.pane.fills = false
		return s.focus(i)
	}
	return nil
}

// firstEmpty is the first field that has to be filled in and is not.
func (s *Screen) firstEmpty() int {
	for i, f := range s.form.fields {
		if f.Required && f.Count == 0 {
			return i
		}
	}
	return 0
}

// step goes to a neighbour of the field with the keys, round at the ends.
func (s *Screen) step(by int) func() tea.Cmd {
	return func() tea.Cmd {
		n := max(len(s.form.fields), 1)
		return s.focus((s.form.at + by + n) % n)
	}
}

// key gives a key that no row has to the field, or to the pane that fills the screen.
func (s *Screen) key(msg tea.KeyMsg) tea.Cmd {
	if s.pane.full(s.wide()) {
		s.pane.key(msg.String(), s.height())
		return nil
	}
	if s.form.area == nil {
		return s.keyBeside(msg)
	}
	text, _ := s.form.area.Value()
	_, known := s.form.area.Key(msg)
	after, caret := s.form.area.Value()
	switch {
	case after != text && s.readOnly() != "":
		s.form.area.Set(text, caret)
		return kit.Say(s.readOnly())
	case after != text:
		letter := msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace
		return s.write(after, caret, letter && s.form.typed, letter && string(msg.Runes) != " ")
	case known:
		s.form.typed = false
	default:
		return s.keyBeside(msg)
	}
	return nil
}

// keyBeside goes to the next field where there is no row further down.
func (s *Screen) keyBeside(msg tea.KeyMsg) tea.Cmd {
	switch msg.String() {
	case "up":
		return s.focus(s.form.at - 1)
	case "down", "enter":
		return s.focus(s.form.at + 1)
	case "left":
		return s.turn(-1)
	case "right":
		return s.turn(1)
	}
	typed := (msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace) && !msg.Alt
	switch {
	case !typed:
		return nil
	case s.field().Input == desk.Choice && msg.Type == tea.KeyRunes:
		return s.chooseValue(string(msg.Runes))
	case s.readOnly() != "":
		return kit.Say(s.readOnly())
	}
	return s.beginItem(func() tea.Cmd { return s.key(msg) })
}

// beginItem adds an item to the list of texts that has the keys, and gives it what is
// typed or pasted there. It says what adds one where items are no texts.
func (s *Screen) beginItem(put func() tea.Cmd) tea.Cmd {
	switch s.field().Input {
	case desk.Lines:
		return tea.Batch(s.addItem(), put())
	case desk.Items:
		return kit.Say("nothing is typed here: " + s.options.Glyphs.Enter + " adds an item, whose fields take text")
	}
	return kit.Say("nothing takes text here")
}

// write puts text into the field with the keys, as a step of its history; joined
// steps are undone together.
func (s *Screen) write(text string, caret int, join, typed bool) tea.Cmd {
	path := s.path()
	before, _ := s.doc.draft.Text(path)
	if err := s.doc.draft.SetText(path, text); err != nil {
		return failed(err)
	}
	h, ok := s.form.past[path]
	if !ok {
		h = desk.StartAt(desk.State{Text: before, Caret: len(before)})
	}
	state := desk.State{Text: text, Caret: caret, At: s.form.steps.next()}
	s.form.past[path], s.form.typed = h.Record(state, join && ok), typed
	s.form.steps.undone = slices.DeleteFunc(s.form.steps.undone, func(u step) bool { return u.about(path) })
	return s.changed()
}

// paste puts text into the field as one step, up to what can be typed into it, and
// says how much of it that was, and where it is more than services recommend.
func (s *Screen) paste(text string) tea.Cmd {
	f := s.field()
	switch {
	case s.pane.full(s.wide()):
		return kit.Say("nothing takes text here")
	case s.readOnly() != "":
		return kit.Say(s.readOnly())
	case s.form.area == nil:
		return s.beginItem(func() tea.Cmd { return s.paste(text) })
	}
	put, all := s.form.area.Paste(text, most(f))
	after, caret := s.form.area.Value()
	var cmd tea.Cmd
	if put > 0 {
		cmd = s.write(after, caret, false, false)
	}
	over := f.Limit > 0 && f.Unit == desk.Characters && utf8.RuneCountInString(after) > f.Limit
	switch {
	case put == all && over:
		line := draw.Line{draw.Own(draw.Normal, "all of it is pasted, and the field has more than the "), draw.Say(draw.Strong, draw.Int(f.Limit)), draw.Own(draw.Normal, " characters that services recommend")}
		return tea.Batch(cmd, kit.Send(kit.Notice{Line: line}))
	case put == all:
		return cmd
	}
	line := draw.Line{draw.Own(draw.Warn, "pasted the first "), draw.Say(draw.Strong, draw.Int(put)), draw.Own(draw.Normal, " of "), draw.Say(draw.Strong, draw.Int(all)),
		draw.Own(draw.Normal, " characters: more does not go into this field; ctrl+_ undoes it")}
	return tea.Batch(cmd, kit.Send(kit.Notice{Line: line, Bad: true}))
}

// Lists. An item is one row, or for objects the fields of one.

// listAt gives the list that the field with the keys is or belongs to, and which item
// of it; at is -1 on the list itself.
func (s *Screen) listAt() (list string, at int, ok bool) {
	path := s.path()
	if _, is := s.doc.draft.Size(path); is {
		return path, -1, true
	}
	for i := 0; i < len(path); i++ {
		if path[i] != '/' {
			continue
		}
		rest := path[i+1:]
		end := strings.IndexByte(rest, '/')
		if end < 0 {
			end = len(rest)
		}
		if n, err := strconv.Atoi(rest[:end]); err == nil {
			return path[:i], n, true
		}
	}
	return "", 0, false
}

// noItem says why there is no item under the keys.
func (s *Screen) noItem() clean.Words {
	if why := s.readOnly(); why != "" {
		return why
	}
	if _, at, ok := s.listAt(); !ok || at < 0 {
		return "this field is no item of a list"
	}
	return ""
}

func (s *Screen) noList() clean.Words {
	if why := s.readOnly(); why != "" {
		return why
	}
	if _, _, ok := s.listAt(); !ok {
		return "this field is no list"
	}
	return ""
}

// addItem puts an empty item below the one with the keys, or at the end of the list.
func (s *Screen) addItem() tea.Cmd {
	list, at, _ := s.listAt()
	size, _ := s.doc.draft.Size(list)
	if at < 0 {
		at = size - 1
	}
	order := slices.Insert(s.places(list), at+1, -1)
	return s.reshape(list, at+1, order, func() error { return s.doc.draft.Insert(list, at+1) })
}

func (s *Screen) removeItem() tea.Cmd {
	list, at, _ := s.listAt()
	order := slices.Delete(s.places(list), at, at+1)
	cmd := s.reshape(list, at-1, order, func() error { return s.doc.draft.Remove(list, at) })
	return tea.Batch(cmd, kit.Say("the item is removed; ctrl+_ here brings it back"))
}

func (s *Screen) moveItem(by int) func() tea.Cmd {
	return func() tea.Cmd {
		list, at, _ := s.listAt()
		order := s.places(list)
		if at+by < 0 || at+by >= len(order) {
			return kit.Say("the item is at that end already")
		}
		order[at], order[at+by] = order[at+by], order[at]
		return s.reshape(list, at+by, order, func() error { return s.doc.draft.Move(list, at, at+by) })
	}
}

// turn goes to another choice of a field with few of them.
func (s *Screen) turn(by int) tea.Cmd {
	f := s.field()
	if f.Input != desk.Choice {
		return nil
	}
	if f.Path == keyPath {
		return s.turnKey(by)
	}
	if why := s.readOnly(); why != "" {
		return kit.Say(why)
	}
	choices := f.Choices
	if !f.Required {
		choices = append([]string{""}, choices...)
	}
	text, _ := s.doc.draft.Text(f.Path)
	i := slices.Index(choices, text)
	if i < 0 && by < 0 {
		i = 0
	}
	return s.choose(choices[(i+by+len(choices))%len(choices)])
}

func (s *Screen) choose(value string) tea.Cmd { return s.write(value, len(value), false, false) }

// confirmStep says that a copied step was done.
func (s *Screen) confirmStep() tea.Cmd {
	list, at, _ := s.listAt()
	return s.reshape(list, at, s.places(list), func() error { return s.doc.draft.Confirm(at) })
}

// unconfirmed reports whether the field with the keys is a copied step that nobody
// said to have done.
func (s *Screen) unconfirmed(path string) bool {
	at, ok := strings.CutPrefix(path, "/reproduction/steps/")
	i, err := strconv.Atoi(at)
	steps := s.doc.draft.Payload.Reproduction.Steps
	return ok && err == nil && i < len(steps) && steps[i].Unconfirmed
}
