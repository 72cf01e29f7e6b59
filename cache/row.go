package cache

import (
	"encoding/binary"
	"hash/crc32"
	"hash/crc64"
	"math"

	"akx/view"
	"akx/view/capsule"
	"akx/view/identity"
)

// A row is what lists, filters and links need of one event, as its event said it:
// rows never change. Behind the fixed part stand the target of an assessment or
// retraction, the title, the language, the tags and the profile digests.
type row []byte

// Places in a row.
const (
	rowSum     = 0 // CRC-32C of the rest
	rowType    = 4
	rowKind    = 5
	rowVerdict = 6
	rowLinks   = 7 // bit r-1 for relation r
	rowCreated = 8
	rowNonce   = 16
	rowArrived = 24
	rowID      = 32
	rowActor   = 64
	rowBytes   = 96
	rowFlags   = 100
	rowTail    = 101
)

// rowCut marks a title that was cut.
const rowCut = 1

// maxTitle is how much of a title a row keeps, in bytes.
const maxTitle = 200

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// appendRow appends the row of e, which arrived at ms.
func appendRow(dst []byte, e capsule.Event, arrived int64) []byte {
	entry := view.EntryOf(e)
	start := len(dst)
	var fixed [rowTail]byte
	fixed[rowType], fixed[rowKind], fixed[rowVerdict] = byte(entry.Type), byte(entry.Kind), byte(entry.Verdict)
	for _, link := range capsule.Links(e) {
		if link.Relation != 0 {
			fixed[rowLinks] |= 1 << (link.Relation - 1)
		}
	}
	binary.BigEndian.PutUint64(fixed[rowCreated:], uint64(entry.CreatedAt))
	binary.BigEndian.PutUint64(fixed[rowNonce:], uint64(entry.Nonce))
	binary.BigEndian.PutUint64(fixed[rowArrived:], uint64(arrived))
	copy(fixed[rowID:], entry.ID[:])
	copy(fixed[rowActor:], entry.Actor[:])
	binary.BigEndian.PutUint32(fixed[rowBytes:], uint32(entry.Bytes))
	title := cut(entry.Title)
	if len(title) < len(entry.Title) {
		fixed[rowFlags] |= rowCut
	}
	dst = append(dst, fixed[:]...)
	if entry.Type != capsule.Publish {
		dst = append(dst, entry.Target[:]...)
	}
	dst = appendString(appendString(dst, title), entry.Language)
	dst = binary.AppendUvarint(dst, uint64(len(entry.Tags)))
	for _, tag := range entry.Tags {
		dst = appendString(dst, tag)
	}
	profiles := profilesOf(e)
	dst = binary.AppendUvarint(dst, uint64(len(profiles)))
	for _, p := range profiles {
		dst = append(dst, p.Digest[:]...)
	}
	binary.BigEndian.PutUint32(dst[start+rowSum:], crc32.Checksum(dst[start+4:], castagnoli))
	return dst
}

// cut shortens a title to maxTitle bytes between characters.
func cut(title string) string { return cutTo(title, maxTitle) }

func profilesOf(e capsule.Event) []capsule.Profile {
	switch e := e.(type) {
	case *capsule.Publication:
		return e.Payload().Profiles
	case *capsule.Assessment:
		return e.Payload().Profiles
	}
	return nil
}

