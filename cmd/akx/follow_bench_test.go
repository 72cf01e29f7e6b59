package main

import (
	"context"
	"net"
	"net/netip"
	"os"
	"testing"
	"time"

	"akx/cache"
	"akx/client"
	"akx/client/fetch"
	"akx/explore"
	"akx/view/desk"
)

// anywhere resolves every host to one public address, which the benchmark's dialler
// leads to the service on this machine.
type anywhere struct{}

func (anywhere) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{netip.AddrFrom4([4]byte{93, 184, 215, 14})}, nil
}

// BenchmarkFollow follows a real service over TLS from nothing: 100,000 events,
// proven, indexed and durable in a cache. The service shares the machine, so the
// client's processor time is told apart from the service's. It takes half a minute
// to make the service's home.
func BenchmarkFollow(b *testing.B) {
	const events = 100_000
	dir, home := serviceHome(b, nil)
	importCorpus(b, dir, home, events)
	s := serveHome(b, dir, home, "--rate", "0")
	reach := func(service desk.Service) (explore.Remote, error) {
		transport, err := fetch.New(service.Origin, fetch.Options{
			Version: "bench", CA: s.authority, Resolver: anywhere{},
			Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
				return new(net.Dialer).DialContext(ctx, network, s.address)
			},
		})
		if err != nil {
			return nil, err
		}
		return client.New(service.Origin, transport, client.Limits{}), nil
	}
	for b.Loop() {
		store, err := cache.Open(b.Context(), b.TempDir(), cache.Options{Command: "bench"})
		if err != nil {
			b.Fatal(err)
		}
		session := explore.New(store, explore.Options{Clock: time.Now, Network: explore.Network{Book: store, Store: store, Reach: reach}})
		if _, err := session.AddService(b.Context(), desk.Service{Name: "hub", Origin: hubOrigin, Enabled: true}); err != nil {
			b.Fatal(err)
		}
		own, others := cpuTime(b, os.Getpid()), cpuTime(b, s.cmd.Process.Pid)
		begun := time.Now()
		done, err := session.Sync(b.Context(), "hub", nil)
		if err != nil || done.Err != nil || done.Progress.Added != events {
			b.Fatalf("%d added, %v, %v", done.Progress.Added, err, done.Err)
		}
		took := time.Since(begun)
		own, others = cpuTime(b, os.Getpid())-own, cpuTime(b, s.cmd.Process.Pid)-others
		b.ReportMetric(events/took.Seconds(), "events/s")
		b.ReportMetric(float64(own.Microseconds())/events, "client-cpu-us/event")
		b.ReportMetric(float64(others.Microseconds())/events, "server-cpu-us/event")
		b.ReportMetric(anonymous(b, os.Getpid()), "anon-MB")
		session.Close()
		if err := store.Close(); err != nil {
			b.Fatal(err)
		}
	}
	s.stop()
}
