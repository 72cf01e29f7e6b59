package termtest

import "fmt"

// Click is a press and a release of the left button at column x and row y,
// counted from 0, in the SGR form.
func Click(x, y int) string {
	return fmt.Sprintf("\x1b[<0;%d;%dM\x1b[<0;%d;%dm", x+1, y+1, x+1, y+1)
}

// WheelUp is one step of the wheel at column x and row y, counted from 0.
func WheelUp(x, y int) string { return fmt.Sprintf("\x1b[<64;%d;%dM", x+1, y+1) }

// WheelDown is one step of the wheel at column x and row y, counted from 0.
func WheelDown(x, y int) string { return fmt.Sprintf("\x1b[<65;%d;%dM", x+1, y+1) }
