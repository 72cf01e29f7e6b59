package report

import (
	"akx/explore"
	"akx/view/clean"
	"akx/view/fault"
	"akx/view/identity"
)

// Import is what an import did with its files.
type Import struct {
	Counts
	Files    []ImportFile `json:"files"`
	Waiting  []Waiting    `json:"pending"`
	Refusals []Refused    `json:"refusals"`

	waits int // events that wait, of which Waiting lists some
}

// Counts of an import. They are complete, also where lists are cut.
type Counts struct {
	Added   int `json:"added_count"`
	Held    int `json:"held_count"`
	Pending int `json:"pending_count"`
	Refused int `json:"refused_count"`
	// Waited counts objects of events that were pending already.
	Waited int `json:"already_pending_count,omitempty"`
	// Released and Dropped were pending before: now added, or found to break a rule.
	Released int `json:"released_count,omitempty"`
	Dropped  int `json:"dropped_count,omitempty"`
}

func countsOf(p explore.Progress) Counts {
	return Counts{Added: p.Added, Held: p.Held, Pending: p.Pending, Refused: p.Refused, Waited: p.Waited, Released: p.Released, Dropped: p.Dropped}
}

// words says the counts of objects in a row; together they are all objects.
func (c Counts) words() string {
	text := number(c.Added) + " added, " + number(c.Held) + " already held, " + number(c.Pending) + " pending, "
	if c.Waited > 0 {
		text += number(c.Waited) + " already pending, "
	}
	return text + number(c.Refused) + " refused"
}

// ImportFile is one file of an import; Error says why it was not read to its end.
type ImportFile struct {
	Name string `json:"file"`
	Counts
	Bytes int64    `json:"read_bytes"`
	Error *Failure `json:"error,omitempty"`
}

// Refused is one object that was refused, and where it stood.
type Refused struct {
	File    string `json:"file"`
	Where   string `json:"where"`
	ID      string `json:"event_id,omitempty"`
	Claimed string `json:"claimed_event_id,omitempty"`
	Refusal
}

// RefusedOf describes one refusal of a file.
func RefusedOf(file string, r explore.Refused) Refused {
	return Refused{File: file, Where: r.Where, ID: optional(r.ID), Claimed: optional(r.Claimed), Refusal: *RefusalOf(r.Refusal)}
}

// Add counts a file and its lists in.
func (r *Import) Add(name string, done explore.Imported, failure *Failure) {
	counts := countsOf(done.Progress)
	r.Files = append(r.Files, ImportFile{Name: name, Counts: counts, Bytes: done.Bytes, Error: failure})
	r.Added += counts.Added
	r.Held += counts.Held
	r.Pending += counts.Pending
	r.Waited += counts.Waited
	r.waits += done.Waits
	r.Refused += counts.Refused
	r.Released += counts.Released
	r.Dropped += counts.Dropped
	for _, w := range done.Waiting {
		r.Waiting = append(r.Waiting, WaitingOf(w))
	}
	for _, x := range done.Refusals {
		r.Refusals = append(r.Refusals, RefusedOf(name, x))
	}
}

// Text prints refusals, then what waits, then the counts.
func (r *Import) Text(p *Printer) {
	for _, f := range r.Files {
		if f.Error != nil {
			p.Wrapped(p.label("", "not read", 11), plainCell(clean.Line(f.Name)), words(": "), p.tone(Bad, clean.Line(f.Error.Message)))
			if f.Error.Hint != "" {
				p.Wrapped(p.label("", "", 11), plainCell(clean.Line(f.Error.Hint)))
			}
		}
	}
	for _, x := range r.Refusals {
		x.text(p)
	}
	more(p, r.Refused-len(r.Refusals), "refused", "refused")
	for _, w := range r.Waiting {
		p.Wrapped(p.label("", "pending", 11), words(Paste(w.ID)), gap, p.Signed(w.Title))
		for _, m := range w.Missing {
			p.Wrapped(p.label("           ", "misses", 7), words(Paste(m)))
		}
	}
	more(p, r.waits-len(r.Waiting), "pending", "pending")
	if r.Released > 0 {
		p.Line(own(number(r.Released) + " that " + plural(r.Released, "was", "were") + " pending before " + plural(r.Released, "is", "are") + " added now"))
	}
	if r.Dropped > 0 {
		p.Line(own(number(r.Dropped) + " that " + plural(r.Dropped, "was", "were") + " pending before broke a rule and " + plural(r.Dropped, "is", "are") + " gone"))
	}
	p.Line(own(r.Counts.words()))
}

func (x Refused) text(p *Printer) {
	lead := []Cell{plainCell(clean.Line(x.File)), words(" "), plainCell(clean.Line(x.Where)), words(": "), p.tone(Bad, x.words())}
	lead = append(lead, identified(x.ID, x.Claimed)...)
	p.Wrapped(p.label("", "refused", 11), lead...)
}

// identified names a refused object by its ID, or by the one that it claims as what that is.
func identified(id, claimed string) []Cell {
	switch {
	case id != "":
		return []Cell{gap, words(Paste(id))}
	case claimed != "":
		return []Cell{gap, words("claims to be "), words(Paste(claimed))}
	}
	return nil
}

// more says how many of what is listed were left out.
func more(p *Printer, n int, one, many string) {
	if n > 0 {
		p.Line(own("and " + number(n) + " more " + plural(n, one, many)))
	}
}

// Short says why an import fell short of its intent; nil where it did not.
func (r *Import) Short() error {
	for _, f := range r.Files {
		if f.Error != nil {
			return &fault.Unavailable{Code: fault.Partial, Detail: "not every file was read"}
		}
	}
	if r.Refused > 0 {
		return &fault.Unavailable{Code: fault.Partial, Detail: number(r.Refused) + " " + plural(r.Refused, "object was", "objects were") + " refused"}
	}
	return nil
}

// Progress tells how far a command has come with its input.
type Progress struct {
	Message string `json:"message"`
	File    string `json:"file"`
	Bytes   int64  `json:"read_bytes"`
	// Total is the size of the file; absent for streams.
	Total   int64 `json:"total_bytes,omitempty"`
	Objects int   `json:"object_count"`
	Counts
}

// ProgressOf describes one step of an import or a verification.
func ProgressOf(message, file string, total int64, p explore.Progress) Progress {
	return Progress{Message: message, File: file, Bytes: p.Bytes, Total: total, Objects: p.Objects,
		Counts: countsOf(p)}
}

func optional(id identity.ID) string {
	if id.IsZero() {
		return ""
	}
	return id.String()
}
