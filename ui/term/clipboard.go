package term

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

const (
	// MaxCopyTerminal is the most that is copied through the terminal, in
	// bytes; terminals drop longer sequences, most of them at 100,000.
	MaxCopyTerminal = 74_994
	// MaxCopy is the most that is copied at all, in bytes.
	MaxCopy = 16 << 20

	// toolTime is how long a clipboard tool or an opener may take.
	toolTime = 3 * time.Second
	// screenChunk is the longest string that GNU screen passes through.
	screenChunk = 512
)

// Clipboard copies text for the user.
type Clipboard struct {
	Caps Caps
	// Send writes a sequence to the terminal; nil when there is none.
	Send func(seq string) error
	// Getenv looks an environment variable up, as os.Getenv.
	Getenv func(string) string
	// Look finds a program, as exec.LookPath.
	Look func(name string) (path string, err error)
}

// Clipboard is the clipboard behind this terminal.
func (t *Terminal) Clipboard() Clipboard {
	return Clipboard{Caps: t.conf.Caps, Send: t.out.send, Getenv: t.conf.Getenv, Look: exec.LookPath}
}

// Copy copies text, and says in plain words how, as "copied with wl-copy". Near
// the desktop a clipboard tool comes first, as only a tool confirms. Over ssh
// and without a tool the terminal is asked (OSC 52), which never answers. The
// error is a plain sentence; failing leaves everything as it was.
func (c Clipboard) Copy(ctx context.Context, text string) (how string, err error) {
	if len(text) > MaxCopy {
		return "", fmt.Errorf("not copied: %d bytes are more than the limit of %d", len(text), MaxCopy)
	}
	tool := c.tool()
	if tool != nil && !c.Caps.Remote && run(ctx, tool, text) == nil {
		return "copied with " + tool[0], nil
	}
	if how, err = c.copyTerminal(text); err == nil {
		return how, nil
	}
	if tool != nil && c.Caps.Remote && run(ctx, tool, text) == nil {
		return "copied with " + tool[0], nil
	}
	return "", err
}

// tools are the clipboard tools in order of preference, each with the
// environment variable that it needs.
var tools = []struct {
	needs string
	argv  []string
}{
	{"WAYLAND_DISPLAY", []string{"wl-copy"}},
	{"DISPLAY", []string{"xclip", "-selection", "clipboard", "-in"}},
	{"DISPLAY", []string{"xsel", "--clipboard", "--input"}},
	{"", []string{"pbcopy"}},
}

// tool is the command line of the first tool that is there and could work.
func (c Clipboard) tool() []string {
	for _, tool := range tools {
		if tool.needs != "" && c.Getenv(tool.needs) == "" {
			continue
		}
		if _, err := c.Look(tool.argv[0]); err == nil {
			return tool.argv
		}
	}
	return nil
}

// run runs a tool with text as its input. What the tool leaves behind to serve
// the clipboard does not hold this up: no pipe is read.
func run(ctx context.Context, argv []string, text string) error {
	ctx, cancel := context.WithTimeout(ctx, toolTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Stdin = strings.NewReader(text)
	cmd.WaitDelay = time.Second
	return cmd.Run()
}

func (c Clipboard) copyTerminal(text string) (how string, err error) {
	switch {
	case c.Send == nil || !c.Caps.Terminal || c.Caps.Dumb:
		return "", errors.New("not copied: no clipboard tool, and this terminal has no clipboard")
	case len(text) > MaxCopyTerminal:
		return "", fmt.Errorf("not copied: no clipboard tool, and %d bytes are more than the %d that terminals take", len(text), MaxCopyTerminal)
	}
	if c.Send(osc52(text, c.Caps.Mux)) != nil {
		return "", errors.New("not copied: the terminal took nothing")
	}
	switch c.Caps.Mux {
	case MuxTmux:
		return "sent to the terminal's clipboard through tmux (OSC 52); tmux must allow it, and nothing confirms it", nil
	case MuxScreen:
		return "sent to the terminal's clipboard through screen (OSC 52); nothing confirms it", nil
	}
	return "sent to the terminal's clipboard (OSC 52); nothing confirms it", nil
}

// osc52 is the sequence that sets the clipboard. tmux either takes it itself
// (set-clipboard on) or passes a wrapped one on (allow-passthrough on), so it
// gets both; screen passes short wrapped pieces on.
func osc52(text string, mux Mux) string {
	plain := "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(text)) + "\a"
	switch mux {
	case MuxTmux:
		return plain + "\x1bPtmux;" + strings.ReplaceAll(plain, "\x1b", "\x1b\x1b") + "\x1b\\"
	case MuxScreen:
		var b strings.Builder
		for len(plain) > 0 {
			n := min(len(plain), screenChunk)
			b.WriteString("\x1bP" + plain[:n] + "\x1b\\")
			plain = plain[n:]
		}
		return b.String()
	}
	return plain
}
