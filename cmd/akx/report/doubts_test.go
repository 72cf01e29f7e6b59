package report

import (
	"strings"
	"testing"

	"akx/explore"
	"akx/view"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/identity"
)

// A service that contradicted itself, or whose clock is wrong, is not followed
// completely, however its last sync ended.
func TestDoubtedServices(t *testing.T) {
	const day = 86_400_000
	now := int64(1_773_480_000_000)
	whole := desk.Follow{Checkpoint: 9, Reached: 9, Complete: true, AsOf: now - 3*day, Tried: now - 2*day}
	for _, c := range []struct {
		name         string
		change       func(*desk.Follow)
		state, words string
		partial      bool
	}{
		{"honest", func(f *desk.Follow) { f.AsOf = now - 600_000; f.Tried = now }, "followed", "10 minutes ago", false},
		{"old", func(*desk.Follow) {}, "followed, STALE", "3 days ago", false},
		{"a sync failed", func(f *desk.Follow) {
			f.AsOf, f.Tried, f.Trouble = now-600_000, now, desk.Trouble{Code: fault.UnavailableCode, Detail: "no route"}
		}, "followed, STALE", "10 minutes ago", false},
		{"contradictions", func(f *desk.Follow) {
			f.Faults = []desk.ServiceFault{{Kind: desk.CheckpointBack, Before: 9, Now: 3}, {Kind: desk.SeqBack, Before: 5, Now: 3}}
		}, "followed, contradicts itself", "it contradicted itself: any check at it is PARTIAL; nothing that was proven is lost; akx service refollow hub follows it", true},
		{"a clock years ahead", func(f *desk.Follow) { f.AsOf = now + 1000*day }, "followed, PARTIAL", "asked 2 days ago", true},
		{"a clock years ahead, in words", func(f *desk.Follow) { f.AsOf = now + 1000*day }, "followed, PARTIAL", view.AheadWords, true},
		{"a clock that went back", func(f *desk.Follow) { f.ClockBack = true }, "followed, PARTIAL", view.BackWords, true},
	} {
		f := whole
		c.change(&f)
		service := desk.Service{Name: "hub", Origin: "https://hub.example", Enabled: true}
		list := &Services{Services: []Service{ServiceOf(service, f, now)}}
		text := flat(list)
		if got := list.Services[0].state().Text.String(); got != c.state || !strings.Contains(text, c.words) {
			t.Errorf("%s: %q in\n%s", c.name, got, text)
		}
		scope := ScopeOf(f.Followed(service.Origin).Scope()).Aged(now)
		stale := "STALE"
		if f.Trouble.Code != "" {
			stale = "STALE: the last sync failed"
		}
		if old := c.name != "honest"; scope.Stale != old || strings.HasSuffix(scope.words().String(), stale) != old {
			t.Errorf("%s: STALE is %t in %s", c.name, scope.Stale, scope.words())
		}
		s := &Sync{}
		s.Add(explore.Synced{Service: service, After: f}, nil, now)
		err, _ := s.Short().(*fault.Unavailable)
		if (err != nil) != c.partial || err != nil && err.Code != fault.Partial || s.Services[0].Scope.Complete == c.partial {
			t.Errorf("%s: a sync ends in %v", c.name, err)
		}
		cached := view.Facts{Scope: f.Followed(service.Origin).Scope(), Lifecycle: view.Partial}
		r := checkOf(explore.Checked{Service: service, Followed: true, Seen: f.Followed(service.Origin).Seen(), Facts: cached}, now)
		if text := flat(r); (r.Short() != nil) != c.partial || !strings.Contains(text, strings.SplitN(strings.SplitN(c.words, "; ", 2)[0], ": any", 2)[0]) {
			t.Errorf("%s: a check ends in %v:\n%s", c.name, r.Short(), text)
		}
	}
	q := QueriedOf(explore.Queried{Scope: view.Scope{Checkpoint: 3, AsOf: now, Reasons: []string{"its checkpoint is lower"}}}, nil, view.Scope{}, nil)
	if q.Short() == nil {
		t.Error("a query in an incomplete scope did not fall short")
	}
}

// checkOf is a check of one event at one service.
func checkOf(a explore.Checked, now int64) *Checks {
	facts := factsAt(a, func(error) *Failure { return nil }, now)
	return &Checks{Checks: []EventCheck{{ID: identity.ID{1}.String(), Services: []ServiceFacts{facts}}}}
}

// flat is a report's text with its line breaks taken out.
func flat(r interface{ Text(*Printer) }) string {
	var b strings.Builder
	p := NewPrinter(&b, Style{Plain: true})
	r.Text(p)
	if err := p.Flush(); err != nil {
		return err.Error()
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// Where a service answered nothing there is no scope to print, but a reason.
func TestNoScopeWithoutAnAnswer(t *testing.T) {
	reason := "the event itself is neither there nor here"
	r := checkOf(explore.Checked{Service: desk.Service{Name: "hub"}, Missing: true,
		Facts: view.Facts{Scope: view.Scope{Origin: "https://hub.example", Reasons: []string{reason}}}}, 5)
	text, json := flat(r), string(AppendJSON(nil, r))
	if strings.Contains(text, "1970") || strings.Contains(text, "#0") || !strings.Contains(text, reason) {
		t.Error(text)
	}
	if strings.Contains(json, "checkpoint") || !strings.Contains(json, `"answer":"missing"`) || !strings.Contains(json, `"reasons":["`+reason+`"]`) || r.Short() != nil {
		t.Error(json)
	}
}
