package report

import (
	"akx/view/capsule"
	"akx/view/clean"
	"akx/view/identity"
)

// author prints what the signer wrote, each piece behind the gutter.
func author(p *Printer, e capsule.Event) {
	switch e := e.(type) {
	case *capsule.Publication:
		reading(p, e.Payload())
	case *capsule.Assessment:
		reading(p, e.Payload())
	case *capsule.Retraction:
		reading(p, e.Payload())
	}
}

// reading prints a payload: a capsule.PublishPayload, AssessPayload or RetractPayload.
func reading(p *Printer, payload any) {
	switch y := payload.(type) {
	case capsule.PublishPayload:
		p.Author("title", y.Title)
		p.Author("statement", y.Statement)
		p.Field("language", p.Signed(y.Language))
		contextText(p, y.Context)
		p.Author("basis", y.Basis)
		evidence(p, y.Evidence)
		reproduction(p, y.Reproduction)
		for _, t := range y.Tags {
			p.Field("tag", p.Signed(t))
		}
		closing(p, y.License, y.Profiles, y.Extra)
	case capsule.AssessPayload:
		p.Field("verdict", words(y.Verdict.String()+", as the signer reports"))
		p.Author("summary", y.Summary)
		contextText(p, y.Context)
		p.Author("basis", y.Basis)
		evidence(p, y.Evidence)
		reproduction(p, y.Reproduction)
		closing(p, y.License, y.Profiles, y.Extra)
	case capsule.RetractPayload:
		p.Author("reason", y.Reason)
		extra(p, y.Extra)
	}
}

func contextText(p *Printer, c capsule.Context) {
	p.Author("scope", c.Scope)
	items(p, "conditions", c.Conditions)
	items(p, "limitations", c.Limitations)
}

func items(p *Printer, label clean.Words, list []string) {
	if len(list) == 0 {
		p.Field(label, words("none listed"))
		return
	}
	p.Field(label, words(number(len(list))))
	for i, item := range list {
		p.numbered(i+1, item)
	}
}

// numbered prints one item of the author's behind its number and the gutter.
func (p *Printer) numbered(n int, foreign string) {
	lead := "  " + number(n) + ". " + p.gutter()
	for _, line := range clean.Block(foreign) {
		p.authored(lead, line)
		lead = pad("", columns(lead)-2) + p.gutter()
	}
}

func evidence(p *Printer, list []capsule.Evidence) {
	if len(list) == 0 {
		p.Field("evidence", words("none supplied"))
		return
	}
	p.Field("evidence", words(number(len(list))+", unchecked"))
	for i, e := range list {
		p.numbered(i+1, e.Description)
		p.Wrapped(own("     url "), p.Signed(e.URL))
		facts := "no digest"
		if !e.Digest.IsZero() {
			facts = "digest " + e.Digest.String()
		}
		if e.Role != 0 {
			facts += ", role " + e.Role.String()
		}
		cells := []Cell{words(facts)}
		if e.MediaType != "" {
			cells = append(cells, words(", media type "), p.Signed(e.MediaType))
		}
		p.Wrapped(own("     "), cells...)
	}
}

func reproduction(p *Printer, r *capsule.Reproduction) {
	if r == nil {
		p.Field("reproduction", words("none"))
		return
	}
	state := "no observed outcome"
	if r.Observed != "" {
		state = "observed outcome given"
	}
	p.Field("reproduction", words(number(len(r.Steps))+" "+plural(len(r.Steps), "step", "steps")+", "+state))
	p.Author("  environment", r.Environment)
	for i, s := range r.Steps {
		p.numbered(i+1, s)
	}
	p.Author("  expected", r.Expected)
	if r.Observed != "" {
		p.Author("  observed", r.Observed)
	}
}

func closing(p *Printer, license string, profiles []capsule.Profile, x identity.Value) {
	p.Field("license", p.Signed(license))
	for _, f := range profiles {
		p.Field("profile", words(f.Digest.String()), gap, p.Signed(f.URL))
		p.Field("", p.Signed(string(AppendJSON(nil, f.Data))))
	}
	extra(p, x)
}

func extra(p *Printer, x identity.Value) {
	if x.Kind() != identity.Absent {
		p.Field("extra", p.Signed(string(AppendJSON(nil, x))))
	}
}
