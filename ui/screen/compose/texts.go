package compose

import (
	"bytes"
	"slices"
	"sync"
)

// Texts keeps what the user's editor saved of a draft until the draft has taken it or
// the user drops it. It is safe for concurrent use.
type Texts interface {
	// Left gives the text that an edit left behind; nil for none.
	Left(draft uint64) ([]byte, error)
	// Keep makes text what an edit left behind.
	Keep(draft uint64, text []byte) error
	// Drop forgets it; where there is none that is no error.
	Drop(draft uint64) error
}

// Memory keeps texts until the program ends: for the sample, whose drafts last no
// longer.
type Memory struct {
	mu    sync.Mutex
	texts map[uint64][]byte
}

// NewMemory makes an empty one.
func NewMemory() *Memory { return &Memory{texts: make(map[uint64][]byte)} }

// Left gives a text; see Texts.
func (m *Memory) Left(draft uint64) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if text := m.texts[draft]; len(bytes.TrimSpace(text)) > 0 {
		return slices.Clone(text), nil
	}
	return nil, nil
}

// Keep keeps a text; see Texts.
func (m *Memory) Keep(draft uint64, text []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.texts[draft] = slices.Clone(text)
	return nil
}

// Drop forgets a text; see Texts.
func (m *Memory) Drop(draft uint64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.texts, draft)
	return nil
}
