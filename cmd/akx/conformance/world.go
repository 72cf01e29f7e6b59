package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"akx/client/service"
	"akx/view/identity"
	"akx/view/wire"
)

// world is the store of one case and the service over it.
type world struct {
	*runner
	ctx     context.Context
	store   Store
	core    *service.Core
	clock   int64
	records map[string]wire.Record // by fixture, as first accepted
	names   map[identity.ID]string
}

// onStores makes of a case that needs a store one that runs on every kind, from
// the fixtures of accepted on, those of hidden withheld.
func (r *runner) onStores(run func(w *world, c *fields) error) func(*fields) error {
	return func(c *fields) error {
		return r.eachStore(func(w *world) error {
			for _, name := range c.texts("accepted") {
				if err := w.accept(name); err != nil {
					return err
				}
			}
			for _, name := range c.texts("hidden") {
				if err := w.hide(name); err != nil {
					return err
				}
			}
			if c.err != nil {
				return c.err
			}
			return run(w, c)
		})
	}
}

// eachStore runs a case on a fresh store of every kind.
func (r *runner) eachStore(run func(w *world) error) error {
	if len(r.makers) == 0 {
		return &broken{errors.New("no store to run the vectors on")}
	}
	for _, m := range r.makers {
		if err := r.onStore(m, run); err != nil {
			var wrong *mismatch
			if errors.As(err, &wrong) {
				return &mismatch{wrong.expected, wrong.got + " (" + m.Name + ")"}
			}
			return err
		}
	}
	return nil
}

func (r *runner) onStore(m Maker, run func(w *world) error) (err error) {
	w := &world{runner: r, ctx: r.ctx, clock: r.now,
		records: make(map[string]wire.Record), names: make(map[identity.ID]string)}
	store, done, err := m.Open(r.ctx, string(serviceOrigin), func() int64 { return w.clock })
	if err != nil {
		return &broken{err}
	}
	defer func() {
		if failed := done(); failed != nil && err == nil {
			err = &broken{failed}
		}
	}()
	w.store = store
	w.core = service.New(store, service.Options{Origin: serviceOrigin, Ranked: true,
		Clock: func() time.Time { return time.UnixMilli(w.clock) }})
	return run(w)
}

// submit offers a fixture to the service and remembers its first record.
func (w *world) submit(name string) (r wire.Record, held bool, err error) {
	f, err := w.fixture(name)
	if err != nil {
		return r, false, err
	}
	r, held, err = w.core.Submit(w.ctx, f.envelope)
	if err == nil && !held {
		w.records[name] = r
		w.names[r.Event.ID()] = name
	}
	return r, held, err
}

// accept puts a fixture through acceptance, which must not refuse it.
func (w *world) accept(name string) error {
	if _, _, err := w.submit(name); err != nil {
		return errors.New("the fixture " + quoted(name) + " is not accepted: " + err.Error())
	}
	return nil
}

// hide withholds a fixture.
func (w *world) hide(name string) error {
	id, err := w.id(name)
	if err != nil {
		return err
	}
	return w.core.Withhold(w.ctx, id, true)
}

// id gives the event ID of a fixture, proven or not.
func (w *world) id(name string) (identity.ID, error) {
	f, err := w.fixture(name)
	if err != nil {
		return identity.ID{}, err
	}
	envelope, err := fieldsOf(f.envelope)
	if err != nil {
		return identity.ID{}, err
	}
	return identity.ParseID(envelope.text("hash"))
}

// fixturesOf names the fixtures of items by their proven events. An item that was
// refused breaks the answer it came in.
func (w *world) fixturesOf(items []wire.Item) ([]string, error) {
	names := make([]string, 0, len(items))
	for _, item := range items {
		if item.Refusal != nil {
			return nil, &brokenAnswer{item.Refusal.Error()}
		}
		id := item.Offer.Event().ID()
		name, ok := w.names[id]
		if !ok {
			name = id.String()
		}
		names = append(names, name)
	}
	return names, nil
}

// idsOf gives the event IDs of items, as fixturesOf gives their names.
func idsOf(items []wire.Item) ([]string, error) {
	ids := make([]string, 0, len(items))
	for _, item := range items {
		if item.Refusal != nil {
			return nil, &brokenAnswer{item.Refusal.Error()}
		}
		ids = append(ids, item.Offer.Event().ID().String())
	}
	return ids, nil
}

// brokenAnswer is an answer with a record whose proof failed. Pages keep such a
// record as a refusal; the vectors judge the answer as a whole.
type brokenAnswer struct{ why string }

func (b *brokenAnswer) Error() string { return b.why }

// document gives the text of a request: raw_json wins over request.
func (f *fields) document() ([]byte, error) {
	if f.has("raw_json") {
		return []byte(f.text("raw_json")), f.err
	}
	if !f.has("request") {
		return nil, errors.New("a case without request")
	}
	return f.raw("request"), nil
}

// answered applies the changes of a case to a response.
func (f *fields) answered(response []byte) ([]byte, error) {
	changed, err := f.changed("response_changes", json.RawMessage(response))
	return changed, err
}
