package explore_test

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"akx/cache"
	"akx/cache/storetest"
	"akx/explore"
	"akx/view"
	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/memory"
	"akx/view/wire"
)

// authorKey is a key of nobody, which is no published test seed.
func authorKey(n byte) identity.Key {
	seed := [32]byte{'a', 'u', 't', 'h', 'o', 'r', n}
	return identity.NewKey(seed)
}

var clean = desk.Defaults{License: "https://creativecommons.org/licenses/by/4.0/", Language: "en"}

// taker is a service that takes envelopes as a test says.
type taker struct {
	*remote
	mu     sync.Mutex
	texts  []string
	tokens []string
	// take answers; nil accepts.
	take func(text string, n int) (wire.Record, error)
}

func (k *taker) Submit(ctx context.Context, text, token string) (wire.Record, error) {
	if err := ctx.Err(); err != nil {
		return wire.Record{}, err
	}
	k.mu.Lock()
	k.texts, k.tokens = append(k.texts, text), append(k.tokens, token)
	n, take := len(k.texts), k.take
	k.mu.Unlock()
	if take != nil {
		return take(text, n)
	}
	return acceptance(text, uint64(n))
}

func (k *taker) sent() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return append([]string(nil), k.texts...)
}

func (k *taker) answer(take func(text string, n int) (wire.Record, error)) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.take = take
}

// acceptance is an honest record of an envelope.
func acceptance(text string, seq uint64) (wire.Record, error) {
	offer, err := capsule.Open([]byte(text))
	if err != nil {
		return wire.Record{}, err
	}
	return wire.Record{Event: offer.Event(), Seq: seq, AcceptedAt: storetest.Now}, nil
}

// library is what a writing needs of a store.
type library interface {
	explore.Library
	explore.Follower
	explore.ServiceBook
}

// writing is an author at a desk, with two services.
type writing struct {
	t      testing.TB
	lib    library
	desk   explore.Desk
	w      *explore.Writer
	s      *explore.Session
	key    identity.Key
	takers map[identity.Origin]*taker

	mu    sync.Mutex
	clock int64 // ms
}

func (w *writing) now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return time.UnixMilli(w.clock)
}

func (w *writing) pass(ms int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.clock += ms
}

// change edits what a writing is made of.
type change struct {
	sample, readOnly, offline bool
	home                      string // of a cache; empty for memory
}

func newWriting(t testing.TB, c change) *writing {
	t.Helper()
	w := &writing{t: t, key: authorKey(1), clock: storetest.Now, takers: make(map[identity.Origin]*taker)}
	ms := func() int64 { return w.now().UnixMilli() }
	if c.home == "" {
		w.lib, w.desk = memory.New(view.ThisCache, ms), memory.NewDesk()
	} else {
		held, err := cache.Open(t.Context(), c.home, cache.Options{Clock: ms, Command: "akx test", ReadOnly: c.readOnly})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { held.Close() })
		w.lib, w.desk = held, held.Desk()
	}
	w.s = explore.New(w.lib, explore.Options{Clock: w.now, Sample: c.sample, Network: explore.Network{
		Book: w.lib, Store: w.lib, Offline: c.offline,
		Reach: func(s desk.Service) (explore.Remote, error) { return w.takers[s.Origin], nil },
	}})
	for name, origin := range map[string]identity.Origin{"hub": hub, "lab": lab} {
		w.takers[origin] = &taker{remote: newRemote(origin)}
		err := w.lib.PutService(t.Context(), desk.Service{Name: name, Origin: origin, Enabled: true})
		if err != nil && !c.readOnly {
			t.Fatal(err)
		}
	}
	w.w = explore.NewWriter(w.s, w.desk, explore.WriterOptions{Defaults: clean, ReadOnly: c.readOnly})
	t.Cleanup(w.w.Close)
	return w
}

// both runs a test at a desk in memory and at one on disk.
func both(t *testing.T, test func(t *testing.T, w *writing)) {
	t.Run("memory", func(t *testing.T) { test(t, newWriting(t, change{})) })
	t.Run("cache", func(t *testing.T) { test(t, newWriting(t, change{home: filepath.Join(t.TempDir(), "home")})) })
}

// fill writes what every draft needs.
func fill(d desk.Draft) desk.Draft {
	p := &d.Payload
	p.Title, p.Statement, p.Basis, p.Context.Scope = "A title", "A \"statement\"\nof 語言 \u2028 and \U0001F9EA.", "It was seen.", "here"
	switch d.Type {
	case capsule.Assess:
		p.Statement, p.Verdict = "", capsule.VerdictChallenges.String()
	case capsule.Retract:
		p.Statement, p.Basis, p.Context = "", "", desk.Context{}
	}
	for i := range p.Evidence {
		p.Evidence[i] = desk.Evidence{URL: "https://data.example/x", Description: "data", Digest: storetest.Output.Digest.String(), Role: "output"}
	}
	return d
}

// draft starts a draft, fills it and stores it.
func (w *writing) draft(start explore.Start) desk.Draft {
	w.t.Helper()
	opened, err := w.w.NewDraft(w.t.Context(), start)
	if err != nil {
		w.t.Fatal(err)
	}
	d, err := w.w.SaveDraft(w.t.Context(), fill(opened.Draft))
	if err != nil {
		w.t.Fatal(err)
	}
	return d
}

// request is the whole consent to sign a draft as it stands.
func (w *writing) request(d desk.Draft) explore.SignRequest {
	w.t.Helper()
	own := []identity.Actor{w.key.Actor()}
	p, err := w.w.Preview(w.t.Context(), d, w.key.Actor(), own)
	if err != nil {
		w.t.Fatal(err)
	}
	r := explore.SignRequest{Shown: p, Key: w.key, Own: own, Disclosed: true}
	for _, f := range p.Check.Findings {
		r.Answered = append(r.Answered, f.Mark)
	}
	for _, id := range p.Confirm {
		r.Confirmed = append(r.Confirmed, id.String()[:explore.ConfirmLength])
	}
	return r
}

// sign signs a draft with the whole consent.
func (w *writing) sign(d desk.Draft, services ...string) explore.Signed {
	w.t.Helper()
	r := w.request(d)
	r.Services = services
	signed, err := w.w.Sign(w.t.Context(), r)
	if err != nil {
		w.t.Fatal(err)
	}
	return signed
}

// publish drafts and signs an observation.
func (w *writing) publish(services ...string) explore.Signed {
	w.t.Helper()
	return w.sign(w.draft(explore.Start{Kind: capsule.Observation}), services...)
}

// delivery gives how an entry stands at a service.
func (w *writing) delivery(id identity.ID, origin identity.Origin) desk.Delivery {
	w.t.Helper()
	e, err := w.w.OutboxEntry(w.t.Context(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, d := range e.Deliveries {
		if d.Service == string(origin) {
			return d
		}
	}
	w.t.Fatalf("nothing is queued for %s", origin)
	return desk.Delivery{}
}

// submit sends, where only the answer of the service may keep it from being accepted.
func (w *writing) submit(id identity.ID, services ...string) desk.Entry {
	w.t.Helper()
	e, err := w.w.Submit(w.t.Context(), id, services, explore.SendOptions{})
	if err != nil {
		w.t.Fatal(err)
	}
	return e
}

// wantCode fails unless err has the code.
func wantCode(t testing.TB, err error, want fault.Code) {
	t.Helper()
	var coded fault.Coded
	if !errors.As(err, &coded) || coded.FaultCode() != want {
		t.Fatalf("%v, want the code %s", err, want)
	}
}
