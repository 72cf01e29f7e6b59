package fetch

import (
	"net/http"
	"testing"
	"time"
)

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 3, 14, 9, 41, 0, 0, time.UTC)
	cases := []struct {
		header string
		want   time.Duration
	}{
		{"", 0}, {"0", 0}, {"7", 7 * time.Second}, {" 7 ", 7 * time.Second},
		{now.Add(90 * time.Second).Format(http.TimeFormat), 90 * time.Second},
		{now.Add(-time.Hour).Format(http.TimeFormat), 0},
		{now.Add(1000 * time.Hour).Format(http.TimeFormat), MaxRetryAfter},
		{"Saturday, 14-Mar-26 09:42:00 GMT", time.Minute},
		{"86400", MaxRetryAfter}, {"86401", MaxRetryAfter}, {"99999999999999999999999999", MaxRetryAfter},
		{"-7", 0}, {"7.5", 0}, {"soon", 0}, {"\x1b[2J", 0}, {"1e3", 0},
		{"00000000000000000000000000000000000000000000000000000000000000000000000000000000001", 0},
	}
	for _, c := range cases {
		if got := retryAfter(c.header, now); got != c.want {
			t.Errorf("%q: %v, want %v", c.header, got, c.want)
		}
	}
}

func TestBackoff(t *testing.T) {
	for _, chance := range []float64{0, 0.5, 0.999999} {
		c := &Client{limits: Limits{}.filled(), random: func() float64 { return chance }}
		for attempt := 1; attempt < 200; attempt++ {
			full := c.limits.MaxWait
			if attempt <= 6 {
				full = min(full, 500*time.Millisecond<<(attempt-1))
			}
			if got := c.backoff(attempt); got < full/2 || got > full {
				t.Errorf("attempt %d at %v: %v, want between %v and %v", attempt, chance, got, full/2, full)
			}
		}
	}
}
