package service

import (
	"container/list"
	"net/netip"
	"sync"
	"time"
)

// limiter holds a token bucket for each client. Of at most max clients, those seen
// longest ago are forgotten: they would start with a full bucket again.
type limiter struct {
	rate  float64 // tokens a second; 0 for no limit
	burst float64
	max   int

	mu      sync.Mutex
	buckets map[string]*list.Element
	recent  *list.List // of *bucket, the last seen first
}

type bucket struct {
	client string
	tokens float64
	at     time.Time
}

func newLimiter(rate float64, burst, clients int) *limiter {
	return &limiter{rate: rate, burst: float64(burst), max: clients,
		buckets: make(map[string]*list.Element), recent: list.New()}
}

// take takes one token of a client; where there is none it says how long to wait.
func (l *limiter) take(client string, now time.Time) (wait time.Duration, ok bool) {
	if l.rate <= 0 {
		return 0, true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.bucket(client, now)
	// A clock that is set back gives nothing, and takes nothing.
	if passed := now.Sub(b.at); passed > 0 {
		b.tokens = min(l.burst, b.tokens+passed.Seconds()*l.rate)
	}
	b.at = now
	if b.tokens < 1 {
		return time.Duration((1 - b.tokens) / l.rate * float64(time.Second)), false
	}
	b.tokens--
	return 0, true
}

func (l *limiter) bucket(client string, now time.Time) *bucket {
	if e, ok := l.buckets[client]; ok {
		l.recent.MoveToFront(e)
		return e.Value.(*bucket)
	}
	if l.recent.Len() >= l.max {
		oldest := l.recent.Back()
		delete(l.buckets, l.recent.Remove(oldest).(*bucket).client)
	}
	b := &bucket{client: client, tokens: l.burst, at: now}
	l.buckets[client] = l.recent.PushFront(b)
	return b
}

// ClientOf names whom a request counts for: the address it came from, of IPv6 the
// /64 that one party has to itself. Headers that proxies set are not believed.
func ClientOf(remote string) string {
	at, err := netip.ParseAddrPort(remote)
	if err != nil {
		return remote
	}
	address := at.Addr().Unmap()
	if address.Is4() {
		return address.String()
	}
	prefix, err := address.WithZone("").Prefix(64)
	if err != nil {
		return address.String()
	}
	return prefix.String()
}