func appendString(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

// intact reports whether the row is as it was written.
func (r row) intact() bool {
	return len(r) >= rowTail && binary.BigEndian.Uint32(r) == crc32.Checksum(r[4:], castagnoli)
}

// whole reports whether the fixed part is there.
func (r row) whole() bool { return len(r) >= rowTail }

func (r row) kind() capsule.Kind       { return capsule.Kind(r[rowKind]) }
func (r row) typ() capsule.Type        { return capsule.Type(r[rowType]) }
func (r row) verdict() capsule.Verdict { return capsule.Verdict(r[rowVerdict]) }
func (r row) created() int64           { return int64(binary.BigEndian.Uint64(r[rowCreated:])) }
func (r row) nonce() int64             { return int64(binary.BigEndian.Uint64(r[rowNonce:])) }
func (r row) arrived() int64           { return int64(binary.BigEndian.Uint64(r[rowArrived:])) }
func (r row) id() identity.ID          { return identity.ID(r[rowID : rowID+32]) }
func (r row) actor() identity.Actor    { return identity.Actor(r[rowActor : rowActor+32]) }
func (r row) size() int                { return int(binary.BigEndian.Uint32(r[rowBytes:])) }
func (r row) cut() bool                { return r[rowFlags]&rowCut != 0 }
func (r row) has(rel capsule.Relation) bool {
	return r[rowLinks]&(1<<(rel-1)) != 0
}

func (r row) target() capsule.Target {
	return capsule.Target{Type: r.typ(), Kind: r.kind(), Actor: r.actor(), Nonce: r.nonce()}
}

// tail reads the variable part in its order. Its methods give zero values from
// the first place on that makes no sense.
type tail struct{ b []byte }

// tail starts behind the target; id is that target, zero in a publication.
func (r row) tail() (t tail, target identity.ID) {
	t.b = r[rowTail:]
	if r.typ() != capsule.Publish {
		copy(target[:], t.take(32))
	}
	return t, target
}

func (t *tail) take(n uint64) []byte {
	if n > uint64(len(t.b)) {
		t.b = nil
		return nil
	}
	got := t.b[:n]
	t.b = t.b[n:]
	return got
}

func (t *tail) count() uint64 {
	n, size := binary.Uvarint(t.b)
	if size <= 0 || n > uint64(len(t.b)) {
		t.b = nil
		return 0
	}
	t.b = t.b[size:]
	return n
}

func (t *tail) text() []byte { return t.take(t.count()) }

// title gives the title as far as the row keeps it.
func (r row) title() []byte {
	t, _ := r.tail()
	return t.text()
}

// entry gives the row of a list; state is added by the caller.
func (r row) entry(n uint64) view.Entry {
	t, target := r.tail()
	e := view.Entry{
		Number: n, ID: r.id(), Type: r.typ(), Kind: r.kind(), Verdict: r.verdict(), Target: target,
		Actor: r.actor(), CreatedAt: r.created(), Nonce: r.nonce(),
		Title: string(t.text()), Cut: r.cut(), Language: string(t.text()),
		Bytes: r.size(),
	}
	if tags := t.count(); tags > 0 {
		e.Tags = make([]string, 0, tags)
		for range tags {
			e.Tags = append(e.Tags, string(t.text()))
		}
	}
	return e
}

// points reports whether the row's event may be what a link to target says: as far as
// rows know, which hold the target of an assessment or retraction only.
func (r row) points(target identity.ID, relation capsule.Relation) bool {
	if r.typ() != capsule.Publish {
		return relation == 0 && len(r) >= rowTail+32 && identity.ID(r[rowTail:rowTail+32]) == target
	}
	return relation != 0 && relation <= capsule.Contains && r.has(relation)
}

// incoming gives the index fact of the row's event as a source.
func (r row) incoming(n uint64, relation capsule.Relation) view.Incoming {
	return view.Incoming{
		Source: r.id(), Number: n, Type: r.typ(), Kind: r.kind(), Relation: relation, Verdict: r.verdict(),
		Actor: r.actor(), Nonce: r.nonce(), CreatedAt: r.created(),
	}
}

// A record of the text bucket: signature, check sum, text.
const textHead = 64 + 8

var ecma = crc64.MakeTable(crc64.ECMA)

func appendText(dst []byte, e identity.Envelope) []byte {
	p := e.Proven()
	dst = append(dst, p.Signature[:]...)
	dst = binary.BigEndian.AppendUint64(dst, p.Checksum)
	return append(dst, e.Text()...)
}

// textIntact reports whether a text is the one that was stored. It says nothing
// of what the text says; reopen does.
func textIntact(record []byte) bool {
	return len(record) > textHead &&
		binary.BigEndian.Uint64(record[64:]) == crc64.Checksum(record[textHead:], ecma)
}

var format = storedFormat()

// storedFormat sets no limit: what was stored was within the limit of its day.
func storedFormat() identity.Format {
	f := capsule.Format()
	f.MaxBytes = math.MaxInt
	return f
}

// reopen proves a stored text again. Errors are *fault.Damaged.
func reopen(record []byte, id identity.ID) (capsule.Event, error) {
	if len(record) < textHead {
		return nil, damagedEvent(id, nil)
	}
	proven := identity.Proven{
		ID: id, Signature: identity.Signature(record[:64]), Checksum: binary.BigEndian.Uint64(record[64:]),
	}
	envelope, err := identity.Reopen(record[textHead:], proven, format)
	if err != nil {
		return nil, damagedEvent(id, err)
	}
	event, err := capsule.Decode(envelope)
	if err != nil {
		return nil, damagedEvent(id, err)
	}
	return event, nil
}
