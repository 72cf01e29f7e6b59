package conformance

import (
	"context"

	"akx/view/memory"
)

// Memory makes stores in memory.
func Memory() Maker {
	return Maker{Name: "memory", Open: func(_ context.Context, origin string, clock func() int64) (Store, func() error, error) {
		return memory.New(origin, clock), func() error { return nil }, nil
	}}
}
