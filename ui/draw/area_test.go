package draw

import (
	"strings"
	"testing"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
)

func press(a *Area, keys ...tea.KeyMsg) {
	for _, k := range keys {
		a.Key(k)
	}
}

var (
	left, right  = tea.KeyMsg{Type: tea.KeyLeft}, tea.KeyMsg{Type: tea.KeyRight}
	up, down     = tea.KeyMsg{Type: tea.KeyUp}, tea.KeyMsg{Type: tea.KeyDown}
	back, enter  = tea.KeyMsg{Type: tea.KeyBackspace}, tea.KeyMsg{Type: tea.KeyEnter}
	home, ctrlK  = tea.KeyMsg{Type: tea.KeyHome}, tea.KeyMsg{Type: tea.KeyCtrlK}
	ctrlU, ctrlW = tea.KeyMsg{Type: tea.KeyCtrlU}, tea.KeyMsg{Type: tea.KeyCtrlW}
)

func typed(s string) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s)} }

func TestAreaEdits(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		keys []tea.KeyMsg
		want string // | is the caret
	}{
		"letters":              {"", []tea.KeyMsg{typed("a"), typed("b")}, "ab|"},
		"a whole word at once": {"", []tea.KeyMsg{typed("日本語")}, "日本語|"},
		"enter":                {"a", []tea.KeyMsg{enter, typed("b")}, "a\nb|"},
		"whole clusters":       {"x👩‍👩‍👧‍👦e\u0301", []tea.KeyMsg{left, left}, "x|👩‍👩‍👧‍👦e\u0301"},
		"backspace a cluster":  {"x👩‍👩‍👧‍👦", []tea.KeyMsg{back}, "x|"},
		"home in its line":     {"one\ntwo", []tea.KeyMsg{home, typed("-")}, "one\n-|two"},
		"kill to the end":      {"one\ntwo", []tea.KeyMsg{up, home, ctrlK}, "|\ntwo"},
		"kill the line end":    {"one\ntwo", []tea.KeyMsg{up, ctrlK}, "one|two"},
		"kill to the start":    {"one\ntwo", []tea.KeyMsg{ctrlU}, "one\n|"},
		"kill a word":          {"one two ", []tea.KeyMsg{ctrlW}, "one |"},
		"up keeps the column":  {"long line\nx\nlong line", []tea.KeyMsg{left, left, up, up}, "long li|ne\nx\nlong line"},
		"down again":           {"long line\nx\nlong line", []tea.KeyMsg{left, left, up, up, down, down}, "long line\nx\nlong li|ne"},
		"right over a line":    {"a\nb", []tea.KeyMsg{home, left, left, right, right}, "a\n|b"},
	} {
		a := NewArea(c.text, len(c.text), 1000, true)
		a.Height(80)
		press(a, c.keys...)
		text, caret := a.Value()
		if got := text[:caret] + "|" + text[caret:]; got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestAreaOfOneLineTakesNoLineEnd(t *testing.T) {
	a := NewArea("", 0, 1000, false)
	if _, known := a.Key(enter); known {
		t.Error("enter is a key of a single line")
	}
	a.Paste("a\r\nb\tc\n", 1000)
	if text, _ := a.Value(); text != "a b c " {
		t.Errorf("pasted %q", text)
	}
}

func TestAreaPasteIsBounded(t *testing.T) {
	a := NewArea("12", 1, 6, true)
	if put, all := a.Paste("日本語です", 3); put != 3 || all != 5 {
		t.Errorf("%d of %d", put, all)
	}
	press(a, typed("xyz"))
	if text, caret := a.Value(); text != "1日本語x2" || text[caret:] != "2" {
		t.Errorf("%q at %d", text, caret)
	}
}

// Every byte stands in one row, no row is wider than the area, and a word is torn
// only where it is longer than a row.
func TestAreaWraps(t *testing.T) {
	for _, text := range []string{"", "\n", "one two three", strings.Repeat("x", 50), strings.Repeat("语", 30), "a " + strings.Repeat("y", 25) + " b\n\nlast"} {
		for w := 2; w < 30; w++ {
			a := NewArea(text, 0, 1000, true)
			a.layout(w)
			at := 0
			for i, r := range a.rows {
				if i > 0 && r.from == at+1 && text[at] == '\n' {
					at++
				}
				if r.from != at || strings.Contains(text[r.from:r.to], "\n") {
					t.Fatalf("%q at %d: row %d is %+v after %d", text, w, i, r, at)
				}
				if n := a.columns(r.from, r.to); n > w && strings.TrimRight(text[r.from:r.to], " ") != "" && a.columns(r.from, r.from+len(strings.TrimRight(text[r.from:r.to], " "))) > w {
					t.Fatalf("%q at %d: row %d has %d columns", text, w, i, n)
				}
				at = r.to
			}
			if at != len(text) {
				t.Fatalf("%q at %d ends at %d", text, w, at)
			}
		}
	}
}

// Any keys over any text keep the caret in it and between characters.
func FuzzArea(f *testing.F) {
	f.Add("one\ntwo", "\x00\x01\x02\x03", 10)
	f.Add("e\u0301\u0301👩‍👩‍👧‍👦", "\x04\x04\x05\x05", 3)
	f.Add("\x1b[2J\x1b]0;x", "\x02\x02\x06\x07", 1)
	f.Add(strings.Repeat("语 ", 40), "\x00\x00\x08\x09\x0a", 7)
	f.Add("", "\x0b\x0b\x04", 0)
	keys := []tea.KeyMsg{up, down, left, right, back, enter, home, ctrlK, ctrlU, ctrlW, {Type: tea.KeyDelete}, typed("é"), {Type: tea.KeyEnd}, {Type: tea.KeyPgUp}, {Type: tea.KeyPgDown}, {Type: tea.KeyCtrlRight}, {Type: tea.KeyCtrlLeft}}
	f.Fuzz(func(t *testing.T, text, presses string, w int) {
		if !utf8.ValidString(text) || len(text) > 2000 || len(presses) > 200 {
			return
		}
		a := NewArea(text, len(text), 3000, true)
		frame := NewFrame(40, 6, ASCII())
		for i := range len(presses) {
			press(a, keys[int(presses[i])%len(keys)])
			a.Draw(frame, Rect{W: w % 40, H: 5}, Normal)
			now, caret := a.Value()
			if caret < 0 || caret > len(now) || !utf8.ValidString(now[:caret]) || !utf8.ValidString(now) {
				t.Fatalf("caret %d in %q", caret, now)
			}
		}
	})
}
