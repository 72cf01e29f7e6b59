package desk

import (
	"slices"

	"akx/view/capsule"
	"akx/view/identity"
)

const (
	rightURL = "https://right.invalid/"
	// rightText is what fills a field of prose.
	rightText = "x"
)

// rightCode gives one of several codes that nobody else uses.
func rightCode(n int) string {
	return identity.ID(identity.SHA3([]byte{'a', 'k', 'x', ' ', 'c', 'h', 'e', 'c', 'k', byte(n)})).String()
}

// right gives the smallest draft of d's type, kind and verdict that the rules
// accept, to try one field of d in. A kind or verdict that is none is replaced.
func right(d *Draft) *Draft {
	r := &Draft{Type: d.Type, Payload: Payload{License: rightURL, Title: rightText, Basis: rightText}}
	p := &r.Payload
	p.Context.Scope = rightText
	p.Reproduction = Reproduction{Environment: rightText, Steps: []Step{{Text: rightText}}, Expected: rightText, Observed: rightText}
	p.Target = rightCode(0)
	p.Verdict = d.Payload.Verdict
	if _, ok := capsule.ParseVerdict(p.Verdict); !ok {
		p.Verdict = capsule.VerdictSupports.String()
	}
	p.Kind = d.Payload.Kind
	kind, ok := capsule.ParseKind(p.Kind)
	if !ok {
		// No kind yet is no reason to complain of relations that need one.
		kind = capsule.Observation
		if slices.ContainsFunc(d.Payload.Relations, Relation.contains) {
			kind = capsule.Collection
		}
		p.Kind = kind.String()
	}
	p.Statement, p.Language = rightText, "und"
	if kind == capsule.Resource {
		r.addRight(evidencePath, 0)
		p.Evidence[0].Role = capsule.RoleOutput.String()
	}
	if kind == capsule.Collection {
		r.addRight(relationsPath, 0)
		p.Relations[0].Relation = capsule.Contains.String()
	}
	return r
}

func (r Relation) contains() bool { return r.Relation == capsule.Contains.String() }

// addRight adds a right item, the n-th, to a list.
func (d *Draft) addRight(list string, n int) {
	p := &d.Payload
	switch list {
	case evidencePath:
		p.Evidence = append(p.Evidence, Evidence{URL: rightURL, Description: rightText + rightCode(n), Digest: rightCode(n)})
	case relationsPath:
		p.Relations = append(p.Relations, Relation{Relation: capsule.Extends.String(), Target: rightCode(n)})
	case profilesPath:
		p.Profiles = append(p.Profiles, Profile{URL: rightURL, Digest: rightCode(n), Data: "{}"})
	}
}

// linesAt gives the texts of a list of texts.
func (d *Draft) linesAt(path string) []string {
	n, _ := d.Size(path)
	out := make([]string, n)
	for i := range out {
		out[i] = d.lineAt(path, i)
	}
	return out
}

func (d *Draft) lineAt(path string, i int) string {
	text, _ := d.Text(itemPath(path, i))
	return text
}

// setLines replaces a list of texts.
func (d *Draft) setLines(path string, lines []string) {
	p := &d.Payload
	switch path {
	case "/context/conditions":
		p.Context.Conditions = lines
	case limitationsPath:
		p.Context.Limitations = lines
	case "/tags":
		p.Tags = lines
	case stepsPath:
		p.Reproduction.Steps = make([]Step, len(lines))
		for i, text := range lines {
			p.Reproduction.Steps[i].Text = text
		}
	}
}
