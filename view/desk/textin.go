package desk

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
)

// MaxText bounds the text of a draft, in bytes.
const MaxText = 2 << 20

// Complaint is one thing that is wrong with the text of a draft.
type Complaint struct {
	Line int    // from 1; 0 where it is not known
	Path string // in the payload; empty for the text as a whole
	// Words is a clause; it may repeat foreign text: clean it before it is shown.
	Words string
}

func (c Complaint) String() string {
	var b strings.Builder
	if c.Line > 0 {
		b.WriteString("line " + strconv.Itoa(c.Line) + ": ")
	}
	if c.Path != "" {
		b.WriteString(c.Path + " ")
	}
	b.WriteString(c.Words)
	return b.String()
}

// maxComplaints bounds what is said about one text.
const maxComplaints = 50

// Expect is what a text has to be; zero fields expect nothing.
type Expect struct {
	Type capsule.Type
	Kind capsule.Kind
}

// Names beside payload that are not signed: what somebody has to say first.
const (
	unconfirmedKey = "unconfirmed_steps"
	usedKey        = "actually_used"
)

// ReadText reads a draft from YAML or JSON: the bare payload, or {type, actor,
// payload}. Empty and absent fields are one. Unknown names, names that come twice,
// second documents, values of a wrong type, and a type or kind that is not the
// expected one are complaints; the Draft is zero then. What is merely incomplete or
// breaks a rule of the protocol is Check's. The Draft has no ID and no times:
// Rewrite puts its content into another.
func ReadText(text []byte, expect Expect) (Draft, []Complaint) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	switch {
	case len(text) > MaxText:
		return Draft{}, []Complaint{{Words: "is longer than " + strconv.Itoa(MaxText) + " bytes"}}
	case !utf8.Valid(text):
		return Draft{}, []Complaint{{Words: "is not valid UTF-8"}}
	case len(bytes.TrimSpace(text)) == 0:
		return Draft{}, []Complaint{{Line: 1, Words: "is empty"}}
	}
	root, complaint := readTree(text)
	if complaint != nil {
		return Draft{}, []Complaint{*complaint}
	}
	r := textReader{}
	r.document(root, expect)
	if r.complaints != nil {
		return Draft{}, r.complaints
	}
	return r.draft, nil
}

// ParseText is ReadText for callers that show one error: a *fault.Refusal that
// says the first complaint, with its line, and how many more there are.
func ParseText(text []byte, expect Expect) (Draft, error) {
	d, complaints := ReadText(text, expect)
	if len(complaints) == 0 {
		return d, nil
	}
	detail := complaints[0]
	detail.Path = ""
	words := detail.String()
	if n := len(complaints) - 1; n > 0 {
		words += "; " + strconv.Itoa(n) + " more"
	}
	return Draft{}, fault.Refuse(fault.StepShape, complaints[0].Path, words)
}

// Rewrite puts the content of from into d, which keeps its ID and marks.
func (d Draft) Rewrite(from Draft, at int64) Draft {
	d.Type, d.Actor, d.Used, d.Payload, d.Edited = from.Type, from.Actor, from.Used, from.Clone().Payload, at
	return d
}

type textReader struct {
	draft      Draft
	complaints []Complaint
}

func (r *textReader) complain(line int, path, words string) {
	if len(r.complaints) < maxComplaints {
		r.complaints = append(r.complaints, Complaint{line, path, words})
	}
}

// document tells the two forms apart and reads the head of the longer one.
func (r *textReader) document(root *node, expect Expect) {
	if root.kind != mapNode {
		r.complain(root.line, "", "a draft is an object with names and values")
		return
	}
	payload := root
	var unconfirmed, used *node
	if wrapped(root) {
		payload = root.get("payload")
		unconfirmed, used = root.get(unconfirmedKey), root.get(usedKey)
		r.head(root)
	}
	if r.draft.Type == 0 {
		r.draft.Type = expect.Type
	}
	if r.draft.Type == 0 && payload != nil {
		r.draft.Type = guess(payload)
	}
	switch {
	case r.draft.Type == 0:
		r.complain(root.line, "", "does not say its type: knowledge.publish, knowledge.assess or knowledge.retract")
		return
	case expect.Type != 0 && r.draft.Type != expect.Type:
		r.complain(lineOf(root, "type"), "", "the type must be "+expect.Type.String()+" here")
		return
	}
	if payload != nil && payload.kind != nullNode {
		r.object(payload, "", "")
	}
	r.expectKind(payload, expect.Kind)
	r.unconfirmed(unconfirmed)
	r.used(used)
}

var headNames = []string{"type", "actor", unconfirmedKey, usedKey, "payload"}

// wrapped reports whether root is {type, actor, payload}, perhaps in part.
func wrapped(root *node) bool {
	if root.get("payload") != nil {
		return true
	}
	for _, name := range root.names {
		if !slices.Contains(headNames, name) {
			return false
		}
	}
	return len(root.names) > 0
}

func (r *textReader) head(root *node) {
	for i, name := range root.names {
		n := root.items[i]
		switch name {
		case "type":
			t, ok := capsule.ParseType(n.text)
			if n.kind != textNode || !ok {
				r.complain(n.line, "", "type must be one of "+strings.Join(names(capsule.Types()), ", "))
			}
			r.draft.Type = t
		case "actor":
			if n.kind == nullNode || n.kind == textNode && n.text == "" {
				continue
			}
			actor, err := identity.ParseActor(n.text)
			if n.kind != textNode || err != nil {
				r.complain(n.line, "", "actor must be a full Agent ID, or empty")
			}
			r.draft.Actor = actor
		case "payload", unconfirmedKey, usedKey:
		default:
			r.complain(root.lines[i], "", "there is no '"+short(name)+"' beside payload")
		}
	}
}

