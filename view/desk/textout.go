package desk

import (
	"strconv"
	"strings"

	"akx/view/capsule"
	"akx/view/identity"
)

// YAML writes d for an editor: type and actor, then the payload under its own
// names, with a comment on each field. ReadText reads it back to the same draft.
func (d Draft) YAML() []byte {
	w := yamlWriter{draft: &d}
	w.line(0, "# A draft. Saving it signs nothing.")
	w.line(0, "# Keep the |- behind a name, and indent the text below it: then nothing is added to what you sign.")
	w.line(0, "# Empty fields are left out of the event.")
	w.line(0, "type: "+d.Type.String())
	w.line(0, "# The Agent ID that is to sign; empty for the default key.")
	actor := ""
	if !d.Actor.IsZero() {
		actor = d.Actor.String()
	}
	w.line(0, "actor: "+quote(actor))
	w.unconfirmed()
	w.used()
	w.line(0, "payload:")
	w.payload()
	return []byte(w.b.String())
}

type yamlWriter struct {
	b     strings.Builder
	draft *Draft
}

func (w *yamlWriter) line(indent int, s string) {
	w.b.WriteString(strings.Repeat("  ", indent))
	w.b.WriteString(s)
	w.b.WriteByte('\n')
}

// unconfirmed lists copied steps that nobody said to have done, by number from 1.
func (w *yamlWriter) unconfirmed() {
	var numbers []string
	for i, s := range w.draft.Payload.Reproduction.Steps {
		if s.Unconfirmed {
			numbers = append(numbers, strconv.Itoa(i+1))
		}
	}
	if numbers != nil {
		w.line(0, "# Steps copied from the target. Take a number out once you have done that step.")
		w.line(0, unconfirmedKey+": ["+strings.Join(numbers, ", ")+"]")
	}
}

// used asks whether what is reported as applied was actually used.
func (w *yamlWriter) used() {
	if d := w.draft; d.Type == capsule.Assess && d.Payload.Verdict == capsule.VerdictApplied.String() {
		w.line(0, "# The verdict applied reports actual use; planned use does not count. Write true once you have used it.")
		w.line(0, usedKey+": "+strconv.FormatBool(d.Used))
	}
}

// payload writes the fields in the order of the form, and the objects around them.
func (w *yamlWriter) payload() {
	open := ""
	for _, s := range specs(w.draft.Type) {
		if _, _, _, item := splitStar(s.path); item {
			continue
		}
		group, name := splitName(s.path)
		indent := 1
		if group != "" {
			indent = 2
			if group != open {
				w.line(1, strings.TrimPrefix(group, "/")+":")
			}
		}
		open = group
		w.field(indent, s, name)
	}
}

// splitName splits /context/scope into /context and scope.
func splitName(path string) (group, name string) {
	at := strings.LastIndexByte(path, '/')
	return path[:at], path[at+1:]
}

func (w *yamlWriter) field(indent int, s spec, name string) {
	required, _ := w.draft.need(s, s.path)
	note := "# "
	if required {
		note += "(required) "
	}
	w.line(indent, note+s.help)
	switch s.path {
	case kindPath, verdictPath:
		w.line(indent, "# one of "+strings.Join(choices(s.path), ", "))
		if help := w.draft.choiceHelp(); help != "" {
			w.line(indent, "# "+help)
		}
	}
	switch s.input {
	case Lines:
		w.lines(indent, name, w.draft.linesAt(s.path))
	case Items:
		w.items(indent, s, name)
	default:
		text, _ := w.draft.Text(s.path)
		w.text(indent, name, text, s.input)
	}
}

func (d *Draft) choiceHelp() string {
	if d.Type == capsule.Assess {
		verdict, _ := capsule.ParseVerdict(d.Payload.Verdict)
		return VerdictHelp(verdict)
	}
	kind, _ := capsule.ParseKind(d.Payload.Kind)
	return KindHelp(kind)
}

// text writes one member. Prose stands in a block where a block keeps it exactly.
func (w *yamlWriter) text(indent int, name, text string, input Input) {
	prose := input == Area || input == Line
	switch {
	case prose && text == "":
		w.line(indent, name+": |-")
		w.line(indent+1, "")
	case prose && blockFits(text):
		w.line(indent, name+": |-")
		w.block(indent+1, text)
	case input == JSON:
		w.line(indent, name+": "+yamlJSON(text, indent))
	default:
		w.line(indent, name+": "+quote(text))
	}
}

func (w *yamlWriter) block(indent int, text string) {
	for line := range strings.SplitSeq(text, "\n") {
		if line == "" {
			w.b.WriteByte('\n')
			continue
		}
		w.line(indent, line)
	}
}

func (w *yamlWriter) lines(indent int, name string, lines []string) {
	if len(lines) == 0 {
		w.line(indent, name+": []")
		return
	}
	w.line(indent, name+":")
	for _, text := range lines {
		if strings.Contains(text, "\n") && blockFits(text) {
			w.line(indent+1, "- |-")
			w.block(indent+2, text)
		} else {
			w.line(indent+1, "- "+quote(text))
		}
	}
}

