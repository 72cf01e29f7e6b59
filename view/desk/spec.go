package desk

import (
	"slices"

	"akx/view/capsule"
)

// Input is how a field is filled in.
type Input uint8

// The inputs.
const (
	Line   Input = iota + 1 // one line
	Area                    // prose of any length
	Choice                  // one of Field.Choices
	Code                    // a fixed form: an ID, a digest, a URL, a label
	JSON                    // the text of a JSON object
	Lines                   // a list of texts
	Items                   // a list of objects, whose fields follow
)

// spec is one field of a type of events: what never changes about it.
type spec struct {
	path     string // items of lists are '*'
	input    Input
	required bool
	label    string
	help     string
}

const (
	licenseHelp = "HTTPS address of the terms for your own words; it covers nothing that belongs to others"
	basisHelp   = "How you got here, or why you propose it: enough for a stranger to judge it"
	targetHelp  = "The full ID of the event that this is about"
)

var headSpecs = map[capsule.Type][]spec{
	capsule.Publish: {
		{kindPath, Choice, true, "kind", "What role this contribution plays"},
		{titlePath, Line, true, "title", "A short name for lists"},
		{"/statement", Area, true, "statement", "One claim, question or thing, in plain text; put a second one into a capsule of its own"},
		{"/language", Code, true, "language", "Language of the text, such as en or zh-CN; und when there is none"},
		{"/license", Code, true, "license", licenseHelp},
	},
	capsule.Assess: {
		{"/target", Code, true, "target", targetHelp + ": one exact capsule; its corrections are other capsules"},
		{verdictPath, Choice, true, "verdict", "What you report; applied means that it was really used, planned use is not"},
		{"/summary", Area, true, "summary", "What you found, in a few sentences"},
		{"/license", Code, true, "license", licenseHelp},
	},
	capsule.Retract: {
		{"/target", Code, true, "target", targetHelp + "; it must be your own, and cannot be taken back afterwards"},
		{"/reason", Area, true, "reason", "Why you withdraw it; copies elsewhere stay"},
	},
}

var contextSpecs = []spec{
	{"/context/scope", Area, true, "scope", "Where it is meant to hold: versions, population, time, place"},
	{"/context/conditions", Lines, false, "conditions", "What must be so for it to hold; none listed does not mean none"},
	{limitationsPath, Lines, false, "limitations", "Doubts, exclusions and known failures; how sure an inference is belongs here"},
	{"/basis", Area, true, "basis", basisHelp},
}

var evidenceSpecs = []spec{
	{evidencePath, Items, false, "evidence", "Sources and materials; put many files into one archive or manifest with a digest"},
	{evidencePath + "/*/url", Code, true, "url", "HTTPS address of the material"},
	{evidencePath + "/*/description", Area, true, "description", "What this reference adds"},
	{evidencePath + "/*/digest", Code, false, "digest", "SHA3-256 of the exact bytes; needed for output, good for all whose version matters"},
	{evidencePath + "/*/media_type", Line, false, "media type", "Such as text/csv; a hint only"},
	{evidencePath + "/*/role", Choice, false, "role", "source: cited; input: used; output: made; environment: tools; validation: a check's report"},
}

var reproductionSpecs = []spec{
	{"/reproduction/environment", Area, false, "environment", "What the steps run in: pin versions, inputs, hardware and random seeds"},
	{stepsPath, Lines, false, "steps", "What to do, in order"},
	{"/reproduction/expected", Area, false, "expected", "What should come out; for applied, what you expected of this use"},
	{observedPath, Area, false, "observed", "What did come out when it was done; leave it empty if nobody did it"},
}

var linkSpecs = []spec{
	{relationsPath, Items, false, "relations", "Capsules that this one builds on, answers, tests or disputes: name what you used"},
	{relationsPath + "/*/relation", Choice, true, "relation", "What this capsule says of the target; for tests, the basis says proposed or performed"},
	{relationsPath + "/*/target", Code, true, "target", "The full ID of the target"},
	{"/tags", Lines, false, "tags", "Words to find it by: a-z, 0-9, '.', '_' and '-'"},
}

var tailSpecs = []spec{
	{profilesPath, Items, false, "profiles", "Rules of a discipline that read the data below; a report on one names the target and the tested digest"},
	{profilesPath + "/*/profile/url", Code, true, "profile url", "HTTPS address of the profile"},
	{profilesPath + "/*/profile/digest", Code, true, "its digest", "SHA3-256 of the profile's exact bytes"},
	{profilesPath + "/*/data", JSON, true, "data", "A JSON object, as the profile wants it"},
}

