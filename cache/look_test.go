package cache

import (
	"context"
	"path/filepath"
	"testing"

	"akx/view"
	"akx/view/identity"
)

// What is read while links are handed over is guarded like what is read alone: senseless
// pages under it are damage and end nothing but the read. A fault of whoever takes the
// links is none of the file's.
func TestALookWithinALookIsGuarded(t *testing.T) {
	c := mustOpen(t, filepath.Join(t.TempDir(), "home"), Options{})
	defer c.Close()
	var target identity.ID
	for _, item := range importFew(t, c) {
		if needs := dependenciesOf(item); len(needs) > 0 {
			target = needs[0]
			break
		}
	}
	within := func(f func(s *snapshot)) (links int, err error) {
		err = c.Read(t.Context(), func(snap view.Snapshot) error {
			return snap.Incoming(context.WithoutCancel(t.Context()), target, func(batch []view.Incoming) bool {
				links += len(batch)
				f(snap.(*snapshot))
				return true
			})
		})
		return links, err
	}
	links, err := within(func(s *snapshot) {
		// A reader without its bucket meets what a file that is cut short does.
		broken := records{s, map[identity.Origin]*givenReader{hub: {spans: blockReader{width: spanBytes}}}}
		if _, err := broken.Given(hub, []uint64{1}); !isDamaged(err) {
			t.Errorf("within a look: %v", err)
		}
	})
	if links == 0 || err != nil {
		t.Errorf("%d links, %v", links, err)
	}
	defer func() {
		if recover() == nil {
			t.Error("a fault of the taker was called damage")
		}
	}()
	_, _ = within(func(s *snapshot) {
		if _, err := s.Retractions([]uint64{1}); err != nil {
			t.Error(err)
		}
		panic("of the taker")
	})
}
