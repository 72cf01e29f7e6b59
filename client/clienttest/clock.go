package clienttest

import (
	"slices"
	"sync"
	"testing"
	"time"
)

// Clock is a clock that stands still until it is told to go on. Timers shorter
// than Auto go off at once and move the clock by their length: waits between
// attempts cost no time, deadlines do not pass by themselves.
type Clock struct {
	t    testing.TB
	auto time.Duration

	mu     sync.Mutex
	now    time.Time
	timers []*timer
	waits  []time.Duration
	more   chan struct{} // closed when a timer is set
}

type timer struct {
	d time.Duration
	f func()
}

// NewClock makes a clock that stands at 2026-03-14 09:41 UTC.
func NewClock(t testing.TB, auto time.Duration) *Clock {
	return &Clock{t: t, auto: auto, now: time.Date(2026, 3, 14, 9, 41, 0, 0, time.UTC), more: make(chan struct{})}
}

// Now is where the clock stands.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// AfterFunc sets a timer.
func (c *Clock) AfterFunc(d time.Duration, f func()) (stop func() bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if d < c.auto {
		c.now = c.now.Add(d)
		c.waits = append(c.waits, d)
		go f()
		return func() bool { return false }
	}
	set := &timer{d, f}
	c.timers = append(c.timers, set)
	close(c.more)
	c.more = make(chan struct{})
	return func() bool { return c.remove(set) }
}

func (c *Clock) remove(set *timer) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.Index(c.timers, set)
	if i < 0 {
		return false
	}
	c.timers = slices.Delete(c.timers, i, i+1)
	return true
}

// Waits lists the timers that went off by themselves.
func (c *Clock) Waits() []time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.waits)
}

// Await waits until a timer of exactly d is set.
func (c *Clock) Await(d time.Duration) { c.take(d, false) }

// Pass waits until a timer of exactly d is set and lets it go off.
func (c *Clock) Pass(d time.Duration) {
	if set := c.take(d, true); set != nil {
		set.f()
	}
}

// take waits for a timer; remove moves the clock to its end.
func (c *Clock) take(d time.Duration, remove bool) *timer {
	patience := time.After(20 * time.Second)
	for {
		c.mu.Lock()
		i := slices.IndexFunc(c.timers, func(set *timer) bool { return set.d == d })
		if i >= 0 {
			set := c.timers[i]
			if remove {
				c.timers = slices.Delete(c.timers, i, i+1)
				c.now = c.now.Add(d)
			}
			c.mu.Unlock()
			return set
		}
		more := c.more
		c.mu.Unlock()
		select {
		case <-more:
		case <-patience:
			c.t.Errorf("no timer of %v was set", d)
			return nil
		}
	}
}

// Open counts the timers that wait.
func (c *Clock) Open() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.timers)
}
