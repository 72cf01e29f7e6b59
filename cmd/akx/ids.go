package main

import (
	"context"
	"errors"
	"strings"

	"akx/explore"
	"akx/view/fault"
	"akx/view/identity"
)

// fullID reads a complete event ID, with or without "id:".
func fullID(typed string) (identity.ID, error) {
	id, err := identity.ParseID(strings.TrimPrefix(typed, "id:"))
	if err != nil {
		return identity.ID{}, &fault.Usage{Detail: "not a full event ID: " + typed, Hint: "an event ID has 43 characters"}
	}
	return id, nil
}

// anyID reads an ID that need not be held, or the start of one that is held or waits.
func anyID(ctx context.Context, s *explore.Session, typed string) (identity.ID, error) {
	if id, err := fullID(typed); err == nil {
		return id, nil
	}
	known, err := s.Resolve(ctx, typed)
	var absent *fault.NotHeld
	if errors.As(err, &absent) {
		absent.Hint = "a service is asked by the full ID, of 43 characters"
		return identity.ID{}, absent
	}
	return known.ID, err
}
