package desk

import (
	"unicode/utf8"

	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
)

// maxNest is how deep the JSON in a field may nest, so that the envelope around it
// stays within the parser's bound.
const maxNest = identity.MaxDepth - 10

// parseObject reads the JSON text of a field; ok is false for anything but an
// object within the bound.
func parseObject(text string) (v identity.Value, ok bool) {
	if text == "" {
		return identity.Value{}, false
	}
	v, err := identity.Parse([]byte(text))
	if err != nil || v.Kind() != identity.Object || deeper(v, maxNest) {
		return identity.Value{}, false
	}
	return v, true
}

// deeper reports whether v nests more than n levels.
func deeper(v identity.Value, n int) bool {
	if v.Kind() != identity.Array && v.Kind() != identity.Object {
		return false
	}
	if n == 0 {
		return true
	}
	for _, item := range v.Items() {
		if deeper(item, n-1) {
			return true
		}
	}
	for _, m := range v.Members() {
		if deeper(m.Value, n-1) {
			return true
		}
	}
	return false
}

// object collects members; empty text is left out.
type object struct{ members []identity.Member }

func (o *object) add(name string, v identity.Value) {
	o.members = append(o.members, identity.Member{Name: name, Value: v})
}

func (o *object) text(name, s string) {
	if s != "" {
		o.add(name, identity.StringValue(s))
	}
}

// json adds the JSON text of a field; text that is no object goes in as a string,
// so that the rules refuse it.
func (o *object) json(name, s string) {
	if v, ok := parseObject(s); ok {
		o.add(name, v)
	} else {
		o.text(name, s)
	}
}

func (o *object) value() identity.Value { return identity.ObjectValue(o.members...) }

func arrayOf[T any](list []T, value func(T) identity.Value) identity.Value {
	items := make([]identity.Value, len(list))
	for i, item := range list {
		items[i] = value(item)
	}
	return identity.ArrayValue(items...)
}

func addArray[T any](o *object, name string, list []T, value func(T) identity.Value) {
	if len(list) > 0 {
		o.add(name, arrayOf(list, value))
	}
}

// Value gives the payload as it would be signed now, whatever is missing or wrong.
func (d Draft) Value() identity.Value {
	p := &d.Payload
	var o object
	switch d.Type {
	case capsule.Publish:
		o.text("kind", p.Kind)
		o.text("title", p.Title)
		o.text("statement", p.Statement)
		o.text("language", p.Language)
	case capsule.Assess:
		o.text("target", p.Target)
		o.text("verdict", p.Verdict)
		o.text("summary", p.Title)
	default:
		o.text("target", p.Target)
		o.text("reason", p.Title)
		o.json("extra", p.Extra)
		return o.value()
	}
	o.text("license", p.License)
	o.add("context", p.Context.value())
	o.text("basis", p.Basis)
	addArray(&o, "evidence", p.Evidence, Evidence.value)
	if p.Reproduction.present() {
		o.add("reproduction", p.Reproduction.value())
	}
	if d.Type == capsule.Publish {
		addArray(&o, "relations", p.Relations, Relation.value)
		addArray(&o, "tags", p.Tags, identity.StringValue)
	}
	addArray(&o, "profiles", p.Profiles, Profile.value)
	o.json("extra", p.Extra)
	return o.value()
}

func (c Context) value() identity.Value {
	var o object
	o.text("scope", c.Scope)
	o.add("conditions", arrayOf(c.Conditions, identity.StringValue))
	o.add("limitations", arrayOf(c.Limitations, identity.StringValue))
	return o.value()
}

func (r Reproduction) value() identity.Value {
	var o object
	o.text("environment", r.Environment)
	o.add("steps", arrayOf(r.Steps, func(s Step) identity.Value { return identity.StringValue(s.Text) }))
	o.text("expected", r.Expected)
	o.text("observed", r.Observed)
	return o.value()
}

func (e Evidence) value() identity.Value {
	var o object
	o.text("url", e.URL)
	o.text("description", e.Description)
	o.text("digest", e.Digest)
	o.text("media_type", e.MediaType)
	o.text("role", e.Role)
	return o.value()
}

func (r Relation) value() identity.Value {
	var o object
	o.text("relation", r.Relation)
	o.text("target", r.Target)
	return o.value()
}

func (p Profile) value() identity.Value {
	var reference, o object
	reference.text("url", p.URL)
	reference.text("digest", p.Digest)
	o.add("profile", reference.value())
	o.json("data", p.Data)
	return o.value()
}

// Unsigned gives what identity.Sign takes. It does not check: Check does, and so
// does the proof after signing.
func (d Draft) Unsigned(createdAt, nonce int64) identity.Draft {
	return identity.Draft{
		Protocol: capsule.Protocol, Type: d.Type.String(), CreatedAt: createdAt, Nonce: nonce, Payload: d.Value(),
	}
}

// Canonical gives the exact canonical event that would be signed.
func (d Draft) Canonical(createdAt, nonce int64) []byte {
	return identity.AppendCanonical(nil, d.Unsigned(createdAt, nonce).Event(d.Actor))
}

// EnvelopeBytes is the size of the signed envelope. Times and nonces of 13 digits
// are assumed, which holds from 2001 to 2286.
func (d Draft) EnvelopeBytes() int {
	const digits13 = 1_000_000_000_000
	return len(`{"event":,"hash":"","signature":""}`) + 43 + 86 + len(d.Canonical(digits13, digits13))
}

// checkText refuses text that is not valid UTF-8: it could not be signed as typed.
func checkText(path, s string) error {
	if utf8.ValidString(s) {
		return nil
	}
	return fault.Refuse(fault.StepShape, path, "is not valid UTF-8")
}
