package desk

import (
	"slices"
	"strconv"
	"strings"

	"akx/view/capsule"
	"akx/view/identity"
)

// Severity is how much a problem weighs.
type Severity uint8

// The severities.
const (
	Blocks  Severity = iota + 1 // cannot be signed like this
	Exceeds                     // valid, but services may refuse it (9.7)
	Advises                     // valid; the specification or good sense asks for more
)

// Problem is one thing to say about a field.
type Problem struct {
	Path     string // empty for the draft as a whole
	Severity Severity
	Words    string // one clause of akx's own words, but for names that Refusals repeat: clean it
}

// maxProblems bounds what Check says of one draft.
const maxProblems = 200

// Check says what is wrong with d, field by field in the order of the form. What
// blocks is found by capsule.CheckPayload alone: each field is put into a payload
// that is otherwise right, so that every field gets its own answer.
func (d *Draft) Check(limits Limits) []Problem {
	c := checker{draft: d, limits: limits}
	for _, s := range specs(d.Type) {
		if list, rest, _, item := splitStar(s.path); item {
			c.leaves(s, list, rest)
			continue
		}
		switch s.input {
		case Lines:
			c.lines(s)
		case Items:
			c.limit(s)
			c.try(s.path)
		default:
			c.leaf(s, s.path, s.path)
		}
	}
	c.unused()
	c.wholes()
	c.whole()
	c.advise()
	return c.problems
}

// Ready reports whether nothing in problems blocks the signature.
func Ready(problems []Problem) bool {
	for _, p := range problems {
		if p.Severity == Blocks {
			return false
		}
	}
	return true
}

type checker struct {
	draft    *Draft
	limits   Limits
	role     capsule.Role // of the evidence item that is looked at
	lists    []listProblem
	problems []Problem
}

func (c *checker) add(path string, severity Severity, words string) {
	if len(c.problems) < maxProblems {
		c.problems = append(c.problems, Problem{path, severity, words})
	}
}

func (c *checker) full() bool { return len(c.problems) >= maxProblems }

// blockedWithin reports whether something at or below path blocks already.
func (c *checker) blockedWithin(path string) bool {
	for _, p := range c.problems {
		if p.Severity == Blocks && (p.Path == path || strings.HasPrefix(p.Path, path+"/")) {
			return true
		}
	}
	return false
}

// refusal gives the path below the payload, and the words, of what CheckPayload
// says of d; ok is true where it says nothing.
func refusal(d *Draft) (path, words string, ok bool) {
	r := capsule.CheckPayload(d.Type, d.Value())
	if r == nil {
		return "", "", true
	}
	return strings.TrimPrefix(r.Path, "/event/payload"), r.Detail, false
}

// leaf checks one text. It is tried at the path where it stands in a right payload.
func (c *checker) leaf(s spec, path, where string) {
	text, _ := c.draft.Text(path)
	if strings.HasPrefix(path, "/reproduction/") && !c.draft.Payload.Reproduction.present() && !c.draft.reportsDone() {
		return
	}
	right := c.rightFor(where)
	if err := right.SetText(where, text); err != nil {
		c.add(path, Blocks, "is not valid UTF-8")
		return
	}
	at, words, ok := refusal(right)
	switch {
	case ok, (path == kindPath || path == verdictPath) && at != path:
		c.limit(specAt(s, path))
		return
	case text == "":
		words = c.empty(s, path)
	case s.input == JSON:
		words = jsonWords(text)
	}
	c.add(path, Blocks, words)
}

// specAt is s with the path of one item.
func specAt(s spec, path string) spec {
	s.path = path
	return s
}

// empty says that a field has to be filled in, and what asks for it.
func (c *checker) empty(s spec, path string) string {
	if _, by := c.draft.need(s, path); by != "" && (path == observedPath || strings.HasSuffix(path, "/digest")) {
		_, value, _ := strings.Cut(by, " ")
		return s.label + " is required for " + value
	}
	return "empty: cannot sign"
}

