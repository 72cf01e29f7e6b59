package draw

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"akx/view/clean"
)

// Area is text of several rows that the user edits, with readline keys. It is drawn
// by the frame, and the real cursor stands at its caret. Its text is exact: nothing
// is added to it or taken out of it but by a key or a paste.
type Area struct {
	text   string
	caret  int // in bytes, between clusters
	lines  bool
	max    int // characters
	width  int
	rows   []areaRow // of text at width; nil where they are to be laid out
	goal   int       // the column that up and down keep; -1 for that of the caret
	scroll int
}

// areaRow is the bytes of the text that stand in one row.
type areaRow struct{ from, to int }

// NewArea makes an area that holds at most max characters; without lines a line
// end cannot be put into it.
func NewArea(text string, caret, max int, lines bool) *Area {
	a := &Area{max: max, lines: lines, goal: -1}
	a.Set(text, caret)
	return a
}

// Set replaces text and caret.
func (a *Area) Set(text string, caret int) {
	a.text, a.caret, a.rows, a.goal = text, min(max(caret, 0), len(text)), nil, -1
	for a.caret > 0 && a.caret < len(text) && !utf8.RuneStart(text[a.caret]) {
		a.caret--
	}
}

// Value is the text as typed, and where the caret is in its bytes.
func (a *Area) Value() (text string, caret int) { return a.text, a.caret }

// Room is how many characters still go in.
func (a *Area) Room() int { return max(a.max-utf8.RuneCountInString(a.text), 0) }

// Paste puts text at the caret and says how many characters of it went in, and how
// many there were. Without lines, line ends become blanks.
func (a *Area) Paste(text string, room int) (put, all int) {
	text = strings.ToValidUTF8(text, "\ufffd")
	if !a.lines {
		text = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\t", " ").Replace(text)
	}
	all = utf8.RuneCountInString(text)
	put = min(all, a.Room(), max(room, 0))
	end := len(text)
	if put < all {
		end = 0
		for range put {
			_, n := utf8.DecodeRuneInString(text[end:])
			end += n
		}
	}
	a.insert(text[:end])
	return put, all
}

func (a *Area) insert(s string) {
	at := a.caret + len(s)
	a.Set(a.text[:a.caret]+s+a.text[a.caret:], at)
}

func (a *Area) cut(from, to int) {
	a.Set(a.text[:from]+a.text[to:], from)
}

// Key gives a key to the area. known is false for a key that means nothing here,
// up in the first row and down in the last one included.
func (a *Area) Key(msg tea.KeyMsg) (changed, known bool) {
	before := a.text
	if !a.edit(msg) {
		return false, a.move(msg)
	}
	return a.text != before, true
}

// edit does the keys that change the text.
func (a *Area) edit(msg tea.KeyMsg) bool {
	switch msg.String() {
	case "enter":
		if !a.lines {
			return false
		}
		a.Paste("\n", a.max)
	case "backspace", "ctrl+h":
		a.cut(a.before(a.caret), a.caret)
	case "delete", "ctrl+d":
		a.cut(a.caret, a.after(a.caret))
	case "ctrl+w", "alt+backspace":
		a.cut(a.wordBefore(), a.caret)
	case "ctrl+u":
		a.cut(a.lineStart(), a.caret)
	case "ctrl+k":
		end := a.lineEnd()
		if end == a.caret { // at its end, the line end itself
			end = a.after(end)
		}
		a.cut(a.caret, end)
	default:
		if msg.Type != tea.KeyRunes && msg.Type != tea.KeySpace || msg.Alt {
			return false
		}
		a.Paste(string(msg.Runes), a.max)
	}
	return true
}

// move does the keys that move the caret.
func (a *Area) move(msg tea.KeyMsg) bool {
	switch msg.String() {
	case "up":
		return a.vertical(-1)
	case "down":
		return a.vertical(1)
	case "pgup":
		return a.vertical(-8) || a.vertical(-a.row())
	case "pgdown":
		return a.vertical(8) || a.vertical(len(a.rows)-1-a.row())
	case "left", "ctrl+b":
		a.caret = a.before(a.caret)
	case "right", "ctrl+f":
		a.caret = a.after(a.caret)
	case "home", "ctrl+a":
		a.caret = a.lineStart()
	case "end", "ctrl+e":
		a.caret = a.lineEnd()
	case "ctrl+home":
		a.caret = 0
	case "ctrl+end":
		a.caret = len(a.text)
	case "ctrl+left", "alt+b":
		a.caret = a.wordBefore()
	case "ctrl+right", "alt+f":
		a.caret = a.wordAfter()
	default:
		return false
	}
	a.goal = -1
	return true
}

// before and after are the caret's neighbours, a whole cluster away.
func (a *Area) before(at int) int {
	start := max(strings.LastIndexByte(a.text[:at], '\n'), 0)
	start = max(start, at-maxCluster)
	for start > 0 && !utf8.RuneStart(a.text[start]) {
		start++
	}
	last := at
	for here := start; here < at; {
		last = here
		here += a.size(here)
	}
	return min(last, at)
}

