package page

import (
	"akx/view/capsule"
	"akx/view/identity"
)

func canonical(v identity.Value) []byte { return identity.AppendCanonical(nil, v) }

func (b *body) extra(v identity.Value) {
	if v.Kind() == identity.Absent {
		return
	}
	b.field("extra (annotations without effect)", string(canonical(v)))
}

// exactText is the main text of an event, exactly as signed.
func exactText(e capsule.Event) string {
	switch e := e.(type) {
	case *capsule.Publication:
		return e.Payload().Title + "\n\n" + e.Payload().Statement
	case *capsule.Assessment:
		return e.Payload().Summary + "\n\n" + e.Payload().Basis
	case *capsule.Retraction:
		return e.Payload().Reason
	}
	return ""
}

// urlsOf lists the URLs that an event names: evidence, profiles, licence.
func urlsOf(e capsule.Event) []string {
	var out []string
	add := func(evidence []capsule.Evidence, profiles []capsule.Profile, license string) {
		for _, ev := range evidence {
			out = append(out, ev.URL)
		}
		for _, p := range profiles {
			out = append(out, p.URL)
		}
		out = append(out, license)
	}
	switch e := e.(type) {
	case *capsule.Publication:
		add(e.Payload().Evidence, e.Payload().Profiles, e.Payload().License)
	case *capsule.Assessment:
		add(e.Payload().Evidence, e.Payload().Profiles, e.Payload().License)
	case *capsule.Retraction:
	}
	return out
}

// textsOf lists every text of an event that the page shows.
func textsOf(e capsule.Event) []string {
	out := []string{e.Title()}
	out = append(out, urlsOf(e)...)
	context := func(c capsule.Context) {
		out = append(append(append(out, c.Scope), c.Conditions...), c.Limitations...)
	}
	work := func(evidence []capsule.Evidence, profiles []capsule.Profile, r *capsule.Reproduction, extra identity.Value) {
		for _, ev := range evidence {
			out = append(out, ev.Description, ev.MediaType)
		}
		for _, p := range profiles {
			out = append(out, string(canonical(p.Data)))
		}
		if r != nil {
			out = append(append(out, r.Environment, r.Expected, r.Observed), r.Steps...)
		}
		if extra.Kind() != identity.Absent {
			out = append(out, string(canonical(extra)))
		}
	}
	switch e := e.(type) {
	case *capsule.Publication:
		p := e.Payload()
		out = append(out, p.Statement, p.Basis, p.Language)
		context(p.Context)
		work(p.Evidence, p.Profiles, p.Reproduction, p.Extra)
	case *capsule.Assessment:
		p := e.Payload()
		out = append(out, p.Basis)
		context(p.Context)
		work(p.Evidence, p.Profiles, p.Reproduction, p.Extra)
	case *capsule.Retraction:
		work(nil, nil, nil, e.Payload().Extra)
	}
	return out
}
