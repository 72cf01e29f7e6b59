package fault

import (
	"errors"
	"strings"
)

// Coded is what every error of akx can say about itself besides its text.
type Coded interface {
	error
	// FaultCode is the protocol's code where there is one, else akx's own.
	FaultCode() Code
	// FaultHint says what to do next, in a sentence; empty when there is nothing to say.
	FaultHint() string
	// Temporary reports whether the same call may succeed later.
	Temporary() bool
}

// Refusal says that foreign input was not accepted: which step refused it and why.
type Refusal struct {
	// Service is the name or origin of the service whose answer is refused, or that
	// refuses with Code; empty where the refusal is of something else.
	Service string
	Step    Step
	Code    Code
	// Path is a JSON pointer into the refused object; empty for the whole of it.
	Path string
	// Detail is one clause in words. It may quote foreign text: clean it before it is shown.
	Detail string
	// Missing lists unresolved event IDs, distinct, in ascending ASCII order (8.2).
	Missing []string
}

// Refuse makes a Refusal whose code is that of the step.
func Refuse(step Step, path, detail string) *Refusal {
	return &Refusal{Step: step, Code: step.Code(), Path: path, Detail: detail}
}

func (r *Refusal) Error() string {
	switch {
	case r.Service == "":
		return r.Words()
	case r.breach():
		return r.Service + ": " + r.Words()
	default:
		return r.Service + ": " + r.Words() + " (" + string(r.Code) + ")"
	}
}

// breach reports whether an answer itself is refused, and not a request by it.
func (r *Refusal) breach() bool { return r.Code == InvalidResponse || r.Code == InvalidDiscovery }

// Words are the error without its service and, where there is one, without its code, for
// those who told them already.
func (r *Refusal) Words() string {
	if r.Service != "" {
		return r.answer()
	}
	var b strings.Builder
	b.WriteString(string(r.Code))
	b.WriteString(" (")
	b.WriteString(r.Step.String())
	b.WriteString(")")
	if r.Path != "" {
		b.WriteString(" at ")
		b.WriteString(r.Path)
	}
	if r.Detail != "" {
		b.WriteString(": ")
		b.WriteString(r.Detail)
	}
	return b.String()
}

// answer says what is wrong with the answer of a service, or what it answers. The step
// is one of this side and says nothing about it.
func (r *Refusal) answer() string {
	if !r.breach() {
		words := "it refuses the request"
		if r.Detail != "" {
			words += ": " + r.Detail
		}
		return words
	}
	words := "its answer breaks the protocol: "
	if r.Code == InvalidDiscovery {
		words = "its discovery document breaks the protocol: "
	}
	switch {
	case r.Path != "":
		name := r.Path[strings.LastIndexByte(r.Path, '/')+1:] // said once
		return words + r.Path + " " + strings.TrimPrefix(r.Detail, name+" ")
	case r.Step == StepShape:
		return words + "it " + r.Detail
	default:
		return words + r.Step.String() + ": " + r.Detail
	}
}

func (r *Refusal) FaultCode() Code { return r.Code }

// FaultHint says what to do about a service whose answer this is about.
func (r *Refusal) FaultHint() string {
	if r.Service == "" {
		return ""
	}
	switch r.Code {
	case InvalidResponse:
		return "what came before it is kept, and nothing of this answer is used; try again, and tell whoever runs the service if it stays so"
	case InvalidDiscovery:
		return "nothing can be asked of it until that is mended: tell whoever runs the service"
	case QueryTooBroad:
		return "ask for less: add filters"
	case InvalidToken:
		return "check this machine's clock, and which token the service is shown"
	case InvalidRequest:
		return "tell whoever runs the service if the protocol allows the request"
	}
	return ""
}
func (r *Refusal) Temporary() bool { return false }