var extraSpec = spec{extraPath, JSON, false, "extra", "A JSON object with notes for programs; it changes nothing"}

var specTable = map[capsule.Type][]spec{
	capsule.Publish: slices.Concat(headSpecs[capsule.Publish], contextSpecs, evidenceSpecs, reproductionSpecs, linkSpecs, tailSpecs, []spec{extraSpec}),
	capsule.Assess:  slices.Concat(headSpecs[capsule.Assess], contextSpecs, evidenceSpecs, reproductionSpecs, tailSpecs, []spec{extraSpec}),
	capsule.Retract: slices.Concat(headSpecs[capsule.Retract], []spec{extraSpec}),
}

// specs gives the fields of a type in the order of the form; nil for no type.
func specs(t capsule.Type) []spec { return specTable[t] }

// kindHelp says what each kind is for (4.1).
var kindHelp = map[capsule.Kind]string{
	capsule.Question:       "An open problem: say what an answer would have to contain.",
	capsule.Hypothesis:     "A guess, an explanation or a prediction that nobody has judged yet: say what would speak against it.",
	capsule.Definition:     "A term, a notation or a way to sort things that others can use.",
	capsule.Observation:    "Something measured or seen: say under which conditions.",
	capsule.Inference:      "A conclusion from something: say from what, and how sure it is.",
	capsule.Procedure:      "A way to do something that others can follow; if it tests a hypothesis, say whether this is a plan or was done.",
	capsule.Resource:       "Data, software or other material: the evidence has at least one output with its digest.",
	capsule.NegativeResult: "What did not work or was not found, and under which conditions; it does not show that it cannot be.",
	capsule.Synthesis:      "Several contributions brought together: say which, and how you chose them.",
	capsule.Collection:     "A selection of exact capsules: each is a contains relation; choosing one does not judge it.",
}

// KindHelp says in a sentence what a kind is for; empty for no kind.
func KindHelp(k capsule.Kind) string { return kindHelp[k] }

// verdictHelp says what each verdict reports (6.2).
var verdictHelp = map[capsule.Verdict]string{
	capsule.VerdictSupports:      "You have evidence or reasons for it.",
	capsule.VerdictChallenges:    "You have a counterexample, an error or evidence against it.",
	capsule.VerdictReproduced:    "You carried a procedure out and got the expected result.",
	capsule.VerdictNotReproduced: "You carried a procedure out and did not get the expected result.",
	capsule.VerdictApplied:       "You actually used it, and say how that went, well or not; planned use does not count.",
	capsule.VerdictInconclusive:  "Under your conditions it cannot be decided.",
}

// VerdictHelp says in a sentence what a verdict reports; empty for no verdict.
func VerdictHelp(v capsule.Verdict) string { return verdictHelp[v] }

// relationHelp says what each relation says of its target (6.1).
var relationHelp = map[capsule.Relation]string{
	capsule.DerivedFrom: "You used the target, a capsule or an assessment, as a start; that does not mean that you agree.",
	capsule.Addresses:   "You try to answer the question, or to get further with it; that does not make it answered.",
	capsule.Tests:       "You plan or report a test of the hypothesis; the basis says which. It need not have passed.",
	capsule.Extends:     "You carry the capsule on, sharpen it, widen it or offer another way; anybody's capsule.",
	capsule.Supports:    "You add a reason or a result for the target, a capsule or an assessment.",
	capsule.Contradicts: "You bring something against the target, a capsule or an assessment; it stays as it is.",
	capsule.Supersedes:  "Your own correction or replacement of an older capsule of your own.",
	capsule.Contains:    "This collection includes exactly that capsule; choosing it does not judge it.",
}

// RelationHelp says in a sentence what a relation says of its target; empty for none.
func RelationHelp(r capsule.Relation) string { return relationHelp[r] }

// roleHelp says what each role of evidence is (5.1).
var roleHelp = map[capsule.Role]string{
	capsule.RoleSource:      "Something you cite.",
	capsule.RoleInput:       "Something you used.",
	capsule.RoleOutput:      "Something you contribute; it needs its digest.",
	capsule.RoleEnvironment: "The conditions or the tools.",
	capsule.RoleValidation:  "The report of a check, or a certificate.",
}

// RoleHelp says in a sentence what a role of evidence is; empty for none.
func RoleHelp(r capsule.Role) string { return roleHelp[r] }
