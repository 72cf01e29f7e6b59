package ui_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"akx/explore"
	"akx/ui"
	"akx/ui/kit"
	"akx/ui/uitest"
	"akx/view"
	"akx/view/identity"
	"akx/view/wire"
)

// ghosts reports keys of rows that another row of the same layer has already, or
// that begin the sequence of another.
func ghosts(rows []kit.Row, typing bool) []string {
	var found []string
	owner := map[string]string{}
	for _, row := range rows {
		if row.Typing() != typing {
			continue
		}
		for _, key := range row.Keys {
			for other, id := range owner {
				if key == other || strings.HasPrefix(key, other+" ") || strings.HasPrefix(other, key+" ") {
					found = append(found, key+" is both "+id+" and "+row.ID)
				}
			}
		}
		for _, key := range row.Keys {
			owner[key] = row.ID
		}
	}
	return found
}

// A key has one meaning in every state of every screen and overlay. Only closing
// may be a screen's own: a layer of its own is nearer than the way back.
func TestNoRowShadowsAnother(t *testing.T) {
	for _, s := range scenes(t) {
		for _, size := range goldenSizes {
			x := s.play(t, size[0], size[1])
			screen, global, overlay := x.root.Layers()
			if overlay != nil {
				for _, fault := range ghosts(overlay, x.root.Typing()) {
					t.Errorf("%s: %s", s.name, fault)
				}
				continue
			}
			var rest []kit.Row
			for _, row := range global {
				if row.ID != "close" || !offers(screen, "close") {
					rest = append(rest, row)
				}
			}
			for _, fault := range ghosts(append(screen, rest...), x.root.Typing()) {
				t.Errorf("%s: %s", s.name, fault)
			}
		}
	}
}

func offers(rows []kit.Row, id string) bool {
	for _, row := range rows {
		if row.ID == id {
			return true
		}
	}
	return false
}

// Every action of the table is offered somewhere; none is dead.
func TestEveryActionIsOffered(t *testing.T) {
	offered := map[string]bool{}
	for _, s := range append(scenes(t), scene{"waiting-one", []func(*setup){over(waitingLibrary(t)), from(kit.Route{Screen: kit.Waiting})}, ""}) {
		screen, global, overlay := s.play(t, 80, 24).root.Layers()
		for _, row := range append(append(screen, global...), overlay...) {
			offered[row.ID] = true
		}
	}
	for _, action := range kit.Actions() {
		if !offered[action.ID] {
			t.Errorf("no screen offers %s", action.ID)
		}
	}
}

// What the footer names works: no row without an act, none that ends in a panic.
func TestEveryRowCanBeDone(t *testing.T) {
	for _, s := range scenes(t) {
		count := len(rowsOf(s.play(t, 80, 24)))
		for i := range count {
			x := s.play(t, 80, 24)
			row := rowsOf(x)[i]
			if row.Keys[0] == " " {
				x.Press(" ")
			} else {
				x.Press(strings.Fields(row.Keys[0])...)
			}
			x.fits(s.name+" "+row.ID, 80, 24)
		}
	}
}

func rowsOf(x *explorer) []kit.Row {
	screen, global, overlay := x.root.Layers()
	if overlay != nil {
		return overlay
	}
	return append(screen, global...)
}

// counted counts the calls of a library.
type counted struct {
	explore.Library
	calls atomic.Int64
}

func (c *counted) Read(ctx context.Context, f func(view.Snapshot) error) error {
	c.calls.Add(1)
	return c.Library.Read(ctx, f)
}

func (c *counted) Lookup(ctx context.Context, prefix string, limit int) ([]view.Known, error) {
	c.calls.Add(1)
	return c.Library.Lookup(ctx, prefix, limit)
}

func (c *counted) Claims(ctx context.Context, id identity.ID) ([]wire.Claim, error) {
	c.calls.Add(1)
	return c.Library.Claims(ctx, id)
}

func (c *counted) Pending(ctx context.Context, after identity.ID, limit int) ([]view.PendingEvent, error) {
	c.calls.Add(1)
	return c.Library.Pending(ctx, after, limit)
}

func (c *counted) DropPending(ctx context.Context, ids []identity.ID) (int, error) {
	c.calls.Add(1)
	return c.Library.DropPending(ctx, ids)
}

func (c *counted) Stats(ctx context.Context) (view.Stats, error) {
	c.calls.Add(1)
	return c.Library.Stats(ctx)
}

// idle is a model that watches that Update and View call no library: commands run
// on the same goroutine and never inside them.
type idle struct {
	*ui.Root
	t   *testing.T
	lib *counted
}

func (m *idle) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	before := m.lib.calls.Load()
	_, cmd := m.Root.Update(msg)
	m.Root.View()
	if m.lib.calls.Load() != before {
		m.t.Errorf("the library was called while %T was handled and drawn", msg)
	}
	return m, cmd
}

// Update and View do no IO and no proof: both need the library.
func TestUpdateAndViewCallNoLibrary(t *testing.T) {
	lib, err := sampleLibrary()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range scenes(t) {
		m := &idle{t: t, lib: &counted{Library: lib}}
		x := newExplorer(t, append([]func(*setup){over(m.lib), at(120, 36)}, s.start...)...)
		m.Root = x.root
		x.Driver = uitest.Start(m, 120, 36)
		x.do(s.keys)
		x.Press("down", "esc", "R", "ctrl+d", "G", "g", "g", "[")
		if m.lib.calls.Load() == 0 {
			t.Errorf("%s: nothing was counted", s.name)
		}
	}
}