// jsonWords says why a text is no JSON object.
func jsonWords(text string) string {
	v, err := identity.Parse([]byte(text))
	switch {
	case err != nil:
		return "is not JSON as the protocol takes it: look for a missing quote, comma or bracket, a name twice, or a number out of range"
	case v.Kind() != identity.Object:
		return "must be a JSON object, in braces"
	}
	return "nests more than " + strconv.Itoa(maxNest) + " levels"
}

// beside numbers the items that stand beside the one that is tried.
const beside = 100

// rightFor gives a payload that is right, with one item in the list that path
// speaks of.
func (c *checker) rightFor(path string) *Draft {
	d := right(c.draft)
	list, _, _, item := splitItem(path)
	if !item {
		return d
	}
	for n, _ := d.Size(list); n < 2; n++ {
		d.addRight(list, n+beside)
	}
	if role := c.roleAt(path); role != 0 {
		d.Payload.Evidence[1].Role = role.String()
	}
	return d
}

// roleAt is the role that decides whether a digest is required.
func (c *checker) roleAt(path string) capsule.Role {
	if !strings.HasPrefix(path, evidencePath+"/") || !strings.HasSuffix(path, "/digest") {
		return 0
	}
	return c.role
}

// leaves checks one member of every item of a list.
func (c *checker) leaves(s spec, list, rest string) {
	n, _ := c.draft.Size(list)
	for i := 0; i < n && !c.full() && !c.listRight(list); i++ {
		c.role = 0
		if list == evidencePath {
			c.role, _ = capsule.ParseRole(c.draft.Payload.Evidence[i].Role)
		}
		c.leaf(s, itemPath(list, i)+rest, itemPath(list, 1)+rest)
	}
}

// lines checks a list of texts: each alone, then all together.
func (c *checker) lines(s spec) {
	c.limit(s)
	n, _ := c.draft.Size(s.path)
	if s.path == stepsPath && n == 0 && (c.draft.Payload.Reproduction.present() || c.draft.reportsDone()) {
		c.add(s.path, Blocks, "empty: cannot sign")
		return
	}
	if c.linesRight(s.path) {
		c.unconfirmed(s.path)
		return
	}
	for i := 0; i < n && !c.full(); i++ {
		right := right(c.draft)
		right.setLines(s.path, []string{c.draft.lineAt(s.path, i)})
		if _, words, ok := refusal(right); !ok {
			if c.draft.lineAt(s.path, i) == "" {
				words = "empty: cannot sign"
			}
			c.add(itemPath(s.path, i), Blocks, words)
		}
	}
	if !c.blockedWithin(s.path) {
		right := right(c.draft)
		right.setLines(s.path, c.draft.linesAt(s.path))
		path, words, _ := refusal(right)
		c.add(path, Blocks, words)
	}
	c.unconfirmed(s.path)
}

func (c *checker) linesRight(path string) bool {
	right := right(c.draft)
	right.setLines(path, c.draft.linesAt(path))
	_, _, ok := refusal(right)
	return ok || path == stepsPath && len(c.draft.Payload.Reproduction.Steps) == 0
}

// unconfirmed blocks on steps that were copied and not yet said to be done.
func (c *checker) unconfirmed(path string) {
	if path != stepsPath {
		return
	}
	for i, step := range c.draft.Payload.Reproduction.Steps {
		if step.Unconfirmed {
			c.add(itemPath(path, i), Blocks, "copied from the target: say that you did this, or change or remove it")
		}
	}
}

// unused blocks on use that nobody said to have taken place.
func (c *checker) unused() {
	if c.draft.Unused() {
		c.add(verdictPath, Blocks, "applied reports actual use, and planned use does not count: say that you actually used it")
	}
}

