package capsule

import (
	"slices"
	"strconv"

	"akx/view/fault"
	"akx/view/identity"
)

// Bound is an optional time bound in ms.
type Bound struct {
	Set bool
	MS  int64
}

// Filter is the exact filter of 9.3; zero members match everything. It is comparable.
type Filter struct {
	Actor         identity.Actor
	Type          Type
	Kind          Kind
	Target        identity.ID
	Relation      Relation
	Tag           string
	Profile       identity.Digest
	Language      string
	Verdict       Verdict
	CreatedFrom   Bound
	CreatedBefore Bound

	// zeros marks members that ParseFilter set to 32 zero bytes: they are set
	// and match almost nothing, where a zero member matches everything.
	zeros zeroSet
}

type zeroSet uint8

const (
	zeroActor zeroSet = 1 << iota
	zeroTarget
	zeroProfile
)

func (f *Filter) hasActor() bool   { return !f.Actor.IsZero() || f.zeros&zeroActor != 0 }
func (f *Filter) hasTarget() bool  { return !f.Target.IsZero() || f.zeros&zeroTarget != 0 }
func (f *Filter) hasProfile() bool { return !f.Profile.IsZero() || f.zeros&zeroProfile != 0 }

// Match reports whether e passes every filter (9.3). A zero event passes none.
func (f Filter) Match(e Event) bool {
	if !Proven(e) || !f.matchHead(e) {
		return false
	}
	switch e := e.(type) {
	case *Publication:
		return f.matchPublication(&e.payload)
	case *Assessment:
		return !f.onlyPublications() &&
			(f.Verdict == 0 || f.Verdict == e.payload.Verdict) &&
			(!f.hasTarget() || f.Target == e.payload.Target) &&
			f.matchProfile(e.payload.Profiles)
	case *Retraction:
		return !f.onlyPublications() && f.Verdict == 0 && !f.hasProfile() &&
			(!f.hasTarget() || f.Target == e.payload.Target)
	}
	return false
}

func (f *Filter) matchHead(e Event) bool {
	at := e.CreatedAt()
	return (!f.hasActor() || f.Actor == e.Actor()) &&
		(f.Type == 0 || f.Type == e.Type()) &&
		(!f.CreatedFrom.Set || f.CreatedFrom.MS <= at) &&
		(!f.CreatedBefore.Set || at < f.CreatedBefore.MS)
}

// onlyPublications reports whether a filter is set that nothing else can match.
func (f *Filter) onlyPublications() bool {
	return f.Kind != 0 || f.Relation != 0 || f.Tag != "" || f.Language != ""
}

func (f *Filter) matchPublication(p *PublishPayload) bool {
	return f.Verdict == 0 &&
		(f.Kind == 0 || f.Kind == p.Kind) &&
		(f.Tag == "" || slices.Contains(p.Tags, f.Tag)) &&
		(f.Language == "" || equalFoldASCII(f.Language, p.Language)) &&
		f.matchRelations(p.Relations) &&
		f.matchProfile(p.Profiles)
}

// matchRelations looks for one item that has both the relation and the target.
func (f *Filter) matchRelations(links []Link) bool {
	if f.Relation == 0 && !f.hasTarget() {
		return true
	}
	return slices.ContainsFunc(links, func(l Link) bool {
		return (f.Relation == 0 || f.Relation == l.Relation) && (!f.hasTarget() || f.Target == l.Target)
	})
}

func (f *Filter) matchProfile(bindings []Profile) bool {
	return !f.hasProfile() ||
		slices.ContainsFunc(bindings, func(p Profile) bool { return p.Digest == f.Profile })
}

// filterNames are the parameters in the order of 9.3's table.
var filterNames = []string{"actor", "type", "kind", "tag", "language", "verdict", "target", "relation",
	"profile", "created_from", "created_before"}

// FilterNames lists the wire names of the filters, in the order of 9.3's table.
func FilterNames() []string { return slices.Clone(filterNames) }

// ParseFilter sets one parameter by its wire name from its wire text; known is
// false for names that are not filters of 9.3. Errors are *fault.Refusal with
// code invalid_request. It refuses a parameter that is set already. f is
// unchanged after an error.
func (f *Filter) ParseFilter(name, value string) (known bool, err error) {
	if !slices.Contains(filterNames, name) {
		return false, nil
	}
	if f.FilterText(name) != "" {
		return true, badRequest("/"+name, "is given twice")
	}
	if detail := f.set(name, value); detail != "" {
		return true, badRequest("/"+name, detail)
	}
	return true, nil
}

func badRequest(path, detail string) *fault.Refusal {
	return &fault.Refusal{Code: fault.InvalidRequest, Path: path, Detail: detail}
}

