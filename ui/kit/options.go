package kit

import (
	"time"

	"akx/ui/draw"
	"akx/ui/slot"
)

// Options are what cmd/akx knows and screens need: config and capabilities.
type Options struct {
	Theme    *draw.Theme
	Glyphs   draw.Glyphs
	Keys     Keymap
	Work     *slot.Work
	Clock    func() time.Time
	ReadOnly bool
	Sample   bool
	Mouse    bool
	// Scope is how lists name where a state comes from, such as "sample" or "cache".
	PreviewFrom int // columns from which Browse shows its preview; 100 by default
}
