package cache

import (
	"unicode/utf8"

	bolt "go.etcd.io/bbolt"

	"akx/view/desk"
	"akx/view/identity"
)

// deskParts are the parts of own.db with the user's own writing, and what is to be
// done about damage in each.
var deskParts = []struct {
	bucket, what, hint string
	whole              func(key, value []byte) bool
}{
	{draftBucket, "your drafts", "a draft that cannot be read can be deleted with 'akx draft delete'; the others are whole",
		func(key, value []byte) bool {
			d, err := desk.DecodeDraft(value)
			return err == nil && string(key) == string(number(d.ID))
		}},
	{outboxBucket, "your outbox", "an event that was signed is in the cache too, and can be submitted again from there",
		func(key, value []byte) bool {
			e, err := desk.DecodeEntry(value)
			return err == nil && string(key) == string(e.ID[:])
		}},
	{signedBucket, "what your drafts were signed as", hintOwn,
		func(key, value []byte) bool { return len(key) == 8 && len(value) == len(identity.ID{}) }},
	{nonceBucket, "the nonces of your keys", "put own.db back from a backup, or sign with another key",
		func(key, value []byte) bool { return len(key) == len(identity.Actor{}) && len(value) == 8 }},
	{petnameBucket, "your names of Agent IDs", "give the Agent ID its name again",
		func(key, value []byte) bool { return len(key) == len(identity.Actor{}) && utf8.Valid(value) }},
}

// deskFindings looks at every value of the user's own writing.
func deskFindings(tx *bolt.Tx) []Finding {
	var found []Finding
	for _, part := range deskParts {
		b := tx.Bucket([]byte(part.bucket))
		if b == nil {
			continue
		}
		damaged := 0
		cursor := b.Cursor()
		for key, value := cursor.First(); key != nil; key, value = cursor.Next() {
			if rest, ok := unseal(value); !ok || !part.whole(key, rest) {
				damaged++
			}
		}
		if damaged > 0 {
			found = append(found, Finding{What: part.what, Count: damaged, Detail: "what is stored makes no sense", Hint: part.hint})
		}
	}
	return found
}
