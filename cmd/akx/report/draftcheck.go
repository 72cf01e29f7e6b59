package report

import (
	"slices"
	"strings"

	"akx/explore"
	"akx/view/clean"
	"akx/view/desk"
	"akx/view/identity"
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
	// Unread is the file with newer words that the draft has not taken.
	Unread string `json:"unread_file,omitempty"`
	// Needs are the flags that akx sign asks for beside a passphrase, in their order.
	Needs []string `json:"sign_needs"`
	// Confirm lists the targets whose first characters have to be given.
	Confirm []string `json:"confirm_targets"`

	steps []string // copied and not confirmed, as unconfirmed_steps counts them
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

// VerdictPath is where a problem says that a use was not confirmed.
const VerdictPath = "/verdict"

// AllowFlags are the flags that answer findings by their marks.
func AllowFlags(marks []string) string {
	return "--allow-finding " + strings.Join(marks, " --allow-finding ")
}

// ConfirmFlag is the flag that confirms a target. An ID may begin with a dash.
func ConfirmFlag(id identity.ID) string { return "--confirm=" + id.String()[:explore.ConfirmLength] }

// UnreadHint says what can be done with words that a draft has not taken.
func UnreadHint(draft uint64) string {
	edit := "akx draft edit " + uints(draft)
	return edit + " goes on with them, " + edit + " --drop drops them"
}

// DraftCheckOf describes the check c of d.
func DraftCheckOf(c explore.DraftCheck, d desk.Draft) DraftCheck {
	out := DraftCheck{Ready: c.Ready(), More: c.More, Targets: DraftTargetsOf(c.Targets), Bytes: c.Bytes, Limit: c.Limit, Unread: c.Unread,
		Needs: []string{"--yes-publish"}, Confirm: idStrings(explore.Confirmable(d))}
	for i, step := range d.Payload.Reproduction.Steps {
		if step.Unconfirmed {
			out.steps = append(out.steps, number(i+1))
		}
	}
	if d.Unused() {
		out.Needs = append(out.Needs, "--yes-used")
	}
	if slices.ContainsFunc(out.Targets, func(t DraftTarget) bool { return t.Stale }) {
		out.Needs = append(out.Needs, "--yes-target")
	}
	for _, id := range explore.Confirmable(d) {
		out.Needs = append(out.Needs, ConfirmFlag(id))
	}
	for _, problem := range c.Problems {
		out.Problems = append(out.Problems, Problem{problem.Path, severities[problem.Severity], problem.Words})
	}
	for _, f := range c.Findings {
		out.Findings = append(out.Findings, SecretFound{f.Mark, f.Kind.String(), f.Path, f.Excerpt})
		if flag := AllowFlags([]string{f.Mark}); !slices.Contains(out.Needs, flag) {
			out.Needs = append(out.Needs, flag)
		}
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
	if c.Unread != "" {
		p.Field("", words(UnreadHint(draft)))
	}
	if len(c.steps) > 0 {
		p.Field("", words("unconfirmed_steps of the text names "+strings.Join(c.steps, ", ")+": take out the number of each step that you did"))
	}
	if slices.Contains(c.Needs, "--yes-used") {
		p.Field("", words("if you used it, say so by akx sign "+uints(draft)+" --yes-used, or by actually_used: true in the text"))
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
	// ContentMark stands for the payload and the signer: --if of akx sign takes it. It is
	// absent where no key is chosen yet.
	ContentMark string `json:"content_mark,omitempty"`
}

// Text prints what was found, then the verdict.
func (r *DraftChecked) Text(p *Printer) {
	p.Heading(words("draft "+uints(r.ID)+": "), r.role(), gap, r.title(p))
	r.DraftCheck.text(p, r.ID)
	if !r.Ready {
		p.Line(own("cannot be signed like this"))
		return
	}
	state := "ready"
	if len(r.Findings) > 0 {
		state = "ready, once each place that may be private is answered"
	}
	p.Line(own(state))
	command := "akx sign " + uints(r.ID)
	if r.ContentMark != "" {
		command += " --if " + r.ContentMark
	}
	p.Wrapped(clean.Text{}, words("akx sign "+uints(r.ID)+" shows what signing means; this signs it, once you mean each of its flags: "+command+" "+strings.Join(r.Needs, " ")))
}
