package cache

import (
	"encoding/binary"
	"hash/crc32"
	"unicode/utf8"

	bolt "go.etcd.io/bbolt"

	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
)

// What is kept of a service is sealed: a CRC-32C stands before the rest.

// maxDetail bounds the words that are kept of one refusal or trouble, in bytes.
const maxDetail = 1000

const hintService = "akx service refollow NAME: what it gave is fetched anew"

// damagedService is damage of what is kept of a service, which can be had again.
func damagedService(path string) *fault.Damaged {
	return &fault.Damaged{What: path, Detail: "what it keeps of a service is damaged", Hint: hintService}
}

func seal(rest []byte) []byte {
	return append(binary.BigEndian.AppendUint32(make([]byte, 0, 4+len(rest)), crc32.Checksum(rest, castagnoli)), rest...)
}

func unseal(value []byte) (rest []byte, ok bool) {
	if len(value) < 4 || binary.BigEndian.Uint32(value) != crc32.Checksum(value[4:], castagnoli) {
		return nil, false
	}
	return value[4:], true
}

// cutTo shortens a text to n bytes between characters.
func cutTo(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

func stateKey(source []byte) []byte  { return append([]byte{'s'}, source...) }
func faultsKey(source []byte) []byte { return append([]byte{'f'}, source...) }

func exceptKey(source []byte, seq uint64) []byte {
	return binary.BigEndian.AppendUint64(append(make([]byte, 0, 12), source...), seq)
}

// A state: flags, checkpoint, as-of, reached, tried, exceptions, code, detail.
const (
	followHead    = 1 + 5*8
	flagComplete  = 1
	flagClockBack = 2
)

func encodeFollow(f desk.Follow) []byte {
	b := make([]byte, 1, followHead)
	if f.Complete {
		b[0] |= flagComplete
	}
	if f.ClockBack {
		b[0] |= flagClockBack
	}
	for _, n := range []uint64{f.Checkpoint, uint64(f.AsOf), f.Reached, uint64(f.Tried), uint64(f.Exceptions)} {
		b = binary.BigEndian.AppendUint64(b, n)
	}
	return seal(appendString(appendString(b, string(f.Trouble.Code)), cutTo(f.Trouble.Detail, maxDetail)))
}

func parseFollow(value []byte) (f desk.Follow, ok bool) {
	b, ok := unseal(value)
	if !ok || len(b) < followHead {
		return f, false
	}
	numbers := b[1:]
	f = desk.Follow{
		Complete:   b[0]&flagComplete != 0,
		ClockBack:  b[0]&flagClockBack != 0,
		Checkpoint: binary.BigEndian.Uint64(numbers),
		AsOf:       int64(binary.BigEndian.Uint64(numbers[8:])),
		Reached:    binary.BigEndian.Uint64(numbers[16:]),
		Tried:      int64(binary.BigEndian.Uint64(numbers[24:])),
		Exceptions: int(binary.BigEndian.Uint64(numbers[32:])),
	}
	t := tail{b[followHead:]}
	f.Trouble = desk.Trouble{Code: fault.Code(t.text()), Detail: string(t.text())}
	return f, true
}

// A fault: kind, at, ID, before, now.
const faultBytes = 1 + 8 + 32 + 8 + 8

func encodeFaults(faults []desk.ServiceFault) []byte {
	b := make([]byte, 0, len(faults)*faultBytes)
	for _, f := range faults {
		b = append(b, byte(f.Kind))
		b = append(binary.BigEndian.AppendUint64(b, uint64(f.At)), f.ID[:]...)
		b = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(b, f.Before), f.Now)
	}
	return seal(b)
}

func parseFaults(value []byte) (faults []desk.ServiceFault, ok bool) {
	if value == nil {
		return nil, true
	}
	b, ok := unseal(value)
	if !ok || len(b)%faultBytes != 0 {
		return nil, false
	}
	for ; len(b) > 0; b = b[faultBytes:] {
		faults = append(faults, desk.ServiceFault{
			Kind: desk.FaultKind(b[0]), At: int64(binary.BigEndian.Uint64(b[1:])), ID: identity.ID(b[9:41]),
			Before: binary.BigEndian.Uint64(b[41:]), Now: binary.BigEndian.Uint64(b[49:]),
		})
	}
	return faults, true
}

// loadFollow reads the state of a service with its faults, the zero state where
// there is none; ok is false where it is damaged.
func loadFollow(b *bolt.Bucket, source []byte) (f desk.Follow, ok bool) {
	if value := b.Get(stateKey(source)); value != nil {
		if f, ok = parseFollow(value); !ok {
			return f, false
		}
	}
	f.Faults, ok = parseFaults(b.Get(faultsKey(source)))
	return f, ok
}

// An exception: since, tries, ID, code, detail, and the claimed ID where there is one.
const exceptHead = 8 + 4 + 32

func encodeException(e desk.Exception) []byte {
	b := binary.BigEndian.AppendUint64(make([]byte, 0, exceptHead+64), uint64(e.Since))
	b = append(binary.BigEndian.AppendUint32(b, uint32(e.Tries)), e.ID[:]...)
	b = appendString(appendString(b, string(e.Code)), cutTo(e.Detail, maxDetail))
	if !e.Claimed.IsZero() {
		b = append(b, e.Claimed[:]...)
	}
	return seal(b)
}

func parseException(value []byte, seq uint64) (e desk.Exception, ok bool) {
	b, ok := unseal(value)
	if !ok || len(b) < exceptHead {
		return e, false
	}
	t := tail{b[exceptHead:]}
	e = desk.Exception{
		Seq: seq, Since: int64(binary.BigEndian.Uint64(b)), Tries: int(binary.BigEndian.Uint32(b[8:])),
		ID: identity.ID(b[12:44]), Code: fault.Code(t.text()), Detail: string(t.text()),
	}
	if len(t.b) == len(e.Claimed) {
		e.Claimed = identity.ID(t.b)
	}
	return e, true
}
