package fetch

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// again says whether a read is tried once more, and after which wait. A service
// that asks for more patience than MaxWait is not asked again.
func (c *Client) again(r Request, attempt int, answer Response, err error) (wait time.Duration, again bool) {
	if !r.Read || attempt >= c.limits.Attempts {
		return 0, false
	}
	if err != nil {
		var f *Failure
		if !errors.As(err, &f) || !f.Brief {
			return 0, false
		}
		return c.backoff(attempt), true
	}
	switch answer.Status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return max(c.backoff(attempt), answer.RetryAfter), answer.RetryAfter <= c.limits.MaxWait
	}
	return 0, false
}

// backoff doubles with each attempt; the half of it is left to chance, so that
// clients that failed together do not come back together.
func (c *Client) backoff(attempt int) time.Duration {
	d := c.limits.MaxWait
	if shift := attempt - 1; shift < 20 {
		d = min(d, c.limits.Backoff<<shift)
	}
	return d/2 + time.Duration(c.random()*float64(d/2))
}

// MaxRetryAfter bounds what is made of a header: this stands for all that is longer.
const MaxRetryAfter = 24 * time.Hour

// retryAfter reads a Retry-After header, seconds or a date; 0 where there is none
// that can be read, or the time has passed.
func retryAfter(header string, now time.Time) time.Duration {
	header = strings.TrimSpace(header)
	if header == "" || len(header) > 64 {
		return 0
	}
	if !strings.ContainsFunc(header, func(r rune) bool { return r < '0' || r > '9' }) {
		n, err := strconv.ParseInt(header, 10, 64)
		if err != nil || n > int64(MaxRetryAfter/time.Second) {
			return MaxRetryAfter
		}
		return time.Duration(n) * time.Second
	}
	at, err := http.ParseTime(header)
	if err != nil {
		return 0
	}
	return min(max(0, at.Sub(now)), MaxRetryAfter)
}
