package desk

import (
	"akx/view"
	"akx/view/fault"
	"akx/view/identity"
)

// AskWhen says when a service that is not followed is asked about a page.
type AskWhen uint8

// The settings; asking on a key is the default.
const (
	AskOnKey AskWhen = iota
	AskOnOpen
	AskNever
)

var askNames = []string{"key", "open", "never"}

// String is the word of the setting in config and JSON.
func (a AskWhen) String() string {
	if int(a) >= len(askNames) {
		return ""
	}
	return askNames[a]
}

// ParseAsk reads the word of a setting.
func ParseAsk(s string) (AskWhen, bool) {
	for i, n := range askNames {
		if n == s {
			return AskWhen(i), true
		}
	}
	return 0, false
}

// Service is one service that the user added. Added means known and enabled;
// only enabled ones are ever asked anything.
type Service struct {
	Name         string // the user's own short name, unique
	Origin       identity.Origin
	Enabled      bool
	AllowPrivate bool   // the user allowed private addresses for this very service
	CAFile       string // a private CA for this service; empty for the system's
	Ask          AskWhen
	// Token is the Agent ID whose request tokens the service is shown with submissions
	// (Agent Identity 7), each made for its origin alone; zero for none.
	Token identity.Actor
	Added int64 // ms
}

// MaxServices bounds the services that one home keeps.
const MaxServices = 64

// CheckServiceName accepts 1 to 32 of a-z, 0-9, dot, dash and underscore, starting
// with a letter or a digit.
func CheckServiceName(name string) error {
	ok := len(name) >= 1 && len(name) <= 32
	for i := 0; ok && i < len(name); i++ {
		c := name[i]
		letter := c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
		ok = letter || i > 0 && (c == '.' || c == '-' || c == '_')
	}
	if !ok {
		return &fault.Usage{Detail: "a service's name is 1 to 32 of a-z, 0-9, dot, dash and underscore", Hint: "such as hub"}
	}
	return nil
}

// Follow is how far one service was followed. The zero Follow is: never.
type Follow struct {
	// Checkpoint and AsOf are those of the last completed enumeration without
	// filters; Complete says that there was one.
	Checkpoint uint64
	AsOf       int64
	Complete   bool
	// ClockBack says that AsOf was earlier than that of the enumeration before, by more
	// than clocks may differ.
	ClockBack bool
	// Reached is the largest seq up to which everything is stored: that of the
	// completed enumeration, or further into one that was interrupted. The next
	// enumeration starts after it.
	Reached uint64
	// Exceptions counts records of followed pages that are not events here:
	// refused, future-dated, over a limit, or unresolved.
	Exceptions int
	Tried      int64 // ms of the last attempt; 0 never
	Trouble    Trouble
	Faults     []ServiceFault // newest last, at most MaxFaults
}

// Followed is what views are told of a service of which an enumeration was completed.
func (f Follow) Followed(origin identity.Origin) view.Followed {
	return view.Followed{Origin: origin, Checkpoint: f.Checkpoint, AsOf: f.AsOf, Exceptions: f.Exceptions,
		Faults: len(f.Contradictions()), Tried: f.Tried, ClockBack: f.ClockBack,
		Failed: f.Trouble.Code != "" && f.Trouble.Code != fault.Cancelled}
}

// Trouble is why the last attempt did not finish; the zero Trouble is none.
type Trouble struct {
	Code   fault.Code
	Detail string // may quote the service: clean it before it is shown
}

// FaultKind is a way in which a service contradicts itself.
type FaultKind uint8

// The kinds (Agent Knowledge 8.3, 9.3.1).
const (
	CheckpointBack FaultKind = iota + 1 // its checkpoint is smaller than before
	SeqBack                             // an event that it gave has a smaller seq now
	SeqShared                           // one seq stands for two events
	AfterRefused                        // it refuses after_seq as too large
)

var faultKindNames = []string{"", "checkpoint_back", "seq_back", "seq_shared", "after_refused"}

// String is the word of the kind in JSON.
func (k FaultKind) String() string {
	if int(k) >= len(faultKindNames) {
		return ""
	}
	return faultKindNames[k]
}

// ServiceFault is one contradiction. Nothing that was proven is deleted for it.
type ServiceFault struct {
	Kind   FaultKind
	At     int64 // ms
	ID     identity.ID
	Before uint64
	Now    uint64
}

// MaxFaults bounds the faults that are kept of one service.
const MaxFaults = 100

// MaxExceptions bounds the exceptions that are kept of one service: following it
// goes no further while there are so many.
const MaxExceptions = 10_000

// Exception is a record of a followed page that is not an event here.
type Exception struct {
	ID      identity.ID // zero where the proof failed
	Claimed identity.ID // what a record with a failed proof calls itself; nothing proves it
	Seq     uint64
	Code    fault.Code
	Detail  string
	Since   int64 // ms
	Tries   int
}
