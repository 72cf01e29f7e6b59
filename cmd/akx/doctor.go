package main

import (
	"context"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"akx/cache"
	"akx/cmd/akx/report"
	"akx/view/identity"
)

func (a *app) doctorCommand() *cobra.Command {
	var compact bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check the home and say the way out of what is wrong",
		Long: `Check the home directory: its place and mode, the settings, and every stored event,
which is proven again and compared with the indexes; drafts, the outbox, keys with their
nonces, and what edits of drafts left behind. Each problem names its way out;
a damaged file is never rebuilt over. The sample has no file to check. Nothing is
changed but by --compact, which writes the database of the cache anew, value by
value, without the room that it no longer needs.`,
		Example:     "  akx doctor\n  akx --json doctor\n  akx doctor --compact",
		Args:        a.noArgs,
		Annotations: map[string]string{lax: "true"},
		RunE:        func(cmd *cobra.Command, _ []string) error { return a.doctor(cmd.Context(), compact) },
	}
	cmd.Flags().BoolVar(&compact, "compact", false, "write the cache's database anew first")
	return cmd
}

func (a *app) doctor(ctx context.Context, compact bool) error {
	dir, from, err := a.homeDir()
	if err != nil {
		return err
	}
	r := &report.Doctor{Home: dir}
	if compact {
		if err := a.writable("doctor --compact"); err != nil {
			return err
		}
		before, after, err := cache.Compact(ctx, dir, a.cacheOptions())
		if err != nil {
			return err
		}
		r.Add(report.Finding{What: "compacted", State: "ok", Found: report.Size(before) + " before, " + report.Size(after) + " after"})
	}
	r.Add(homeFinding(dir, from))
	if origin, there, err := serviceOf(dir); err == nil && there && !a.flags.sample {
		r.Add(report.Finding{What: "role", State: "ok", Found: "the home of the service " + string(origin)})
		r.Add(a.numbersFinding(ctx, dir, origin))
	}
	a.settingsFindings(r)
	if a.flags.sample {
		r.Add(report.Finding{What: "sample", State: "ok", Found: "built into akx, without a file that could be damaged"})
		r.Add(report.Finding{What: "cache", State: "note", Found: "not checked: --sample reads the sample", Hint: "leave --sample out to check the cache of this home"})
		return a.emit(r, r.Short())
	}
	found, err := cache.Check(ctx, dir)
	if err != nil {
		return &short{r, err}
	}
	for _, f := range found {
		r.Add(cacheFinding(f))
	}
	for _, f := range a.authorityFindings(ctx, dir) {
		r.Add(f)
	}
	if _, service, err := serviceOf(dir); err == nil && !service {
		for _, f := range a.ownFindings(ctx, dir, r.Problems > 0) {
			r.Add(f)
		}
	}
	if r.Problems == 0 {
		r.Add(a.held(ctx))
	}
	return a.emit(r, r.Short())
}

func homeFinding(dir, from string) report.Finding {
	f := report.Finding{What: "home", State: "ok", Found: "from " + from}
	if _, err := os.Stat(dir); err != nil {
		f.Found += ", not there yet: it is made at the first import"
	}
	return f
}

// numbersFinding compares a service's database with the numbers that were given.
func (a *app) numbersFinding(ctx context.Context, dir string, origin identity.Origin) report.Finding {
	f := report.Finding{What: "numbers", State: "ok", Found: "none is given twice"}
	o := a.serviceOptions(origin)
	o.ReadOnly = true
	store, err := cache.Open(ctx, dir, o)
	if err == nil {
		defer store.Close()
		_, err = store.Checkpoint(ctx)
	}
	if err != nil {
		failure := report.FailureOf(err, "")
		f.State, f.Found, f.Hint = "problem", failure.Message, failure.Hint
	}
	return f
}

// settingsFindings adds every line of the settings that is wrong.
func (a *app) settingsFindings(r *report.Doctor) {
	if a.settled == nil {
		f := report.Finding{What: "settings", State: "ok", Found: "defaults"}
		if a.settings.exists {
			f.Found = a.settings.file
		}
		r.Add(f)
		return
	}
	for _, err := range each(a.settled) {
		failure := report.FailureOf(err, "")
		r.Add(report.Finding{What: "settings", State: "problem", Found: failure.Message, Hint: failure.Hint})
	}
}

func cacheFinding(f cache.Finding) report.Finding {
	out := report.Finding{What: f.What, State: "problem", Found: f.Detail, Hint: f.Hint}
	if f.Code == "" {
		out.State = "note"
	}
	if f.Count > 1 {
		out.Found += " (" + strconv.Itoa(f.Count) + " of them)"
	}
	for _, id := range f.Events {
		out.Events = append(out.Events, id.String())
	}
	return out
}

// held says what the cache holds, once nothing is wrong with it.
func (a *app) held(ctx context.Context) report.Finding {
	f := report.Finding{What: "cache", State: "ok"}
	h, err := a.openEither(ctx)
	if err == nil {
		defer h.close()
		stats, failed := h.session.Stats(ctx)
		if err = failed; err == nil {
			f.Found = report.Counted(stats.Events, "event") + ", " + strconv.Itoa(stats.Pending) + " pending, " + report.Size(stats.FileBytes)
			return f
		}
	}
	failure := report.FailureOf(err, "")
	return report.Finding{What: "cache", State: "problem", Found: failure.Message, Hint: failure.Hint}
}
