package conformance

import (
	"encoding/json"
	"errors"

	"akx/view/wire"
)

// walker is the client of a pagination case.
type walker struct {
	w      *world
	pages  *wire.Enumeration
	cursor string // of the last page that was taken
}

func paginationCase(w *world, c *fields) error {
	walk := &walker{w: w}
	for i, step := range c.objects("steps", "add", "hide", "advance_ms", "continue", "parameters",
		"response_changes", "matches", "more", "expected") {
		if err := walk.step(step); err != nil {
			return inStep(i, err)
		}
	}
	return c.err
}

// step changes the store, asks for a page and judges it.
func (k *walker) step(step *fields) error {
	for _, name := range step.texts("add") {
		if err := k.w.accept(name); err != nil {
			return err
		}
	}
	for _, name := range step.texts("hide") {
		if err := k.w.hide(name); err != nil {
			return err
		}
	}
	k.w.clock += step.integer("advance_ms", 0)
	params := step.params("parameters")
	if step.err != nil {
		return step.err
	}
	if step.bool("continue") {
		if k.pages == nil || k.cursor == "" {
			return errors.New("there is no page to continue from")
		}
		params = append(params, wire.Param{Name: "cursor", Value: k.cursor})
	} else {
		k.pages, k.cursor = nil, ""
	}
	page, err := k.ask(step, params)
	names, err := k.names(page, err)
	got, err := outcome(err)
	if err != nil {
		return err
	}
	if err := expect("", step.text("expected"), got); err != nil || got != valid {
		return err
	}
	if step.has("matches") {
		if err := sameList("matches", step.texts("matches"), names); err != nil {
			return err
		}
	}
	if step.has("more") {
		if err := expect("more", yes(step.bool("more")), yes(page.Next != "")); err != nil {
			return err
		}
	}
	return step.err
}

func (k *walker) names(page wire.QueryPage, err error) ([]string, error) {
	if err != nil {
		return nil, err
	}
	names, err := k.w.fixturesOf(page.Items)
	return names, invalidAnswer(err)
}

// ask queries the service and takes its changed answer as a client does.
func (k *walker) ask(step *fields, params []wire.Param) (wire.QueryPage, error) {
	response, err := k.w.core.Query(k.w.ctx, params)
	if err != nil {
		return wire.QueryPage{}, err
	}
	text, err := step.answered(json.RawMessage(response.Append(nil)))
	if err != nil {
		return wire.QueryPage{}, &mismatch{"a change that can be made", err.Error()}
	}
	if k.pages == nil {
		q, err := wire.ParseQuery(params)
		if err != nil {
			return wire.QueryPage{}, err
		}
		k.pages = wire.NewEnumeration(serviceOrigin, q)
	}
	page, err := k.pages.Page(text)
	if err == nil {
		k.cursor = page.Next
	}
	return page, err
}