// set takes over one value, or says what is wrong with it.
func (f *Filter) set(name, value string) (detail string) {
	switch name {
	case "actor":
		return setCode(&f.Actor, value, identity.ParseActor, &f.zeros, zeroActor, "must be a full canonical Agent ID")
	case "target":
		return setCode(&f.Target, value, identity.ParseID, &f.zeros, zeroTarget, "must be a full canonical event ID")
	case "profile":
		return setCode(&f.Profile, value, identity.ParseDigest, &f.zeros, zeroProfile, "must be a canonical digest")
	case "type":
		return setName(&f.Type, value, ParseType, typeNames)
	case "kind":
		return setName(&f.Kind, value, ParseKind, kindNames)
	case "relation":
		return setName(&f.Relation, value, ParseRelation, relationNames)
	case "verdict":
		return setName(&f.Verdict, value, ParseVerdict, verdictNames)
	case "tag":
		return setText(&f.Tag, value, isTag, tagDetail)
	case "language":
		return setText(&f.Language, value, isLanguage, languageDetail)
	case "created_from":
		return setBound(&f.CreatedFrom, value)
	default:
		return setBound(&f.CreatedBefore, value)
	}
}

func setCode[T comparable](dst *T, value string, parse func(string) (T, error), zeros *zeroSet, bit zeroSet, detail string) string {
	code, err := parse(value)
	if err != nil {
		return detail
	}
	var zero T
	if code == zero {
		*zeros |= bit
	}
	*dst = code
	return ""
}

func setName[T ~uint8](dst *T, value string, parse func(string) (T, bool), names []string) string {
	v, ok := parse(value)
	if !ok {
		return oneOf(names[1:])
	}
	*dst = v
	return ""
}

func setText(dst *string, value string, ok func(string) bool, detail string) string {
	if !ok(value) {
		return detail
	}
	*dst = value
	return ""
}

func setBound(dst *Bound, value string) string {
	ms, ok := ParseDecimal(value)
	if !ok {
		return "must be a time in milliseconds, in decimal digits"
	}
	*dst = Bound{Set: true, MS: ms}
	return ""
}

// ParseDecimal reads an integer parameter: decimal digits only, up to 2^53-1 (9.3).
func ParseDecimal(s string) (n int64, ok bool) {
	if s == "" || !everyByte(s, isDigit) {
		return 0, false
	}
	for i := 0; i < len(s); i++ {
		n = n*10 + int64(s[i]-'0')
		if n > identity.MaxSafeInteger {
			return 0, false
		}
	}
	return n, true
}

// Check applies the rules between members (created_from < created_before), and
// holds members that were set without ParseFilter to its rules.
func (f Filter) Check() error {
	for _, name := range filterNames {
		if text := f.FilterText(name); text != "" {
			var again Filter
			if detail := again.set(name, text); detail != "" {
				return badRequest("/"+name, detail)
			}
		}
	}
	switch {
	case int(f.Type) >= len(typeNames):
		return badRequest("/type", oneOf(typeNames[1:]))
	case int(f.Kind) >= len(kindNames):
		return badRequest("/kind", oneOf(kindNames[1:]))
	case int(f.Relation) >= len(relationNames):
		return badRequest("/relation", oneOf(relationNames[1:]))
	case int(f.Verdict) >= len(verdictNames):
		return badRequest("/verdict", oneOf(verdictNames[1:]))
	case f.CreatedFrom.Set && f.CreatedBefore.Set && f.CreatedFrom.MS >= f.CreatedBefore.MS:
		return badRequest("/created_from", "must be less than created_before")
	}
	return nil
}

// FilterText gives the wire text of one parameter; empty when it is not set.
func (f Filter) FilterText(name string) string {
	switch name {
	case "actor":
		return textIf(f.hasActor(), f.Actor.String)
	case "type":
		return f.Type.String()
	case "kind":
		return f.Kind.String()
	case "tag":
		return f.Tag
	case "language":
		return f.Language
	case "verdict":
		return f.Verdict.String()
	case "target":
		return textIf(f.hasTarget(), f.Target.String)
	case "relation":
		return f.Relation.String()
	case "profile":
		return textIf(f.hasProfile(), f.Profile.String)
	case "created_from":
		return f.CreatedFrom.text()
	case "created_before":
		return f.CreatedBefore.text()
	}
	return ""
}

func textIf(set bool, text func() string) string {
	if !set {
		return ""
	}
	return text()
}

func (b Bound) text() string {
	if !b.Set {
		return ""
	}
	return strconv.FormatInt(b.MS, 10)
}
