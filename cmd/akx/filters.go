package main

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"akx/explore"
	"akx/view"
	"akx/view/capsule"
	"akx/view/fault"
)

// once is the value of a flag that has no meaning when it is given twice.
type once struct {
	value string
	given bool
	check func(string) error // nil takes everything
}

func (o *once) String() string { return o.value }
func (o *once) Type() string   { return "text" }

func (o *once) Set(s string) error {
	if o.given {
		return errors.New("given twice")
	}
	if o.check != nil {
		if err := o.check(s); err != nil {
			return err
		}
	}
	o.value, o.given = s, true
	return nil
}

// filterAbout says what each filter of 9.3 lists, by its wire name.
var filterAbout = map[string]string{
	"actor":          "events signed by this Agent ID",
	"type":           "events of this type: publish, assess or retract",
	"kind":           "publications of this kind, by name or letter (QHDOIPRNSC)",
	"target":         "events that point at this ID",
	"relation":       "publications with this relation (with --target: to it)",
	"tag":            "publications with exactly this tag",
	"profile":        "events that declare this profile digest",
	"language":       "publications in this language label",
	"verdict":        "assessments with this verdict",
	"created_from":   "events created at this time or later: RFC 3339, a date, or ms",
	"created_before": "events created before this time",
}

// filters are the flags of the exact filters of 9.3.
type filters struct{ byName map[string]*once }

func addFilters(cmd *cobra.Command) *filters {
	f := &filters{byName: map[string]*once{}}
	for _, name := range capsule.FilterNames() {
		v := &once{}
		f.byName[name] = v
		cmd.Flags().Var(v, flagName(name), filterAbout[name])
	}
	return f
}

func flagName(wire string) string { return strings.ReplaceAll(wire, "_", "-") }

// filter reads the flags. Targets may be the start of an ID.
func (f *filters) filter(ctx context.Context, s *explore.Session) (capsule.Filter, error) {
	var out capsule.Filter
	for _, name := range capsule.FilterNames() {
		v := f.byName[name]
		if !v.given {
			continue
		}
		text, err := filterText(ctx, s, name, v.value)
		if err == nil {
			_, err = out.ParseFilter(name, text)
		}
		if err != nil {
			return out, wrongFlag(name, err)
		}
	}
	if err := out.Check(); err != nil {
		return out, &fault.Usage{Detail: "--created-from must be before --created-before"}
	}
	return out, nil
}

// filterText gives the wire text of a filter as typed.
func filterText(ctx context.Context, s *explore.Session, name, typed string) (string, error) {
	switch name {
	case "kind":
		for _, k := range capsule.Kinds() {
			if len(typed) == 1 && strings.EqualFold(typed, string(k.Letter())) {
				return k.String(), nil
			}
		}
	case "type":
		if _, ok := capsule.ParseType("knowledge." + typed); ok {
			return "knowledge." + typed, nil
		}
	case "target":
		known, err := resolveTarget(ctx, s, typed)
		return known, err
	case "created_from", "created_before":
		ms, err := parseTime(typed)
		return strconv.FormatInt(ms, 10), err
	}
	return typed, nil
}

// resolveTarget reads an ID that need not be held: what points at an event may be
// held without it.
func resolveTarget(ctx context.Context, s *explore.Session, typed string) (string, error) {
	if id, err := fullID(typed); err == nil {
		return id.String(), nil
	}
	known, err := s.Resolve(ctx, typed)
	return known.ID.String(), err
}

// wrongFlag turns what a filter refuses into wrong usage; what is not held stays so.
func wrongFlag(name string, err error) error {
	var refusal *fault.Refusal
	if errors.As(err, &refusal) {
		return &fault.Usage{Detail: "--" + flagName(name) + ": " + refusal.Detail, Hint: "--" + flagName(name) + " lists " + filterAbout[name]}
	}
	return err
}

// parseTime reads RFC 3339, a date in UTC, or Unix milliseconds.
func parseTime(s string) (int64, error) {
	for _, layout := range []string{time.RFC3339Nano, time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UnixMilli(), nil
		}
	}
	ms, err := strconv.ParseInt(s, 10, 64)
	if err != nil || ms < 0 {
		return 0, &fault.Usage{Detail: "not a time: " + s, Hint: "write 2026-03-14T09:41:00Z, 2026-03-14, or Unix milliseconds"}
	}
	return ms, nil
}

// listFlags are the flags of commands that list.
type listFlags struct{ after, limit, sort *once }

var sortNames = []string{"newest", "created", "title"}

func addListFlags(cmd *cobra.Command, sorts bool) *listFlags {
	f := &listFlags{after: &once{}, limit: &once{check: between(0, 1<<31-1)}, sort: &once{check: oneOf(sortNames...)}}
	cmd.Flags().Var(f.after, "after", "go on behind an earlier list: its next_after, as printed")
	cmd.Flags().Var(f.limit, "limit", "rows to list; 0 lists all (default 50)")
	if sorts {
		cmd.Flags().Var(f.sort, "sort", "newest (arrival), created or title (default newest)")
	}
	return f
}

func (f *listFlags) order(s *settings) view.Sort {
	name := s.text("sort")
	if f.sort.given {
		name = f.sort.value
	}
	for i, n := range sortNames {
		if n == name {
			return view.Sort(i)
		}
	}
	return view.Newest
}
