package cache

import (
	"context"
	"path/filepath"
	"time"

	bolt "go.etcd.io/bbolt"

	"akx/view"
	"akx/view/capsule"
	"akx/view/fault"
)

// Role says what a home is for. The first writer sets it.
type Role uint8

// The roles. Zero in Options means Reader.
const (
	Reader Role = iota + 1
	Service
)

func (r Role) String() string {
	if r == Service {
		return "service"
	}
	return "reader"
}

// Options of a cache. Zero members mean the defaults.
type Options struct {
	// Clock gives ms; the machine's clock by default.
	Clock func() int64
	// ReadOnly refuses every write with code read_only, and makes no file.
	ReadOnly bool
	Role     Role
	// Origin names the scope of what is read: view.ThisCache by default.
	Origin string
	// Command says to others who holds a lock, such as "akx import".
	Command string
	// Patience bounds the wait for another process, 30 s by default. A context
	// that ends earlier ends the wait.
	Patience time.Duration
	Limits   Limits
}

// Limits are the local bounds of a cache; a zero member means its default.
type Limits struct {
	Pending      int   // waiting events, DefaultPending
	PendingBytes int64 // their text together, DefaultPendingBytes
	Skew         int64 // ms that a signer's clock may run ahead, capsule.DefaultSkew
}

// Defaults of Limits and of Options.Patience.
const (
	DefaultPending      = 100_000
	DefaultPendingBytes = 64 << 20
	DefaultPatience     = 30 * time.Second
)

// maxClaims bounds the sources whose claims about one event are kept.
const maxClaims = 64

// format1 is the format of cache.db that this akx writes.
const format1 = 1

// Names of the files in a home.
const (
	cacheName = "cache.db"
	ownName   = "own.db"
)

var cacheBuckets = []string{
	"text", "row", "find", "id", "in", "state", "claim", "source", "pend", "miss", "wait",
	"follow", "except", "given", "seq", "early",
}

// Cache is the cache of one home. It is safe for concurrent use; a goroutine in
// Read must not call another method of the same Cache.
type Cache struct {
	home   string
	origin string
	clock  func() int64
	limits Limits
	events *file
	own    *file
}

// Open opens the cache of a home, which need not exist: it is made, with mode
// 0700, when something is first written. What is there is looked at now, at a
// cost that does not depend on how much it is. Errors: *fault.Damaged (damaged,
// newer_format), *fault.Unavailable (locked, permission, disk), *fault.Usage for
// a home of the other role, context errors.
func Open(ctx context.Context, home string, o Options) (*Cache, error) {
	if home == "" {
		return nil, &fault.Usage{Detail: "no home is set", Hint: "set HOME, XDG_DATA_HOME or AKX_HOME, or use --home DIR"}
	}
	o = o.filled()
	c := &Cache{
		home: home, origin: o.Origin, clock: o.Clock, limits: o.Limits,
		events: newFile(filepath.Join(home, cacheName), cacheSchema(o.Role), o),
		own:    newFile(filepath.Join(home, ownName), ownSchema(), o),
	}
	err := c.view(ctx, func(*snapshot) error { return nil })
	if err != nil {
		return nil, err
	}
	return c, nil
}

func (o Options) filled() Options {
	if o.Clock == nil {
		o.Clock = func() int64 { return time.Now().UnixMilli() }
	}
	if o.Role == 0 {
		o.Role = Reader
	}
	if o.Origin == "" {
		o.Origin = view.ThisCache
	}
	if o.Command == "" {
		o.Command = "akx"
	}
	if o.Patience == 0 {
		o.Patience = DefaultPatience
	}
	if o.Limits.Pending == 0 {
		o.Limits.Pending = DefaultPending
	}
	if o.Limits.PendingBytes == 0 {
		o.Limits.PendingBytes = DefaultPendingBytes
	}
	if o.Limits.Skew == 0 {
		o.Limits.Skew = capsule.DefaultSkew
	}
	return o
}

func cacheSchema(role Role) schema {
	return schema{format: format1, role: role, buckets: cacheBuckets}
}

func wrongRole(home string, role []byte) error {
	other := Reader
	if len(role) == 1 {
		other = Role(role[0])
	}
	return &fault.Usage{Detail: home + " is the home of a " + other.String(), Hint: "use another home with --home DIR"}
}

// Close gives up all files. Calls that go on end in their own time.
func (c *Cache) Close() error {
	c.events.close()
	c.own.close()
	return nil
}

// Home is the folder of the cache.
func (c *Cache) Home() string { return c.home }

// Read runs f over one consistent state. f is short: it may hold up writers of
// other processes. It must not call methods of the Cache.
func (c *Cache) Read(ctx context.Context, f func(view.Snapshot) error) error {
	return c.view(ctx, func(s *snapshot) error { return f(s) })
}

// view runs do over a snapshot; that of a home without a database is empty.
func (c *Cache) view(ctx context.Context, do func(*snapshot) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	there, err := c.events.exists()
	if err != nil {
		return err
	}
	s := &snapshot{path: c.events.path, scope: view.Scope{Origin: c.origin, AsOf: c.clock(), Complete: true}}
	if !there {
		return do(s)
	}
	return c.events.read(ctx, func(tx *bolt.Tx) error {
		if err := s.begin(tx); err != nil {
			return err
		}
		return do(s)
	})
}

// Stats counts what is held.
func (c *Cache) Stats(ctx context.Context) (view.Stats, error) {
	var stats view.Stats
	err := c.view(ctx, func(s *snapshot) error {
		stats = s.counts.stats()
		return nil
	})
	if err != nil {
		return view.Stats{}, err
	}
	stats.FileBytes, err = c.events.size()
	return stats, err
}
