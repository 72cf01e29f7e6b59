package cache

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	bolt "go.etcd.io/bbolt"

	"akx/cache/storetest"
	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
)

func openDesk(t testing.TB, home string) *Desk {
	t.Helper()
	c, err := Open(t.Context(), home, Options{Command: "akx draft edit"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c.Desk()
}

func newDraft(title string) desk.Draft {
	return desk.Draft{Type: capsule.Publish, Created: 1, Edited: 2, Payload: desk.Payload{Title: title, Kind: "obs"}}
}

// entryFor makes an outbox entry of a draft.
func entryFor(t testing.TB, draft uint64) desk.Entry {
	t.Helper()
	e := desk.NewEntry(few(t, 3)[0].Offer.Event(), 5, []string{string(hub), string(lab)})
	e.DraftID = draft
	return e
}

// What is written is there for the next akx, and a home is made for the user alone.
func TestDeskOutlivesItsProcess(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	d, ctx := openDesk(t, home), t.Context()
	a, err := d.PutDraft(ctx, newDraft("a \x00 b"))
	b, err2 := d.PutDraft(ctx, newDraft("語"))
	if err := errors.Join(err, err2); err != nil || a.ID != 1 || b.ID != 2 {
		t.Fatal(a.ID, b.ID, err)
	}
	e, err := d.PutEntry(ctx, entryFor(t, b.ID))
	if err != nil {
		t.Fatal(err)
	}
	if ok, err := d.ReserveNonce(ctx, agent(1), 77); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if err := d.SetPetname(ctx, agent(1), "Ada"); err != nil {
		t.Fatal(err)
	}

	again := openDesk(t, home)
	drafts, err := again.Drafts(ctx)
	if err != nil || len(drafts) != 1 || !drafts[0].Payload.Equal(a.Payload) {
		t.Error(drafts, err)
	}
	if id, ok, err := again.SignedAs(ctx, b.ID); err != nil || !ok || id != e.ID {
		t.Error(id, ok, err)
	}
	if stored, err := again.Entry(ctx, e.ID); err != nil || stored.Envelope != e.Envelope || len(stored.Deliveries) != 2 {
		t.Error(stored, err)
	}
	if last, err := again.LastNonce(ctx, agent(1)); err != nil || last != 77 {
		t.Error(last, err)
	}
	if names, err := again.Petnames(ctx); err != nil || names[agent(1)] != "Ada" {
		t.Error(names, err)
	}
	for name, want := range map[string]os.FileMode{"": 0o700, "own.db": 0o600} {
		if info, err := os.Stat(filepath.Join(home, name)); err != nil || info.Mode().Perm() != want {
			t.Errorf("%q: %v, %v", name, info.Mode(), err)
		}
	}
}

// agent gives the Agent ID number n.
func agent(n byte) identity.Actor { return identity.TestKey(n).Actor() }

// A draft is signed once, an entry is stored once, and only deliveries change.
func TestDeskKeepsOneEntryOfADraft(t *testing.T) {
	d, ctx := openDesk(t, t.TempDir()), t.Context()
	draft, err := d.PutDraft(ctx, newDraft("a"))
	if err != nil {
		t.Fatal(err)
	}
	first := entryFor(t, draft.ID)
	if _, err := d.PutEntry(ctx, first); err != nil {
		t.Fatal(err)
	}
	other := desk.NewEntry(few(t, 3)[1].Offer.Event(), 6, nil)
	other.DraftID = draft.ID
	if got, err := d.PutEntry(ctx, other); err != nil || got.ID != first.ID {
		t.Error(got.ID, err)
	}
	other.DraftID = 0
	other.ID, other.Envelope, other.Title, other.Type = first.ID, first.Envelope, first.Title, first.Type
	if got, err := d.PutEntry(ctx, other); err != nil || got.DraftID != draft.ID || got.SignedAt != 5 {
		t.Error(got, err)
	}
	got, err := d.ChangeEntry(ctx, first.ID, func(e desk.Entry) (desk.Entry, error) {
		e.Envelope, e.SignedAt = "{}", 9
		e.Deliveries[1].State = desk.Accepted
		return e, nil
	})
	if err != nil || got.Envelope != first.Envelope || got.SignedAt != 5 || got.Deliveries[1].State != desk.Accepted {
		t.Error(got, err)
	}
	refused := errors.New("no")
	if _, err := d.ChangeEntry(ctx, first.ID, func(e desk.Entry) (desk.Entry, error) {
		e.Deliveries = nil
		return e, &fault.Usage{Detail: refused.Error()}
	}); err == nil {
		t.Error("changed all the same")
	}
	if all, err := d.Entries(ctx); err != nil || len(all) != 1 || len(all[0].Deliveries) != 2 {
		t.Error(all, err)
	}
	if err := d.RemoveEntry(ctx, first.ID); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := d.SignedAs(ctx, draft.ID); !ok || err != nil {
		t.Error("forgot that the draft was signed", err)
	}
}

// Several akx that sign at a time never get one nonce.
func TestNonceIsReservedOnce_Identity_6_2(t *testing.T) {
	home := t.TempDir()
	var taken atomic.Int64
	var wait sync.WaitGroup
	for range 3 {
		d := openDesk(t, home)
		wait.Go(func() {
			for nonce := int64(1); nonce <= 10; nonce++ {
				ok, err := d.ReserveNonce(context.Background(), agent(1), nonce)
				if err != nil {
					t.Error(err)
				}
				if ok {
					taken.Add(1)
				}
			}
		})
	}
	wait.Wait()
	if n := taken.Load(); n != 10 {
		t.Errorf("10 nonces were taken %d times", n)
	}
}

// A name is held by one at a time, however many ask, and its file goes with it.
// Two processes that give one name at once do not both win.
func TestOneNameForOneAgentID(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	const writers = 8
	won := make(chan identity.Actor, writers)
	var wait sync.WaitGroup
	for n := range writers {
		d := mustOpen(t, home, Options{}).Desk() // each has its own handle and lease, as a process has
		wait.Go(func() {
			a := storetest.Key(byte(n + 1)).Actor()
			if err := d.SetPetname(t.Context(), a, "ann"); err == nil {
				won <- a
			} else if codeOf(err) != fault.UsageCode {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	close(won)
	names, err := mustOpen(t, home, Options{}).Desk().Petnames(t.Context())
	if first := <-won; err != nil || len(won) != 0 || len(names) != 1 || names[first] != "ann" {
		t.Errorf("%d more won; names %v, %v", len(won), names, err)
	}
}

func TestHold(t *testing.T) {
	home := t.TempDir()
	one, two := openDesk(t, home), openDesk(t, home)
	release, holder, err := one.Hold(t.Context(), "draft-1")
	if err != nil || release == nil || holder != "" {
		t.Fatal(holder, err)
	}
	none, holder, err := two.Hold(t.Context(), "draft-1")
	if err != nil || none != nil || !strings.HasPrefix(holder, "akx draft edit (process ") {
		t.Fatal(holder, err)
	}
	release()
	release()
	if left, err := os.ReadDir(filepath.Join(home, holdFolder)); err != nil || len(left) != 0 {
		t.Error(left, err)
	}
	for _, bad := range []string{"", "a/b", "..", "a\x00", strings.Repeat("a", 101)} {
		if _, _, err := one.Hold(t.Context(), bad); codeOf(err) != fault.UsageCode {
			t.Errorf("%q: %v", bad, err)
		}
	}
	var inside, most atomic.Int64
	var wait sync.WaitGroup
	for i := range 8 {
		d := []*Desk{one, two}[i%2]
		wait.Go(func() {
			for range 100 {
				release, _, err := d.Hold(context.Background(), "draft-2")
				if err != nil {
					t.Error(err)
				}
				if release != nil {
					most.Store(max(most.Load(), inside.Add(1)))
					inside.Add(-1)
					release()
				}
			}
		})
	}
	wait.Wait()
	if most.Load() != 1 {
		t.Errorf("%d had it at a time", most.Load())
	}
}

// What is damaged is said, and costs nothing of the rest.
func TestDeskDamage(t *testing.T) {
	home := t.TempDir()
	d, ctx := openDesk(t, home), t.Context()
	for _, title := range []string{"a", "b", "c"} {
		if _, err := d.PutDraft(ctx, newDraft(title)); err != nil {
			t.Fatal(err)
		}
	}
	e, err := d.PutEntry(ctx, entryFor(t, 3))
	if err != nil {
		t.Fatal(err)
	}
	if ok, err := d.ReserveNonce(ctx, agent(1), 5); !ok || err != nil {
		t.Fatal(ok, err)
	}
	flip := func(bucket string, key []byte) {
		t.Helper()
		err := d.own.write(ctx, func(tx *bolt.Tx) (bool, error) {
			b := tx.Bucket([]byte(bucket))
			value := append([]byte(nil), b.Get(key)...)
			value[len(value)-1] ^= 1
			return true, b.Put(key, value)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	flip(draftBucket, number(1))
	flip(outboxBucket, e.ID[:])
	actor := agent(1)
	flip(nonceBucket, actor[:])

	drafts, err := d.Drafts(ctx)
	if !isDamaged(err) || len(drafts) != 1 || drafts[0].ID != 2 {
		t.Error(drafts, err)
	}
	entries, err := d.Entries(ctx)
	if !isDamaged(err) || len(entries) != 0 {
		t.Error(entries, err)
	}
	flip(draftBucket, number(2))
	if drafts, err = d.Drafts(ctx); len(fault.AllDamaged(err)) != 2 || len(drafts) != 0 {
		t.Errorf("two damaged drafts: %v, %v", drafts, err)
	}
	flip(draftBucket, number(2))
	for name, do := range map[string]func() error{
		"draft":   func() error { _, err := d.Draft(ctx, 1); return err },
		"entry":   func() error { _, err := d.Entry(ctx, e.ID); return err },
		"again":   func() error { _, err := d.PutEntry(ctx, e); return err },
		"nonce":   func() error { _, err := d.LastNonce(ctx, actor); return err },
		"reserve": func() error { _, err := d.ReserveNonce(ctx, actor, 9); return err },
	} {
		if err := do(); !isDamaged(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	found, err := Check(ctx, home)
	if err != nil {
		t.Fatal(err)
	}
	var parts []string
	for _, f := range found {
		if f.Count == 1 && f.Hint != "" {
			_, part, _ := strings.Cut(f.What, ": ")
			parts = append(parts, part)
		}
	}
	if got := strings.Join(parts, ", "); got != "your drafts, your outbox, the nonces of your keys" {
		t.Errorf("doctor finds %s: %+v", got, found)
	}
	if err := d.DeleteDraft(ctx, 1); err != nil {
		t.Error(err)
	}
	if _, err := d.Drafts(ctx); err != nil {
		t.Error(err)
	}
}

// A home without own.db, and one of an akx that knew no drafts, have none.
func TestDeskOfAnOlderHome(t *testing.T) {
	home, ctx := t.TempDir(), t.Context()
	look := func() {
		t.Helper()
		d := openDesk(t, home)
		drafts, err := d.Drafts(ctx)
		entries, err2 := d.Entries(ctx)
		last, err3 := d.LastNonce(ctx, agent(1))
		names, err4 := d.Petnames(ctx)
		_, signed, err5 := d.SignedAs(ctx, 1)
		if err := errors.Join(err, err2, err3, err4, err5); err != nil || len(drafts)+len(entries)+len(names) > 0 || last != 0 || signed {
			t.Error(drafts, entries, last, names, signed, err)
		}
		_, err = d.Draft(ctx, 1)
		if codeOf(err) != fault.NotHeldCode {
			t.Error(err)
		}
		if err := d.DeleteDraft(ctx, 1); err != nil {
			t.Error(err)
		}
	}
	look()
	c, err := Open(ctx, home, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.SaveState(ctx, []byte("{}")); err != nil {
		t.Fatal(err)
	}
	look()
}
