package capsule

// Protocol is the identifier that every event carries.
const Protocol = "agent-knowledge/1.0"

// Type is one of the three event types; zero is invalid.
type Type uint8

// The event types (Agent Knowledge 1).
const (
	Publish Type = iota + 1
	Assess
	Retract
)

var typeNames = []string{"", "knowledge.publish", "knowledge.assess", "knowledge.retract"}

// Kind is the role of a publication (4.1); zero is invalid.
type Kind uint8

// The kinds of publications, in the order of the specification.
const (
	Question Kind = iota + 1
	Hypothesis
	Definition
	Observation
	Inference
	Procedure
	Resource
	NegativeResult
	Synthesis
	Collection
)

var kindNames = []string{"", "question", "hypothesis", "definition", "observation", "inference",
	"procedure", "resource", "negative_result", "synthesis", "collection"}

const kindLetters = "?QHDOIPRNSC"

// Relation is what a publication says of its target (6.1); zero is invalid.
type Relation uint8

// The relations, in the order of the specification.
const (
	DerivedFrom Relation = iota + 1
	Addresses
	Tests
	Extends
	Supports
	Contradicts
	Supersedes
	Contains
)

var relationNames = []string{"", "derived_from", "addresses", "tests", "extends", "supports",
	"contradicts", "supersedes", "contains"}

// Verdict is the outcome of an assessment (6.2); zero is invalid.
type Verdict uint8

// The verdicts, in the order of the specification.
const (
	VerdictSupports Verdict = iota + 1
	VerdictChallenges
	VerdictReproduced
	VerdictNotReproduced
	VerdictApplied
	VerdictInconclusive
)

var verdictNames = []string{"", "supports", "challenges", "reproduced", "not_reproduced", "applied", "inconclusive"}

// Role is what an evidence reference is for (5.1); zero is unspecified.
type Role uint8

// The evidence roles.
const (
	RoleSource Role = iota + 1
	RoleInput
	RoleOutput
	RoleEnvironment
	RoleValidation
)

var roleNames = []string{"", "source", "input", "output", "environment", "validation"}

func (t Type) String() string     { return name(typeNames, t) }
func (k Kind) String() string     { return name(kindNames, k) }
func (r Relation) String() string { return name(relationNames, r) }
func (v Verdict) String() string  { return name(verdictNames, v) }
func (r Role) String() string     { return name(roleNames, r) }

// Letter is the one capital letter that lists show for a kind, '?' for none.
func (k Kind) Letter() byte {
	if int(k) >= len(kindLetters) {
		return '?'
	}
	return kindLetters[k]
}

// ParseType reads a wire name; ok is false for any other text.
func ParseType(s string) (t Type, ok bool) { return parse[Type](typeNames, s) }

// ParseKind reads a wire name; ok is false for any other text.
func ParseKind(s string) (k Kind, ok bool) { return parse[Kind](kindNames, s) }

// ParseRelation reads a wire name; ok is false for any other text.
func ParseRelation(s string) (r Relation, ok bool) { return parse[Relation](relationNames, s) }

// ParseVerdict reads a wire name; ok is false for any other text.
func ParseVerdict(s string) (v Verdict, ok bool) { return parse[Verdict](verdictNames, s) }

// ParseRole reads a wire name; ok is false for any other text.
func ParseRole(s string) (r Role, ok bool) { return parse[Role](roleNames, s) }

// Types lists the event types in order.
func Types() []Type { return all[Type](typeNames) }

// Kinds lists the kinds in order.
func Kinds() []Kind { return all[Kind](kindNames) }

// Relations lists the relations in order.
func Relations() []Relation { return all[Relation](relationNames) }

// Verdicts lists the verdicts in order.
func Verdicts() []Verdict { return all[Verdict](verdictNames) }

// Roles lists the evidence roles in order.
func Roles() []Role { return all[Role](roleNames) }

func name[T ~uint8](names []string, v T) string {
	if int(v) >= len(names) {
		return ""
	}
	return names[v]
}

func parse[T ~uint8](names []string, s string) (T, bool) {
	for i, n := range names {
		if i > 0 && n == s {
			return T(i), true
		}
	}
	return 0, false
}

func all[T ~uint8](names []string) []T {
	out := make([]T, 0, len(names)-1)
	for i := 1; i < len(names); i++ {
		out = append(out, T(i))
	}
	return out
}