// guess tells a bare payload's type by the names that only one type has.
func guess(payload *node) capsule.Type {
	for _, name := range payload.names {
		switch name {
		case "kind", "title", "statement", "language", "relations", "tags":
			return capsule.Publish
		case "verdict", "summary":
			return capsule.Assess
		case "reason":
			return capsule.Retract
		}
	}
	return 0
}

func (r *textReader) expectKind(payload *node, kind capsule.Kind) {
	p := &r.draft.Payload
	switch {
	case kind == 0 || r.draft.Type != capsule.Publish:
	case p.Kind == "":
		p.Kind = kind.String()
	case p.Kind != kind.String():
		r.complain(lineOf(payload, "kind"), kindPath, "must be "+kind.String()+" here")
	}
}

func lineOf(n *node, name string) int {
	if n == nil {
		return 0
	}
	if m := n.get(name); m != nil {
		return m.line
	}
	return n.line
}

// unconfirmed marks the steps that the text lists by number.
func (r *textReader) unconfirmed(n *node) {
	if n == nil || n.kind == nullNode {
		return
	}
	steps := r.draft.Payload.Reproduction.Steps
	for _, item := range n.items {
		number, err := strconv.Atoi(item.text)
		if item.kind != plainNode || err != nil || number < 1 || number > len(steps) {
			r.complain(item.line, "", unconfirmedKey+" lists numbers of steps, from 1")
			return
		}
		steps[number-1].Unconfirmed = true
	}
	if n.kind != listNode {
		r.complain(n.line, "", unconfirmedKey+" must be a list of numbers")
	}
}

// used takes what the text says of actual use, which only the verdict applied reports.
func (r *textReader) used(n *node) {
	switch {
	case n == nil || n.kind == nullNode:
	case n.kind != plainNode || n.text != "true" && n.text != "false":
		r.complain(n.line, "", usedKey+" must be true or false")
	default:
		r.draft.Used = n.text == "true" && r.draft.Payload.Verdict == capsule.VerdictApplied.String()
	}
}

// object reads a map of the payload. path is where it stands, star the same with
// '*' for the numbers of items.
func (r *textReader) object(n *node, path, star string) {
	if n.kind != mapNode {
		r.wrongType(n, path, "an object")
		return
	}
	for i, name := range n.names {
		below, belowStar := path+"/"+name, star+"/"+name
		if strings.ContainsAny(name, "/~*") || !r.member(n.items[i], below, belowStar) {
			r.complain(n.lines[i], path, "has no member '"+short(name)+"' in the protocol")
		}
	}
}

func (r *textReader) wrongType(n *node, path, want string) {
	hint := ""
	if want == "text" && n.kind == plainNode {
		hint = ": put it in quotes"
	}
	r.complain(n.line, path, "must be "+want+", not "+nodeWords[n.kind]+hint)
}

// member reads one member; false where the protocol has none of that name here.
func (r *textReader) member(n *node, path, star string) bool {
	s, group, ok := r.find(star)
	switch {
	case !ok:
		return false
	case n.kind == nullNode && n.text != "":
		r.complain(n.line, path, "must not be null: leave the name out, or the value empty")
	case n.kind == nullNode:
	case group:
		r.object(n, path, star)
	case s.input == Lines:
		r.list(n, path, func(item *node, i int) {
			r.text(item, itemPath(path, i))
		})
	case s.input == Items:
		r.list(n, path, func(item *node, i int) {
			r.object(item, itemPath(path, i), star+"/*")
		})
	case s.input == JSON:
		r.json(n, path)
	default:
		r.text(n, path)
	}
	return true
}

// find looks a member up among the fields of the type; group is true for an object
// that has fields of its own.
func (r *textReader) find(star string) (s spec, group, ok bool) {
	for _, s := range specs(r.draft.Type) {
		if s.path == star {
			return s, false, true
		}
		if strings.HasPrefix(s.path, star+"/") && !strings.HasPrefix(s.path, star+"/*") {
			group = true
		}
	}
	return spec{}, group, group
}

func (r *textReader) list(n *node, path string, read func(item *node, i int)) {
	if n.kind != listNode {
		r.wrongType(n, path, "a list")
		return
	}
	for i, item := range n.items {
		if err := r.draft.Insert(path, i); err != nil {
			r.complain(item.line, path, "is no list")
			return
		}
		read(item, i)
	}
}

func (r *textReader) text(n *node, path string) {
	switch {
	case n.kind == nullNode && n.text == "":
	case n.kind == textNode:
		if err := r.draft.SetText(path, n.text); err != nil {
			r.complain(n.line, path, "is not valid UTF-8")
		}
	default:
		r.wrongType(n, path, "text")
	}
}

// json reads an object. Text of one is an object being typed where it is not complete
// yet, which the form keeps as it is, and else an object that the protocol does not have.
func (r *textReader) json(n *node, path string) {
	switch n.kind {
	case textNode:
		if _, complete := parseObject(n.text); complete {
			r.complain(n.line, path, "must be an object, not text that holds one: leave the quotes out")
			return
		}
		r.text(n, path)
	case mapNode:
		v, complaint := n.value()
		if complaint != nil {
			r.complain(complaint.Line, path, complaint.Words)
			return
		}
		if err := r.draft.SetText(path, jsonText(v)); err != nil {
			r.complain(n.line, path, "is not valid UTF-8")
		}
	default:
		r.wrongType(n, path, "an object")
	}
}

// short cuts a foreign name for a message.
func short(name string) string {
	const most = 60
	if len(name) <= most {
		return name
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(name[cut]) {
		cut--
	}
	return name[:cut] + "…"
}
