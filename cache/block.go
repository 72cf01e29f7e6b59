package cache

import (
	"encoding/binary"
	"hash/crc32"
	"maps"
	"slices"

	bolt "go.etcd.io/bbolt"
)

// A block holds what is kept of 1,024 consecutive numbers, most of which may have
// nothing: sorted places of one width (number within the block, value), then a
// CRC-32C. Its key is a prefix and the number of the block.
const (
	blockShift = 10
	blockMask  = 1<<blockShift - 1
)

// blockReader finds values and keeps the block it read last.
type blockReader struct {
	bucket *bolt.Bucket
	prefix []byte
	width  int // of a value, in bytes
	block  uint64
	loaded bool
	places []byte
}

func blockKey(prefix []byte, block uint64) []byte {
	return binary.BigEndian.AppendUint64(append(make([]byte, 0, len(prefix)+8), prefix...), block)
}

// get gives the value of n, nil where there is none; ok is false where the block is
// damaged. It points into the transaction.
func (r *blockReader) get(n uint64) (value []byte, ok bool) {
	if block := n >> blockShift; !r.loaded || r.block != block {
		places, ok := parseBlock(r.bucket.Get(blockKey(r.prefix, block)), r.width)
		if !ok {
			return nil, false
		}
		r.block, r.places, r.loaded = block, places, true
	}
	place := 2 + r.width
	want := uint16(n & blockMask)
	low, high := 0, min(len(r.places)/place, int(want)+1)
	if at := (high - 1) * place; at >= 0 && binary.BigEndian.Uint16(r.places[at:]) == want {
		return r.places[at+2 : at+place : at+place], true
	}
	for low < high {
		mid := (low + high) / 2
		if binary.BigEndian.Uint16(r.places[mid*place:]) < want {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if at := low * place; at < len(r.places) && binary.BigEndian.Uint16(r.places[at:]) == want {
		return r.places[at+2 : at+place : at+place], true
	}
	return nil, true
}

// parseBlock gives the places of a block; ok is false where it makes no sense.
func parseBlock(value []byte, width int) (places []byte, ok bool) {
	if value == nil {
		return nil, true
	}
	n := len(value) - 4
	if n < 0 || n%(2+width) != 0 || binary.BigEndian.Uint32(value[n:]) != crc32.Checksum(value[:n], castagnoli) {
		return nil, false
	}
	return value[:n], true
}

// storeBlocks merges changed values into their blocks; ok is false where those are
// damaged.
func storeBlocks(b *bolt.Bucket, prefix []byte, width int, changed map[uint64][]byte) (ok bool, err error) {
	blocks := make(map[uint64][]uint64)
	for n := range changed {
		blocks[n>>blockShift] = append(blocks[n>>blockShift], n)
	}
	for _, block := range slices.Sorted(maps.Keys(blocks)) {
		key := blockKey(prefix, block)
		places, ok := parseBlock(b.Get(key), width)
		if !ok {
			return false, nil
		}
		numbers := blocks[block]
		slices.Sort(numbers)
		if err := b.Put(key, mergeBlock(places, width, numbers, changed)); err != nil {
			return true, err
		}
	}
	return true, nil
}

// mergeBlock encodes places with the values of numbers, which ascend, in them.
func mergeBlock(places []byte, width int, numbers []uint64, changed map[uint64][]byte) []byte {
	value := make([]byte, 0, len(places)+len(numbers)*(2+width)+4)
	for _, n := range numbers {
		at := uint16(n & blockMask)
		for len(places) > 0 && binary.BigEndian.Uint16(places) < at {
			value = append(value, places[:2+width]...)
			places = places[2+width:]
		}
		if len(places) > 0 && binary.BigEndian.Uint16(places) == at {
			places = places[2+width:]
		}
		value = append(binary.BigEndian.AppendUint16(value, at), changed[n]...)
	}
	value = append(value, places...)
	return binary.BigEndian.AppendUint32(value, crc32.Checksum(value, castagnoli))
}
