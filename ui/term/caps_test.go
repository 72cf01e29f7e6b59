package term

import (
	"strings"
	"testing"
)

// env makes a Getenv of NAME=value pairs.
func env(pairs ...string) func(string) string {
	return func(name string) string {
		for _, pair := range pairs {
			if key, value, _ := strings.Cut(pair, "="); key == name {
				return value
			}
		}
		return ""
	}
}

func TestDetectColours(t *testing.T) {
	tests := []struct {
		env      string
		terminal bool
		want     Colours
	}{
		{"TERM=xterm-256color", true, Colours256},
		{"TERM=xterm-256color COLORTERM=truecolor", true, TrueColour},
		{"TERM=screen-256color COLORTERM=truecolor", true, Colours256},
		{"TERM=screen-256color TMUX=/tmp/x COLORTERM=24bit", true, TrueColour},
		{"TERM=xterm-kitty", true, TrueColour},
		{"TERM=xterm-direct", true, TrueColour},
		{"TERM=xterm", true, Colours16},
		{"TERM=linux", true, Colours16},
		{"TERM=vt100", true, NoColours},
		{"TERM=dumb COLORTERM=truecolor", true, NoColours},
		{"TERM=", true, NoColours},
		{"TERM=xterm-256color", false, NoColours},
		{"TERM=xterm-256color NO_COLOR=1", true, NoColours},
		{"TERM=xterm-256color NO_COLOR=", true, Colours256},
		{"TERM=xterm-256color NO_COLOR=1 CLICOLOR_FORCE=1", true, NoColours},
		{"TERM=xterm-256color CLICOLOR=0", true, NoColours},
		{"TERM=xterm-256color CLICOLOR=1", true, Colours256},
		{"TERM=xterm-256color CLICOLOR=0 CLICOLOR_FORCE=1", false, Colours256},
		{"TERM=dumb CLICOLOR_FORCE=1", false, Colours16},
		{"TERM=xterm-256color CLICOLOR_FORCE=0", false, NoColours},
	}
	for _, test := range tests {
		if got := Detect(env(strings.Fields(test.env)...), test.terminal, "linux").Colours; got != test.want {
			t.Errorf("%s, terminal=%t: got %v, want %v", test.env, test.terminal, got, test.want)
		}
	}
}

func TestDetectTheRest(t *testing.T) {
	tests := []struct {
		env  string
		goos string
		want Caps
	}{
		{"TERM=xterm LANG=en_GB.UTF-8 DISPLAY=:0", "linux", Caps{UTF8: true, Desktop: true, Sync: true}},
		{"TERM=xterm", "darwin", Caps{UTF8: true, Desktop: true, Sync: true}},
		{"TERM=xterm LANG=C", "linux", Caps{Sync: true}},
		{"TERM=xterm LANG=C LC_CTYPE=zh_CN.utf8", "linux", Caps{UTF8: true, Sync: true}},
		{"TERM=xterm LC_ALL=POSIX LANG=C.UTF-8", "linux", Caps{Sync: true}},
		{"TERM=vt220", "linux", Caps{}},
		{"TERM=linux LANG=C.UTF-8", "linux", Caps{UTF8: true}},
		{"TERM=dumb LANG=C.UTF-8", "linux", Caps{UTF8: true, Dumb: true}},
		{"LANG=C.UTF-8", "linux", Caps{UTF8: true, Dumb: true}},
		{"TERM=tmux-256color LANG=C.UTF-8 SSH_TTY=/dev/pts/1", "linux", Caps{UTF8: true, Mux: MuxTmux, Remote: true, Sync: true}},
		{"TERM=screen TMUX=x LANG=C.UTF-8 WAYLAND_DISPLAY=w", "linux", Caps{UTF8: true, Mux: MuxTmux, Desktop: true, Sync: true}},
		{"TERM=screen STY=x LANG=C.UTF-8", "linux", Caps{UTF8: true, Mux: MuxScreen}},
		{"TERM=screen.xterm STY=x TMUX=y LANG=C.UTF-8", "linux", Caps{UTF8: true, Mux: MuxScreen}},
	}
	for _, test := range tests {
		got := Detect(env(strings.Fields(test.env)...), true, test.goos)
		test.want.Terminal, got.Colours = true, 0
		if got != test.want {
			t.Errorf("%s on %s:\ngot  %+v\nwant %+v", test.env, test.goos, got, test.want)
		}
	}
}

