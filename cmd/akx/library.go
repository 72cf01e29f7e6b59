package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"akx/cache"
	"akx/cmd/akx/report"
	"akx/explore"
	"akx/explore/sample"
	"akx/view/fault"
	"akx/view/identity"
)

// held is an open library and a session over it.
type held struct {
	library explore.Library
	session *explore.Session
	sample  bool
	clock   func() time.Time
	close   func() error
}

// open opens the sample where it was asked for, else the cache of the home.
func (a *app) open(ctx context.Context) (*held, error) {
	if a.flags.sample {
		return a.openSample()
	}
	dir, _, err := a.homeDir()
	if err != nil {
		return nil, err
	}
	if _, there, err := serviceOf(dir); err == nil && there {
		return nil, &fault.Usage{Detail: dir + " is the home of a service, and this is for the home of a reader",
			Hint: "commands that only read the cache, such as akx list and akx show, read it; akx serve, import and withhold work on it"}
	}
	store, err := cache.Open(ctx, dir, a.cacheOptions())
	if err != nil {
		return nil, err
	}
	return &held{library: store, close: store.Close, clock: time.Now,
		session: explore.New(store, explore.Options{Clock: time.Now, Network: a.network(store), Bounds: a.bounds()})}, nil
}

func (a *app) openSample() (*held, error) {
	s, err := sample.Open()
	if err != nil {
		return nil, err
	}
	// The sample's clock never moves, so that it looks the same on every day.
	o := explore.Options{Clock: func() time.Time { return time.UnixMilli(sample.Now) }, Sample: true, Bounds: a.bounds()}
	o.Network = sampleNetwork(s, o.Clock)
	return &held{library: s.Library, sample: true, clock: o.Clock, close: func() error { return nil },
		session: explore.New(s.Library, o)}, nil
}

func (a *app) cacheOptions() cache.Options {
	return cache.Options{Command: a.command}
}

// openReading opens the library for a command that changes nothing: also the home of
// a service, for whoever runs it. What a service has is no secret to its operator, and
// nothing is published by being read; the reverse, a service over what one reads, is
// what the roles of homes forbid.
func (a *app) openReading(ctx context.Context) (*held, error) {
	if a.flags.sample {
		return a.openSample()
	}
	dir, _, err := a.homeDir()
	if err != nil {
		return nil, err
	}
	origin, there, err := serviceOf(dir)
	if err != nil || !there {
		return a.open(ctx)
	}
	o := a.serviceOptions(origin)
	o.ReadOnly = true
	store, err := cache.Open(ctx, dir, o)
	if err != nil {
		return nil, err
	}
	return &held{library: store, close: store.Close, clock: time.Now,
		session: explore.New(store, explore.Options{Clock: time.Now})}, nil
}

// reading makes a command of a function that reads one library and reports.
func (a *app) reading(f func(context.Context, *held, []string) (report.Report, error)) func(*cobra.Command, []string) error {
	return a.over(a.openReading, f)
}

// over makes a command of a function that works on a library and reports.
func (a *app) over(open func(context.Context) (*held, error), f func(context.Context, *held, []string) (report.Report, error)) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		h, err := open(cmd.Context())
		if err != nil {
			return err
		}
		defer h.close()
		r, err := f(cmd.Context(), h, args)
		if err != nil {
			return err
		}
		return a.emitNamed(cmd.Context(), h, r, nil)
	}
}

// writable refuses what --read-only and --sample forbid.
func (a *app) writable(what string) error {
	switch {
	case a.flags.sample:
		return &fault.Usage{Detail: what + " changes the cache, and --sample reads the built-in sample", Hint: "leave --sample out"}
	case a.flags.readOnly:
		return &fault.Usage{Code: fault.ReadOnly, Detail: "--read-only forbids " + what}
	default:
		return nil
	}
}

// resolve finds one held event by what was typed.
func resolve(ctx context.Context, s *explore.Session, typed string) (identity.ID, error) {
	known, err := s.Resolve(ctx, typed)
	if err != nil {
		return identity.ID{}, err
	}
	if known.Pending {
		return identity.ID{}, &fault.NotHeld{ID: report.Paste(known.ID.String()), Where: "this cache: it is pending, see akx pending list",
			Hint: "akx pending fetch asks your services for what it waits for"}
	}
	return known.ID, nil
}
