package cache

import (
	"encoding/binary"
	"hash/crc32"
	"maps"
	"slices"

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

// States stand in values of 1,024 numbers each: sorted places of 7 bytes (number
// within the value, flags, successors), then a CRC-32C.
const (
	stateShift     = 10
	stateMask      = 1<<stateShift - 1
	stateBytes     = 7
	stateRetracted = 1
	stateWithheld  = 2
)

// stateReader finds states and keeps the value it read last.
type stateReader struct {
	bucket *bolt.Bucket
	block  uint64
	loaded bool
	places []byte
}

// get gives the state of n; ok is false where the stored states are damaged.
func (r *stateReader) get(n uint64) (s state, ok bool) {
	if block := n >> stateShift; !r.loaded || r.block != block {
		places, ok := parseStates(r.bucket.Get(number(block)))
		if !ok {
			return state{}, false
		}
		r.block, r.places, r.loaded = block, places, true
	}
	want := uint16(n & stateMask)
	low, high := 0, len(r.places)/stateBytes
	for low < high {
		mid := (low + high) / 2
		if binary.BigEndian.Uint16(r.places[mid*stateBytes:]) < want {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if at := low * stateBytes; at < len(r.places) && binary.BigEndian.Uint16(r.places[at:]) == want {
		return parseState(r.places[at:]), true
	}
	return state{}, true
}

func parseStates(value []byte) (places []byte, ok bool) {
	if value == nil {
		return nil, true
	}
	n := len(value) - 4
	if n < 0 || n%stateBytes != 0 || binary.BigEndian.Uint32(value[n:]) != crc32.Checksum(value[:n], castagnoli) {
		return nil, false
	}
	return value[:n], true
}

func parseState(place []byte) state {
	return state{
		retracted:  place[2]&stateRetracted != 0,
		withheld:   place[2]&stateWithheld != 0,
		successors: binary.BigEndian.Uint32(place[3:]),
	}
}

// storeStates merges changed states into their values; ok is false where those
// are damaged.
func storeStates(b *bolt.Bucket, changed map[uint64]state) (ok bool, err error) {
	blocks := make(map[uint64]map[uint16]state)
	for n, s := range changed {
		block := n >> stateShift
		if blocks[block] == nil {
			blocks[block] = make(map[uint16]state)
		}
		blocks[block][uint16(n&stateMask)] = s
	}
	for _, block := range slices.Sorted(maps.Keys(blocks)) {
		places, ok := parseStates(b.Get(number(block)))
		if !ok {
			return false, nil
		}
		all := blocks[block]
		for ; len(places) > 0; places = places[stateBytes:] {
			at := binary.BigEndian.Uint16(places)
			if _, newer := all[at]; !newer {
				all[at] = parseState(places)
			}
		}
		if err := b.Put(number(block), encodeStates(all)); err != nil {
			return true, err
		}
	}
	return true, nil
}

func encodeStates(all map[uint16]state) []byte {
	value := make([]byte, 0, len(all)*stateBytes+4)
	for _, at := range slices.Sorted(maps.Keys(all)) {
		s := all[at]
		var flags byte
		if s.retracted {
			flags |= stateRetracted
		}
		if s.withheld {
			flags |= stateWithheld
		}
		value = append(binary.BigEndian.AppendUint16(value, at), flags)
		value = binary.BigEndian.AppendUint32(value, s.successors)
	}
	return binary.BigEndian.AppendUint32(value, crc32.Checksum(value, castagnoli))
}
