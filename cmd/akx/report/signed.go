package report

import (
	"akx/explore"
	"akx/view/capsule"
	"akx/view/clean"
	"akx/view/desk"
	"akx/view/identity"
)

// Disclosure is what signing a draft would make public, and what it means.
type Disclosure struct {
	Draft
	Key     string         `json:"key"`
	License string         `json:"license,omitempty"`
	Payload identity.Value `json:"payload"`
	Event   SoonSigned     `json:"event"`
	// ContentMark stands for the payload and the signer: --if takes it.
	ContentMark string `json:"content_mark"`
	// Services are where the envelope would be queued for.
	Services []string `json:"services"`
	DraftCheck
	// Meaning says in words what signing is.
	Meaning string `json:"meaning"`

	payload any
	exact   bool
}

const signingMeans = "Signing is public and permanent: whoever has the signed text can keep it, show it and prove who signed it. " +
	"A retraction later cannot remove copies. Only sign what you may disclose."

// DisclosureOf describes a preview that a key is to sign. With exact, it is that very
// event that is signed next; without, a signature has another time, nonce and ID.
func DisclosureOf(p explore.Preview, key string, services []string, exact bool) *Disclosure {
	return &Disclosure{Draft: DraftOf(p.Draft), Key: key, License: p.Draft.Payload.License, Payload: p.Draft.Value(), Event: soonSignedOf(p), ContentMark: p.Draft.ContentMark(),
		Services: services, DraftCheck: DraftCheckOf(p.Check, p.Draft), Meaning: signingMeans, payload: p.Draft.Reading(), exact: exact}
}

// Text prints it in full; nothing is cut. What has to be decided stands at the end.
func (r *Disclosure) Text(p *Printer) {
	p.Heading(words("SIGN: public and permanent"))
	p.Line(own(r.Meaning))
	p.Field("what", r.role(), gap, r.title(p))
	reading(p, r.payload)
	p.Blank()
	r.DraftCheck.text(p, r.ID)
	p.Field("key", words(r.Key))
	p.Field("Agent ID", words(r.Actor))
	r.Event.text(p, r.exact)
	if r.ID != 0 {
		p.Field("", words("the exact event: akx draft show "+uints(r.ID)+" --event"))
	}
	p.Field("mark", words(r.ContentMark), gap, words("with --if and this mark, nothing else is signed"))
	for _, s := range r.Services {
		p.Field("queued for", plainCell(clean.Line(s)))
	}
	if len(r.Services) == 0 {
		p.Field("queued for", words("no service"))
	}
	p.Line(own("Nothing is sent by signing: akx submit --to NAME sends."))
}

// SoonSigned is the event that a signature at one moment would make.
type SoonSigned struct {
	ID        string `json:"event_id"`
	CreatedAt int64  `json:"created_at_epoch_ms"`
	Nonce     int64  `json:"nonce"`
	Bytes     int    `json:"event_bytes"`
}

func soonSignedOf(p explore.Preview) SoonSigned {
	return SoonSigned{ID: p.ID.String(), CreatedAt: p.CreatedAt, Nonce: p.Nonce, Bytes: len(p.Canonical)}
}

func (s SoonSigned) text(p *Printer, exact bool) {
	p.Field("new ID", words(Paste(s.ID)))
	when := "created " + Moment(s.CreatedAt) + ", nonce " + ints(s.Nonce)
	if !exact {
		when += "; signed at another time, it has another ID"
	}
	p.Field("", words(when))
}

// DraftEvent is the exact canonical event that a key would sign now.
type DraftEvent struct {
	Draft
	Key string `json:"key"`
	SoonSigned
	Envelope  int    `json:"envelope_bytes"`
	Limit     int    `json:"recommended_bytes"`
	Canonical string `json:"event_text"`
}

// DraftEventOf describes the event of a preview.
func DraftEventOf(p explore.Preview, key string) *DraftEvent {
	return &DraftEvent{Draft: DraftOf(p.Draft), Key: key, SoonSigned: soonSignedOf(p), Envelope: p.Check.Bytes, Limit: p.Check.Limit, Canonical: string(p.Canonical)}
}

// Text prints the event behind what would be its ID.
func (r *DraftEvent) Text(p *Printer) {
	p.Field("key", words(r.Key))
	p.Field("Agent ID", words(r.Actor))
	r.SoonSigned.text(p, false)
	p.Field("size", words(number(r.Bytes)+" bytes are hashed and signed; the envelope around them has "+number(r.Envelope)+" of "+number(r.Limit)))
	p.Blank()
	p.exact(plainCell(clean.Line(r.Canonical)))
}

// DraftReading is a draft as its readers will see it.
type DraftReading struct {
	Draft
	Payload identity.Value `json:"payload"`
	Targets []DraftTarget  `json:"targets"`

	payload any
}

// DraftReadingOf describes a draft and what it points at.
func DraftReadingOf(d desk.Draft, targets []explore.TargetFacts) *DraftReading {
	return &DraftReading{Draft: DraftOf(d), Payload: d.Value(), Targets: DraftTargetsOf(targets), payload: d.Reading()}
}

// Text prints it as the page of an event is printed.
func (r *DraftReading) Text(p *Printer) {
	p.Heading(r.role(), gap, words("not signed"))
	reading(p, r.payload)
	for _, t := range r.Targets {
		t.text(p, r.ID)
	}
}

// Signed is an event that was signed.
type Signed struct {
	Sent
	CreatedAt int64 `json:"created_at_epoch_ms"`
	Nonce     int64 `json:"nonce"`
	// Again says that the draft had been signed before, as this event.
	Again bool `json:"signed_before"`
}

// SignedOf describes an event and its entry in the outbox.
func SignedOf(e capsule.Event, s Sent, again bool) *Signed {
	s.ID, s.Type, s.Actor, s.Title = e.ID().String(), e.Type().String(), e.Actor().String(), e.Title()
	s.Bytes = len(e.Envelope().Text())
	return &Signed{Sent: s, CreatedAt: e.CreatedAt(), Nonce: e.Nonce(), Again: again}
}

// Text says as what it was signed, and that nothing was sent.
func (r *Signed) Text(p *Printer) {
	done := "signed "
	if r.Again {
		done = "signed before, as "
	}
	p.Wrapped(clean.Text{}, words(done), Cell{Text: own(Paste(r.ID)), Tone: Strong})
	p.Field("by", words(r.Actor))
	p.Field("created", words(Moment(r.CreatedAt)+", nonce "+ints(r.Nonce)))
	r.Sent.text(p)
}