// Unavailable says that something could not be reached or used now: a locked
// database, a service, a disk. Code tells them apart.
type Unavailable struct {
	Code Code
	// What names the thing, such as a path or an origin.
	What   string
	Detail string
	Hint   string
	// Retry reports whether trying again later may help.
	Retry bool
	// Fate says what became of a request that changes something at a service.
	Fate Fate
	// RetryAfter is how long the service asks to wait, in ms; 0 where it does not say.
	RetryAfter int64
	// Service is the name or origin of the service that this is about; empty for other things.
	Service string
	Err     error
}

// Fate is what became of a request that failed.
type Fate uint8

// The fates. Unsent is that of everything that is no such request, too.
const (
	Unsent   Fate = iota // no byte of it went out
	Answered             // the service answered that it did not take it
	Lost                 // it may have reached the service, whose answer is not known
)

func (u *Unavailable) Error() string     { return join(u.What, u.Detail, u.Err) }
func (u *Unavailable) Unwrap() error     { return u.Err }
func (u *Unavailable) FaultCode() Code   { return u.Code }
func (u *Unavailable) FaultHint() string { return u.Hint }
func (u *Unavailable) Temporary() bool   { return u.Retry }

// NotHeld says that an event is not in the store that was asked. It says nothing
// about the event's existence elsewhere (Agent Knowledge 3.1).
type NotHeld struct {
	// ID is the full event ID or the prefix that was asked for.
	ID string
	// Where names the store, such as "this cache" or "sample".
	Where string
	// Hint says what to do next, where that is not to import a file.
	Hint string
}

func (n *NotHeld) Error() string {
	where := n.Where
	if where == "" {
		where = "this cache"
	}
	return n.ID + " is not held in " + where
}
func (n *NotHeld) FaultCode() Code { return NotHeldCode }
func (n *NotHeld) FaultHint() string {
	if n.Hint != "" {
		return n.Hint
	}
	return "import a file that holds it, or check the ID"
}
func (n *NotHeld) Temporary() bool { return false }

// Usage says that akx was asked in a way that has no meaning.
type Usage struct {
	// Code is UsageCode where it is left empty; AmbiguousID, ReadOnly and NotFollowed are others.
	Code   Code
	Detail string
	Hint   string
	// Candidates lists up to 20 IDs that an ambiguous prefix could mean.
	Candidates []string
}

func (u *Usage) Error() string { return u.Detail }
func (u *Usage) FaultCode() Code {
	if u.Code == "" {
		return UsageCode
	}
	return u.Code
}
func (u *Usage) FaultHint() string { return u.Hint }
func (u *Usage) Temporary() bool   { return false }

// Damaged says that a file of akx's own cannot be trusted or understood.
type Damaged struct {
	// Code is DamagedCode where it is left empty; NewerFormat is the other.
	Code   Code
	What   string
	Detail string
	Hint   string
	Err    error
}

func (d *Damaged) Error() string { return join(d.What, d.Detail, d.Err) }
func (d *Damaged) Unwrap() error { return d.Err }
func (d *Damaged) FaultCode() Code {
	if d.Code == "" {
		return DamagedCode
	}
	return d.Code
}
func (d *Damaged) FaultHint() string { return d.Hint }
func (d *Damaged) Temporary() bool   { return false }

func join(what, detail string, err error) string {
	parts := make([]string, 0, 3)
	for _, p := range []string{what, detail} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	if err != nil {
		parts = append(parts, err.Error())
	}
	return strings.Join(parts, ": ")
}

// AtService gives err with the service that it is about, in the place of what it names
// now: nothing, or the same service's origin. Errors that are not about a service's
// answer, and those inside another one, stay as they are.
func AtService(err error, now, service string) error {
	switch e := err.(type) {
	case *Refusal:
		if e.Service == now {
			again := *e
			again.Service = service
			return &again
		}
	case *Unavailable:
		if e.Service == now {
			again := *e
			again.Service = service
			if e.What == now {
				again.What = service
			}
			return &again
		}
	}
	return err
}

// ServiceOf gives the service that an error is about; empty for none.
func ServiceOf(err error) string {
	var r *Refusal
	var u *Unavailable
	switch {
	case errors.As(err, &u) && u.Service != "":
		return u.Service
	case errors.As(err, &r):
		return r.Service
	}
	return ""
}
