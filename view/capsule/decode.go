package capsule

import (
	"slices"

	"akx/view/fault"
	"akx/view/identity"
)

// Decode validates the payload of a proven envelope (8.1 step 3). Errors are
// *fault.Refusal with StepPayload and the JSON pointer of the member at fault in
// the envelope; a required member that is absent is named too.
func Decode(e identity.Envelope) (Event, error) {
	event, refusal := decode(e)
	if refusal != nil {
		return nil, refusal
	}
	return event, nil
}

func decode(e identity.Envelope) (Event, *fault.Refusal) {
	if e.IsZero() {
		return nil, unproven()
	}
	if e.Protocol() != Protocol {
		return nil, fault.Refuse(fault.StepPayload, "/event/protocol", "must be "+Protocol)
	}
	t, ok := ParseType(e.Type())
	if !ok {
		return nil, fault.Refuse(fault.StepPayload, "/event/type", "is not an event type of "+Protocol)
	}
	return decodeAs(t, head{e})
}

func decodeAs(t Type, h head) (Event, *fault.Refusal) {
	switch v := h.envelope.Payload(); t {
	case Publish:
		p, refusal := DecodePublish(v)
		if refusal != nil {
			return nil, refusal
		}
		return &Publication{h, p}, nil
	case Assess:
		p, refusal := DecodeAssess(v)
		if refusal != nil {
			return nil, refusal
		}
		return &Assessment{h, p}, nil
	default:
		p, refusal := DecodeRetract(v)
		if refusal != nil {
			return nil, refusal
		}
		return &Retraction{h, p}, nil
	}
}

// unproven is the refusal of the zero Envelope, the zero Offer and a zero Event.
func unproven() *fault.Refusal {
	return fault.Refuse(fault.StepParse, "", "nothing here was proven")
}

// payloadPath is where payloads stand in the envelope.
const payloadPath = "/event/payload"

// CheckPayload validates a payload before there is an event around it. Refusals
// are those that Decode would give: their paths start at the envelope.
func CheckPayload(t Type, v identity.Value) *fault.Refusal {
	var refusal *fault.Refusal
	switch t {
	case Publish:
		_, refusal = DecodePublish(v)
	case Assess:
		_, refusal = DecodeAssess(v)
	case Retract:
		_, refusal = DecodeRetract(v)
	default:
		refusal = fault.Refuse(fault.StepPayload, "/event/type", "is not an event type of "+Protocol)
	}
	return refusal
}

// DecodePublish validates and reads the payload of knowledge.publish. It proves
// nothing about who wrote it. The payload is zero beside a refusal.
func DecodePublish(v identity.Value) (PublishPayload, *fault.Refusal) {
	d := decoder{refusal: atPayload(publishShape(v))}
	var p PublishPayload
	for _, m := range d.members(v) {
		switch m.Name {
		case "license":
			p.License = d.url(m.Value, "license")
		case "kind":
			p.Kind, _ = ParseKind(m.Value.Text())
		case "title":
			p.Title = m.Value.Text()
		case "statement":
			p.Statement = m.Value.Text()
		case "language":
			p.Language = m.Value.Text()
		case "context":
			p.Context = contextOf(m.Value)
		case "basis":
			p.Basis = m.Value.Text()
		case "evidence":
			p.Evidence = d.evidence(m.Value)
		case "reproduction":
			p.Reproduction = reproductionOf(m.Value)
		case "relations":
			p.Relations = d.relations(m.Value)
		case "tags":
			p.Tags = texts(m.Value)
		case "profiles":
			p.Profiles = d.profiles(m.Value)
		case "extra":
			p.Extra = m.Value
		}
	}
	if d.refusal != nil {
		return PublishPayload{}, d.refusal
	}
	return p, nil
}

// DecodeAssess validates and reads the payload of knowledge.assess, as
// DecodePublish does its own.
func DecodeAssess(v identity.Value) (AssessPayload, *fault.Refusal) {
	d := decoder{refusal: atPayload(assessShape(v))}
	var p AssessPayload
	for _, m := range d.members(v) {
		switch m.Name {
		case "license":
			p.License = d.url(m.Value, "license")
		case "target":
			p.Target = d.id(m.Value, "target")
		case "verdict":
			p.Verdict, _ = ParseVerdict(m.Value.Text())
		case "summary":
			p.Summary = m.Value.Text()
		case "context":
			p.Context = contextOf(m.Value)
		case "basis":
			p.Basis = m.Value.Text()
		case "evidence":
			p.Evidence = d.evidence(m.Value)
		case "reproduction":
			p.Reproduction = reproductionOf(m.Value)
		case "profiles":
			p.Profiles = d.profiles(m.Value)
		case "extra":
			p.Extra = m.Value
		}
	}
	if d.refusal != nil {
		return AssessPayload{}, d.refusal
	}
	return p, nil
}

