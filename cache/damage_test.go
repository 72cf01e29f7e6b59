package cache

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"akx/view"
	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// orphan is an event of the small corpus that has a target which is not among its
// first 40 events.
func orphan(t testing.TB) wire.Item {
	t.Helper()
	items := few(t, 200)
	near := make(map[identity.ID]bool)
	for _, item := range items[:40] {
		near[item.Offer.Envelope().ID()] = true
	}
	for _, item := range items[40:] {
		for _, id := range capsule.Dependencies(item.Offer.Event()) {
			if !near[id] {
				return item
			}
		}
	}
	t.Fatal("the small corpus has no orphan")
	return wire.Item{}
}

// goodFile gives the pages in use of a database with a few events, which a service
// gave in part.
func goodFile(t testing.TB) ([]byte, []wire.Item) {
	t.Helper()
	home := t.TempDir()
	c := mustOpen(t, home, Options{})
	items := few(t, 30)
	accept(t, c, items[:12], wire.Added)
	accept(t, c, items[12:], wire.Added)
	page := append(recorded(items[:20], 1), wire.Item{Refusal: fault.Refuse(fault.StepHash, "/hash", "is another"), Seq: 21, AcceptedAt: 5})
	page = append(page, recorded([]wire.Item{orphan(t)}, 22)...)
	faults := []desk.ServiceFault{{Kind: desk.CheckpointBack, At: 7, Before: 9, Now: 8}}
	next := desk.Follow{Checkpoint: 22, AsOf: 9, Complete: true, Reached: 22, Faults: faults}
	outcomes, _, err := c.AcceptPage(t.Context(), hub, page, next)
	if err != nil || outcomes[19].Status != wire.Held || outcomes[21].Status != wire.Pending {
		t.Fatalf("the page was not taken as it should: %v", err)
	}
	c.Close()
	path := filepath.Join(home, cacheName)
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	h, err := inspect(path)
	if err != nil {
		t.Fatal(err)
	}
	return file[:h.meta.pages*h.meta.pageSize], items
}

func homeWith(t testing.TB, file []byte) string {
	t.Helper()
	home := filepath.Join(t.TempDir(), "home")
	if err := errors.Join(os.Mkdir(home, 0o700), os.WriteFile(filepath.Join(home, cacheName), file, 0o600)); err != nil {
		t.Fatal(err)
	}
	return home
}

func TestBadFilesAreToldAndKept(t *testing.T) {
	good, _ := goodFile(t)
	otherProgram := func(t *testing.T, change func(*bolt.Tx) error) []byte {
		path := filepath.Join(t.TempDir(), "other.db")
		db, err := bolt.Open(path, 0o600, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(db.Update(change), db.Close()); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	bothMetas := bytes.Clone(good)
	bothMetas[40] ^= 1
	bothMetas[4096+40] ^= 1
	tests := []struct {
		name string
		file []byte
		code fault.Code
	}{
		{"empty", nil, fault.DamagedCode},
		{"text", []byte("not a database\n"), fault.DamagedCode},
		{"PNG", append([]byte("\x89PNG\r\n\x1a\n"), make([]byte, 9000)...), fault.DamagedCode},
		{"zeros", make([]byte, 64<<10), fault.DamagedCode},
		{"cut within the first page", good[:1000], fault.DamagedCode},
		{"cut behind the meta pages", good[:8192], fault.DamagedCode},
		{"cut in the middle", good[:len(good)/2/4096*4096], fault.DamagedCode},
		{"both meta pages damaged", bothMetas, fault.DamagedCode},
		{"of another program", otherProgram(t, func(tx *bolt.Tx) error {
			_, err := tx.CreateBucket([]byte("theirs"))
			return err
		}), fault.DamagedCode},
		{"newer format", otherProgram(t, func(tx *bolt.Tx) error {
			b, err := tx.CreateBucket(metaBucket)
			return errors.Join(err, b.Put(keyFormat, number(format1+1)))
		}), fault.NewerFormat},
		{"a format that never was", otherProgram(t, func(tx *bolt.Tx) error {
			b, err := tx.CreateBucket(metaBucket)
			return errors.Join(err, b.Put(keyFormat, number(0)), b.Put(keyRole, []byte{byte(Reader)}))
		}), fault.DamagedCode},
		{"a bucket is gone", otherProgram(t, func(tx *bolt.Tx) error {
			b, err := tx.CreateBucket(metaBucket)
			return errors.Join(err, b.Put(keyFormat, number(format1)), b.Put(keyRole, []byte{byte(Reader)}))
		}), fault.DamagedCode},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			home := homeWith(t, test.file)
			_, err := Open(t.Context(), home, Options{})
			var d *fault.Damaged
			if !errors.As(err, &d) || d.FaultCode() != test.code || d.Hint == "" {
				t.Errorf("opening gave %v", err)
			}
			c := &Cache{events: newFile(filepath.Join(home, cacheName), cacheSchema(Reader), Options{}.filled()), limits: Options{}.filled().Limits, clock: Options{}.filled().Clock}
			if _, err := c.Accept(t.Context(), fromFile, few(t, 1)); codeOf(err) != test.code {
				t.Errorf("writing gave %v", err)
			}
			found, err := Check(t.Context(), home)
			if err != nil || !slices.ContainsFunc(found, func(f Finding) bool { return f.Code == test.code && f.Hint != "" }) {
				t.Errorf("Check found %+v, %v", found, err)
			}
			after, err := os.ReadFile(filepath.Join(home, cacheName))
			if err != nil || !bytes.Equal(after, test.file) {
				t.Errorf("the file was changed: %v", err)
			}
		})
	}
}

