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
		{"never reached", ServiceNow{Follow: desk.Follow{Trouble: timeout}}, false, "never reached", "hub down"},
		{"stopped before anything came", ServiceNow{Follow: desk.Follow{Trouble: desk.Trouble{Code: fault.Cancelled}}}, false, "not followed", "hub live"},
		{"followed", ServiceNow{Follow: with(whole, time.Minute, nil)}, false, "ok", "hub#40 11:59Z ok"},
		{"a clock ahead", ServiceNow{Follow: with(whole, -time.Minute, nil)}, false, "ok", "hub#40 11-30 ok"},
		{"at the bound", ServiceNow{Follow: with(whole, StaleAfter, nil)}, false, "ok", "hub#40 11:00Z ok"},
		{"old", ServiceNow{Follow: with(whole, 2*time.Hour, nil)}, false, "STALE 2h", "hub#40 STALE 2h"},
		{"very old", ServiceNow{Follow: with(whole, 80*time.Hour, nil)}, false, "STALE 3d", "hub#40 STALE 3d"},
		{"a failed attempt since", ServiceNow{Follow: with(whole, time.Minute, func(f *desk.Follow) { f.Trouble = timeout })}, false, "STALE 1m", "hub#40 STALE 1m"},
		{"records that are no events", ServiceNow{Follow: with(whole, time.Minute, func(f *desk.Follow) { f.Exceptions = 2 })}, false, "PARTIAL: exceptions", "hub#40 PARTIAL"},
		{"it contradicted itself", ServiceNow{Follow: with(whole, 2*time.Hour, func(f *desk.Follow) { f.Faults, f.Exceptions = make([]desk.ServiceFault, 2), 1 })}, false, "contradicts itself", "hub#40 contradicts itself"},
		{"a clock years ahead, asked long ago", ServiceNow{Follow: with(whole, -9000*time.Hour, func(f *desk.Follow) { f.Tried = ago(80 * time.Hour) })}, false, "PARTIAL: its clock is off", "hub#40 PARTIAL"},
		{"broken off now", ServiceNow{Follow: with(whole, time.Minute, func(f *desk.Follow) { f.Trouble, f.Reached = timeout, 60 }), Pages: 2}, false, "PARTIAL page 3", "hub#40 PARTIAL"},
		{"broken off before", ServiceNow{Follow: with(whole, time.Minute, func(f *desk.Follow) { f.Trouble, f.Reached = timeout, 60 })}, false, "PARTIAL after #60", "hub#40 PARTIAL"},
		{"disabled", ServiceNow{Follow: with(whole, time.Minute, nil)}, true, "disabled", "hub#40 disabled"},
		{"one page", ServiceNow{Syncing: true, Pages: 1, Records: 1}, false, "syncing: 1 page, 1 record", "hub syncing 1"},
		{"pages", ServiceNow{Syncing: true, Pages: 3, Records: 3000, Follow: with(whole, time.Minute, nil)}, false, "syncing: 3 pages, 3,000 records", "hub syncing 3,000"},
	} {
		c.now.Service = desk.Service{Name: "hub", Enabled: !c.disabled}
		if got := plain(ServiceState(c.now, serviceNow)); got != c.state {
			t.Errorf("%s: the state is %q, want %q", c.name, got, c.state)
		}
		if got := plain(ServiceBrief(c.now, serviceNow)); got != c.brief {
			t.Errorf("%s: in the top row %q, want %q", c.name, got, c.brief)
		}
	}
}
