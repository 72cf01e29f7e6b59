package kit

import (
	"strings"

	"akx/ui/draw"
	"akx/view"
	"akx/view/capsule"
	"akx/view/clean"
	"akx/view/identity"
)

// Text is what an author says in one event, for a reader: its payload, and what is
// known of the targets and of withdrawals.
type Text struct {
	// Payload is a capsule.PublishPayload, AssessPayload or RetractPayload.
	Payload     any
	Out         []view.OutLink
	Retractions []*capsule.Retraction
	// Undigested marks profiles of a draft whose digest is none yet, by their place.
	Undigested map[int]bool
}

// TextOf is the text of a proven event.
func TextOf(p view.Page) Text {
	t := Text{Out: p.Out, Retractions: p.Retractions}
	switch e := p.Event.(type) {
	case *capsule.Publication:
		t.Payload = e.Payload()
	case *capsule.Assessment:
		t.Payload = e.Payload()
	case *capsule.Retraction:
		t.Payload = e.Payload()
	}
	return t
}

// Body is a text laid out: its rows, their words for finding, and which outgoing
// link (from 1) a row shows.
type Body struct {
	Lines  []draw.Line
	Plain  []string
	Follow []int
	width  int
	glyphs draw.Glyphs

	undigested map[int]bool // see Text
}

// LayBody lays out everything that the author signed, or is about to sign, and what
// the set knows of the targets.
func LayBody(t Text, width int, o Options) Body {
	b := Body{width: width, glyphs: o.Glyphs, undigested: t.Undigested}
	b.withdrawal(t)
	switch p := t.Payload.(type) {
	case capsule.PublishPayload:
		b.publication(p, t, o)
	case capsule.AssessPayload:
		b.assessment(p, t, o)
	case capsule.RetractPayload:
		b.author(p.Reason, draw.Strong)
		b.targets("Withdraws", t, o)
		if p.Extra.Kind() != identity.Absent {
			b.head("Labels")
		}
		b.extra(p.Extra)
	}
	b.alerts(t.Payload)
	return b
}

// withdrawal says first that the author withdrew this, and why.
func (b *Body) withdrawal(t Text) {
	for _, r := range t.Retractions {
		b.add(draw.Line{draw.Own(draw.Bad, "RETRACTED"), draw.Own(draw.Normal, " by its author on "), draw.Say(draw.Normal, DateTime(r.CreatedAt())), draw.Own(draw.Normal, ":")})
		b.author(r.Payload().Reason, draw.Author)
	}
	if len(t.Retractions) > 0 {
		b.add(nil)
	}
}

func (b *Body) publication(c capsule.PublishPayload, t Text, o Options) {
	b.author(c.Title, draw.Strong)
	b.add(draw.Line{draw.Own(draw.Gutter, b.glyphs.Gutter)})
	b.author(c.Statement, draw.Author)
	b.targets("Refers to", t, o)
	b.context(c.Context)
	b.head("Basis")
	b.author(c.Basis, draw.Author)
	b.evidence(c.Evidence)
	b.reproduction(c.Reproduction)
	b.head("Labels")
	b.field("language", c.Language)
	b.list("tags", c.Tags, "none")
	b.field("licence", c.License)
	b.profiles(c.Profiles)
	b.extra(c.Extra)
}

func (b *Body) assessment(a capsule.AssessPayload, t Text, o Options) {
	b.author(a.Summary, draw.Strong)
	b.targets("Assesses", t, o)
	b.context(a.Context)
	b.head("Basis")
	b.author(a.Basis, draw.Author)
	b.evidence(a.Evidence)
	b.reproduction(a.Reproduction)
	b.head("Labels")
	b.field("licence", a.License)
	b.profiles(a.Profiles)
	b.extra(a.Extra)
}

// add puts a row of akx's own words.
func (b *Body) add(line draw.Line) { b.addFollow(line, 0) }

func (b *Body) addFollow(line draw.Line, follow int) {
	var text strings.Builder
	for _, s := range line {
		text.WriteString(s.Text.String())
	}
	b.Lines, b.Plain, b.Follow = append(b.Lines, line), append(b.Plain, text.String()), append(b.Follow, follow)
}

// author puts author text behind the gutter, wrapped by columns.
func (b *Body) author(text string, role draw.Role) {
	for _, block := range clean.Block(text) {
		for _, row := range draw.Wrap(block, b.width-2) {
			b.add(draw.Line{draw.Own(draw.Gutter, b.glyphs.Gutter), draw.Gap(1), draw.Say(role, row)})
		}
	}
}

// head puts a heading after a blank row.
func (b *Body) head(w clean.Words) {
	b.add(nil)
	b.add(draw.Line{draw.Own(draw.Border, b.glyphs.Horizontal), draw.Gap(1), draw.Own(draw.Strong, w)})
}

func (b *Body) label(w clean.Words) { b.add(draw.Line{draw.Own(draw.Quiet, w)}) }

// field puts a label and one short author text.
func (b *Body) field(w clean.Words, text string) {
	b.label(w)
	b.author(text, draw.Author)
}

