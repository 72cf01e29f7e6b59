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
			s.add(string(msg.Runes))
		}
	case tea.KeyBackspace:
		_, n := utf8.DecodeLastRune(s.text)
		clear(s.text[len(s.text)-n:])
		s.text = s.text[:len(s.text)-n]
	case tea.KeyCtrlU:
		s.wipe()
	}
}

// add takes text up to its first line end, into memory that is overwritten later.
func (s *secret) add(text string) {
	text, _, _ = strings.Cut(text, "\n")
	if s.text == nil {
		s.text = make([]byte, 0, maxPass)
	}
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
