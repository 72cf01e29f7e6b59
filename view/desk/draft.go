package desk

import (
	"slices"

	"akx/view/capsule"
	"akx/view/identity"
)

// Draft is an event that is being written. Its payload may be in any state: what is
// missing or wrong is for Check to say. All text in it is valid UTF-8.
type Draft struct {
	ID      uint64 // 0 before it is stored
	Type    capsule.Type
	Actor   identity.Actor // who is to sign; zero: the default key
	Created int64
	Edited  int64
	Sample  bool  // made in the sample: it never leaves it
	Trashed int64 // when it was discarded; 0: it was not
	// Used says that somebody actually used what the verdict applied is about: planned
	// use does not count (Agent Knowledge 6.2). It is said of one target and verdict, and
	// is not signed.
	Used    bool
	Payload Payload
}

// Payload is the payload of any of the three types, as text being typed. What a
// type has no member for stays empty. Empty text stands for an absent member.
type Payload struct {
	License      string       `json:"license,omitempty"`
	Kind         string       `json:"kind,omitempty"`
	Verdict      string       `json:"verdict,omitempty"`
	Target       string       `json:"target,omitempty"`
	Title        string       `json:"title,omitempty"` // title, summary or reason, by type
	Statement    string       `json:"statement,omitempty"`
	Language     string       `json:"language,omitempty"`
	Context      Context      `json:"context,omitzero"`
	Basis        string       `json:"basis,omitempty"`
	Evidence     []Evidence   `json:"evidence,omitempty"`
	Reproduction Reproduction `json:"reproduction,omitzero"`
	Relations    []Relation   `json:"relations,omitempty"`
	Tags         []string     `json:"tags,omitempty"`
	Profiles     []Profile    `json:"profiles,omitempty"`
	Extra        string       `json:"extra,omitempty"` // JSON text as typed
}

// Context is where a contribution applies (Agent Knowledge 4.2).
type Context struct {
	Scope       string   `json:"scope,omitempty"`
	Conditions  []string `json:"conditions,omitempty"`
	Limitations []string `json:"limitations,omitempty"`
}

// Reproduction is a procedure (4.3); it is absent while all of it is empty.
type Reproduction struct {
	Environment string `json:"environment,omitempty"`
	Steps       []Step `json:"steps,omitempty"`
	Expected    string `json:"expected,omitempty"`
	Observed    string `json:"observed,omitempty"`
}

// Step is one step of a procedure. Unconfirmed marks one that was copied from the
// target: it may not be signed before somebody says that it was done.
type Step struct {
	Text        string `json:"text"`
	Unconfirmed bool   `json:"unconfirmed,omitempty"`
}

// Evidence is one reference (5.1).
type Evidence struct {
	URL         string `json:"url,omitempty"`
	Description string `json:"description,omitempty"`
	Digest      string `json:"digest,omitempty"`
	MediaType   string `json:"media_type,omitempty"`
	Role        string `json:"role,omitempty"`
}

// Relation is one outgoing relation (6.1).
type Relation struct {
	Relation string `json:"relation,omitempty"`
	Target   string `json:"target,omitempty"`
}

// Profile is one application-profile binding (5.3).
type Profile struct {
	URL    string `json:"url,omitempty"`
	Digest string `json:"digest,omitempty"`
	Data   string `json:"data,omitempty"` // JSON text as typed
}

// present reports whether there is anything of r.
func (r Reproduction) present() bool {
	return r.Environment != "" || r.Expected != "" || r.Observed != "" || len(r.Steps) > 0
}

// Clone gives a draft that shares no memory with d.
func (d Draft) Clone() Draft {
	p := &d.Payload
	p.Context.Conditions = slices.Clone(p.Context.Conditions)
	p.Context.Limitations = slices.Clone(p.Context.Limitations)
	p.Evidence = slices.Clone(p.Evidence)
	p.Reproduction.Steps = slices.Clone(p.Reproduction.Steps)
	p.Relations = slices.Clone(p.Relations)
	p.Tags = slices.Clone(p.Tags)
	p.Profiles = slices.Clone(p.Profiles)
	return d
}

// Equal reports whether two payloads say the same: JSON text is compared by value
// where it is an object.
func (p Payload) Equal(q Payload) bool {
	profiles := func(a, b Profile) bool {
		return a.URL == b.URL && a.Digest == b.Digest && equalJSON(a.Data, b.Data)
	}
	return p.License == q.License && p.Kind == q.Kind && p.Verdict == q.Verdict && p.Target == q.Target &&
		p.Title == q.Title && p.Statement == q.Statement && p.Language == q.Language && p.Basis == q.Basis &&
		p.Context.equal(q.Context) && p.Reproduction.equal(q.Reproduction) &&
		slices.Equal(p.Evidence, q.Evidence) && slices.Equal(p.Relations, q.Relations) &&
		slices.Equal(p.Tags, q.Tags) && slices.EqualFunc(p.Profiles, q.Profiles, profiles) &&
		equalJSON(p.Extra, q.Extra)
}

func (c Context) equal(o Context) bool {
	return c.Scope == o.Scope && slices.Equal(c.Conditions, o.Conditions) && slices.Equal(c.Limitations, o.Limitations)
}

func (r Reproduction) equal(o Reproduction) bool {
	return r.Environment == o.Environment && r.Expected == o.Expected && r.Observed == o.Observed && slices.Equal(r.Steps, o.Steps)
}

func equalJSON(a, b string) bool {
	if a == b {
		return true
	}
	v, ok := parseObject(a)
	w, ok2 := parseObject(b)
	return ok && ok2 && v.Equal(w)
}
