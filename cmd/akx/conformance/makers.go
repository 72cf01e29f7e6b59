package conformance

import (
	"context"
	"errors"
	"os"

	"akx/cache"
	"akx/view/memory"
)

// Makers makes stores of every kind that akx has.
func Makers() []Maker { return []Maker{Memory(), Cache()} }

// Memory makes stores in memory.
func Memory() Maker {
	return Maker{Name: "memory", Open: func(_ context.Context, origin string, clock func() int64) (Store, func() error, error) {
		return memory.New(origin, clock), func() error { return nil }, nil
	}}
}

// Cache makes caches, each in a temporary home that goes with it.
func Cache() Maker {
	return Maker{Name: "cache", Open: openCache}
}

func openCache(ctx context.Context, origin string, clock func() int64) (Store, func() error, error) {
	home, err := os.MkdirTemp("", "akx-conformance-")
	if err != nil {
		return nil, nil, err
	}
	c, err := cache.Open(ctx, home, cache.Options{
		Role: cache.Service, Origin: origin, Clock: clock, Command: "akx conformance"})
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(home))
	}
	return c, func() error { return errors.Join(c.Close(), os.RemoveAll(home)) }, nil
}
