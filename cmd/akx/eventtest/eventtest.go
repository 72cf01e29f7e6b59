// Package eventtest checks what akx makes with the standard library alone, sharing no
// code with it: events of Agent-First Data v1 by the rules of its protocol, and signed
// envelopes. It is for tests only: nothing but _test files imports it.
package eventtest

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Event checks one event; strict adds what the strict profile asks for.
func Event(line []byte, strict bool) error {
	var event map[string]json.RawMessage
	if err := json.Unmarshal(line, &event); err != nil {
		return err
	}
	var kind string
	if err := json.Unmarshal(event["kind"], &kind); err != nil {
		return fmt.Errorf("kind: %w", err)
	}
	switch kind {
	case "result", "error", "progress", "log":
	default:
		return fmt.Errorf("unknown kind %q", kind)
	}
	payload, ok := event[kind]
	if !ok {
		return fmt.Errorf("no %s member", kind)
	}
	for name := range event {
		if name != "kind" && name != kind && name != "trace" {
			return fmt.Errorf("top-level member %q", name)
		}
	}
	if err := checkTrace(event["trace"], strict); err != nil {
		return err
	}
	if kind == "error" {
		return checkError(payload, strict)
	}
	return nil
}

func checkTrace(trace json.RawMessage, strict bool) error {
	if trace == nil && !strict {
		return nil
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(trace, &members); err != nil || members == nil {
		return errors.New("trace is no object")
	}
	return nil
}

func checkError(payload json.RawMessage, strict bool) error {
	var members map[string]any
	if err := json.Unmarshal(payload, &members); err != nil {
		return err
	}
	for _, name := range []string{"code", "message"} {
		if text, ok := members[name].(string); !ok || text == "" {
			return fmt.Errorf("error.%s is no text", name)
		}
	}
	if hint, there := members["hint"]; there {
		if _, ok := hint.(string); !ok {
			return errors.New("error.hint is no text")
		}
	}
	if _, ok := members["retryable"].(bool); strict && !ok {
		return errors.New("error.retryable is no truth value")
	}
	return nil
}

// Stream checks the life of a finite stream: (log | progress)*, then one result or
// error, then nothing.
func Stream(lines [][]byte, strict bool) error {
	ended := false
	for i, line := range lines {
		if ended {
			return errors.New("an event after the terminal one")
		}
		if err := Event(line, strict); err != nil {
			return fmt.Errorf("event %d: %w", i+1, err)
		}
		var event struct{ Kind string }
		if err := json.Unmarshal(line, &event); err != nil {
			return err
		}
		ended = event.Kind == "result" || event.Kind == "error"
	}
	if !ended {
		return errors.New("no terminal event")
	}
	return nil
}
