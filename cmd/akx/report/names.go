package report

import "akx/view/clean"

// Petname is the user's own name of an Agent ID. It says nothing about who that is.
type Petname struct {
	Actor string `json:"actor"`
	Name  string `json:"local_name"`
}

// Petnames lists the user's own names.
type Petnames struct {
	Names []Petname `json:"names"`
}

// Text prints a row a name, the Agent ID first.
func (r *Petnames) Text(p *Printer) {
	if len(r.Names) == 0 {
		p.Line(own("no names: akx name ID NAME gives an Agent ID one of your own"))
		return
	}
	var table [][]Cell
	for _, n := range r.Names {
		table = append(table, []Cell{words(n.Actor), localName(n.Name)})
	}
	p.Table(nil, table)
}

// localName shows a name as the user's own: it stands beside an ID, never for it.
func localName(name string) Cell {
	return Cell{Text: clean.Join(own("your name: "), clean.Line(name))}
}

// PetnameChanged is one change of a name.
type PetnameChanged struct {
	Done string `json:"done"` // named or removed
	Petname
}

// Text says what was done.
func (r *PetnameChanged) Text(p *Printer) {
	p.Wrapped(clean.Text{}, words(r.Done+" "+r.Actor), gap, localName(r.Name))
	if r.Done == "named" {
		p.Line(own("the name is yours alone: it is signed by nobody and shown to nobody else"))
	}
}

// Naming is a report that shows the user's own names beside Agent IDs, as text and as
// events.
type Naming interface {
	// NameActors takes the names by Agent ID.
	NameActors(names map[string]string)
}

func nameActors(entries []Entry, names map[string]string) {
	for i := range entries {
		entries[i].LocalName = names[entries[i].Actor]
	}
}

// named is the user's own name of the signer behind a gap; nothing where there is none.
func named(name string) []Cell {
	if name == "" {
		return nil
	}
	return []Cell{gap, localName(name)}
}

// NameActors names the signers of rows.
func (r *List) NameActors(names map[string]string) { nameActors(r.Events, names) }

// NameActors names the signers of rows.
func (q *Queried) NameActors(names map[string]string) { nameActors(q.Events, names) }

// NameActors names the signers of hits.
func (f *Found) NameActors(names map[string]string) {
	for i := range f.Hits {
		f.Hits[i].LocalName = names[f.Hits[i].Actor]
	}
}

// NameActors names the signer of the page's event, and those of what it points at.
func (g *Page) NameActors(names map[string]string) {
	g.LocalName = names[g.Actor]
	for _, o := range g.Out {
		if o.Target != nil {
			o.Target.LocalName = names[o.Target.Actor]
		}
	}
}

// NameActors names the signers of links.
func (l *Links) NameActors(names map[string]string) {
	for _, g := range l.Groups {
		nameActors(g.Events, names)
	}
}

// NameActors names who assessed.
func (v *Review) NameActors(names map[string]string) {
	for i := range v.Reports {
		v.Reports[i].LocalName = names[v.Reports[i].Actor]
	}
}

// NameActors names the author of the versions.
func (v *Versions) NameActors(names map[string]string) {
	for i := range v.Nodes {
		v.Nodes[i].LocalName = names[v.Nodes[i].Actor]
	}
}

// NameActors names the signers of events that are held.
func (r *Checks) NameActors(names map[string]string) {
	for i := range r.Checks {
		r.Checks[i].LocalName = names[r.Checks[i].Actor]
	}
}

// NameActors names who signed.
func (r *Outbox) NameActors(names map[string]string) {
	for i := range r.Entries {
		r.Entries[i].LocalName = names[r.Entries[i].Actor]
	}
}

// NameActors names who signed, and the signers of what has to be sent first.
func (r *Submitted) NameActors(names map[string]string) {
	for i := range r.Entries {
		r.Entries[i].LocalName = names[r.Entries[i].Actor]
	}
	for _, plan := range r.Plans {
		for i := range plan.Send {
			plan.Send[i].LocalName = names[plan.Send[i].Actor]
		}
		for i := range plan.Barred {
			plan.Barred[i].LocalName = names[plan.Barred[i].Actor]
		}
	}
	for i := range r.RefusedBefore {
		r.RefusedBefore[i].LocalName = names[r.RefusedBefore[i].Actor]
	}
}
