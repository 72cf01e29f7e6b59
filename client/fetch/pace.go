package fetch

import (
	"context"
	"math"
	"sync"
	"time"
)

// Pace is how often a service says that one client may ask it; a zero member is not
// known, and no bound.
type Pace struct {
	PerMinute int64
	AtOnce    int64 // after a rest
}

// pacer keeps requests within a Pace: a bucket of tokens, of which each request takes one.
type pacer struct {
	mu     sync.Mutex
	pace   Pace
	tokens float64
	at     time.Time
}

// take books one request and says how long to wait before it may go out.
func (p *pacer) take(pace Pace, now time.Time) time.Duration {
	if pace.PerMinute <= 0 {
		return 0
	}
	room, rate := float64(pace.AtOnce), float64(pace.PerMinute)/float64(time.Minute)
	if pace.AtOnce <= 0 || pace.AtOnce > pace.PerMinute {
		// What may come at once is not known: half of it at once and half of the rate are
		// within the bound in any minute.
		room, rate = max(1, float64(pace.PerMinute)/2), rate/2
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.pace != pace { // the answer that told it was to a request that counts
		p.pace, p.tokens, p.at = pace, room-1, now
	}
	if passed := now.Sub(p.at); passed > 0 {
		p.tokens, p.at = min(room, p.tokens+float64(passed)*rate), now
	}
	p.tokens--
	return time.Duration(math.Ceil(max(0, -p.tokens) / rate))
}

// paced waits until one more request is within the pace that its service asks for, and
// says how long. A service that publishes a pace which needs more patience than MaxWait
// does not get it: it can refuse the request.
func (c *Client) paced(ctx context.Context, pace Pace) (time.Duration, error) {
	wait := min(c.pacer.take(pace, c.clock.Now()), c.limits.MaxWait)
	if wait <= 0 {
		return 0, nil
	}
	c.tell(Wait{For: wait})
	return wait, pause(ctx, c.clock, wait)
}

// Wait is a pause before a request goes out.
type Wait struct {
	For time.Duration
	// Asked says that the service asked for it in an answer; else it is this client's
	// patience, or keeps the pace that the service publishes.
	Asked bool
	// Try of Of follows; 0 where no attempt failed.
	Try, Of int
}

func (c *Client) tell(w Wait) {
	if c.waiting != nil {
		c.waiting(w)
	}
}
