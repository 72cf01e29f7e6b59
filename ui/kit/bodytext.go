package kit

import (
	"akx/view/capsule"
	"akx/view/identity"
)

func canonical(v identity.Value) []byte { return identity.AppendCanonical(nil, v) }

func (b *Body) extra(v identity.Value) {
	if v.Kind() == identity.Absent {
		return
	}
	b.field("extra (annotations without effect)", string(canonical(v)))
}

// URLsOf lists the URLs that a payload names: evidence, profiles, licence.
func URLsOf(payload any) []string {
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
	switch p := payload.(type) {
	case capsule.PublishPayload:
		add(p.Evidence, p.Profiles, p.License)
	case capsule.AssessPayload:
		add(p.Evidence, p.Profiles, p.License)
	}
	return out
}

// textsOf lists every text of a payload that a page shows.
func textsOf(payload any) []string {
	out := URLsOf(payload)
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
	switch p := payload.(type) {
	case capsule.PublishPayload:
		out = append(out, p.Title, p.Statement, p.Basis, p.Language)
		context(p.Context)
		work(p.Evidence, p.Profiles, p.Reproduction, p.Extra)
	case capsule.AssessPayload:
		out = append(out, p.Summary, p.Basis)
		context(p.Context)
		work(p.Evidence, p.Profiles, p.Reproduction, p.Extra)
	case capsule.RetractPayload:
		out = append(out, p.Reason)
		work(nil, nil, nil, p.Extra)
	}
	return out
}
