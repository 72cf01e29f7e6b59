// Package term stands between akx and the terminal.
//
// [Terminal.Run] runs a Bubble Tea program and gives the terminal back on every
// way out. It does so with three parts that mend what Bubble Tea v1 leaves
// open: [Input] joins what a slow link split, swallows what terminals answer
// and takes pastes out; [Output] draws each frame at once and keeps the real
// cursor at the caret; a watcher turns signals and panics into an orderly end.
//
// What the terminal can do is read from the environment alone ([Detect]): the
// terminal is never asked anything that could stall the start. The one question
// that is ever sent, for the background colour, is answered while the program
// already runs, or not at all.
package term
