package fetch

import (
	"context"
	"time"
)

// Clock is time as this package needs it; tests hand in their own.
type Clock interface {
	Now() time.Time
	// AfterFunc calls f after d, on a goroutine of its own or of the clock's, unless
	// stop is called before.
	AfterFunc(d time.Duration, f func()) (stop func() bool)
}

type systemClock struct{}

func (systemClock) Now() time.Time { return time.Now() }

func (systemClock) AfterFunc(d time.Duration, f func()) func() bool {
	return time.AfterFunc(d, f).Stop
}

// pause waits for d; the error is that of ctx.
func pause(ctx context.Context, clock Clock, d time.Duration) error {
	over := make(chan struct{})
	stop := clock.AfterFunc(d, func() { close(over) })
	defer stop()
	select {
	case <-over:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}
