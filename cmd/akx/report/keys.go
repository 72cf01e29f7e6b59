package report

import "akx/view/clean"

// Key is a signing key without its secret.
type Key struct {
	Name      string `json:"name"`
	Actor     string `json:"actor,omitempty"`
	CreatedAt int64  `json:"created_at_epoch_ms,omitempty"`
	Default   bool   `json:"default"`
	// Exposed says that others can read its file.
	Exposed bool     `json:"exposed"`
	Error   *Failure `json:"error,omitempty"`
}

// Keys lists signing keys.
type Keys struct {
	Keys []Key `json:"keys"`
}

// Text prints a row a key.
func (r *Keys) Text(p *Printer) {
	if len(r.Keys) == 0 {
		p.Line(own("no keys: akx key new makes one, akx key import FILE brings one here"))
		return
	}
	var table [][]Cell
	for _, k := range r.Keys {
		mark := Cell{}
		if k.Default {
			mark = words("default")
		}
		row := []Cell{{Text: own(k.Name), Tone: Strong}, mark, words(k.Actor)}
		if k.Error == nil {
			row = append(row, words("since "+Moment(k.CreatedAt)))
		}
		table = append(table, row)
	}
	p.Table(nil, table)
	for _, k := range r.Keys {
		k.remarks(p)
	}
}

func (k Key) remarks(p *Printer) {
	lead := own(k.Name + ": ")
	if k.Exposed {
		p.Wrapped(lead, p.tone(Bad, own("others can read its file")), words("; chmod 600 it"))
	}
	if k.Error != nil {
		p.Wrapped(lead, p.tone(Bad, clean.Line(k.Error.Message)))
		p.Wrapped(lead, plainCell(clean.Line(k.Error.Hint)))
	}
}

// KeyChanged is one change of the keys.
type KeyChanged struct {
	Done string `json:"done"` // made, imported, renamed, deleted or chosen
	Key
}

// Text says what was done and what it means.
func (r *KeyChanged) Text(p *Printer) {
	p.Wrapped(clean.Text{}, words(r.Done+" key "+r.Name), gap, words(r.Actor))
	switch r.Done {
	case "made", "imported":
		p.Line(own("keep a copy of its file, and the passphrase: neither can be had again"))
		if r.Default {
			p.Line(own("it is the default: it signs where no key is named"))
		}
	case "deleted":
		p.Line(own("nothing that it signed can be corrected or retracted without a copy of it"))
	case "chosen":
		p.Line(own("it signs where no key is named"))
	}
	r.remarks(p)
}
