package report

import (
	"strings"
	"testing"

	"akx/explore"
	"akx/view"
	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
)

const checkNow = int64(1_773_480_000_000)

func answerOfService(name string, change func(*explore.Checked)) explore.Checked {
	c := explore.Checked{Service: desk.Service{Name: name, Origin: identity.Origin("https://" + name + ".example")}}
	c.Facts = view.Facts{Lifecycle: view.Active, Scope: view.Scope{Origin: string(c.Service.Origin), Checkpoint: 60, AsOf: checkNow, Complete: true}}
	if change != nil {
		change(&c)
	}
	return c
}

func failureOf(err error) *Failure {
	if err == nil {
		return nil
	}
	f := FailureOf(err, "")
	return &f
}

// adds is what a report adds to its text.
func adds(t *testing.T, r interface{ Text(*Printer) }) string { return printed(t, Style{}, r.Text) }

// Each answer is printed as it comes, and none twice; the differences come last, by
// the names of services.
func TestAnswersArePrintedAsTheyCome(t *testing.T) {
	correction := identity.ID{7}
	hub := answerOfService("hub", func(c *explore.Checked) { c.Facts.Successors = []identity.ID{correction} })
	lab := answerOfService("lab", nil)
	r := &Checks{}
	r.Stream()
	r.Begin(identity.ID{1})
	r.Answer(0, lab, failureOf, checkNow)
	first := adds(t, r)
	if !strings.HasPrefix(first, identity.ID{1}.String()+"\n") || !strings.Contains(first, "  lab        active in https://lab.example #60") {
		t.Errorf("first:\n%s", first)
	}
	if strings.Contains(first, "▌") {
		t.Errorf("a gutter without a title:\n%s", first)
	}
	r.Answer(0, hub, failureOf, checkNow)
	second := adds(t, r)
	if strings.Contains(second, "lab") || !strings.Contains(second, "  hub        active in https://hub.example") {
		t.Errorf("second:\n%s", second)
	}
	r.End([]explore.Checked{hub, lab})
	last := adds(t, r)
	if want := "  differs    correction " + correction.String() + " shown by hub; not shown by lab up to #60, as of 2026-03-14 09:20Z\n"; last != want {
		t.Errorf("last:\n%s\nwant:\n%s", last, want)
	}
	if adds(t, r) != "" {
		t.Error("it is printed twice")
	}
	if r.Checks[0].Services[0].Service != "hub" || r.Short() != nil {
		t.Errorf("the order is %v, the end %v", r.Checks[0].Services, r.Short())
	}
}

// PARTIAL is said once, with its reasons behind it.
func TestPartialIsSaidOnce(t *testing.T) {
	r := &Checks{}
	r.Begin(identity.ID{1})
	r.Answer(capsule.Publish, answerOfService("hub", func(c *explore.Checked) {
		c.Facts.Lifecycle, c.Facts.Scope.Complete, c.Facts.Scope.Reasons = view.Partial, false, []string{"one", "two"}
	}), failureOf, checkNow)
	text := adds(t, r)
	if strings.Count(text, "PARTIAL") != 1 || !strings.Contains(text, "PARTIAL in https://hub.example #60, 2026-03-14 09:20Z: one; two") {
		t.Errorf("%s", text)
	}
}

// A followed service that is not reached can answer from the cache; another one cannot.
func TestUnreachableFollowedServicesNameTheWayOn(t *testing.T) {
	for followed, want := range map[string]string{"hub": "akx check --cached answers for hub from what was followed", "lab": ""} {
		r := &Checks{}
		r.Follows([]string{followed})
		r.Begin(identity.ID{1})
		r.Answer(capsule.Publish, answerOfService("hub", func(c *explore.Checked) {
			c.Err = &fault.Unavailable{Code: fault.UnavailableCode, What: "hub", Detail: "no route"}
			c.Facts = view.Facts{Lifecycle: view.Partial}
		}), failureOf, checkNow)
		short, _ := r.Short().(*fault.Unavailable)
		if short == nil || short.Hint != want {
			t.Errorf("%s is followed: %+v", followed, short)
		}
	}
}

// A retraction is final at every service that shows it (7.1).
func TestARetractionIsFinalAtServices71(t *testing.T) {
	shown := view.Shown{At: []view.At{{Held: true, Facts: view.Facts{Lifecycle: view.Active}}, {Facts: view.Facts{Lifecycle: view.Unchecked}}}}
	states := statesOf(shown, capsule.Retract)
	if states[0].Lifecycle != "" || states[1].Lifecycle != view.Unchecked.String() {
		t.Errorf("%+v", states)
	}
	if states = statesOf(shown, capsule.Publish); states[0].Lifecycle != view.Active.String() {
		t.Errorf("%+v", states)
	}
}

// What broke off at the first attempt says where it goes on.
func TestABrokenFirstSyncSaysWhereItGoesOn(t *testing.T) {
	f := desk.Follow{Reached: 4000, Tried: checkNow, Trouble: desk.Trouble{Code: fault.Cancelled, Detail: "context canceled"}}
	text := adds(t, &Services{Services: []Service{ServiceOf(desk.Service{Name: "hub", Enabled: true}, f, checkNow)}})
	if !strings.Contains(text, "not followed yet: stored up to #4000, the next sync goes on there") || !strings.Contains(text, "last sync, 2026-03-14 09:20Z: it did not finish") {
		t.Errorf("%s", text)
	}
	if strings.Contains(text, "cancel") {
		t.Errorf("a code, or the words of a library:\n%s", text)
	}
}

// What is not known is absent in JSON, and never 0 or an empty list: whether the sources
// of a live check are active, and anything of a service that did not answer (9.6).
func TestWhatIsNotKnownIsAbsent_9_6(t *testing.T) {
	counts := func(v view.VerdictCount) []view.VerdictCount {
		return []view.VerdictCount{v, {Verdict: capsule.VerdictApplied}}
	}
	json := func(c explore.Checked) string {
		r := &Checks{}
		r.Begin(identity.ID{1})
		r.Answer(capsule.Publish, c, failureOf, checkNow)
		return string(AppendJSON(nil, r))
	}
	live := json(answerOfService("hub", func(c *explore.Checked) {
		c.Facts.Assessments = []identity.ID{{7}}
		c.Facts.Verdicts = counts(view.VerdictCount{Verdict: capsule.VerdictSupports, Unchecked: 1})
	}))
	if strings.Contains(live, "active_assessments") || !strings.Contains(live, `{"name":"supports","unchecked_count":1},{"name":"applied","active_count":0,"retracted_count":0,"self_count":0}`) {
		t.Errorf("live: %s", live)
	}
	followed := json(answerOfService("hub", func(c *explore.Checked) {
		c.Followed, c.Facts.Assessments = true, []identity.ID{{7}}
		c.Facts.Verdicts = counts(view.VerdictCount{Verdict: capsule.VerdictSupports, Retracted: 1})
	}))
	if !strings.Contains(followed, `"active_assessments":[]`) || !strings.Contains(followed, `{"name":"supports","active_count":0,"retracted_count":1,"self_count":0}`) {
		t.Errorf("followed: %s", followed)
	}
	down := json(answerOfService("hub", func(c *explore.Checked) {
		c.Err = &fault.Unavailable{Code: fault.UnavailableCode, What: "hub", Detail: "no route"}
		c.Facts = view.Facts{Lifecycle: view.Partial}
	}))
	if strings.Contains(down, `"facts"`) || strings.Contains(down, "assessments") {
		t.Errorf("unreachable: %s", down)
	}
}
