package desk

import "akx/view/capsule"

// Field is one field of a form, as it stands now.
type Field struct {
	Path  string
	Input Input
	Label string
	Help  string
	// Required says that an event without it cannot be signed, given what else
	// stands in the draft now; RequiredBy names what asks for it, such as
	// 'verdict reproduced', where it is not the type itself.
	Required   bool
	RequiredBy string
	Choices    []string // of a Choice, protocol spelling
	Count      int      // in Unit
	Unit       Unit
	Limit      int // recommended by services (9.7); 0 for none
}

// Fields lists the fields of d in the order of a form. Each item of a list of
// objects has fields of its own, and each item of a list of texts has one.
func (d *Draft) Fields(limits Limits) []Field {
	var out []Field
	all := specs(d.Type)
	for i, s := range all {
		if _, _, _, item := splitStar(s.path); item {
			continue
		}
		out = append(out, d.field(s, s.path, limits))
		n, _ := d.Size(s.path)
		switch s.input {
		case Lines:
			for k := range n {
				line := spec{path: s.path, input: Area, required: true, label: s.label, help: s.help}
				out = append(out, d.field(line, itemPath(s.path, k), Limits{}))
			}
		case Items:
			for k := range n {
				for _, leaf := range all[i+1:] {
					list, rest, _, ok := splitStar(leaf.path)
					if !ok || list != s.path {
						break
					}
					out = append(out, d.field(leaf, itemPath(list, k)+rest, limits))
				}
			}
		}
	}
	return out
}

// Loses reports whether next lacks what stands in d: a field that is empty in it, or
// prose of less than half the length, or a list with fewer items.
func (d *Draft) Loses(next *Draft) bool {
	for _, f := range d.Fields(Limits{}) {
		if n, ok := d.Size(f.Path); ok {
			if left, _ := next.Size(f.Path); left < n {
				return true
			}
			continue
		}
		text, _ := d.Text(f.Path)
		left, _ := next.Text(f.Path)
		prose := f.Input == Area || f.Input == JSON
		if text != "" && (left == "" || prose && 2*len(left) < len(text)) {
			return true
		}
	}
	return false
}

// splitStar splits /evidence/*/url into /evidence and /url, with url as its name.
func splitStar(path string) (list, rest, name string, ok bool) {
	for i := range len(path) - 1 {
		if path[i] == '/' && path[i+1] == '*' {
			return path[:i], path[i+2:], path[min(i+3, len(path)):], true
		}
	}
	return "", "", "", false
}

func (d *Draft) field(s spec, path string, limits Limits) Field {
	f := Field{Path: path, Input: s.input, Label: s.label, Help: s.help, Limit: limits.of(path)}
	f.Required, f.RequiredBy = d.need(s, path)
	f.Choices = choices(pattern(path))
	f.Count, f.Unit = d.count(s, path)
	return f
}

// need says whether a field has to be filled in, and what else in d asks for it.
func (d *Draft) need(s spec, path string) (required bool, by string) {
	if s.required {
		return true, ""
	}
	p := &d.Payload
	switch kind, _ := capsule.ParseKind(p.Kind); {
	case path == evidencePath && d.Type == capsule.Publish && kind == capsule.Resource,
		path == relationsPath && kind == capsule.Collection:
		return true, "kind " + p.Kind
	}
	switch {
	case pattern(path) == evidencePath+"/*/digest":
		_, i, _, _ := splitItem(path)
		if role := p.Evidence[i].Role; role == capsule.RoleOutput.String() {
			return true, "role " + role
		}
	case path == observedPath:
		if d.reportsDone() {
			return true, "verdict " + p.Verdict
		}
	case path == "/reproduction/environment", path == stepsPath, path == "/reproduction/expected":
		if d.reportsDone() {
			return true, "verdict " + p.Verdict
		}
		return p.Reproduction.present(), ""
	}
	return false, ""
}

// reportsDone reports whether d is an assessment whose verdict says that something
// was carried out (6.2).
func (d *Draft) reportsDone() bool {
	verdict, _ := capsule.ParseVerdict(d.Payload.Verdict)
	return d.Type == capsule.Assess && verdict.NeedsObserved()
}

func choices(pattern string) []string {
	switch pattern {
	case kindPath:
		return names(capsule.Kinds())
	case verdictPath:
		return names(capsule.Verdicts())
	case evidencePath + "/*/role":
		return names(capsule.Roles())
	case relationsPath + "/*/relation":
		return names(capsule.Relations())
	}
	return nil
}

func names[T interface{ String() string }](set []T) []string {
	out := make([]string, len(set))
	for i, v := range set {
		out[i] = v.String()
	}
	return out
}