// list puts a label and author texts, or says that there are none.
func (b *Body) list(w clean.Words, texts []string, none clean.Words) {
	if len(texts) == 0 {
		b.add(draw.Line{draw.Own(draw.Quiet, w), draw.Own(draw.Quiet, ": "), draw.Own(draw.Normal, none)})
		return
	}
	b.add(draw.Line{draw.Own(draw.Quiet, w), draw.Gap(1), draw.Say(draw.Quiet, draw.Int(len(texts)))})
	if w == "tags" {
		b.author(strings.Join(texts, "  "), draw.Author)
		return
	}
	for _, t := range texts {
		b.author(t, draw.Author)
	}
}

func (b *Body) context(c capsule.Context) {
	b.head("Context")
	b.field("scope", c.Scope)
	b.list("conditions", c.Conditions, "none listed")
	b.list("limitations", c.Limitations, "none listed")
}

func (b *Body) evidence(all []capsule.Evidence) {
	b.head("Evidence")
	if len(all) == 0 {
		b.label("none supplied")
	}
	for _, e := range all {
		role := e.Role.String()
		if role == "" {
			role = "role unspecified"
		}
		state := clean.Words("unchecked (no digest)")
		if e.HasDigest() {
			state = "unchecked (has a digest)"
		}
		b.add(draw.Line{draw.Say(draw.Quiet, clean.Line(role)), draw.Gap(2), draw.Own(draw.Warn, state)})
		b.author(e.Description, draw.Author)
		b.author(e.URL, draw.Link)
		if e.MediaType != "" {
			b.author(e.MediaType, draw.Author)
		}
		if e.HasDigest() {
			b.add(draw.Line{draw.Own(draw.Quiet, "digest "), draw.Say(draw.Normal, clean.Line(e.Digest.String()))})
		}
	}
}

func (b *Body) reproduction(r *capsule.Reproduction) {
	b.head("Reproduction")
	if r == nil {
		b.label("none described")
		return
	}
	b.field("environment", r.Environment)
	for i, step := range r.Steps {
		b.add(draw.Line{draw.Own(draw.Quiet, "step "), draw.Say(draw.Quiet, draw.Int(i+1))})
		b.author(step, draw.Author)
	}
	b.field("expected", r.Expected)
	if r.Observed == "" {
		b.label("observed: nothing reported")
		return
	}
	b.field("observed", r.Observed)
}

func (b *Body) profiles(all []capsule.Profile) {
	for i, p := range all {
		b.label("profile binding (declared, not checked)")
		b.author(p.URL, draw.Link)
		if b.undigested[i] {
			b.add(draw.Line{draw.Own(draw.Quiet, "digest "), draw.Own(draw.Warn, "no digest yet")})
		} else {
			b.add(draw.Line{draw.Own(draw.Quiet, "digest "), draw.Say(draw.Normal, clean.Line(p.Digest.String()))})
		}
		b.author(string(canonical(p.Data)), draw.Author)
	}
}

// targets puts the outgoing links, numbered for 1 to 9.
func (b *Body) targets(w clean.Words, t Text, o Options) {
	if len(t.Out) == 0 {
		return
	}
	b.head(w)
	for i, out := range t.Out {
		b.addFollow(OutLine(i, out, b.width, o), i+1)
	}
}

// alerts counts the hidden characters that stand in words in the text.
func (b *Body) alerts(payload any) {
	alerts := clean.Alerts(textsOf(payload)...)
	if len(alerts) == 0 {
		return
	}
	b.head("Text alerts")
	line := draw.Line{draw.Own(draw.Warn, "hidden characters, shown in words: ")}
	for _, a := range alerts {
		line = append(line, draw.Say(draw.Warn, clean.Line("<"+a.Name+">")), draw.Own(draw.Normal, " x"), draw.Say(draw.Normal, draw.Int(a.Count)), draw.Gap(1))
	}
	for _, row := range draw.WrapLine(line, b.width) {
		b.add(row)
	}
}

// OutLine is one outgoing link: number, relation, and the target with its state.
func OutLine(i int, out view.OutLink, width int, o Options) draw.Line {
	line := draw.Line{draw.Own(draw.Link, "["), draw.Say(draw.Link, draw.Int(i+1)), draw.Own(draw.Link, "] ")}
	if out.Link.Relation != 0 {
		line = append(line, draw.Say(draw.Strong, clean.Line(out.Link.Relation.String())), draw.Gap(1))
	}
	if !out.Held {
		return append(line, draw.Own(draw.Warn, "not held "), draw.Say(draw.Normal, clean.Line(out.Link.Target.String())))
	}
	line = append(line, draw.Say(draw.Strong, TypeLetter(out.Entry.Type, out.Entry.Kind)), draw.Gap(1))
	line = append(line, LifeLine(out.Entry)...)
	line = append(line, draw.Gap(1), draw.Own(draw.Gutter, o.Glyphs.Gutter))
	room := max(width-line.Width(), 1)
	return append(line, draw.Say(draw.Author, draw.Cut(clean.Line(out.Entry.Title), room, o.Glyphs.Ellipsis)))
}
