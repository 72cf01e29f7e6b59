package compose

import (
	"strings"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"akx/view/clean"
)

// secret is a passphrase being typed. It is shown as stars, never leaves this
// overlay but to open the key, and is overwritten after that.
type secret struct{ text []byte }

// maxPass bounds a passphrase, in bytes.
const maxPass = 1024

func (s *secret) key(msg tea.KeyMsg) {
	switch msg.Type {
	case tea.KeyRunes, tea.KeySpace:
		if !msg.Alt {
			s.addRunes(msg.Runes)
		}
		if msg.Type == tea.KeyRunes { // the runes of the space key are shared
			clear(msg.Runes)
		}
	case tea.KeyBackspace:
		_, n := utf8.DecodeLastRune(s.text)
		clear(s.text[len(s.text)-n:])
		s.text = s.text[:len(s.text)-n]
	case tea.KeyCtrlU:
		s.wipe()
	}
}

// addRunes is add for what was typed, without a copy in a string.
func (s *secret) addRunes(runes []rune) {
	s.room()
	for _, r := range runes {
		if r == '\n' || !utf8.ValidRune(r) || len(s.text)+utf8.RuneLen(r) > maxPass {
			return
		}
		s.text = utf8.AppendRune(s.text, r)
	}
}

// room makes the memory that is overwritten later.
func (s *secret) room() {
	if s.text == nil {
		s.text = make([]byte, 0, maxPass)
	}
}

// add takes text up to its first line end, into memory that is overwritten later.
func (s *secret) add(text string) {
	text, _, _ = strings.Cut(text, "\n")
	s.room()
	s.text = append(s.text, text[:min(len(text), maxPass-len(s.text))]...)
}

// take gives the passphrase to its caller, who overwrites it.
func (s *secret) take() []byte {
	if s == nil {
		return nil
	}
	text := s.text
	s.text = nil
	return text
}

func (s *secret) wipe() {
	if s != nil {
		clear(s.text)
		s.text = s.text[:0]
	}
}

// stars shows how much was typed, at most room columns of it.
func (s *secret) stars(room int) clean.Text {
	return clean.Line(strings.Repeat("*", min(utf8.RuneCount(s.text), max(room, 0))))
}