// try puts a whole list of objects into a right payload and keeps what the rules
// say: its members are looked at one by one only where they say something.
func (c *checker) try(path string) {
	right := right(c.draft)
	p := &c.draft.Payload
	switch path {
	case evidencePath:
		right.Payload.Evidence = p.Evidence
	case relationsPath:
		right.Payload.Relations = p.Relations
	default:
		right.Payload.Profiles = p.Profiles
	}
	at, words, ok := refusal(right)
	if !ok {
		c.lists = append(c.lists, listProblem{path, at, words})
	}
}

// listProblem is the first thing that the rules say of a list of objects.
type listProblem struct{ list, at, words string }

func (c *checker) listRight(path string) bool {
	return !slices.ContainsFunc(c.lists, func(p listProblem) bool { return p.list == path })
}

// wholes says what is wrong with a list whose items are right by themselves: items
// that repeat, and what the kind asks for.
func (c *checker) wholes() {
	for _, p := range c.lists {
		if !c.blockedWithin(p.list) {
			c.add(p.at, Blocks, p.words)
		}
	}
}

// whole lets the rules speak of the draft as it is, and of its size.
func (c *checker) whole() {
	if Ready(c.problems) {
		if path, words, ok := refusal(c.draft); !ok {
			c.add(path, Blocks, words)
		}
	}
	n := c.draft.EnvelopeBytes()
	if n > identity.MaxEnvelopeBytes {
		c.add("", Blocks, over(n, identity.MaxEnvelopeBytes, Bytes)+" that akx itself takes of an envelope")
	} else if limit := c.limits.EnvelopeBytes; limit > 0 && n > limit {
		c.add("", Exceeds, over(n, limit, Bytes)+" of an envelope that services recommend")
	}
}

func over(n, limit int, u Unit) string {
	return strconv.Itoa(n) + " " + u.String() + ", over the limit of " + strconv.Itoa(limit)
}

// limit says where a field is over what services recommend.
func (c *checker) limit(s spec) {
	limit := c.limits.of(s.path)
	if limit == 0 {
		return
	}
	if n, unit := c.draft.count(s, s.path); n > limit {
		c.add(s.path, Exceeds, over(n, limit, unit)+" that services recommend")
	}
}

// advise says what the specification asks for without making it a rule.
func (c *checker) advise() {
	d, p := c.draft, &c.draft.Payload
	kind, _ := capsule.ParseKind(p.Kind)
	if d.Type == capsule.Publish && kind == capsule.Inference && len(p.Context.Limitations) == 0 {
		c.add(limitationsPath, Advises, "an inference says here how sure it is")
	}
	if d.Type == capsule.Publish {
		for i, r := range p.Relations {
			if r.Relation == capsule.Tests.String() && !saysWhether(p.Basis) {
				c.add(itemPath(relationsPath, i)+"/relation", Advises, "the basis says whether the test is proposed or was performed")
				break
			}
		}
	}
	for _, f := range d.Fields(c.limits) {
		text, ok := d.Text(f.Path)
		if !ok || text == "" || f.Input != Area && f.Input != Line {
			continue
		}
		if strings.TrimSpace(text) != text {
			c.add(f.Path, Advises, "begins or ends with blanks or a line end, which will be signed too")
		}
		if strings.ContainsFunc(text, hidden) {
			c.add(f.Path, Advises, "has control characters, or characters that turn the direction of text: readers will see marks in their place")
		}
	}
}

// hidden reports whether a character acts on what stands around it and is not seen.
func hidden(r rune) bool {
	return r < 0x20 && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r == '\u061c' || r == '\u200e' || r == '\u200f' ||
		r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069' || r == '\u2028' || r == '\u2029' || unseen(r)
}

// saysWhether looks for the two words of 6.1; text in another language than English
// is for its author to judge, so any text with letters beyond ASCII passes.
func saysWhether(basis string) bool {
	lower := strings.ToLower(basis)
	return strings.Contains(lower, "propos") || strings.Contains(lower, "perform") || strings.Contains(lower, "plan") ||
		strings.ContainsFunc(basis, func(r rune) bool { return r > 0x7f })
}
