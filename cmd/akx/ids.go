package main

import (
	"context"
	"errors"
	"strings"

	"akx/cmd/akx/report"
	"akx/explore"
	"akx/view/fault"
	"akx/view/identity"
)

// fullID reads a complete event ID, with or without "id:".
func fullID(typed string) (identity.ID, error) {
	id, err := identity.ParseID(strings.TrimPrefix(typed, "id:"))
	if err != nil {
		return identity.ID{}, &fault.Usage{Detail: "not a full event ID: " + typed, Hint: "an event ID has 43 characters; akx show with its first 6 or more tells the rest of one that is held"}
	}
	return id, nil
}

// heldID reads the ID of an event that is held or waits, in full or its start: what a
// draft is about. The draft shows it in full, and signing asks for nothing less.
func heldID(ctx context.Context, s *explore.Session, typed string) (identity.ID, error) {
	if id, err := fullID(typed); err == nil {
		return id, nil
	}
	known, err := s.Resolve(ctx, typed)
	return known.ID, err
}

// inFull reads a complete event ID for a step that is not taken on less. Where the start
// of one that is held was given, the error says which ID that is.
func inFull(ctx context.Context, s *explore.Session, typed string) (identity.ID, error) {
	id, err := fullID(typed)
	if err == nil {
		return id, nil
	}
	known, unknown := s.Resolve(ctx, typed)
	if unknown != nil {
		return identity.ID{}, err
	}
	return identity.ID{}, &fault.Usage{Detail: "not a full event ID: " + typed, Hint: "this takes the ID in full; the one that begins so is " + report.Paste(known.ID.String())}
}

// anyID reads an ID that need not be held, or the start of one that is held or waits.
func anyID(ctx context.Context, s *explore.Session, typed string) (identity.ID, error) {
	id, err := heldID(ctx, s, typed)
	var absent *fault.NotHeld
	if errors.As(err, &absent) {
		absent.Hint = "a service is asked by the full ID, of 43 characters"
		return identity.ID{}, absent
	}
	return id, err
}
