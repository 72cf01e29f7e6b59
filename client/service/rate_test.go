package service

import (
	"fmt"
	"testing"
	"time"

	"akx/view/fault"
	"akx/view/wire"
)

func TestRate97OverHTTP(t *testing.T) {
	s := newSite(t, HandlerOptions{Rate: 0.5, Burst: 2}, nil)
	from := func(address string) testCall {
		c := get(wire.DiscoveryPath)
		c.from = address
		return c
	}
	status := func(address string) int { return do(t, s, from(address)).status }
	if status("192.0.2.1:1000") != 200 || status("192.0.2.1:2000") != 200 {
		t.Fatal("the burst is refused")
	}
	out := do(t, s, from("192.0.2.1:3000"))
	refused(t, "third", out, 429, fault.RateLimited)
	if out.header.Get("Retry-After") != "2" {
		t.Errorf("Retry-After %q", out.header.Get("Retry-After"))
	}
	if last := s.log[len(s.log)-1]; last.Operation != "discovery" || last.Code != fault.RateLimited {
		t.Errorf("the log tells %+v", last)
	}
	if status("192.0.2.2:1000") != 200 || status("[2001:db8::1]:1") != 200 {
		t.Error("other clients pay for the first")
	}
	s.now += 1999
	if status("192.0.2.1:1000") != 429 {
		t.Error("a token came early")
	}
	s.now++
	if status("192.0.2.1:1000") != 200 || status("192.0.2.1:1000") != 429 {
		t.Error("a token did not come in time, or two did")
	}
	s.now -= 3_600_000
	if status("192.0.2.1:1000") != 429 {
		t.Error("a clock that is set back gives tokens")
	}
	s.now += 1000
	if status("192.0.2.1:1000") != 429 {
		t.Error("a clock that was set back gives tokens")
	}
	s.now += 3_600_000
	for i, want := range []int{200, 200, 429} {
		if got := status("192.0.2.1:1000"); got != want {
			t.Errorf("after an hour, request %d: %d", i, got)
		}
	}
}

func TestRateKeepsFewClients(t *testing.T) {
	l := newLimiter(1, 2, 3)
	at := time.UnixMilli(0)
	for i := range 1000 {
		if _, ok := l.take(fmt.Sprint(i), at); !ok {
			t.Fatalf("client %d", i)
		}
	}
	if len(l.buckets) != 3 || l.recent.Len() != 3 {
		t.Errorf("%d buckets, %d clients", len(l.buckets), l.recent.Len())
	}
	l.take("997", at)
	l.take("new", at)
	if _, ok := l.take("997", at); ok {
		t.Error("a client that was just seen is forgotten")
	}
	if _, ok := newLimiter(0, 0, 0).take("x", at); !ok {
		t.Error("no limit refuses")
	}
}

func TestClientOf(t *testing.T) {
	for remote, want := range map[string]string{
		"192.0.2.1:80": "192.0.2.1", "[::ffff:192.0.2.1]:80": "192.0.2.1", "[2001:db8:1:2:3::4]:80": "2001:db8:1:2::/64",
		"[fe80::1%eth0]:1": "fe80::/64", "": "", "@": "@",
	} {
		if got := ClientOf(remote); got != want {
			t.Errorf("%q: %q", remote, got)
		}
	}
}