func (a *Area) after(at int) int {
	if at >= len(a.text) {
		return at
	}
	return at + a.size(at)
}

// maxCluster bounds how far back the start of a cluster is looked for, in bytes.
const maxCluster = 256

// size is the bytes of the cluster at a place, with the marks that follow it: they
// have no place of their own on the screen.
func (a *Area) size(at int) int {
	if a.text[at] == '\n' {
		return 1
	}
	_, _, n := cluster(a.text[at:])
	end := at + max(n, 1)
	for end < len(a.text) && !utf8.RuneStart(a.text[end]) {
		end++
	}
	for end < len(a.text) {
		r, n := utf8.DecodeRuneInString(a.text[end:])
		if !unicode.Is(unicode.M, r) {
			break
		}
		end += n
	}
	return end - at
}

func (a *Area) lineStart() int { return strings.LastIndexByte(a.text[:a.caret], '\n') + 1 }

func (a *Area) lineEnd() int {
	if n := strings.IndexByte(a.text[a.caret:], '\n'); n >= 0 {
		return a.caret + n
	}
	return len(a.text)
}

func (a *Area) wordBefore() int {
	left := strings.TrimRightFunc(a.text[:a.caret], unicode.IsSpace)
	at := strings.LastIndexFunc(left, unicode.IsSpace)
	if at < 0 {
		return 0
	}
	_, n := utf8.DecodeRuneInString(left[at:])
	return at + n
}

func (a *Area) wordAfter() int {
	rest := a.text[a.caret:]
	left := strings.TrimLeftFunc(rest, unicode.IsSpace)
	end := strings.IndexFunc(left, unicode.IsSpace)
	if end < 0 {
		return len(a.text)
	}
	return a.caret + len(rest) - len(left) + end
}

// vertical moves the caret by rows; false where there is no such row.
func (a *Area) vertical(by int) bool {
	row := a.row()
	to := row + by
	if by == 0 || to < 0 || to >= len(a.rows) {
		return false
	}
	if a.goal < 0 {
		a.goal = a.columns(a.rows[row].from, a.caret)
	}
	r := a.rows[to]
	a.caret = r.from
	for column := 0; a.caret < r.to; {
		n := a.size(a.caret)
		column += a.columns(a.caret, a.caret+n)
		if column > a.goal {
			break
		}
		a.caret += n
	}
	if a.caret == r.to && to+1 < len(a.rows) && a.rows[to+1].from == r.to { // that place shows in the next row
		a.caret = a.before(a.caret)
	}
	return true
}

// columns is how wide a stretch of one row is drawn.
func (a *Area) columns(from, to int) int { return Width(clean.Line(a.text[from:to])) }

// Height is how many rows the text takes at a width.
func (a *Area) Height(w int) int {
	a.layout(w)
	return len(a.rows)
}

// row is the row of the caret.
func (a *Area) row() int {
	a.layout(max(a.width, 1))
	at, found := slices.BinarySearchFunc(a.rows, a.caret, func(r areaRow, caret int) int { return r.from - caret })
	if found {
		return at
	}
	return max(at-1, 0)
}

// layout breaks the text into rows: at line ends, after a blank where there is one,
// else inside a word. Every byte stands in one row, but for the line ends.
func (a *Area) layout(w int) {
	w = max(w, 1)
	if a.rows != nil && a.width == w {
		return
	}
	a.width, a.rows = w, nil
	for start := 0; ; {
		end := len(a.text)
		if n := strings.IndexByte(a.text[start:], '\n'); n >= 0 {
			end = start + n
		}
		a.wrap(start, end, w)
		if end == len(a.text) {
			return
		}
		start = end + 1
	}
}

func (a *Area) wrap(start, end, w int) {
	used, breakAt := 0, -1
	for at := start; at < end; {
		n := a.size(at)
		wide := a.columns(at, at+n)
		if used+wide > w && at > start && a.text[at] != ' ' {
			if breakAt <= start {
				breakAt = at
			}
			a.rows = append(a.rows, areaRow{start, breakAt})
			start, at, used, breakAt = breakAt, breakAt, 0, -1
			continue
		}
		used, at = used+wide, at+n
		if a.text[at-1] == ' ' {
			breakAt = at
		}
	}
	a.rows = append(a.rows, areaRow{start, end})
}

// Draw draws the rows around the caret into area, and sets the frame's caret.
func (a *Area) Draw(f *Frame, area Rect, role Role) {
	if area.W <= 1 || area.H <= 0 {
		return
	}
	a.layout(area.W - 1)
	row := a.row()
	a.scroll = min(max(a.scroll, row-area.H+1), row)
	a.scroll = max(min(a.scroll, len(a.rows)-area.H), 0)
	for i := 0; i < area.H && a.scroll+i < len(a.rows); i++ {
		r := a.rows[a.scroll+i]
		f.Put(area, 0, i, Line{Say(role, clean.Line(a.text[r.from:r.to]))})
	}
	column := min(a.columns(a.rows[row].from, a.caret), area.W-1)
	f.Caret(area.X+column, area.Y+row-a.scroll)
}
