package fault

// Step is one step of a proof or of acceptance, in the order in which they run
// (Agent Identity 6.1, Agent Knowledge 8.1). The first step that fails decides.
type Step uint8

// The steps. StepLimit comes before everything else: it is akx's own bound, not
// a statement about validity.
const (
	StepNone Step = iota
	StepLimit
	StepParse
	StepShape
	StepCanonical
	StepHash
	StepActor
	StepSignature
	StepPayload
	StepClock
	StepDependencies
	StepTarget
	StepPolicy
)

// steps is the one table from a step to its words and to the code of its refusal.
var steps = [...]struct {
	words string
	code  Code
}{
	StepNone:         {"none", ""},
	StepLimit:        {"local limit", PayloadTooLarge},
	StepParse:        {"strict JSON", InvalidEvent},
	StepShape:        {"shape", InvalidEvent},
	StepCanonical:    {"canonical form", InvalidEvent},
	StepHash:         {"hash", InvalidEventHash},
	StepActor:        {"actor", InvalidActor},
	StepSignature:    {"signature", InvalidSignature},
	StepPayload:      {"payload", InvalidEvent},
	StepClock:        {"clock", TimestampOutside},
	StepDependencies: {"dependencies", MissingDependency},
	StepTarget:       {"targets", InvalidTarget},
	StepPolicy:       {"policy", PermissionDenied},
}

// Steps lists every step in order, StepNone left out.
func Steps() []Step {
	all := make([]Step, 0, len(steps)-1)
	for s := StepLimit; int(s) < len(steps); s++ {
		all = append(all, s)
	}
	return all
}

// String gives the step in words, such as "canonical form".
func (s Step) String() string {
	if int(s) >= len(steps) {
		return "unknown step"
	}
	return steps[s].words
}

// Code gives the code with which a refusal at this step is reported.
func (s Step) Code() Code {
	if int(s) >= len(steps) {
		return ""
	}
	return steps[s].code
}
