package report

import (
	"akx/explore"
	"akx/view/clean"
	"akx/view/fault"
)

// Verify is the proof of each object of its files, without storing any.
type Verify struct {
	Objects  int          `json:"object_count"`
	Proven   int          `json:"proven_count"`
	Refused  int          `json:"refused_count"`
	Unknown  int          `json:"unknown_target_count"`
	Files    []VerifyFile `json:"files"`
	Verified []Verified   `json:"objects"`

	listed, refused int
}

// The most objects, and the most refused ones, that Verify lists as text.
const (
	maxVerified = 1000
	maxRefused  = 1000
)

// VerifyFile is one file; Error says why it was not read to its end.
type VerifyFile struct {
	Name  string   `json:"file"`
	Bytes int64    `json:"read_bytes"`
	Error *Failure `json:"error,omitempty"`
}

// Verified is one object with the checks that were made of it, in their order.
type Verified struct {
	File    string   `json:"file"`
	Where   string   `json:"where"`
	ID      string   `json:"event_id,omitempty"`
	Type    string   `json:"type,omitempty"`
	Actor   string   `json:"actor,omitempty"`
	Title   string   `json:"title,omitempty"`
	Checks  []Check  `json:"checks"`
	Targets []Target `json:"targets"`
	Refusal *Refusal `json:"refusal,omitempty"`
}

// Check is one step of a proof: "ok", "failed" or "not run".
type Check struct {
	Step  string `json:"step"`
	State string `json:"state"`
}

// Target is one dependency and where it was found: "input", "held" or "unknown".
type Target struct {
	Relation string   `json:"relation,omitempty"`
	ID       string   `json:"event_id"`
	Found    string   `json:"found"`
	Refusal  *Refusal `json:"refusal,omitempty"`
}

// VerifiedOf describes one object of a file.
func VerifiedOf(file string, v explore.Verified) Verified {
	out := Verified{File: file, Where: v.Where, ID: optional(v.ID), Refusal: RefusalOf(v.Refusal)}
	if v.Event != nil {
		out.Type, out.Actor, out.Title = v.Event.Type().String(), v.Event.Actor().String(), v.Event.Title()
	}
	for _, c := range v.Checks {
		out.Checks = append(out.Checks, Check{Step: c.Step.String(), State: checkState(c)})
	}
	for _, t := range v.Targets {
		out.Targets = append(out.Targets, Target{Relation: t.Link.Relation.String(), ID: t.Link.Target.String(),
			Found: string(t.State), Refusal: RefusalOf(t.Refusal)})
	}
	return out
}

func checkState(c explore.Check) string {
	switch {
	case !c.Ran:
		return "not run"
	case c.OK:
		return "ok"
	default:
		return "failed"
	}
}

// Bad reports whether a check of v failed or a target breaks a rule.
func (v Verified) Bad() bool {
	for _, t := range v.Targets {
		if t.Refusal != nil {
			return true
		}
	}
	return v.Refusal != nil
}

// Count counts one object in, and says whether text lists it.
func (r *Verify) Count(v Verified) bool {
	r.Objects++
	if v.Bad() {
		r.Refused++
	} else {
		r.Proven++
	}
	for _, t := range v.Targets {
		if t.Found == string(explore.Unknown) {
			r.Unknown++
		}
	}
	if r.Objects > maxVerified && (!v.Bad() || r.refused == maxRefused) {
		return false
	}
	r.listed++
	if v.Bad() {
		r.refused++
	}
	return true
}

// Text prints the objects, files that could not be read, and the counts.
func (r *Verify) Text(p *Printer) {
	for _, v := range r.Verified {
		v.Text(p)
	}
	for _, f := range r.Files {
		if f.Error != nil {
			p.Wrapped(p.label("", "not read", 10), plainCell(clean.Line(f.Name)), words(": "), p.tone(Bad, clean.Line(f.Error.Message)))
			if f.Error.Hint != "" {
				p.Wrapped(p.label("", "", 10), plainCell(clean.Line(f.Error.Hint)))
			}
		}
	}
	more(p, r.Refused-r.refused, "refused", "refused")
	more(p, r.Proven-(r.listed-r.refused), "proven", "proven")
	p.Line(own(number(r.Objects) + " " + plural(r.Objects, "object", "objects") + ": " + number(r.Proven) + " proven, " +
		number(r.Refused) + " refused; " + number(r.Unknown) + " unknown " + plural(r.Unknown, "target", "targets")))
}

// Text prints one object: what it is, each check, each target.
func (v Verified) Text(p *Printer) {
	head := []Cell{plainCell(clean.Line(v.File)), words(" "), plainCell(clean.Line(v.Where))}
	if v.ID != "" {
		head = append(head, gap, words(Paste(v.ID)))
	}
	p.Wrapped(clean.Text{}, head...)
	if v.Title != "" {
		p.Wrapped(own("  "), words(v.Type), gap, p.Signed(v.Title))
	}
	for _, c := range v.Checks {
		p.Wrapped(p.label("  ", c.State, 9), p.tone(checkTone(c.State), own(c.words())))
	}
	for _, t := range v.Targets {
		p.Wrapped(p.label("  ", "target", 9), words(t.relation(p)+Paste(t.ID)), gap, t.found())
		if t.Refusal != nil {
			p.Wrapped(p.label("  ", "failed", 9), p.tone(Bad, t.Refusal.words()))
		}
	}
	if v.Refusal != nil {
		p.Wrapped(p.label("  ", "refused", 9), p.tone(Bad, v.Refusal.words()))
	}
}

// relation names the link to a target, as a lead of its ID.
func (t Target) relation(p *Printer) string { return p.label("", t.Relation, 13).String() }

// words says a step so that it is true of what was checked: the text itself need not
// be in canonical form.
func (c Check) words() string {
	if c.Step == fault.StepCanonical.String() && c.State == "ok" {
		return c.Step + " computed"
	}
	return c.Step
}

func checkTone(state string) Tone {
	switch state {
	case "ok":
		return Good
	case "failed":
		return Bad
	default:
		return Quiet
	}
}

func (t Target) found() Cell {
	text := "unknown"
	switch explore.TargetState(t.Found) {
	case explore.InInput:
		text = "found in the input"
	case explore.InStore:
		text = "held"
	}
	return Cell{Text: own(text), Spoken: own("that target is " + text)}
}

func pad(s string, width int) string {
	for len(s) < width {
		s += " "
	}
	return s
}

// Short says why a verification fell short of its intent; nil where it did not.
func (r *Verify) Short() error {
	for _, f := range r.Files {
		if f.Error != nil {
			return &fault.Unavailable{Code: fault.Partial, Detail: "not every file was read"}
		}
	}
	if r.Refused > 0 {
		return &fault.Unavailable{Code: fault.Partial, Detail: number(r.Refused) + " " + plural(r.Refused, "object", "objects") + " failed the proof"}
	}
	return nil
}
