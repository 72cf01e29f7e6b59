package term

import (
	"strconv"
	"strings"
)

// Background is the colour behind the text, as the terminal answered.
type Background struct{ Dark bool }

// askBackground is OSC 11, the question for the background colour.
const askBackground = "\x1b]11;?\x1b\\"

// parseBackground reads an answer to OSC 11, "11;rgb:RRRR/GGGG/BBBB" with one
// to four digits each, or rgba with a fourth part that says nothing here.
func parseBackground(reply string) (dark, ok bool) {
	colour, found := strings.CutPrefix(reply, "11;rgb")
	if !found {
		return false, false
	}
	alpha := strings.HasPrefix(colour, "a")
	colour, found = strings.CutPrefix(strings.TrimPrefix(colour, "a"), ":")
	parts := strings.Split(colour, "/")
	if !found || (alpha && len(parts) != 4) || (!alpha && len(parts) != 3) {
		return false, false
	}
	light := 0.0
	for i, weight := range []float64{0.299, 0.587, 0.114} {
		part := parts[i]
		value, err := strconv.ParseUint(part, 16, 16)
		if err != nil || len(part) > 4 {
			return false, false
		}
		full := uint64(1)<<(4*len(part)) - 1
		light += weight * float64(value) / float64(full)
	}
	return light < 0.5, true
}

// Shade is what is known about the terminal's background.
type Shade uint8

// The shades.
const (
	ShadeUnknown Shade = iota
	ShadeDark
	ShadeLight
)

// FindShade finds the background without asking the terminal, and tells
// whether the terminal is worth asking. setting is the user's choice:
//
//	dark, light   that one
//	ask           COLORFGBG, else ask, whatever stands between
//	auto, ""      COLORFGBG, else ask, but not through tmux, screen or ssh,
//	              where the answer may come late, twice or from elsewhere
//
// Any other setting counts as auto. A dumb terminal is never asked.
func FindShade(setting string, caps Caps, getenv func(string) string) (shade Shade, ask bool) {
	switch setting {
	case "dark":
		return ShadeDark, false
	case "light":
		return ShadeLight, false
	}
	if shade = shadeFromEnv(getenv("COLORFGBG")); shade != ShadeUnknown || caps.Dumb || !caps.Terminal {
		return shade, false
	}
	near := caps.Mux == MuxNone && !caps.Remote
	return ShadeUnknown, near || setting == "ask"
}

// shadeFromEnv reads COLORFGBG, "foreground;background" in the 16 colours, as
// rxvt and Konsole set it. 7 and 9 to 15 are light, as Vim has it.
func shadeFromEnv(value string) Shade {
	at := strings.LastIndexByte(value, ';')
	if at < 0 {
		return ShadeUnknown
	}
	switch n, err := strconv.Atoi(value[at+1:]); {
	case err != nil || n < 0 || n > 15:
		return ShadeUnknown
	case n == 7 || n >= 9:
		return ShadeLight
	}
	return ShadeDark
}
