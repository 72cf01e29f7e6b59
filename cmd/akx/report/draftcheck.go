package report

import (
	"akx/explore"
	"akx/view/clean"
	"akx/view/desk"
)

// DraftCheck is all that is to be said of a draft before it is signed.
type DraftCheck struct {
	Ready    bool          `json:"ready"`
	Problems []Problem     `json:"problems"`
	Findings []SecretFound `json:"findings"`
	// More says that there were more findings than can be listed.
	More    bool          `json:"more_findings"`
	Targets []DraftTarget `json:"targets"`
	Bytes   int           `json:"envelope_bytes"`
	Limit   int           `json:"recommended_bytes"`
}

// Problem is one thing to say about a field.
type Problem struct {
	Path     string `json:"path,omitempty"`
	Severity string `json:"severity"` // blocks, exceeds or advises
	Message  string `json:"message"`
}

// SecretFound is a place that may not be meant for the public.
type SecretFound struct {
	Mark    string `json:"mark"`
	Kind    string `json:"finding"`
	Path    string `json:"path"`
	Excerpt string `json:"excerpt"`
}

var severities = map[desk.Severity]string{desk.Blocks: "blocks", desk.Exceeds: "exceeds", desk.Advises: "advises"}

// DraftCheckOf describes c.
func DraftCheckOf(c explore.DraftCheck) DraftCheck {
	out := DraftCheck{Ready: c.Ready(), More: c.More, Targets: DraftTargetsOf(c.Targets), Bytes: c.Bytes, Limit: c.Limit}
	for _, problem := range c.Problems {
		out.Problems = append(out.Problems, Problem{problem.Path, severities[problem.Severity], problem.Words})
	}
	for _, f := range c.Findings {
		out.Findings = append(out.Findings, SecretFound{f.Mark, f.Kind.String(), f.Path, f.Excerpt})
	}
	return out
}

func (c DraftCheck) text(p *Printer, draft uint64) {
	for _, problem := range c.Problems {
		tone := Ordinary
		if problem.Severity == severities[desk.Blocks] {
			tone = Bad
		}
		cells := []Cell{plainCell(clean.Line(problem.Path)), words(" "), {Text: clean.Line(problem.Message), Tone: tone}}
		if problem.Path == "" {
			cells = cells[2:]
		}
		p.Field(clean.Words(problem.Severity), cells...)
	}
	for _, f := range c.Findings {
		p.Field("private?", p.tone(Bad, own(f.Kind)), words(" at "), plainCell(clean.Line(f.Path)), words(": "), p.Signed(f.Excerpt))
		p.Field("", words("if it may be public: --allow-finding "+f.Mark))
	}
	if c.More {
		p.Field("private?", p.tone(Bad, own("and more than can be listed: take them out")))
	}
	for _, t := range c.Targets {
		t.text(p, draft)
	}
	p.Field("size", words(number(c.Bytes)+" of "+number(c.Limit)+" bytes, the most that akx signs and services recommend"))
}

// DraftChecked is the check of one draft.
type DraftChecked struct {
	Draft
	DraftCheck
}

// Text prints what was found, then the verdict.
func (r *DraftChecked) Text(p *Printer) {
	p.Heading(words("draft "+uints(r.ID)+": "), r.role(), gap, r.title(p))
	r.DraftCheck.text(p, r.ID)
	switch {
	case !r.Ready:
		p.Line(own("cannot be signed like this"))
	case len(r.Findings) > 0:
		p.Line(own("ready, once each place that may be private is answered"))
	default:
		p.Line(own("ready"))
	}
}
