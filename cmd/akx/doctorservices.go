package main

import (
	"context"

	"akx/cache"
	"akx/cmd/akx/report"
)

// authorityFindings checks the CA files that the services of a home need. Services
// that cannot be read are told by the check of their file.
func (a *app) authorityFindings(ctx context.Context, dir string) []report.Finding {
	o := a.cacheOptions()
	o.ReadOnly = true
	store, err := cache.Open(ctx, dir, o)
	if err != nil {
		return nil
	}
	defer store.Close()
	services, err := store.Services(ctx)
	if err != nil {
		return nil
	}
	var found []report.Finding
	for _, s := range services {
		if s.CAFile == "" {
			continue
		}
		if _, err := readCA(s.CAFile); err != nil {
			failure := report.FailureOf(a.unusableCA(s, err), "")
			found = append(found, report.Finding{What: "service", State: "problem", Found: failure.Message, Hint: failure.Hint})
		}
	}
	return found
}
