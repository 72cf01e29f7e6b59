package draw

import (
	"io"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// Role is what a stretch of text means; a theme says how that looks. Meaning never
// rests on colour alone: the words say it too.
type Role uint8

// The roles.
const (
	Normal        Role = iota
	Strong             // headings, the selected title
	Quiet              // labels and notes; never fainter than the terminal's own text
	Author             // author text
	Gutter             // the mark before author text
	Good               // a check that passed
	Bad                // RETRACTED, BAD SIGNATURE, MISMATCHED
	Warn               // PARTIAL, text alerts, stale
	Key                // a key in a hint
	Link               // numbers that can be followed
	Border             // frames
	BorderFocused      // the frame of the pane that has the keys
	Chrome             // akx's own rows at top and bottom
	Match              // the part of a text that a filter matched
	roleCount
)

// Style is a role, perhaps reversed for a selection.
type Style struct {
	Role    Role
	Reverse bool
}

// Reversed is the mark of a selected row.
func Reversed(s Style) Style {
	s.Reverse = true
	return s
}

// Depth is how many colours a terminal has.
type Depth uint8

// The depths. NoColor keeps bold, underline and reverse.
const (
	NoColor Depth = iota
	Colors16
	Colors256
	TrueColor
)

// ThemeNames lists the themes in the order in which help names them.
func ThemeNames() []string { return []string{"auto", "dark", "light", "16"} }

// tokens are the colours of a theme: a 16-colour number that follows the
// terminal's own palette, and a true colour for terminals that have it.
type tokens struct {
	text, accent, good, bad, warn, border, link lipgloss.TerminalColor
}

// Theme turns styles into terminal sequences. It is made once and handed down.
type Theme struct {
	opens  [roleCount][2]string
	closes [roleCount][2]string
}

// NewTheme makes a theme by name ("auto" follows dark), for a background and a depth.
func NewTheme(name string, dark bool, depth Depth) *Theme {
	renderer := lipgloss.NewRenderer(io.Discard)
	renderer.SetColorProfile(profile(depth))
	renderer.SetHasDarkBackground(dark)
	if depth == NoColor {
		return build(renderer, colourless())
	}
	switch name {
	case "dark":
		return build(renderer, darkTokens())
	case "light":
		return build(renderer, lightTokens())
	case "16":
		return build(renderer, baseTokens())
	}
	if depth < Colors256 {
		return build(renderer, baseTokens())
	}
	if dark {
		return build(renderer, darkTokens())
	}
	return build(renderer, lightTokens())
}

func profile(d Depth) termenv.Profile {
	switch d {
	case TrueColor:
		return termenv.TrueColor
	case Colors256:
		return termenv.ANSI256
	case Colors16:
		return termenv.ANSI
	default:
		return termenv.ANSI // for bold, underline and reverse, with colourless tokens
	}
}

// colourless leaves every colour to the terminal.
func colourless() tokens {
	none := lipgloss.NoColor{}
	return tokens{none, none, none, none, none, none, none}
}

// baseTokens use the terminal's own 16 colours and its own text colour.
func baseTokens() tokens {
	return tokens{
		text: lipgloss.NoColor{}, accent: lipgloss.ANSIColor(6), good: lipgloss.ANSIColor(2),
		bad: lipgloss.ANSIColor(1), warn: lipgloss.ANSIColor(3), border: lipgloss.NoColor{}, link: lipgloss.ANSIColor(4),
	}
}

func darkTokens() tokens {
	t := baseTokens()
	t.accent, t.good, t.bad = lipgloss.Color("#7fd7d7"), lipgloss.Color("#87d787"), lipgloss.Color("#ff8787")
	t.warn, t.border, t.link = lipgloss.Color("#ffd75f"), lipgloss.Color("#8a8a8a"), lipgloss.Color("#87afff")
	return t
}

func lightTokens() tokens {
	t := baseTokens()
	t.accent, t.good, t.bad = lipgloss.Color("#005f5f"), lipgloss.Color("#005f00"), lipgloss.Color("#af0000")
	t.warn, t.border, t.link = lipgloss.Color("#875f00"), lipgloss.Color("#626262"), lipgloss.Color("#0000af")
	return t
}

// build names tokens only, never a colour.
func build(r *lipgloss.Renderer, t tokens) *Theme {
	plain := r.NewStyle().Foreground(t.text)
	styles := [roleCount]lipgloss.Style{
		Normal: plain, Quiet: plain, Author: plain,
		Strong:        plain.Bold(true),
		Gutter:        r.NewStyle().Foreground(t.accent),
		Good:          r.NewStyle().Foreground(t.good),
		Bad:           r.NewStyle().Foreground(t.bad).Bold(true),
		Warn:          r.NewStyle().Foreground(t.warn),
		Key:           r.NewStyle().Foreground(t.accent).Bold(true),
		Link:          r.NewStyle().Foreground(t.link),
		Border:        r.NewStyle().Foreground(t.border),
		BorderFocused: r.NewStyle().Foreground(t.accent),
		Chrome:        plain.Bold(true),
		Match:         plain.Bold(true).Underline(true),
	}
	theme := &Theme{}
	for role, style := range styles {
		theme.opens[role][0], theme.closes[role][0] = sequences(style)
		theme.opens[role][1], theme.closes[role][1] = sequences(style.Reverse(true))
	}
	return theme
}

// sequences renders a marker and takes what stands around it.
func sequences(s lipgloss.Style) (before, after string) {
	before, after, _ = strings.Cut(s.Render("x"), "x")
	return before, after
}

func (t *Theme) open(s Style) string  { return t.opens[s.Role][reversed(s)] }
func (t *Theme) close(s Style) string { return t.closes[s.Role][reversed(s)] }

func reversed(s Style) int {
	if s.Reverse {
		return 1
	}
	return 0
}
