package explore

import (
	"cmp"
	"context"
	"slices"

	"akx/view"
	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/identity"
)

// Licence is an address of terms that a draft may have.
type Licence struct {
	URL     string
	Default bool // of the settings
	Own     int  // drafts and events of the user's own that have it
	Others  int  // events of others that have it
}

// maxLicensed is how many of the newest events are looked at, and of each own key.
const maxLicensed = 200

// Licences lists addresses of terms for a draft: that of the settings first, then those
// of the user's own drafts and events, then those of others, the most used first. own are
// the Agent IDs of the user's keys; the draft except is not looked at.
func (w *Writer) Licences(ctx context.Context, except uint64, own []identity.Actor) ([]Licence, error) {
	found := make(map[string]*Licence)
	at := func(url string) *Licence {
		if found[url] == nil {
			found[url] = &Licence{URL: url, Default: url == w.o.Defaults.License}
		}
		return found[url]
	}
	if w.o.Defaults.License != "" {
		at(w.o.Defaults.License)
	}
	drafts, _ := w.Drafts(ctx) // what is damaged is told by the list of drafts
	for _, d := range drafts {
		wrong := func(p desk.Problem) bool { return p.Path == "/license" && p.Severity == desk.Blocks }
		if d.ID != except && !slices.ContainsFunc(d.Check(w.o.Limits), wrong) && d.Payload.License != "" {
			at(d.Payload.License).Own++
		}
	}
	seen := make(map[identity.ID]bool)
	for _, actor := range append(slices.Clone(own), identity.Actor{}) {
		var q view.Query
		q.Filter.Actor = actor
		rows, err := w.s.Await(ctx, q, 0, maxLicensed)
		if err != nil {
			return nil, err
		}
		for _, row := range rows.Rows {
			url := w.licenceOf(ctx, row.ID)
			switch {
			case url == "" || seen[row.ID]:
			case slices.Contains(own, row.Actor):
				at(url).Own++
			default:
				at(url).Others++
			}
			seen[row.ID] = true
		}
	}
	out := make([]Licence, 0, len(found))
	for _, l := range found {
		out = append(out, *l)
	}
	rank := func(l Licence) int {
		if l.Default {
			return 0
		}
		return 1
	}
	slices.SortFunc(out, func(a, b Licence) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(b.Own, a.Own), cmp.Compare(b.Others, a.Others), cmp.Compare(a.URL, b.URL))
	})
	return out, ctx.Err()
}

// licenceOf gives the terms of an event that is held; empty where it has none, or cannot
// be read.
func (w *Writer) licenceOf(ctx context.Context, id identity.ID) string {
	e, err := w.s.Event(ctx, id)
	if err != nil {
		return ""
	}
	switch e := e.(type) {
	case *capsule.Publication:
		return e.Payload().License
	case *capsule.Assessment:
		return e.Payload().License
	}
	return ""
}
