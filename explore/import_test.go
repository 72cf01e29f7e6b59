package explore_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"akx/cache/storetest"
	"akx/explore"
	"akx/view"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/memory"
	"akx/view/wire"
)

// lines is JSON Lines of events.
func lines(events ...capsule.Event) string {
	var b strings.Builder
	for _, e := range events {
		b.WriteString(e.Envelope().Text())
		b.WriteByte('\n')
	}
	return b.String()
}

func importText(t testing.TB, lib explore.Library, text string, o explore.ImportOptions) explore.Imported {
	t.Helper()
	o.Source = fromFile
	done, err := explore.Import(t.Context(), lib, strings.NewReader(text), o)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

func counts(p explore.Progress) [5]int {
	return [5]int{p.Objects, p.Added, p.Held, p.Pending, p.Refused}
}

func TestImportCountsEveryObjectOnce(t *testing.T) {
	base := storetest.Publish(t, stamp(1, 5))
	child := storetest.Publish(t, stamp(2, 1), storetest.Relate(capsule.Extends, base.ID()))
	absent := storetest.Publish(t, stamp(3, 1))
	orphan := storetest.Assess(t, stamp(3, 2), absent.ID(), capsule.VerdictSupports)
	foreign := storetest.Retract(t, stamp(2, 9), base.ID())
	later := storetest.Publish(t, storetest.Stamp{Signer: 1, Nonce: 6, CreatedAt: storetest.Now + capsule.DefaultSkew + 1})
	bad := storetest.PublishPayload()
	bad.Title = ""
	invalid := storetest.Sign(t, stamp(4, 1), capsule.Publish, bad.Value())
	forged := strings.Replace(base.Envelope().Text(), "measured twice", "measured thrice", 1)

	text := lines(child, foreign, orphan, child) + // wait: child is there twice
		"{\"torn\n" + // line 5
		forged + "\n" + invalid + "\n" + lines(later) +
		lines(base, base, orphan) // releases child, drops foreign
	store := newStore()
	var told []explore.Refused
	var steps []fault.Step
	done := importText(t, store, text, explore.ImportOptions{Batch: 2, Refused: func(r explore.Refused) { told = append(told, r) }})
	if want := [5]int{11, 2, 2, 1, 5}; counts(done.Progress) != want || done.Waited != 1 || done.Waits != 1 {
		t.Errorf("objects, added, held, pending, refused: %v, want %v; waited %d, wait %d", counts(done.Progress), want, done.Waited, done.Waits)
	}
	if done.Bytes != int64(len(text)) || done.Released != 0 || done.Dropped != 0 {
		t.Errorf("%d bytes of %d, released %d, dropped %d", done.Bytes, len(text), done.Released, done.Dropped)
	}
	var places []string
	for _, r := range told {
		steps = append(steps, r.Refusal.Step)
		places = append(places, r.Where)
	}
	if want := []fault.Step{fault.StepParse, fault.StepHash, fault.StepPayload, fault.StepClock, fault.StepTarget}; !slices.Equal(steps, want) {
		t.Errorf("steps %v, want %v", steps, want)
	}
	for i, line := range []string{"lines 5", "line 6", "line 7", "line 8", "line 2"} {
		if !strings.HasPrefix(places[i], line) {
			t.Errorf("refusal %d stood at %q, want %q", i, places[i], line)
		}
	}
	if told[4].ID != foreign.ID() || len(done.Refusals) != 5 {
		t.Errorf("the dropped one is %v; %d listed", told[4].ID, len(done.Refusals))
	}
	if len(done.Waiting) != 1 || done.Waiting[0].ID != orphan.ID() || !slices.Equal(done.Waiting[0].Missing, []identity.ID{absent.ID()}) {
		t.Errorf("waiting %+v", done.Waiting)
	}

	again := importText(t, store, text, explore.ImportOptions{})
	if want := [5]int{11, 0, 4, 0, 5}; counts(again.Progress) != want || again.Waited != 2 {
		t.Errorf("a second time: %v, want %v; waited %d", counts(again.Progress), want, again.Waited)
	}
	last := importText(t, store, lines(absent), explore.ImportOptions{})
	if want := [5]int{1, 1, 0, 0, 0}; counts(last.Progress) != want || last.Released != 1 {
		t.Errorf("what waited from before: %v, released %d", counts(last.Progress), last.Released)
	}
}

func TestImportTellsWhatItDropsFromBefore(t *testing.T) {
	base := storetest.Publish(t, stamp(1, 5))
	foreign := storetest.Retract(t, stamp(2, 9), base.ID())
	store := newStore()
	importText(t, store, lines(foreign), explore.ImportOptions{})
	done := importText(t, store, lines(base), explore.ImportOptions{})
	if want := [5]int{1, 1, 0, 0, 0}; counts(done.Progress) != want || done.Dropped != 1 {
		t.Errorf("%v, dropped %d", counts(done.Progress), done.Dropped)
	}
	if len(done.Refusals) != 1 || done.Refusals[0].ID != foreign.ID() || done.Refusals[0].Refusal.Code != fault.InvalidTarget {
		t.Errorf("refusals %+v", done.Refusals)
	}
}

func TestImportOfRandomOrdersIsWhole(t *testing.T) {
	events := storetest.World(t, 31, 150)
	r := rand.New(rand.NewPCG(1, 9))
	for _, batch := range []int{0, 1, 7, 1000} {
		r.Shuffle(len(events), func(i, j int) { events[i], events[j] = events[j], events[i] })
		store := newStore()
		done := importText(t, store, lines(events...), explore.ImportOptions{Batch: batch})
		if want := [5]int{150, 150, 0, 0, 0}; counts(done.Progress) != want {
			t.Errorf("batch %d: %v", batch, counts(done.Progress))
		}
		for _, e := range events {
			page, err := explore.New(store, explore.Options{}).Page(t.Context(), e.ID())
			if err != nil || page.Event.Envelope().Text() != e.Envelope().Text() {
				t.Fatalf("text as first received: %v", err)
			}
		}
	}
}

func TestImportKeepsOrderAndClaims(t *testing.T) {
	events := many(t, 200)
	var b strings.Builder
	b.WriteString(`{"result":[`)
	for i, e := range events {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"envelope":%s,"seq":%d,"accepted_at":%d}`, e.Envelope().Text(), 10+i, 1000+i)
	}
	b.WriteString(`],"service":"https://hub.example","checkpoint":900,"as_of":5}`)
	store := newStore()
	done := importText(t, store, b.String(), explore.ImportOptions{})
	if done.Added != 200 {
		t.Fatalf("%+v", done)
	}
	err := store.Read(t.Context(), func(s view.Snapshot) error {
		ids := make([]identity.ID, len(events))
		for i, e := range events {
			ids[i] = e.ID()
		}
		numbers, err := s.Find(ids)
		for i, n := range numbers {
			if n != uint64(i+1) {
				t.Errorf("event %d has number %d", i, n)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	claims, err := store.Claims(t.Context(), events[4].ID())
	if err != nil || len(claims) != 1 || claims[0] != (wire.Claim{Source: fromFile, Seq: 14, AcceptedAt: 1004}) {
		t.Errorf("claims %+v, %v", claims, err)
	}
}

func TestImportBoundsItsLists(t *testing.T) {
	var b strings.Builder
	for range explore.MaxListed + 50 {
		b.WriteString("{\"hash\":1,\"event\":2,\"signature\":3}\n")
	}
	told := 0
	done := importText(t, newStore(), b.String(), explore.ImportOptions{Refused: func(explore.Refused) { told++ }})
	if done.Refused != explore.MaxListed+50 || told != done.Refused || len(done.Refusals) != explore.MaxListed {
		t.Errorf("refused %d, told %d, listed %d", done.Refused, told, len(done.Refusals))
	}
}

func TestImportPendingFull(t *testing.T) {
	store := memory.NewLimited(view.ThisCache, func() int64 { return storetest.Now }, memory.Limits{Pending: 3})
	absent := storetest.Publish(t, stamp(9, 1))
	var waiting []capsule.Event
	for i := range 5 {
		waiting = append(waiting, storetest.Assess(t, stamp(1, int64(i+1)), absent.ID(), capsule.VerdictSupports))
	}
	done := importText(t, store, lines(waiting...), explore.ImportOptions{})
	if want := [5]int{5, 0, 0, 3, 2}; counts(done.Progress) != want {
		t.Errorf("%v, want %v", counts(done.Progress), want)
	}
	if done.Refusals[0].Refusal.Code != fault.PendingFull || len(done.Refusals[0].Refusal.Missing) != 1 {
		t.Errorf("refusal %+v", done.Refusals[0].Refusal)
	}
	bytes := memory.NewLimited(view.ThisCache, func() int64 { return storetest.Now }, memory.Limits{PendingBytes: 100})
	if done = importText(t, bytes, lines(waiting...), explore.ImportOptions{}); done.Refused != 5 {
		t.Errorf("beyond the bytes: %+v", done.Progress)
	}
}

// broken gives a text and then an error of the disk.
type broken struct {
	text io.Reader
	err  error
}

func (b *broken) Read(p []byte) (int, error) {
	n, err := b.text.Read(p)
	if errors.Is(err, io.EOF) {
		err = b.err
	}
	return n, err
}

func TestImportKeepsWhatCameBeforeAReadError(t *testing.T) {
	events := many(t, 20)
	store := newStore()
	disk := errors.New("input/output error")
	done, err := explore.Import(t.Context(), store, &broken{strings.NewReader(lines(events...)), disk}, explore.ImportOptions{Source: fromFile})
	if !errors.Is(err, disk) || done.Added != 20 {
		t.Errorf("%+v, %v", done.Progress, err)
	}
}

// full is a library whose disk is full after some batches.
type full struct {
	explore.Library
	room int
	err  error
}

func (f *full) Accept(ctx context.Context, s wire.Source, items []wire.Item) ([]wire.Outcome, error) {
	if f.room == 0 {
		return nil, f.err
	}
	f.room--
	return f.Library.Accept(ctx, s, items)
}

func TestImportEndsWhenTheStoreFails(t *testing.T) {
	events := many(t, 50)
	store := newStore()
	lib := &full{store, 2, &fault.Unavailable{Code: fault.UnavailableCode, What: "cache.db", Detail: "disk full"}}
	done, err := explore.Import(t.Context(), lib, strings.NewReader(lines(events...)), explore.ImportOptions{Source: fromFile, Batch: 10})
	var unavailable *fault.Unavailable
	if !errors.As(err, &unavailable) || done.Added != 20 || done.Objects != 20 {
		t.Errorf("%+v, %v", done.Progress, err)
	}
	if stats, _ := store.Stats(t.Context()); stats.Events != 20 {
		t.Errorf("%d events stayed", stats.Events)
	}
}

// endless gives the same lines for ever.
type endless struct {
	text []byte
	at   int
	read atomic.Int64
}

func (e *endless) Read(p []byte) (int, error) {
	n := copy(p, e.text[e.at:])
	e.at = (e.at + n) % len(e.text)
	e.read.Add(int64(n))
	return n, nil
}

func TestImportEndsWithItsContext(t *testing.T) {
	store := newStore()
	ctx, cancel := context.WithCancel(t.Context())
	in := &endless{text: []byte(lines(many(t, 10)...))}
	done, err := explore.Import(ctx, store, in, explore.ImportOptions{Source: fromFile, Batch: 10, Progress: func(p explore.Progress) {
		if p.Objects >= 30 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if stats, _ := store.Stats(t.Context()); stats.Events != 10 || done.Added != 10 || done.Held != done.Objects-10 {
		t.Errorf("%d events stayed; %+v", stats.Events, done.Progress)
	}
}

// stuck is an input that never answers, like a terminal.
type stuck struct{ entered, leave chan struct{} }

func (s stuck) Read([]byte) (int, error) {
	close(s.entered)
	<-s.leave
	return 0, io.EOF
}

func TestImportDoesNotWaitForAStuckInput(t *testing.T) {
	in := stuck{make(chan struct{}), make(chan struct{})}
	defer close(in.leave)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-in.entered
		cancel()
	}()
	if _, err := explore.Import(ctx, newStore(), in, explore.ImportOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// heldUp is a library that stops at its first batch until told.
type heldUp struct {
	explore.Library
	leave chan struct{}
}

func (h *heldUp) Accept(ctx context.Context, s wire.Source, items []wire.Item) ([]wire.Outcome, error) {
	<-h.leave
	return h.Library.Accept(ctx, s, items)
}

// TestImportReadsNoFurtherThanItsBudget stops the store and waits until all that
// belongs to the import has come to rest.
func TestImportReadsNoFurtherThanItsBudget(t *testing.T) {
	text := lines(storetest.Publish(t, stamp(1, 1), storetest.Long(16_000)))
	synctest.Test(t, func(t *testing.T) {
		in := &endless{text: []byte(text)}
		lib := &heldUp{newStore(), make(chan struct{})}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			_, err := explore.Import(ctx, lib, in, explore.ImportOptions{Source: fromFile, Batch: 10})
			ended <- err
		}()
		synctest.Wait()
		if read := in.read.Load(); read < 1<<20 || read > 6<<20 {
			t.Errorf("read %d bytes ahead of a store that takes nothing", read)
		}
		cancel()
		close(lib.leave)
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}

func TestImportTakesObjectsLargerThanItsBudget(t *testing.T) {
	big := storetest.Publish(t, stamp(1, 1), storetest.Long(200_000))
	text := lines(many(t, 3)...) + `{"hash":"` + strings.Repeat("x", 3<<20) + `"}` + "\n" + lines(big)
	done := importText(t, newStore(), text, explore.ImportOptions{MaxBytes: 4 << 20})
	if want := [5]int{5, 4, 0, 0, 1}; counts(done.Progress) != want {
		t.Errorf("%v, want %v", counts(done.Progress), want)
	}
	done = importText(t, newStore(), text, explore.ImportOptions{})
	if want := [5]int{5, 4, 0, 0, 1}; counts(done.Progress) != want || done.Refusals[0].Refusal.Code != fault.PayloadTooLarge {
		t.Errorf("%v, want %v", counts(done.Progress), want)
	}
}

func TestImportProgressOnlyGrows(t *testing.T) {
	text := lines(many(t, 300)...)
	var last explore.Progress
	calls := 0
	done := importText(t, newStore(), text, explore.ImportOptions{Batch: 50, Progress: func(p explore.Progress) {
		calls++
		if p.Bytes < last.Bytes || p.Objects < last.Objects || p.Added < last.Added {
			t.Errorf("%+v after %+v", p, last)
		}
		last = p
	}})
	if calls < 5 || last != done.Progress || last.Bytes != int64(len(text)) {
		t.Errorf("%d calls, at last %+v of %d bytes", calls, last, len(text))
	}
}

func TestImportOfNothing(t *testing.T) {
	done := importText(t, newStore(), "", explore.ImportOptions{})
	if done.Progress != (explore.Progress{}) {
		t.Errorf("%+v", done.Progress)
	}
}

// BenchmarkImport proves and stores events of about 2 KB in memory.
func BenchmarkImport(b *testing.B) {
	const n = 5000
	var text bytes.Buffer
	for i := range n {
		text.WriteString(lines(storetest.Publish(b, stamp(1, int64(i+1)), storetest.Long(1500))))
	}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if done := importText(b, newStore(), text.String(), explore.ImportOptions{}); done.Added != n {
			b.Fatalf("%+v", done.Progress)
		}
	}
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "events/s")
}
