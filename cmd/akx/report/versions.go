package report

import (
	"akx/view"
	"akx/view/clean"
)

// Versions is the tree of supersedes around one capsule, newest first.
type Versions struct {
	ID      string    `json:"event_id"`
	Scope   Scope     `json:"scope"`
	Nodes   []Version `json:"versions"`
	Omitted int       `json:"omitted_count,omitempty"`

	tree view.Versions
}

// Version is one capsule of the tree.
type Version struct {
	Entry
	Supersedes  []string `json:"supersedes"`
	Assessments int      `json:"assessment_count"`
	Retracted   int      `json:"retracted_assessment_count"`
}

// VersionsOf describes a tree.
func VersionsOf(v view.Versions) *Versions {
	scope := ScopeOf(v.Scope)
	out := &Versions{Scope: scope, Omitted: v.Omitted, tree: v}
	for _, n := range v.Nodes {
		node := Version{Entry: EntryOf(n.Entry, &scope), Assessments: n.Assessments, Retracted: n.Retracted}
		for _, older := range n.Supersedes {
			node.Supersedes = append(node.Supersedes, v.Nodes[older].Entry.ID.String())
		}
		out.Nodes = append(out.Nodes, node)
	}
	if v.Here < len(out.Nodes) {
		out.ID = out.Nodes[v.Here].ID
	}
	return out
}

// Text prints the tree as lanes; in plain style as sentences.
func (v *Versions) Text(p *Printer) {
	p.Heading(words("versions of " + Paste(v.ID)))
	p.Line(own("supersedes in "), v.Scope.words())
	lanes := newLanes(v.tree.Nodes, v.tree.Here, p.style.ASCII)
	for i, n := range v.Nodes {
		if p.style.Plain {
			v.spoken(p, i, n)
			continue
		}
		before, row, after := lanes.rows(i)
		for _, line := range before {
			p.Line(own(line))
		}
		p.Wrapped(own(row+"  "), v.facts(p, i, n)...)
		for _, line := range after {
			p.Line(own(line))
		}
	}
	more(p, v.Omitted, "version beyond the bound", "versions beyond the bound")
	p.Line(own("no version is marked latest; retracting a successor does not restore the predecessor"))
}

func (v *Versions) facts(p *Printer, i int, n Version) []Cell {
	id := p.id(n.ID)
	counts := "assessments " + number(n.Assessments)
	if n.Retracted > 0 {
		counts += " and " + number(n.Retracted) + " RETRACTED"
	}
	cells := []Cell{id, gap, words(n.role()), gap, n.state(), words(" in "), plainCell(clean.Line(v.Scope.Origin)),
		gap, day(n.CreatedAt, v.Scope.AsOf), gap, words(counts)}
	if i == v.tree.Here {
		cells = append(cells, gap, words("you are here"))
	}
	return append(append(cells, gap, p.title(n.Entry)), named(n.LocalName)...)
}

func (v *Versions) spoken(p *Printer, i int, n Version) {
	p.Wrapped(own("version "+number(i+1)+" of "+number(len(v.Nodes))+": "), v.facts(p, i, n)...)
	for _, older := range v.tree.Nodes[i].Supersedes {
		p.Line(own("supersedes version " + number(older+1) + ", " + Paste(v.Nodes[older].ID)))
	}
}
