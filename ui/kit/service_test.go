package kit

import (
	"strings"
	"testing"
	"time"

	"akx/ui/draw"
	"akx/view/desk"
	"akx/view/fault"
)

var serviceNow = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func ago(d time.Duration) int64 { return serviceNow.Add(-d).UnixMilli() }

func plain(l draw.Line) string {
	var b strings.Builder
	for _, s := range l {
		b.WriteString(s.Text.String())
	}
	return b.String()
}

// A service's state is said in words, never better than what is known.
func TestServiceConditions(t *testing.T) {
	timeout := desk.Trouble{Code: fault.UnavailableCode, Detail: "timeout"}
	whole := desk.Follow{Checkpoint: 40, Reached: 40, Complete: true}
	with := func(f desk.Follow, age time.Duration, change func(*desk.Follow)) desk.Follow {
		f.AsOf = ago(age)
		if change != nil {
			change(&f)
		}
		return f
	}
	for _, c := range []struct {
		name         string
		now          ServiceNow
		disabled     bool
		state, brief string
	}{
		{"never asked", ServiceNow{}, false, "not followed", "hub live"},
		{"not reached", ServiceNow{Follow: desk.Follow{Trouble: timeout}}, false, "not reached", "hub down"},
		{"not reached by a question", ServiceNow{Asked: ago(time.Minute), Unreached: true}, false, "not reached", "hub down"},
		{"a sync failed, then it answered", ServiceNow{Follow: desk.Follow{Trouble: timeout, Tried: ago(time.Hour)}, Asked: ago(time.Minute), Answered: ago(time.Minute)}, false, "the last sync failed", "hub live"},
		{"it answered, then a sync failed", ServiceNow{Follow: desk.Follow{Trouble: timeout, Tried: ago(time.Minute)}, Asked: ago(time.Minute), Unreached: true, Answered: ago(time.Hour)}, false, "the last sync failed", "hub down"},
		{"another process did not reach it since", ServiceNow{Follow: desk.Follow{Trouble: timeout, Tried: ago(time.Minute)}, Asked: ago(time.Hour), Answered: ago(time.Hour)}, false, "the last sync failed", "hub down"},
		{"stopped before anything came", ServiceNow{Follow: desk.Follow{Trouble: desk.Trouble{Code: fault.Cancelled}}}, false, "not followed", "hub live"},
		{"followed", ServiceNow{Follow: with(whole, time.Minute, nil)}, false, "ok", "hub#40 11:59Z ok"},
		{"followed, and not reached since", ServiceNow{Follow: with(whole, time.Minute, nil), Asked: ago(0), Unreached: true}, false, "not reached", "hub#40 11:59Z down"},
		{"old, and not reached since", ServiceNow{Follow: with(whole, 2*time.Hour, nil), Asked: ago(0), Unreached: true}, false, "STALE 2h, not reached", "hub#40 STALE 2h down"},
		{"a failed attempt, then it answered", ServiceNow{Follow: with(whole, time.Minute, func(f *desk.Follow) { f.Trouble, f.Tried = timeout, ago(time.Minute) }), Asked: ago(0), Answered: ago(0)}, false, "ok", "hub#40 11:59Z ok"},
		{"a clock ahead", ServiceNow{Follow: with(whole, -time.Minute, nil)}, false, "ok", "hub#40 11-30 ok"},
		{"at the bound", ServiceNow{Follow: with(whole, StaleAfter, nil)}, false, "ok", "hub#40 11:00Z ok"},
		{"old", ServiceNow{Follow: with(whole, 2*time.Hour, nil)}, false, "STALE 2h", "hub#40 STALE 2h"},
		{"very old", ServiceNow{Follow: with(whole, 80*time.Hour, nil)}, false, "STALE 3d", "hub#40 STALE 3d"},
		{"a failed attempt since", ServiceNow{Follow: with(whole, time.Minute, func(f *desk.Follow) { f.Trouble = timeout })}, false, "STALE 1m", "hub#40 STALE 1m"},
		{"records that are no events", ServiceNow{Follow: with(whole, time.Minute, func(f *desk.Follow) { f.Exceptions = 2 })}, false, "PARTIAL: exceptions", "hub#40 PARTIAL"},
		{"it contradicted itself", ServiceNow{Follow: with(whole, 2*time.Hour, func(f *desk.Follow) { f.Faults, f.Exceptions = make([]desk.ServiceFault, 2), 1 })}, false, "contradicts itself", "hub#40 contradicts itself"},
		{"a clock years ahead, asked long ago", ServiceNow{Follow: with(whole, -9000*time.Hour, func(f *desk.Follow) { f.Tried = ago(80 * time.Hour) })}, false, "PARTIAL: its clock is off", "hub#40 PARTIAL"},
		{"broken off now", ServiceNow{Follow: with(whole, time.Minute, func(f *desk.Follow) { f.Trouble, f.Reached = timeout, 60 }), Sync: SyncNow{Pages: 2}}, false, "PARTIAL page 3", "hub#40 PARTIAL"},
		{"broken off before", ServiceNow{Follow: with(whole, time.Minute, func(f *desk.Follow) { f.Trouble, f.Reached = timeout, 60 })}, false, "PARTIAL after #60", "hub#40 PARTIAL"},
		{"disabled", ServiceNow{Follow: with(whole, time.Minute, nil)}, true, "disabled", "hub#40 disabled"},
		{"no page yet", ServiceNow{Syncing: true}, false, "syncing", "hub syncing 0"},
		{"one page", ServiceNow{Syncing: true, Sync: SyncNow{Pages: 1, Records: 1, Reached: 1, Checkpoint: 3}}, false, "syncing 33%, 1 event", "hub syncing 33%"},
		{"pages", ServiceNow{Syncing: true, Sync: SyncNow{Pages: 3, Records: 3000, From: 40, Reached: 3040, Checkpoint: 6040}, Follow: with(whole, time.Minute, nil)}, false, "syncing 50%, 3,000 events", "hub syncing 50%"},
	} {
		c.now.Service = desk.Service{Name: "hub", Enabled: !c.disabled}
		if got := plain(ServiceState(c.now, serviceNow, 26)); got != c.state {
			t.Errorf("%s: the state is %q, want %q", c.name, got, c.state)
		}
		if got := plain(ServiceBrief(c.now, serviceNow)); got != c.brief {
			t.Errorf("%s: in the top row %q, want %q", c.name, got, c.brief)
		}
	}
}

// The progress of a sync says as much as there is room for, and the share in any case.
func TestSyncProgressFillsItsRoom(t *testing.T) {
	n := ServiceNow{Service: desk.Service{Name: "hub", Enabled: true}, Syncing: true,
		Sync: SyncNow{Pages: 5, Records: 5000, Bytes: 10 << 20, Reached: 5000, Checkpoint: 20_000, Began: ago(2 * time.Second)}}
	for columns, want := range map[int]string{
		120: "syncing 25% [#####...............], 5,000 events, #5000 of #20000, 10.0 MiB, 2,500/s",
		70:  "syncing 25%, 5,000 events, #5000 of #20000, 10.0 MiB, 2,500/s",
		44:  "syncing 25%, 5,000 events, #5000 of #20000",
		26:  "syncing 25%, 5,000 events",
		22:  "syncing 25%",
		5:   "syncing 25%",
	} {
		if got := plain(ServiceState(n, serviceNow, columns)); got != want {
			t.Errorf("%d columns: %q, want %q", columns, got, want)
		}
	}
}