func TestColoursString(t *testing.T) {
	if got := TrueColour.String() + " " + NoColours.String() + " " + Colours(9).String(); got != "true colour none true colour" {
		t.Errorf("got %q", got)
	}
}

func TestFitSize(t *testing.T) {
	tests := []struct {
		w, h         int
		env          string
		wantW, wantH int
	}{
		{100, 30, "COLUMNS=5 LINES=5", 100, 30},
		{0, 0, "", 80, 24},
		{0, 0, "COLUMNS=132 LINES=43", 132, 43},
		{0, 9, "COLUMNS=x", 80, 9},
		{-1, -1, "COLUMNS=-4 LINES=0", 80, 24},
		{65535, 65535, "", 1000, 500},
		{0, 0, "COLUMNS=99999", 1000, 24},
		{1, 1, "", 1, 1},
	}
	for _, test := range tests {
		if w, h := FitSize(test.w, test.h, env(strings.Fields(test.env)...)); w != test.wantW || h != test.wantH {
			t.Errorf("%dx%d with %q: got %dx%d", test.w, test.h, test.env, w, h)
		}
	}
}

func TestParseBackground(t *testing.T) {
	tests := []struct {
		reply    string
		dark, ok bool
	}{
		{"11;rgb:0000/0000/0000", true, true},
		{"11;rgb:ffff/ffff/ffff", false, true},
		{"11;rgb:f/f/f", false, true},
		{"11;rgb:1e/1e/2e", true, true},
		{"11;rgba:fafa/fafa/fafa/ffff", false, true},
		{"11;rgba:fafa/fafa/fafa", false, false},
		{"11;rgb:00/00/00/00", false, false},
		{"11;rgb:00/00", false, false},
		{"11;rgb:00/00/zz", false, false},
		{"11;rgb:00/00/", false, false},
		{"11;rgb:00000/0/0", false, false},
		{"11;rgb:+1/0/0", false, false},
		{"11;rgb", false, false},
		{"10;rgb:0/0/0", false, false},
		{"", false, false},
	}
	for _, test := range tests {
		if dark, ok := parseBackground(test.reply); dark != test.dark || ok != test.ok {
			t.Errorf("%q: got dark=%t, ok=%t", test.reply, dark, ok)
		}
	}
}

func TestFindShade(t *testing.T) {
	plain := Caps{Terminal: true}
	tests := []struct {
		setting, fgbg string
		caps          Caps
		shade         Shade
		ask           bool
	}{
		{"dark", "0;15", plain, ShadeDark, false},
		{"light", "15;0", plain, ShadeLight, false},
		{"auto", "", plain, ShadeUnknown, true},
		{"", "15;0", plain, ShadeDark, false},
		{"auto", "0;default;15", plain, ShadeLight, false},
		{"auto", "0;8", plain, ShadeDark, false},
		{"auto", "0;7", plain, ShadeLight, false},
		{"auto", "0;x", plain, ShadeUnknown, true},
		{"auto", "0;16", plain, ShadeUnknown, true},
		{"auto", "15", plain, ShadeUnknown, true},
		{"auto", "", Caps{Terminal: true, Mux: MuxTmux}, ShadeUnknown, false},
		{"auto", "", Caps{Terminal: true, Remote: true}, ShadeUnknown, false},
		{"ask", "", Caps{Terminal: true, Mux: MuxTmux, Remote: true}, ShadeUnknown, true},
		{"ask", "", Caps{Terminal: true, Dumb: true}, ShadeUnknown, false},
		{"ask", "", Caps{}, ShadeUnknown, false},
	}
	for _, test := range tests {
		if shade, ask := FindShade(test.setting, test.caps, env("COLORFGBG="+test.fgbg)); shade != test.shade || ask != test.ask {
			t.Errorf("%q, %q, %+v: got %v, ask=%t", test.setting, test.fgbg, test.caps, shade, ask)
		}
	}
}