// DecodeRetract validates and reads the payload of knowledge.retract, as
// DecodePublish does its own.
func DecodeRetract(v identity.Value) (RetractPayload, *fault.Refusal) {
	d := decoder{refusal: atPayload(retractShape(v))}
	var p RetractPayload
	for _, m := range d.members(v) {
		switch m.Name {
		case "target":
			p.Target = d.id(m.Value, "target")
		case "reason":
			p.Reason = m.Value.Text()
		case "extra":
			p.Extra = m.Value
		}
	}
	if d.refusal != nil {
		return RetractPayload{}, d.refusal
	}
	return p, nil
}

// atPayload turns a shape's refusal into one of the payload step.
func atPayload(r *fault.Refusal) *fault.Refusal {
	if r == nil {
		return nil
	}
	return fault.Refuse(fault.StepPayload, payloadPath+r.Path, r.Detail)
}

// decoder reads values that have their shape already, and keeps the first
// violation of what a shape does not see.
type decoder struct{ refusal *fault.Refusal }

// members gives what is to be read: nothing once there is a refusal.
func (d *decoder) members(v identity.Value) []identity.Member {
	if d.refusal != nil {
		return nil
	}
	return v.Members()
}

// refuse notes a violation at a place below the payload: names and item numbers.
func (d *decoder) refuse(detail string, place ...any) {
	if d.refusal != nil {
		return
	}
	r := misshapen(detail)
	for _, step := range slices.Backward(place) {
		switch step := step.(type) {
		case string:
			Within(r, step)
		case int:
			WithinItem(r, step)
		}
	}
	d.refusal = atPayload(r)
}

const codeDetail = "is not canonical base64url"

func (d *decoder) url(v identity.Value, place ...any) string {
	if identity.CheckHTTPS(v.Text()) != nil {
		d.refuse(urlDetail, place...)
	}
	return v.Text()
}

func (d *decoder) id(v identity.Value, place ...any) identity.ID {
	id, err := identity.ParseID(v.Text())
	if err != nil {
		d.refuse(codeDetail, place...)
	}
	return id
}

func (d *decoder) digest(v identity.Value, place ...any) identity.Digest {
	digest, err := identity.ParseDigest(v.Text())
	if err != nil {
		d.refuse(codeDetail, place...)
	}
	return digest
}

func (d *decoder) evidence(list identity.Value) []Evidence {
	if len(list.Items()) == 0 {
		return nil
	}
	out := make([]Evidence, len(list.Items()))
	for i, item := range list.Items() {
		e := &out[i]
		for _, m := range item.Members() {
			switch m.Name {
			case "url":
				e.URL = d.url(m.Value, "evidence", i, "url")
			case "description":
				e.Description = m.Value.Text()
			case "digest":
				e.Digest = d.digest(m.Value, "evidence", i, "digest")
				e.zeroDigest = e.Digest.IsZero()
			case "media_type":
				e.MediaType = m.Value.Text()
			case "role":
				e.Role, _ = ParseRole(m.Value.Text())
			}
		}
	}
	return out
}

func (d *decoder) relations(list identity.Value) []Link {
	if len(list.Items()) == 0 {
		return nil
	}
	out := make([]Link, len(list.Items()))
	for i, item := range list.Items() {
		named, _ := item.Get("relation")
		target, _ := item.Get("target")
		out[i].Relation, _ = ParseRelation(named.Text())
		out[i].Target = d.id(target, "relations", i, "target")
	}
	return out
}

func (d *decoder) profiles(list identity.Value) []Profile {
	if len(list.Items()) == 0 {
		return nil
	}
	out := make([]Profile, len(list.Items()))
	seen := make(map[identity.Digest]struct{}, len(out))
	for i, item := range list.Items() {
		reference, _ := item.Get("profile")
		url, _ := reference.Get("url")
		digest, _ := reference.Get("digest")
		p := &out[i]
		p.Data, _ = item.Get("data")
		p.URL = d.url(url, "profiles", i, "profile", "url")
		p.Digest = d.digest(digest, "profiles", i, "profile", "digest")
		if _, repeat := seen[p.Digest]; repeat {
			d.refuse("repeats the digest of an earlier profile", "profiles", i, "profile", "digest")
		}
		seen[p.Digest] = struct{}{}
	}
	return out
}

func contextOf(v identity.Value) Context {
	var c Context
	for _, m := range v.Members() {
		switch m.Name {
		case "scope":
			c.Scope = m.Value.Text()
		case "conditions":
			c.Conditions = texts(m.Value)
		case "limitations":
			c.Limitations = texts(m.Value)
		}
	}
	return c
}

func reproductionOf(v identity.Value) *Reproduction {
	var r Reproduction
	for _, m := range v.Members() {
		switch m.Name {
		case "environment":
			r.Environment = m.Value.Text()
		case "steps":
			r.Steps = texts(m.Value)
		case "expected":
			r.Expected = m.Value.Text()
		case "observed":
			r.Observed = m.Value.Text()
		}
	}
	return &r
}

func texts(list identity.Value) []string {
	if len(list.Items()) == 0 {
		return nil
	}
	out := make([]string, len(list.Items()))
	for i, item := range list.Items() {
		out[i] = item.Text()
	}
	return out
}