// items writes a list of objects; an empty one shows how an item looks.
func (w *yamlWriter) items(indent int, s spec, name string) {
	n, _ := w.draft.Size(s.path)
	if n == 0 {
		w.line(indent, name+": []")
		w.example(indent, s.path)
		return
	}
	w.line(indent, name+":")
	for i := range n {
		switch s.path {
		case evidencePath:
			e := w.draft.Payload.Evidence[i]
			w.line(indent+1, "- url: "+quote(e.URL))
			w.text(indent+2, "description", e.Description, Area)
			w.line(indent+2, "digest: "+quote(e.Digest))
			w.line(indent+2, "media_type: "+quote(e.MediaType))
			w.line(indent+2, "role: "+quote(e.Role))
		case relationsPath:
			r := w.draft.Payload.Relations[i]
			w.line(indent+1, "- relation: "+quote(r.Relation))
			w.line(indent+2, "target: "+quote(r.Target))
		default:
			p := w.draft.Payload.Profiles[i]
			w.line(indent+1, "- profile:")
			w.line(indent+3, "url: "+quote(p.URL))
			w.line(indent+3, "digest: "+quote(p.Digest))
			w.line(indent+2, "data: "+yamlJSON(p.Data, indent+2))
		}
	}
}

var itemExamples = map[string][]string{
	evidencePath: {
		`- url: "https://…"`, `  description: |-`, `    what it adds`, `  digest: ""`, `  media_type: ""`,
		`  role: ""  # source, input, output, environment, validation`,
	},
	relationsPath: {
		`- relation: extends  # derived_from, addresses, tests, supports, contradicts, supersedes, contains`, `  target: ""`,
	},
	profilesPath: {`- profile:`, `    url: "https://…"`, `    digest: ""`, `  data: {}`},
}

func (w *yamlWriter) example(indent int, path string) {
	w.line(indent, "# an item looks like this, in the place of []:")
	for _, l := range itemExamples[path] {
		w.line(indent, "#   "+l)
	}
}

// longName is up to where YAML takes a name without further marks.
const longName = 250

// yamlJSON writes the JSON text of a field: an object as a flow mapping, which is
// JSON too; text that is none, or has names too long for YAML, as a string.
func yamlJSON(text string, indent int) string {
	v, ok := parseObject(text)
	switch {
	case !ok || hasLongName(v):
		return quote(text)
	case len(text) > maxPretty || deeper(v, prettyNest):
		return printJSON(v, -1, quote)
	}
	return printJSON(v, indent, quote)
}

// Larger or deeper JSON stands on one line: its indentation would outgrow it.
const (
	maxPretty  = 16 << 10
	prettyNest = 12
)

func hasLongName(v identity.Value) bool {
	for _, item := range v.Items() {
		if hasLongName(item) {
			return true
		}
	}
	for _, m := range v.Members() {
		if len(m.Name) > longName || hasLongName(m.Value) {
			return true
		}
	}
	return false
}

// printJSON writes v with a line for each member, indented from indent on, or on
// one line where indent is negative.
func printJSON(v identity.Value, indent int, quote func(string) string) string {
	p := jsonPrinter{quote: quote, oneLine: indent < 0}
	p.value(v, indent)
	return p.b.String()
}

type jsonPrinter struct {
	b       strings.Builder
	quote   func(string) string
	oneLine bool
}

func (p *jsonPrinter) value(v identity.Value, indent int) {
	switch v.Kind() {
	case identity.String:
		p.b.WriteString(p.quote(v.Text()))
	case identity.Array:
		p.between('[', ']', indent, len(v.Items()), func(i int) { p.value(v.Items()[i], indent+1) })
	case identity.Object:
		p.between('{', '}', indent, len(v.Members()), func(i int) {
			m := v.Members()[i]
			p.b.WriteString(p.quote(m.Name) + ": ")
			p.value(m.Value, indent+1)
		})
	default:
		p.b.Write(identity.AppendCanonical(nil, v))
	}
}

func (p *jsonPrinter) between(open, shut byte, indent, n int, item func(int)) {
	p.b.WriteByte(open)
	for i := range n {
		if i > 0 {
			p.b.WriteByte(',')
		}
		p.newLine(indent + 1)
		item(i)
	}
	if n > 0 {
		p.newLine(indent)
	}
	p.b.WriteByte(shut)
}

func (p *jsonPrinter) newLine(indent int) {
	if !p.oneLine {
		p.b.WriteString("\n" + strings.Repeat("  ", indent))
	}
}

// JSON writes d as {type, actor, payload}, the payload as it would be signed now.
// ReadText reads it back; empty fields and items that are not yet complete stay.
func (d Draft) JSON() []byte {
	var o object
	o.text("type", d.Type.String())
	if !d.Actor.IsZero() {
		o.text("actor", d.Actor.String())
	}
	var steps []identity.Value
	for i, s := range d.Payload.Reproduction.Steps {
		if s.Unconfirmed {
			steps = append(steps, identity.IntegerValue(int64(i+1)))
		}
	}
	if steps != nil {
		o.add(unconfirmedKey, identity.ArrayValue(steps...))
	}
	if d.Used {
		o.add(usedKey, identity.BoolValue(true))
	}
	o.add("payload", d.Value())
	v := o.value()
	indent := 0
	if deeper(v, prettyNest) {
		indent = -1
	}
	return []byte(printJSON(v, indent, quoteJSON) + "\n")
}
