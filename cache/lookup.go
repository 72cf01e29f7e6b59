package cache

import (
	"bytes"
	"context"
	"encoding/base64"
	"slices"
	"strings"

	"akx/view"
	"akx/view/identity"
)

// maxCandidates bounds what a prefix is compared with, so that a short one stays
// cheap. Prefixes of 6 characters, the shortest that commands take, have one
// candidate in a library of any size.
const maxCandidates = 10_000

// Lookup lists held and pending events whose ID starts with prefix, in ascending
// ASCII order.
func (c *Cache) Lookup(ctx context.Context, prefix string, limit int) ([]view.Known, error) {
	var found []view.Known
	err := c.view(ctx, func(s *snapshot) (err error) {
		found, err = s.lookup(prefix)
		return err
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(found, func(a, b view.Known) int { return a.ID.Compare(b.ID) })
	return found[:min(len(found), max(limit, 0))], nil
}

func (s *snapshot) lookup(prefix string) (found []view.Known, err error) {
	defer s.guard(&err)
	if s.tx == nil {
		return nil, nil
	}
	low, ok := lowest(prefix)
	if !ok {
		return nil, nil
	}
	cursor := s.bucket("id").Cursor()
	for key, value := cursor.Seek(low[:]); len(key) == 32 && len(found) < maxCandidates; key, value = cursor.Next() {
		id := identity.ID(key)
		if !strings.HasPrefix(id.String(), prefix) {
			break
		}
		known := view.Known{ID: id}
		if r := row(s.rows.record(parseNumber(value))); r.whole() {
			known.Title, known.Type, known.Kind = string(r.title()), r.typ(), r.kind()
		}
		found = append(found, known)
	}
	cursor = s.bucket("pend").Cursor()
	for key, value := cursor.Seek([]byte(prefix)); key != nil && bytes.HasPrefix(key, []byte(prefix)) && len(found) < 2*maxCandidates; key, value = cursor.Next() {
		id, err := identity.ParseID(string(key))
		w, ok := parseWaiter(value)
		if err != nil || !ok {
			return nil, damaged(s.path, "its waiting events are damaged", err)
		}
		found = append(found, view.Known{ID: id, Pending: true, Title: string(w.title), Type: w.typ, Kind: w.kind})
	}
	return found, nil
}

// lowest is the first ID in the order of bytes that starts with prefix: the 6-bit
// groups of base64url stand in the same order in both. All IDs with the prefix
// follow it without a gap. ok is false where no ID can start so.
func lowest(prefix string) (id identity.ID, ok bool) {
	const chars = 43
	if len(prefix) > chars {
		return id, false
	}
	padded := prefix + strings.Repeat("A", chars-len(prefix))
	raw, err := base64.RawURLEncoding.DecodeString(padded)
	if err != nil || len(raw) != len(id) {
		return id, false
	}
	return identity.ID(raw), true
}
