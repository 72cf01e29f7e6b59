package main

import (
	"errors"
	"slices"
	"strconv"
	"strings"
)

// The checks of settings and flags; their errors name what would be right.

func oneOf(names ...string) func(string) error {
	return func(s string) error {
		if slices.Contains(names, s) {
			return nil
		}
		return errors.New("must be one of " + strings.Join(names, ", "))
	}
}

func truth(s string) error {
	if s == "true" || s == "false" {
		return nil
	}
	return errors.New("must be true or false")
}

func between(low, high int) func(string) error {
	return func(s string) error {
		n, err := strconv.Atoi(s)
		if err != nil || n < low || n > high || strconv.Itoa(n) != s {
			return errors.New("must be a number from " + strconv.Itoa(low) + " to " + strconv.Itoa(high))
		}
		return nil
	}
}

func noBlanks(s string) error {
	if strings.ContainsAny(s, " \t\n") {
		return errors.New("must be without blanks")
	}
	return nil
}
