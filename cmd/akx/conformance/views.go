package conformance

import (
	"encoding/json"
	"errors"
	"slices"

	"akx/view"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
)

// viewCase feeds the known set in each order, on every kind of store, and compares
// what the set says (7.2).
func (r *runner) viewCase(c *fields) error {
	known := c.texts("known")
	orders := [][]string{known}
	if c.has("arrival_orders") {
		raws, err := listOf(c.raw("arrival_orders"))
		if err != nil {
			return err
		}
		orders = nil
		for _, raw := range raws {
			order := (&fields{values: map[string]json.RawMessage{"order": raw}}).texts("order")
			if !slices.Equal(slices.Sorted(slices.Values(order)), slices.Sorted(slices.Values(known))) {
				return errors.New("an arrival order is no permutation of the known set")
			}
			orders = append(orders, order)
		}
	}
	for i, order := range orders {
		err := r.eachStore(func(w *world) error {
			if err := w.feed(order); err != nil {
				return err
			}
			if err := w.compareViews(c); err != nil {
				return err
			}
			return w.compareRelations(c)
		})
		if err != nil {
			return inStep(i, err)
		}
	}
	return c.err
}

// feed offers fixtures in their order, again and again while that resolves more.
func (w *world) feed(order []string) error {
	for len(order) > 0 {
		var waiting []string
		for _, name := range order {
			_, _, err := w.submit(name)
			var refusal *fault.Refusal
			switch {
			case errors.As(err, &refusal) && refusal.Code == fault.MissingDependency:
				waiting = append(waiting, name)
			case err != nil:
				return err
			}
		}
		if len(waiting) == len(order) {
			return errors.New("the known set is not closed: " + list(waiting))
		}
		order = waiting
	}
	return nil
}

// compareViews compares the views of exactly the expected events.
func (w *world) compareViews(c *fields) error {
	expected, err := fieldsOf(c.raw("expected"))
	if err != nil {
		return err
	}
	var ids []string
	for id, name := range w.names {
		if w.records[name].Event.Type() != capsule.Retract {
			ids = append(ids, id.String())
		}
	}
	slices.Sort(ids)
	if err := sameList("events", slices.Sorted(slices.Values(expected.names)), ids); err != nil {
		return err
	}
	for _, text := range ids {
		want, err := fieldsOf(expected.raw(text))
		if err != nil {
			return err
		}
		if err := w.compareView(text, want); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) compareView(text string, want *fields) error {
	id, err := identity.ParseID(text)
	if err != nil {
		return err
	}
	var page view.Page
	err = w.store.Read(w.ctx, func(s view.Snapshot) error {
		page, err = view.LoadPage(w.ctx, s, id)
		return err
	})
	if err != nil {
		return &broken{err}
	}
	status := map[view.Lifecycle]string{view.Active: "active", view.Retracted: "retracted"}[page.Facts.Lifecycle]
	if err := expect(text+" status", want.text("status"), status); err != nil {
		return err
	}
	if page.Event.Type() != capsule.Publish {
		return errors.Join(want.only("status"), want.err)
	}
	for _, set := range []struct {
		name string
		ids  []identity.ID
	}{
		{"successors", page.Facts.Successors},
		{"assessments", page.Facts.Assessments},
		{"active_assessments", page.Facts.ActiveAssessments},
	} {
		if !want.has(set.name) {
			return errors.New("a view without " + set.name)
		}
		got := make([]string, len(set.ids))
		for i, id := range set.ids {
			got[i] = id.String()
		}
		if err := sameList(text+" "+set.name, want.texts(set.name), got); err != nil {
			return err
		}
	}
	return errors.Join(want.only("status", "successors", "assessments", "active_assessments"), want.err)
}

// compareRelations checks that what fixtures signed is what the store gives back.
func (w *world) compareRelations(c *fields) error {
	if !c.has("expected_relations") {
		return nil
	}
	expected, err := fieldsOf(c.raw("expected_relations"))
	if err != nil {
		return err
	}
	for _, name := range expected.names {
		id, err := w.id(name)
		if err != nil {
			return err
		}
		want, err := identity.Parse(expected.raw(name))
		if err != nil {
			return err
		}
		var event capsule.Event
		err = w.store.Read(w.ctx, func(s view.Snapshot) error {
			event, err = s.Event(id)
			return err
		})
		if err != nil {
			return err
		}
		got, ok := event.Envelope().Payload().Get("relations")
		if !ok {
			got = identity.ArrayValue()
		}
		if !got.Equal(want) {
			return &mismatch{name + " relations " + string(identity.AppendCanonical(nil, want)),
				name + " relations " + string(identity.AppendCanonical(nil, got))}
		}
	}
	return nil
}
