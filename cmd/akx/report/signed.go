package report

import (
	"akx/explore"
	"akx/view/capsule"
	"akx/view/clean"
)

// Disclosure is what signing a draft would make public, and what it means.
type Disclosure struct {
	Draft
	Key     string `json:"key"`
	License string `json:"license,omitempty"`
	// Services are where the envelope would be queued for.
	Services []string `json:"services"`
	DraftCheck
	// Meaning says in words what signing is.
	Meaning string `json:"meaning"`
}

const signingMeans = "Signing is public and permanent: whoever has the signed text can keep it, show it and prove who signed it. " +
	"A retraction later cannot remove copies. Only sign what you may disclose."

// DisclosureOf describes a preview that a key is to sign.
func DisclosureOf(p explore.Preview, key string, services []string) *Disclosure {
	return &Disclosure{Draft: DraftOf(p.Draft), Key: key, License: p.Draft.Payload.License, Services: services,
		DraftCheck: DraftCheckOf(p.Check), Meaning: signingMeans}
}

// Text prints it in full; nothing is cut.
func (r *Disclosure) Text(p *Printer) {
	p.Heading(words("SIGN: public and permanent"))
	p.Line(own(r.Meaning))
	p.Field("what", r.role(), gap, r.title(p))
	p.Field("key", words(r.Key))
	p.Field("Agent ID", words(r.Actor))
	if r.License != "" {
		p.Field("license", p.Signed(r.License))
	}
	r.DraftCheck.text(p, r.ID)
	for _, s := range r.Services {
		p.Field("queued for", plainCell(clean.Line(s)))
	}
	if len(r.Services) == 0 {
		p.Field("queued for", words("no service"))
	}
	p.Line(own("Nothing is sent by signing: akx submit sends."))
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
