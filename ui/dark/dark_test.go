package dark_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	_ "github.com/charmbracelet/bubbletea" // what would stall
	"github.com/charmbracelet/lipgloss"

	"akx/ui/dark"
	"akx/ui/termtest"
)

func TestMain(m *testing.M) {
	termtest.Main(m, map[string]func() int{"hello": func() int {
		fmt.Println("hello")
		return 0
	}})
}

// A program that links Bubble Tea prints on a terminal that answers nothing
// long before the 5 seconds that the question would take, and asks nothing.
func TestStartAsksTheTerminalNothing(t *testing.T) {
	s := termtest.Start(t, termtest.Self(t, "hello", nil), 80, 24)
	s.Until(t, func(sc termtest.Screen) bool { return sc.Has("hello") }, 4*time.Second)
	s.Wait(t, termtest.Patience)
	if raw := s.Output(); !bytes.Equal(raw, []byte("hello\r\n")) {
		t.Errorf("the program wrote %q", raw)
	}
}

func TestSet(t *testing.T) {
	if !lipgloss.HasDarkBackground() {
		t.Error("dark is not the default")
	}
	dark.Set(false)
	if lipgloss.HasDarkBackground() {
		t.Error("light was not taken over")
	}
	dark.Set(true)
}