func TestAFolderInThePlaceOfAFile(t *testing.T) {
	home := t.TempDir()
	if err := os.Mkdir(filepath.Join(home, cacheName), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), home, Options{}); codeOf(err) != fault.DamagedCode {
		t.Errorf("got %v", err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), file, Options{}); codeOf(err) != fault.UnavailableCode {
		t.Errorf("a file as home gave %v", err)
	}
	if found, err := Check(t.Context(), file); err != nil || len(found) != 1 {
		t.Errorf("Check: %v, %v", found, err)
	}
}

func TestOneDamagedMetaPageReadsButDoesNotWrite(t *testing.T) {
	good, items := goodFile(t)
	for _, page := range []int{0, 4096} {
		bad := bytes.Clone(good)
		bad[page+metaStart+20] ^= 4
		home := homeWith(t, bad)
		c := mustOpen(t, home, Options{})
		if _, err := c.Accept(t.Context(), fromFile, items); codeOf(err) != fault.DamagedCode {
			t.Errorf("page at %d: writing gave %v", page, err)
		}
		c.Close()
		found, err := Check(t.Context(), home)
		if err != nil || len(found) == 0 {
			t.Errorf("page at %d: Check found %v, %v", page, found, err)
		}
		if _, _, err := Compact(t.Context(), home, Options{}); err != nil {
			t.Fatal(err)
		}
		c = mustOpen(t, home, Options{})
		before, err := c.Stats(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		outcomes, err := c.Accept(t.Context(), fromFile, append(items, few(t, 40)[30:]...))
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range outcomes {
			if o.Status != wire.Added && o.Status != wire.Held || o.Status == wire.Added && before.Events > 0 && o.Number <= before.LastNumber+lostNumbers {
				t.Errorf("page at %d: status %d, number %d", page, o.Status, o.Number)
			}
		}
		c.Close()
		sound(t, home)
	}
}

// library reads everything of a cache, as far as it can be read.
type everything struct {
	events  map[identity.ID]string
	entries map[identity.ID]view.Entry
	links   map[identity.ID][]view.Incoming
	given   map[identity.ID]bool // by hub
	follow  []any                // of hub: state, exceptions
}

func readAll(t testing.TB, c *Cache, items []wire.Item) (all everything, damage int) {
	t.Helper()
	all = everything{
		events: map[identity.ID]string{}, entries: map[identity.ID]view.Entry{}, links: map[identity.ID][]view.Incoming{},
		given: map[identity.ID]bool{},
	}
	check := func(err error) bool {
		if err == nil {
			return true
		}
		var notHeld *fault.NotHeld
		var d *fault.Damaged
		if !errors.As(err, &d) && !errors.As(err, &notHeld) {
			t.Errorf("an error of another kind: %v", err)
		}
		damage++
		return false
	}
	check(c.Read(t.Context(), func(s view.Snapshot) error {
		for _, item := range items {
			id := item.Offer.Envelope().ID()
			if e, err := s.Event(id); check(err) {
				all.events[e.ID()] = e.Envelope().Text()
			}
			var links []view.Incoming
			if check(s.Incoming(t.Context(), id, func(in []view.Incoming) bool {
				links = append(links, in...)
				return true
			})) {
				all.links[id] = links
			}
		}
		for _, q := range []view.Query{{}, {Sort: view.Title}, {Terms: []string{"ba"}}, {Lifecycle: view.Retracted}} {
			check(s.Scan(t.Context(), q, func(numbers []uint64) bool {
				rows, err := s.Entries(numbers)
				if check(err) {
					for _, row := range rows {
						if row.Damaged {
							damage++
						} else {
							all.entries[row.ID] = row
						}
					}
				}
				return true
			}))
		}
		_, err := view.LoadFacets(t.Context(), s, view.Query{})
		check(err)
		ids := make([]identity.ID, len(items))
		for i, item := range items {
			ids[i] = item.Offer.Envelope().ID()
		}
		records, _ := view.RecordsOf(s)
		_, err = records.Followed()
		check(err)
		if numbers, err := s.Find(ids); check(err) {
			given, err := records.Given(hub, numbers)
			for i := 0; check(err) && i < len(given); i++ {
				all.given[ids[i]] = given[i] && numbers[i] != 0
			}
		}
		return nil
	}))
	follow, err := c.Follow(t.Context(), hub)
	exceptions, bad := c.Exceptions(t.Context(), hub, 0, 10)
	if check(err) && check(bad) {
		all.follow = []any{follow, exceptions}
	}
	_, _, err = c.Records(t.Context(), wire.Range{Through: 1000, Limit: 1000})
	check(err)
	_, err = c.Lookup(t.Context(), "A", 10)
	check(err)
	_, err = c.Pending(t.Context(), identity.ID{}, 10)
	check(err)
	return all, damage
}

// A flipped bit anywhere in the file never makes a false event or a false row, and
// never ends the process.
func TestFlippedBits(t *testing.T) {
	good, items := goodFile(t)
	want, damage := readAll(t, mustOpen(t, homeWith(t, good), Options{}), items)
	if damage > 0 || len(want.events) != len(items) || len(want.entries) != len(items) {
		t.Fatalf("the good file reads badly: %d damages, %d events, %d rows", damage, len(want.events), len(want.entries))
	}
	if given := slices.Collect(maps.Values(want.given)); len(given) != len(items) || !slices.Contains(given, true) || len(want.follow) != 2 {
		t.Fatalf("the good file reads badly: given %v, %v", given, want.follow)
	}
	// The name of a service in the file may be another now: then this one is not known.
	unknown := []any{desk.Follow{}, []desk.Exception(nil)}
	flips := 240
	if testing.Short() {
		flips = 60
	}
	home, seen := homeWith(t, good), 0
	path := filepath.Join(home, cacheName)
	for i := range flips {
		at := (i*len(good)/flips + i*37) % len(good)
		bad := bytes.Clone(good)
		bad[at] ^= 1 << (i % 8)
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := Open(t.Context(), home, Options{})
		if err != nil {
			if !isDamaged(err) && codeOf(err) != fault.UsageCode && codeOf(err) != fault.NewerFormat {
				t.Errorf("flip at %d: opening gave %v", at, err)
			}
			seen++
			continue
		}
		got, damage := readAll(t, c, items)
		seen += min(damage, 1)
		for id, text := range got.events {
			if want.events[id] != text {
				t.Errorf("flip at %d: a false event", at)
			}
		}
		for id, row := range got.entries {
			if row.Number == want.entries[id].Number && !reflect.DeepEqual(row, want.entries[id]) {
				t.Errorf("flip at %d: a false row: %+v", at, row)
			}
		}
		for id, given := range got.given {
			if given && !want.given[id] {
				t.Errorf("flip at %d: an event was not given", at)
			}
		}
		if got.follow != nil && !reflect.DeepEqual(got.follow, want.follow) && !reflect.DeepEqual(got.follow, unknown) {
			t.Errorf("flip at %d: a false state of a service: %+v", at, got.follow)
		}
		c.Close()
	}
	if seen < flips/4 {
		t.Errorf("only %d of %d flips were seen", seen, flips)
	}
}

// flipText flips a bit in the stored text of an event.
func flipText(t testing.TB, home string, item wire.Item) {
	t.Helper()
	path := filepath.Join(home, cacheName)
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := []byte(item.Offer.Envelope().Text())
	found := 0
	for at := 0; ; {
		i := bytes.Index(file[at:], text)
		if i < 0 {
			break
		}
		file[at+i+len(text)/2] ^= 1
		at += i + len(text)
		found++
	}
	if found == 0 {
		t.Fatal("the text is not in the file")
	}
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestADamagedEntryIsShownAndHealed(t *testing.T) {
	good, items := goodFile(t)
	home := homeWith(t, good)
	broken := items[7]
	flipText(t, home, broken)
	c := mustOpen(t, home, Options{})
	all, _ := readAll(t, c, items)
	if len(all.events) != len(items)-1 || len(all.entries) != len(items)-1 {
		t.Errorf("%d events and %d rows live on, of %d", len(all.events), len(all.entries), len(items))
	}
	err := c.Read(t.Context(), func(s view.Snapshot) error {
		rows, err := s.Entries([]uint64{8})
		if err != nil || !rows[0].Damaged || rows[0].ID != broken.Offer.Envelope().ID() {
			t.Errorf("the row: %+v, %v", rows, err)
		}
		_, err = s.Event(broken.Offer.Envelope().ID())
		return err
	})
	if !isDamaged(err) {
		t.Errorf("the event gave %v", err)
	}
	found, err := Check(t.Context(), home)
	if err != nil || len(found) != 1 || found[0].Count != 1 || found[0].Events[0] != broken.Offer.Envelope().ID() {
		t.Errorf("Check found %+v, %v", found, err)
	}
	if got := accept(t, c, []wire.Item{broken}, wire.Held)[0]; got.Number != 8 {
		t.Errorf("number %d", got.Number)
	}
	all, damage := readAll(t, c, items)
	if damage > 0 || all.events[broken.Offer.Envelope().ID()] != broken.Offer.Envelope().Text() {
		t.Errorf("importing it again did not heal it: %d damages", damage)
	}
	c.Close()
	sound(t, home)
}

// A part of the file that goes while it is mapped ends in an error, not in a crash.
func TestTruncatedWhileOpen(t *testing.T) {
	good, items := goodFile(t)
	home := homeWith(t, good)
	c := mustOpen(t, home, Options{})
	err := c.Read(t.Context(), func(s view.Snapshot) error {
		if err := os.Truncate(filepath.Join(home, cacheName), 4096); err != nil {
			t.Fatal(err)
		}
		_, err := s.Event(items[3].Offer.Envelope().ID())
		if !isDamaged(err) {
			t.Errorf("reading gave %v", err)
		}
		return s.Scan(t.Context(), view.Query{}, func([]uint64) bool { return true })
	})
	if !isDamaged(err) {
		t.Errorf("scanning gave %v", err)
	}
	if _, err := c.Stats(t.Context()); !isDamaged(err) {
		t.Errorf("the next read gave %v", err)
	}
}

// A panic of the caller's own code is not taken for damage.
func TestForeignPanicPasses(t *testing.T) {
	good, _ := goodFile(t)
	c := mustOpen(t, homeWith(t, good), Options{})
	for name, f := range map[string]func(view.Snapshot) error{
		"in Read": func(view.Snapshot) error { panic("mine") },
		"while it scans": func(s view.Snapshot) error {
			return s.Scan(t.Context(), view.Query{}, func([]uint64) bool { panic("mine") })
		},
	} {
		func() {
			defer func() {
				if r := recover(); r != "mine" {
					t.Errorf("%s: recovered %v", name, r)
				}
			}()
			err := c.Read(t.Context(), f)
			t.Errorf("%s: %v", name, err)
		}()
	}
	if _, err := c.Stats(t.Context()); err != nil {
		t.Error(err)
	}
}

// A write that fails over damaged pages leaves nothing locked behind: other reads
// and writes of this process go on at once.
func TestADamagedWriteLocksNothing(t *testing.T) {
	good, items := goodFile(t)
	h := homeWith(t, good)
	c := mustOpen(t, h, Options{})
	broken := mustOpen(t, homeWith(t, good), Options{Patience: time.Second})
	for range 3 {
		err := broken.events.write(t.Context(), func(tx *bolt.Tx) (bool, error) {
			err := tx.Bucket([]byte("id")).Put([]byte("k"), []byte("v"))
			if err == nil {
				panic("a page that makes no sense")
			}
			return true, err
		})
		if !isDamaged(err) {
			t.Fatalf("got %v", err)
		}
		if all, damage := readAll(t, broken, items); damage > 0 || len(all.events) != len(items) {
			t.Errorf("%d damages, %d events", damage, len(all.events))
		}
	}
	accept(t, broken, few(t, 31)[30:], wire.Added)
	accept(t, c, items, wire.Held)
	broken.Close()
	sound(t, broken.Home())
}
