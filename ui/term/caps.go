package term

import (
	"strconv"
	"strings"
)

// Colours is how many colours may be used.
type Colours uint8

// The colour profiles.
const (
	NoColours Colours = iota
	Colours16
	Colours256
	TrueColour
)

// String is the profile's name.
func (c Colours) String() string {
	return [...]string{"none", "16", "256", "true colour"}[min(c, TrueColour)]
}

// Mux is the terminal multiplexer that akx runs in.
type Mux uint8

// The multiplexers.
const (
	MuxNone Mux = iota
	MuxTmux
	MuxScreen
)

// Caps is what the environment says about the terminal.
type Caps struct {
	Terminal bool // the output is a terminal
	Dumb     bool // it can only print lines: TERM is dumb, empty or unset
	Colours  Colours
	UTF8     bool // characters beyond ASCII can be drawn
	Mux      Mux
	Remote   bool // the session came over ssh
	Desktop  bool // there is a display that a browser could open on
	Sync     bool // synchronized output does no harm
}

// Detect reads the capabilities from the environment and asks the terminal
// nothing. goos is the operating system, as in runtime.GOOS.
//
// Colours, first rule that applies:
//
//	NO_COLOR set and not empty            none
//	CLICOLOR_FORCE set and not 0          as TERM says, 16 at least, terminal or not
//	not a terminal                        none
//	CLICOLOR is 0                         none
//	TERM dumb, empty or unset             none
//	COLORTERM truecolor or 24bit          true, but 256 under GNU screen
//	TERM with truecolor, direct, kitty,
//	ghostty, alacritty, wezterm           true
//	TERM with 256color                    256
//	TERM a vt100 or older                 none
//	otherwise                             16
//
// Characters: the first of LC_ALL, LC_CTYPE and LANG that is not empty decides;
// without any, UTF-8 is assumed unless TERM names a terminal that never had it.
func Detect(getenv func(string) string, terminal bool, goos string) Caps {
	name := getenv("TERM")
	c := Caps{
		Terminal: terminal,
		Dumb:     name == "" || name == "dumb",
		Mux:      findMux(getenv),
		Remote:   anySet(getenv, "SSH_CONNECTION", "SSH_TTY", "SSH_CLIENT"),
		Desktop:  goos == "darwin" || anySet(getenv, "DISPLAY", "WAYLAND_DISPLAY"),
	}
	c.UTF8 = findUTF8(getenv, name)
	c.Colours = findColours(getenv, c, name)
	c.Sync = !c.Dumb && c.Mux != MuxScreen && name != "linux" && !isOld(name)
	return c
}

func anySet(getenv func(string) string, names ...string) bool {
	for _, name := range names {
		if getenv(name) != "" {
			return true
		}
	}
	return false
}

// findMux tells the innermost multiplexer: it is the one that sets TERM.
func findMux(getenv func(string) string) Mux {
	name := getenv("TERM")
	tmux, screen := getenv("TMUX") != "", getenv("STY") != ""
	switch {
	case strings.HasPrefix(name, "tmux"):
		return MuxTmux
	case tmux && screen && strings.HasPrefix(name, "screen."):
		return MuxScreen
	case tmux:
		return MuxTmux
	case screen || strings.HasPrefix(name, "screen"):
		return MuxScreen
	}
	return MuxNone
}

func findColours(getenv func(string) string, c Caps, name string) Colours {
	if getenv("NO_COLOR") != "" {
		return NoColours
	}
	found := NoColours
	if !c.Dumb {
		found = coloursOf(strings.ToLower(name), strings.ToLower(getenv("COLORTERM")), c.Mux)
	}
	if force := getenv("CLICOLOR_FORCE"); force != "" && force != "0" {
		return max(found, Colours16)
	}
	if !c.Terminal || getenv("CLICOLOR") == "0" {
		return NoColours
	}
	return found
}

func coloursOf(name, colorterm string, mux Mux) Colours {
	if colorterm == "truecolor" || colorterm == "24bit" {
		if mux == MuxScreen {
			return Colours256
		}
		return TrueColour
	}
	for _, part := range []string{"truecolor", "direct", "kitty", "ghostty", "alacritty", "wezterm"} {
		if strings.Contains(name, part) {
			return TrueColour
		}
	}
	switch {
	case strings.Contains(name, "256color"):
		return Colours256
	case isOld(name):
		return NoColours
	}
	return Colours16
}

// isOld knows the terminals from before colours and UTF-8.
func isOld(name string) bool {
	for _, prefix := range []string{"vt1", "vt2", "vt3", "vt4", "vt5", "adm", "wyse", "wy"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

func findUTF8(getenv func(string) string, name string) bool {
	for _, variable := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := strings.ToLower(getenv(variable)); locale != "" {
			return strings.Contains(locale, "utf-8") || strings.Contains(locale, "utf8")
		}
	}
	return !isOld(name)
}

// The size of a terminal that does not know its own, and the largest that is
// drawn: beyond it a frame would cost more than anybody can read.
const (
	defaultWidth, defaultHeight = 80, 24
	maxWidth, maxHeight         = 1000, 500
)

// FitSize makes a size that a frame can be drawn in. A terminal that does not
// know its width or height reports 0, as under a tmux that has just started or
// on a serial line: COLUMNS and LINES count then, else 80 and 24.
func FitSize(width, height int, getenv func(string) string) (w, h int) {
	return fit(width, getenv("COLUMNS"), defaultWidth, maxWidth),
		fit(height, getenv("LINES"), defaultHeight, maxHeight)
}

func fit(size int, variable string, usual, most int) int {
	if size <= 0 {
		size = usual
		if n, err := strconv.Atoi(variable); err == nil && n > 0 {
			size = n
		}
	}
	return min(size, most)
}
