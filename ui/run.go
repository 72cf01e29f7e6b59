package ui

import (
	"context"
	"io"
	"os"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"akx/explore"
	_ "akx/ui/dark" // before Bubble Tea's own start-up questions
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/ui/screen/compose"
	"akx/ui/slot"
	"akx/ui/term"
)

// Setup is what cmd/akx gives to run the explorer on a terminal.
type Setup struct {
	In, Out *os.File
	Getenv  func(string) string
	OS      string // as runtime.GOOS
	Session *explore.Session
	Clock   func() time.Time
	// Writer and Keys write, sign and send for the user; nil where nothing can be written.
	Writer *explore.Writer
	Keys   compose.Keys
	// EditDir is the folder of the texts that the user's editor writes, which outlive a
	// crash; empty keeps them in memory.
	EditDir string
	// Look are the settings of the config that say how it looks and feels.
	Look Look
	// State is what Save was last given. Save is called off the update loop.
	State []byte
	Save  func([]byte) error
	// Lost is why what is the user's own cannot be read or kept; nil where it can. It is
	// told at the start, until a key is pressed.
	Lost error
	// Forced ends the process when the program has to end and does not.
	Forced func(error)
}

// Look is how the explorer looks and feels.
type Look struct {
	Theme       string // auto, dark, light or 16
	NoColor     bool
	ASCII       bool
	Mouse       bool
	ReadOnly    bool
	PreviewFrom int
	Keys        map[string][]string // action -> keys
}

// Run shows the explorer until it is left. Whatever happens, the terminal is
// restored. Errors are term's: Signalled, Crash, or that there is no terminal.
func Run(s Setup) error {
	caps := term.Detect(s.Getenv, true, s.OS)
	if s.Look.NoColor {
		caps.Colours = term.NoColours
	}
	shade, ask := term.FindShade(s.Look.Theme, caps, s.Getenv)
	t, err := term.Open(term.Config{In: s.In, Out: s.Out, Caps: caps, AskBackground: ask, Getenv: s.Getenv, Forced: s.Forced})
	if err != nil {
		return err
	}
	glyphs := draw.Unicode()
	if s.Look.ASCII || !caps.UTF8 {
		glyphs = draw.ASCII()
	}
	texts := newEditTexts(s.EditDir)
	model := New(Config{
		Session: s.Session, State: s.State, Save: s.Save, Writer: s.Writer, Keys: s.Keys,
		Options: kit.Options{
			Theme: theme(s.Look.Theme, shade, caps), Glyphs: glyphs, Keys: kit.NewKeymap(s.Look.Keys), Work: &slot.Work{},
			Clock: s.Clock, ReadOnly: s.Look.ReadOnly, Sample: s.Session.Sample(), Offline: s.Session.Offline(), Mouse: s.Look.Mouse, PreviewFrom: s.Look.PreviewFrom,
		},
		Copy:     func(text string) (string, error) { return t.Clipboard().Copy(context.Background(), text) },
		Visit:    func(url string) error { return t.Opener().Open(context.Background(), url) },
		Edit:     editor{t, s.Getenv, texts}.open,
		Texts:    texts,
		OpenFile: func(name string) (io.ReadCloser, int64, error) { return openFile(name, s.Getenv("HOME")) },
		Caret:    func(x, y int, visible bool) { t.SetCaret(y, x, visible) },
		Poll:     pollEvery,
		Shade:    func(dark bool) *draw.Theme { return theme(s.Look.Theme, shadeOf(dark), caps) },
	})
	model.lose(s.Lost)
	options := []tea.ProgramOption{tea.WithAltScreen()}
	if s.Look.Mouse {
		options = append(options, tea.WithMouseCellMotion())
	}
	_, err = t.Run(model, options...)
	if kept := model.Flush(context.Background()); err == nil {
		err = kept
	}
	if s.Save != nil {
		if kept := s.Save(model.State()); err == nil {
			err = kept
		}
	}
	return err
}

// pollEvery is how often the explorer looks whether another akx has added events.
const pollEvery = 3 * time.Second

func shadeOf(dark bool) term.Shade {
	if dark {
		return term.ShadeDark
	}
	return term.ShadeLight
}

// theme makes the theme of a setting. Where the background is not known, the
// terminal's own 16 colours are used, which its user can read.
func theme(name string, shade term.Shade, caps term.Caps) *draw.Theme {
	if name == "auto" && shade == term.ShadeUnknown {
		name = "16"
	}
	return draw.NewTheme(name, shade != term.ShadeLight, draw.Depth(caps.Colours))
}
