package cache

import (
	"context"

	bolt "go.etcd.io/bbolt"

	"akx/view/fault"
)

// own.db holds what cannot be had again. Its format 1 has two buckets: service, with
// the services of the user (book.go), and ui, with the place, filter, sort and
// history that the next start restores.
const ownFormat = 1

var (
	ownBuckets = []string{"ui", "service"}
	keyState   = []byte("state")
)

// maxState bounds the state of the screen, in bytes.
const maxState = 1 << 20

func ownSchema() schema { return schema{format: ownFormat, buckets: ownBuckets} }

// LoadState gives what SaveState kept last; nil where there is nothing.
func (c *Cache) LoadState(ctx context.Context) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	there, err := c.own.exists()
	if err != nil || !there {
		return nil, err
	}
	var state []byte
	err = c.own.read(ctx, func(tx *bolt.Tx) (err error) {
		s := &snapshot{path: c.own.path, tx: tx}
		defer s.guard(&err)
		state = append(state, s.bucket("ui").Get(keyState)...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return state, nil
}

// SaveState keeps the state of the screen for the next start, at most 1 MiB.
func (c *Cache) SaveState(ctx context.Context, state []byte) error {
	if len(state) > maxState {
		return &fault.Usage{Detail: "the state of the screen is too large to keep"}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return c.own.write(ctx, func(tx *bolt.Tx) (bool, error) {
		return true, tx.Bucket([]byte("ui")).Put(keyState, state)
	})
}
