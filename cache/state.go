package cache

import (
	"encoding/binary"

	bolt "go.etcd.io/bbolt"

	"akx/view"
)

// state is what changes about an event after it arrived. Most events have none.
type state struct {
	retracted  bool
	withheld   bool
	successors uint32
}

func (s state) lifecycle() view.Lifecycle {
	if s.retracted {
		return view.Retracted
	}
	return view.Active
}

// States stand in blocks without a prefix: flags, successors.
const (
	stateBytes     = 5
	stateRetracted = 1
	stateWithheld  = 2
)

// stateReader finds states.
type stateReader struct{ blockReader }

func newStateReader(b *bolt.Bucket) *stateReader {
	return &stateReader{blockReader{bucket: b, width: stateBytes}}
}

// get gives the state of n; ok is false where the stored states are damaged.
func (r *stateReader) get(n uint64) (s state, ok bool) {
	value, ok := r.blockReader.get(n)
	if !ok || value == nil {
		return state{}, ok
	}
	return parseState(value), true
}

func parseState(value []byte) state {
	return state{
		retracted:  value[0]&stateRetracted != 0,
		withheld:   value[0]&stateWithheld != 0,
		successors: binary.BigEndian.Uint32(value[1:]),
	}
}

func (s state) encode() []byte {
	var flags byte
	if s.retracted {
		flags |= stateRetracted
	}
	if s.withheld {
		flags |= stateWithheld
	}
	return binary.BigEndian.AppendUint32([]byte{flags}, s.successors)
}

// storeStates merges changed states into their blocks; ok is false where those
// are damaged.
func storeStates(b *bolt.Bucket, changed map[uint64]state) (ok bool, err error) {
	values := make(map[uint64][]byte, len(changed))
	for n, s := range changed {
		values[n] = s.encode()
	}
	return storeBlocks(b, nil, stateBytes, values)
}
