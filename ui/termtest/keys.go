package termtest

// What an xterm sends for the keys that have no character of their own.
const (
	Enter     = "\r"
	Esc       = "\x1b"
	Tab       = "\t"
	ShiftTab  = "\x1b[Z"
	Backspace = "\x7f"
	Space     = " "

	Up       = "\x1b[A"
	Down     = "\x1b[B"
	Right    = "\x1b[C"
	Left     = "\x1b[D"
	Home     = "\x1b[H"
	End      = "\x1b[F"
	PageUp   = "\x1b[5~"
	PageDown = "\x1b[6~"
	Insert   = "\x1b[2~"
	Delete   = "\x1b[3~"
	F1       = "\x1bOP"

	CtrlA = "\x01"
	CtrlC = "\x03"
	CtrlD = "\x04"
	CtrlE = "\x05"
	CtrlK = "\x0b"
	CtrlL = "\x0c"
	CtrlP = "\x10"
	CtrlU = "\x15"
	CtrlW = "\x17"
	CtrlZ = "\x1a"
)

// Ctrl is the byte that ctrl and a letter from a to z send.
func Ctrl(letter byte) string { return string(rune(letter & 0x1f)) }

// Alt is a key with alt held down.
func Alt(key string) string { return "\x1b" + key }

// Paste is text as a terminal sends it in bracketed paste mode.
func Paste(text string) string { return "\x1b[200~" + text + "\x1b[201~" }
