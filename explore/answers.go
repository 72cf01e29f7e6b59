package explore

import (
	"context"
	"errors"
	"slices"

	"akx/view"
	"akx/view/capsule"
	"akx/view/identity"
)

// Answered is what a service answered about one event in this session. A question that
// failed never takes the place of an answer: both are kept.
//
// Answers are not kept on disk, 'missing' least of all: nothing that akx follows could
// ever end it. Following reports no removal and no change of visibility, and a record
// that is shown again keeps its old seq (9.3.1), so that a kept 'missing' would stand
// against the service until somebody asks again, long after it stopped to be true. The
// set that was followed has a checkpoint and a time, and each sync moves them.
type Answered struct {
	Last   *Checked // the last answer; nil where none came
	At     int64    // ms of it
	Failed *Checked // the newest question where that failed, with what came of it; else nil
	Tried  int64    // ms of that
}

// Bounds of what is kept of answers: how many, and how many links they name in all.
// The newest one is kept in any case.
const (
	maxAnswers     = 512
	maxAnswerLinks = 200_000
)

type answerKey struct {
	id     identity.ID
	origin identity.Origin
}

// answers are those of one session, and the oldest are forgotten first. The session's
// lock guards them.
type answers struct {
	kept  map[answerKey]Answered
	order []answerKey // by when they came last
	links int
}

// weight is how many links an answer names.
func (a Answered) weight() int {
	n := 0
	for _, c := range []*Checked{a.Last, a.Failed} {
		if c != nil {
			n += len(c.Facts.Retractions) + len(c.Facts.Successors) + len(c.Facts.Assessments) + len(c.Facts.ActiveAssessments)
		}
	}
	return n
}

func (a *answers) put(key answerKey, next Answered) {
	if a.kept == nil {
		a.kept = make(map[answerKey]Answered)
	}
	a.drop(key)
	a.kept[key] = next
	a.order = append(a.order, key)
	a.links += next.weight()
	for len(a.order) > 1 && (len(a.order) > maxAnswers || a.links > maxAnswerLinks) {
		a.drop(a.order[0])
	}
}

func (a *answers) drop(key answerKey) {
	old, ok := a.kept[key]
	if !ok {
		return
	}
	a.links -= old.weight()
	delete(a.kept, key)
	a.order = slices.DeleteFunc(a.order, func(k answerKey) bool { return k == key })
}

// forget drops what a service answered.
func (a *answers) forget(origin identity.Origin) {
	for _, key := range slices.Clone(a.order) {
		if key.origin == origin {
			a.drop(key)
		}
	}
}

// remember keeps an answer, or a failure beside the answer before it. What the user
// stopped is neither.
func (s *Session) remember(id identity.ID, c Checked) {
	if c.Followed || errors.Is(c.Err, context.Canceled) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key := answerKey{id, c.Service.Origin}
	next := s.answers.kept[key]
	if c.Err != nil {
		next.Failed, next.Tried = &c, s.now()
	} else {
		next = Answered{Last: &c, At: s.now()}
	}
	s.answers.put(key, next)
}

// Answers gives what services answered about an event in this session, as far as that
// is kept. Nobody is asked.
func (s *Session) Answers(id identity.ID) map[identity.Origin]Answered {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make(map[identity.Origin]Answered)
	for key, a := range s.answers.kept {
		if key.id == id {
			out[key.origin] = a
		}
	}
	return out
}

// Newer reports whether an answer is newer than what the service showed as followed:
// by the service's own time where the answer has one, else by the clock here.
func (a Answered) Newer(f view.Followed) bool {
	switch {
	case a.Last == nil:
		return false
	case a.Last.Facts.Scope.AsOf > 0:
		return a.Last.Facts.Scope.AsOf >= f.AsOf
	}
	return a.At >= f.Seen()
}

// Newest gives what is newest of each service: the set that it was followed up to, or
// what it answered in this session. A question that failed after that is given too
// where something came of it: it can show what is there, never that it is not.
func Newest(shown []view.At, kept map[identity.Origin]Answered) []Checked {
	var out []Checked
	followed := make(map[identity.Origin]view.At)
	origins := make([]identity.Origin, 0, len(shown)+len(kept))
	for _, at := range shown {
		followed[at.Followed.Origin] = at
		origins = append(origins, at.Followed.Origin)
	}
	for origin := range kept {
		if _, both := followed[origin]; !both {
			origins = append(origins, origin)
		}
	}
	slices.Sort(origins)
	for _, origin := range origins {
		at, ok := followed[origin]
		a := kept[origin]
		switch {
		case a.Last != nil && (!ok || a.Newer(at.Followed)):
			out = append(out, *a.Last)
		case ok:
			c := Checked{Followed: true, Facts: at.Facts, Seen: at.Followed.Seen(), Missing: !at.Held && at.Facts.Scope.Complete}
			c.Service.Origin = origin
			out = append(out, c)
		}
		if a.Failed != nil && a.Failed.Facts.Scope.AsOf > 0 {
			out = append(out, *a.Failed)
		}
	}
	return out
}

// compared are the links that answers are compared by, in the order of differences.
var compared = []struct {
	kind     capsule.Type
	relation capsule.Relation
	ids      func(view.Facts) []identity.ID
}{
	{capsule.Retract, 0, func(f view.Facts) []identity.ID { return f.Retractions }},
	{capsule.Publish, capsule.Supersedes, func(f view.Facts) []identity.ID { return f.Successors }},
	{capsule.Assess, 0, func(f view.Facts) []identity.ID { return f.Assessments }},
}

// Differences compares answers about one event: what one service shows and another,
// which has the event and answered completely, does not. At most view.MaxDifferences
// are told; more counts others. It is no accusation: each answer has a moment of its
// own.
func Differences(all []Checked) (told []view.Difference, more int) {
	for _, by := range compared {
		shown := make(map[identity.ID][]identity.Origin)
		var order []identity.ID
		for _, c := range all {
			for _, id := range by.ids(c.Facts) {
				if shown[id] == nil {
					order = append(order, id)
				}
				if !slices.Contains(shown[id], c.Service.Origin) {
					shown[id] = append(shown[id], c.Service.Origin)
				}
			}
		}
		for _, id := range order {
			d := view.Difference{Event: id, Type: by.kind, Relation: by.relation, Shown: shown[id]}
			for _, c := range all {
				if c.whole() && !slices.Contains(d.Shown, c.Service.Origin) {
					d.Not = append(d.Not, c.Facts.Scope)
				}
			}
			switch {
			case len(d.Not) == 0:
			case len(told) == view.MaxDifferences:
				more++
			default:
				told = append(told, d)
			}
		}
	}
	return told, more
}

// whole reports whether the service has the event and its answer is complete.
func (c Checked) whole() bool { return c.Err == nil && !c.Missing && c.Facts.Scope.Complete }
