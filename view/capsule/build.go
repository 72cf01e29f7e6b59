package capsule

import "akx/view/identity"

// Value gives the payload as the JSON object that is signed. Absent members are
// left out, and so are lists without items but for the two of a context. It does
// not validate: CheckPayload does.
func (p PublishPayload) Value() identity.Value {
	var b builder
	b.text("license", p.License)
	b.text("kind", p.Kind.String())
	b.text("title", p.Title)
	b.text("statement", p.Statement)
	b.text("language", p.Language)
	b.add("context", p.Context.Value())
	b.text("basis", p.Basis)
	b.evidence(p.Evidence)
	b.reproduction(p.Reproduction)
	b.relations(p.Relations)
	if len(p.Tags) > 0 {
		b.add("tags", textList(p.Tags))
	}
	b.profiles(p.Profiles)
	b.extra(p.Extra)
	return b.object()
}

// Value gives the payload as the JSON object that is signed, as PublishPayload's does.
func (p AssessPayload) Value() identity.Value {
	var b builder
	b.text("license", p.License)
	b.text("target", p.Target.String())
	b.text("verdict", p.Verdict.String())
	b.text("summary", p.Summary)
	b.add("context", p.Context.Value())
	b.text("basis", p.Basis)
	b.evidence(p.Evidence)
	b.reproduction(p.Reproduction)
	b.profiles(p.Profiles)
	b.extra(p.Extra)
	return b.object()
}

// Value gives the payload as the JSON object that is signed, as PublishPayload's does.
func (p RetractPayload) Value() identity.Value {
	var b builder
	b.text("target", p.Target.String())
	b.text("reason", p.Reason)
	b.extra(p.Extra)
	return b.object()
}

// Value gives the context with its two lists, empty ones included (4.2).
func (c Context) Value() identity.Value {
	var b builder
	b.text("scope", c.Scope)
	b.add("conditions", textList(c.Conditions))
	b.add("limitations", textList(c.Limitations))
	return b.object()
}

// Value gives the reproduction; an empty Observed is left out (4.3).
func (r Reproduction) Value() identity.Value {
	var b builder
	b.text("environment", r.Environment)
	b.add("steps", textList(r.Steps))
	b.text("expected", r.Expected)
	b.optional("observed", r.Observed)
	return b.object()
}

// Value gives the evidence item without its absent members (5.1).
func (e Evidence) Value() identity.Value {
	var b builder
	b.text("url", e.URL)
	b.text("description", e.Description)
	if e.HasDigest() {
		b.text("digest", e.Digest.String())
	}
	b.optional("media_type", e.MediaType)
	b.optional("role", e.Role.String())
	return b.object()
}

// Value gives the binding (5.3). Data that is Absent becomes an empty object.
func (p Profile) Value() identity.Value {
	var reference, b builder
	reference.text("url", p.URL)
	reference.text("digest", p.Digest.String())
	b.add("profile", reference.object())
	if p.Data.Kind() == identity.Absent {
		b.add("data", identity.ObjectValue())
	} else {
		b.add("data", p.Data)
	}
	return b.object()
}

// builder collects the members of one object.
type builder struct{ members []identity.Member }

func (b *builder) object() identity.Value { return identity.ObjectValue(b.members...) }

func (b *builder) add(name string, v identity.Value) {
	b.members = append(b.members, identity.Member{Name: name, Value: v})
}

func (b *builder) text(name, s string) { b.add(name, identity.StringValue(s)) }

func (b *builder) optional(name, s string) {
	if s != "" {
		b.text(name, s)
	}
}

func (b *builder) extra(v identity.Value) {
	if v.Kind() != identity.Absent {
		b.add("extra", v)
	}
}

func (b *builder) reproduction(r *Reproduction) {
	if r != nil {
		b.add("reproduction", r.Value())
	}
}

func (b *builder) evidence(list []Evidence) { addList(b, "evidence", list, Evidence.Value) }

func (b *builder) profiles(list []Profile) { addList(b, "profiles", list, Profile.Value) }

func (b *builder) relations(list []Link) {
	addList(b, "relations", list, func(l Link) identity.Value {
		return identity.ObjectValue(
			identity.Member{Name: "relation", Value: identity.StringValue(l.Relation.String())},
			identity.Member{Name: "target", Value: identity.StringValue(l.Target.String())})
	})
}

func addList[T any](b *builder, name string, list []T, value func(T) identity.Value) {
	if len(list) == 0 {
		return
	}
	items := make([]identity.Value, len(list))
	for i, item := range list {
		items[i] = value(item)
	}
	b.add(name, identity.ArrayValue(items...))
}

func textList(list []string) identity.Value {
	items := make([]identity.Value, len(list))
	for i, s := range list {
		items[i] = identity.StringValue(s)
	}
	return identity.ArrayValue(items...)
}
