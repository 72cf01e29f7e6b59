package cache

import (
	"cmp"
	"encoding/binary"
	"slices"

	"akx/view"
	"akx/view/identity"
)

// Records says what services gave this cache, in the state of the snapshot.
func (s *snapshot) Records() view.Records {
	return records{s, make(map[identity.Origin]*givenReader)}
}

type records struct {
	s  *snapshot
	of map[identity.Origin]*givenReader // of services that were looked at
}

// givenReader looks up what one followed service gave; nil where it is not followed.
type givenReader struct {
	checkpoint uint64
	spans      blockReader
}

// Followed lists the services with a completed enumeration, by origin.
func (r records) Followed() (all []view.Followed, err error) {
	s := r.s
	defer s.guard(&err)
	if s.tx == nil {
		return nil, nil
	}
	cursor := s.bucket("follow").Cursor()
	for key, value := cursor.Seek([]byte{'s'}); len(key) == 5 && key[0] == 's'; key, value = cursor.Next() {
		source, named := sourceOf(s.bucket("source"), key[1:])
		f, ok := parseFollow(value)
		if !ok || !named {
			return nil, damagedService(s.path)
		}
		if f.Faults, ok = parseFaults(s.bucket("follow").Get(faultsKey(key[1:]))); !ok {
			return nil, damagedService(s.path)
		}
		if f.Complete {
			all = append(all, f.Followed(identity.Origin(source.Name)))
		}
	}
	slices.SortFunc(all, func(a, b view.Followed) int { return cmp.Compare(a.Origin, b.Origin) })
	return all, nil
}

// Given reports which events a followed service gave up to its checkpoint. Numbers
// in ascending runs cost least: each block is then read once a run.
func (r records) Given(origin identity.Origin, numbers []uint64) (given []bool, err error) {
	s := r.s
	defer s.look()()
	defer s.guard(&err)
	given = make([]bool, len(numbers))
	reader, known := r.of[origin]
	if !known {
		if reader, err = s.givenReader(origin); err != nil {
			return nil, err
		}
		r.of[origin] = reader
	}
	if reader == nil {
		return given, nil
	}
	for i, n := range numbers {
		at, ok := reader.spans.get(n)
		if !ok {
			return nil, damagedService(s.path)
		}
		given[i] = at != nil && binary.BigEndian.Uint64(at) <= reader.checkpoint
	}
	return given, nil
}

func (s *snapshot) givenReader(origin identity.Origin) (*givenReader, error) {
	if s.tx == nil {
		return nil, nil
	}
	source := serviceKey(s.bucket("source"), origin)
	if source == nil {
		return nil, nil
	}
	value := s.bucket("follow").Get(stateKey(source))
	if value == nil {
		return nil, nil
	}
	f, ok := parseFollow(value)
	switch {
	case !ok:
		return nil, damagedService(s.path)
	case !f.Complete:
		return nil, nil
	}
	return &givenReader{f.Checkpoint, blockReader{bucket: s.bucket("given"), prefix: source, width: spanBytes}}, nil
}
