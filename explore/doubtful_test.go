package explore_test

import (
	"strings"
	"testing"

	"akx/explore"
	"akx/view/capsule"
	"akx/view/desk"
)

// advised gives what a preview of d says without blocking, in one text.
func (w *writing) advised(d desk.Draft) string {
	w.t.Helper()
	var all []string
	for _, p := range w.request(d).Shown.Check.Problems {
		if p.Severity == desk.Advises && p.Path != "/statement" { // its text has what cannot be seen
			all = append(all, p.Path+" "+p.Words)
		}
	}
	return strings.Join(all, "\n")
}

// A clock that differs from what services told is said before it is signed, and so is
// a nonce that stays beyond it.
func TestDoubtfulClockIsTold(t *testing.T) {
	both(t, func(t *testing.T, w *writing) {
		const day = int64(86_400_000)
		d := w.draft(explore.Start{Kind: capsule.Question})
		if words := w.advised(d); words != "" {
			t.Errorf("a right clock: %s", words)
		}
		_, _, err := w.lib.AcceptPage(t.Context(), hub, nil, desk.Follow{Checkpoint: 1, AsOf: w.clock, Complete: true, Reached: 1})
		if err != nil {
			t.Fatal(err)
		}
		for step, want := range map[int64]string{0: "", -400 * day: "400 days behind", 800 * day: "800 days ahead"} {
			w.pass(step)
			if words := w.advised(d); !strings.Contains(words, want) || want == "" && words != "" {
				t.Errorf("%d days off: %q", step/day, words)
			}
			w.pass(-step)
		}
		w.pass(3 * day)
		w.publish()
		w.pass(-3 * day)
		if words := w.advised(d); !strings.Contains(words, "the nonce is 3 days beyond the clock") {
			t.Errorf("after a clock that was ahead: %q", words)
		}
	})
}

// Who assesses a capsule of the same Agent ID is told so in every check, and also
// before it is known who signs.
func TestSelfAssessmentIsTold(t *testing.T) {
	both(t, func(t *testing.T, w *writing) {
		own := w.publish().Event
		d := w.draft(explore.Start{Assess: own.ID()})
		if words := w.advised(d); !strings.Contains(words, "/target is a capsule of your own") {
			t.Errorf("under the key: %q", words)
		}
		for mine, want := range map[bool]bool{true: true, false: false} {
			keys := w.request(d).Own
			if !mine {
				keys = nil
			}
			check, err := w.w.CheckDraft(t.Context(), d, keys)
			if err != nil {
				t.Fatal(err)
			}
			told := false
			for _, p := range check.Problems {
				told = told || p.Path == "/target" && p.Severity == desk.Advises
			}
			if told != want {
				t.Errorf("mine %v, told %v", mine, told)
			}
		}
	})
}
