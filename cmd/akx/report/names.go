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

// NameActors puts the user's own names beside the Agent IDs of entries.
func NameActors(entries []Entry, names map[string]string) {
	for i := range entries {
		entries[i].LocalName = names[entries[i].Actor]
	}
}
