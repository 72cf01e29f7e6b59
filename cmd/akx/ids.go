package main

import (
	"strings"

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
