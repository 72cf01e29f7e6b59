package report

import (
	"akx/view/clean"
	"akx/view/fault"
)

// Build says which akx this is.
type Build struct {
	Version   string   `json:"version"`
	Go        string   `json:"go"`
	Platform  string   `json:"platform"`
	Protocols []string `json:"protocols"`
}

// Text prints it on one line.
func (v *Build) Text(p *Printer) {
	p.Line(own("akx " + v.Version + " (" + v.Go + ", " + v.Platform + ")"))
	for _, name := range v.Protocols {
		p.Line(own("speaks " + name))
	}
}

// Help is the help text of a command.
type Help struct {
	Command string `json:"command"`
	Help    string `json:"help"`
}

// Text prints the help.
func (h *Help) Text(p *Printer) { block(p, h.Help) }

// Script is a shell's completion script.
type Script struct {
	Shell  string `json:"shell"`
	Script string `json:"script"`
}

// Text prints the script.
func (s *Script) Text(p *Printer) { block(p, s.Script) }

// block prints akx's own text as it is.
func block(p *Printer, text string) {
	p.w.WriteString(text)
}

// Doctor is what was found about the home.
type Doctor struct {
	Home     string    `json:"home"`
	Findings []Finding `json:"findings"`
	Problems int       `json:"problem_count"`
}

// Finding is one thing that was looked at. Hint is the way out of a problem.
type Finding struct {
	What  string `json:"what"`
	State string `json:"state"` // ok, note or problem
	Found string `json:"found"`
	Hint  string `json:"hint,omitempty"`
	// Events lists the first of the events that it concerns.
	Events []string `json:"events,omitempty"`
}

// Add adds a finding and counts problems.
func (d *Doctor) Add(f Finding) {
	if f.State == "problem" {
		d.Problems++
	}
	d.Findings = append(d.Findings, f)
}

// Text prints one finding a line and what to do about it.
func (d *Doctor) Text(p *Printer) {
	p.Field("home", plainCell(clean.Line(d.Home)))
	for _, f := range d.Findings {
		tone := Ordinary
		if f.State == "problem" {
			tone = Bad
		}
		p.Wrapped(p.label("", f.State, 9), p.tone(tone, clean.Line(f.What)), words(": "), plainCell(clean.Line(f.Found)))
		for _, id := range f.Events {
			p.Wrapped(p.label("", "", 9), words(Paste(id)))
		}
		if f.Hint != "" {
			p.Wrapped(p.label("", "", 9), plainCell(clean.Line(f.Hint)))
		}
	}
	p.Line(own(number(d.Problems) + " " + plural(d.Problems, "problem", "problems")))
}

// Short says that problems were found; nil where none was.
func (d *Doctor) Short() error {
	if d.Problems == 0 {
		return nil
	}
	return &fault.Damaged{Detail: number(d.Problems) + " " + plural(d.Problems, "problem was", "problems were") + " found", Hint: "each problem above names its way out"}
}

// Conformance is the result of running vectors against akx itself.
type Conformance struct {
	Passed   int        `json:"passed"`
	Failed   int        `json:"failed"`
	Skipped  int        `json:"skipped"`
	Failures []CaseFail `json:"failures"`
}

// CaseFail is one case that failed.
type CaseFail struct {
	File     string `json:"file"`
	Section  string `json:"section"`
	Name     string `json:"name"`
	Expected string `json:"expected"`
	Got      string `json:"got"`
}

// Text prints the failures; the counts are its last line.
func (c *Conformance) Text(p *Printer) {
	for _, f := range c.Failures {
		p.Wrapped(p.label("", "FAILED", 9), plainCell(clean.Line(f.File)), words(" "), plainCell(clean.Line(f.Section)), words(" "), plainCell(clean.Line(f.Name)))
		p.Wrapped(p.label("  ", "expected", 9), plainCell(clean.Line(f.Expected)))
		p.Wrapped(p.label("  ", "got", 9), plainCell(clean.Line(f.Got)))
	}
	p.Line(own(number(c.Passed) + " passed, " + number(c.Failed) + " failed, " + number(c.Skipped) + " skipped"))
}

// Short says that cases failed; nil where none did.
func (c *Conformance) Short() error {
	if c.Failed == 0 {
		return nil
	}
	return &fault.Unavailable{Code: fault.Partial, Detail: number(c.Failed) + " " + plural(c.Failed, "case", "cases") + " failed"}
}
