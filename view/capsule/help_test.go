package capsule

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"akx/view/fault"
	"akx/view/identity"
)

const testNow = 1_790_553_600_000

// signer gives the key of a published test seed: one byte, 32 times.
func signer(b byte) identity.Key { return identity.NewKey([32]byte(bytes.Repeat([]byte{b}, 32))) }

var (
	alice = signer(0x21)
	bob   = signer(0x22)
)

// valued is a payload that can be signed.
type valued interface{ Value() identity.Value }

func typeOf(p valued) Type {
	switch p.(type) {
	case PublishPayload:
		return Publish
	case AssessPayload:
		return Assess
	default:
		return Retract
	}
}

func signAt(t testing.TB, k identity.Key, at, nonce int64, p valued) Event {
	t.Helper()
	e, err := identity.Sign(k, identity.Draft{Protocol: Protocol, Type: typeOf(p).String(),
		CreatedAt: at, Nonce: nonce, Payload: p.Value()}, Format())
	if err != nil {
		t.Fatal(err)
	}
	event, err := Decode(e)
	if err != nil {
		t.Fatal(err)
	}
	return event
}

func sign(t testing.TB, k identity.Key, nonce int64, p valued) Event {
	t.Helper()
	return signAt(t, k, testNow, nonce, p)
}

func someContext() Context {
	return Context{Scope: "Some scope.", Conditions: []string{"One condition."}, Limitations: []string{"One limit."}}
}

func capsuleOf(kind Kind, links ...Link) PublishPayload {
	p := PublishPayload{License: "https://example.com/terms", Kind: kind, Title: "A title", Statement: "A statement.",
		Language: "en", Context: someContext(), Basis: "A basis.", Relations: links}
	if kind == Resource {
		p.Evidence = []Evidence{{URL: "https://example.com/data", Description: "The data.",
			Digest: identity.Digest{1}, Role: RoleOutput}}
	}
	return p
}

func reportOn(target identity.ID, v Verdict) AssessPayload {
	p := AssessPayload{License: "https://example.com/terms", Target: target, Verdict: v, Summary: "A summary.",
		Context: someContext(), Basis: "A basis."}
	if v.NeedsObserved() {
		p.Reproduction = &Reproduction{Environment: "Here.", Steps: []string{"Do.", "Do."}, Expected: "So.", Observed: "So."}
	}
	return p
}

func mustParse(t testing.TB, text string) identity.Value {
	t.Helper()
	v, err := identity.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%v in %.200s", err, text)
	}
	return v
}

func canonical(v identity.Value) string { return string(identity.AppendCanonical(nil, v)) }

// edit is one change of a JSON document: a nil value removes.
type edit struct {
	path  string
	value any
}

// edited applies edits to a JSON text by JSON pointers.
func edited(t testing.TB, text string, edits ...edit) string {
	t.Helper()
	var doc any
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&doc); err != nil {
		t.Fatal(err)
	}
	for _, e := range edits {
		doc = change(t, doc, strings.Split(e.path, "/")[1:], e.value)
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(doc); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func change(t testing.TB, doc any, path []string, value any) any {
	t.Helper()
	if len(path) == 0 {
		return value
	}
	switch doc := doc.(type) {
	case map[string]any:
		if len(path) == 1 && value == nil {
			delete(doc, path[0])
			return doc
		}
		doc[path[0]] = change(t, doc[path[0]], path[1:], value)
		return doc
	case []any:
		i, err := strconv.Atoi(path[0])
		if err != nil || i > len(doc) {
			t.Fatalf("no item %q", path[0])
		}
		if i == len(doc) {
			return append(doc, change(t, nil, path[1:], value))
		}
		doc[i] = change(t, doc[i], path[1:], value)
		return doc
	}
	t.Fatalf("no way to %v", path)
	return nil
}

func refusalOf(t testing.TB, err error) *fault.Refusal {
	t.Helper()
	var r *fault.Refusal
	if !errors.As(err, &r) {
		t.Fatalf("got %v, want a refusal", err)
	}
	return r
}

// shelf is a store of events for tests: it keeps in order and resolves by ID.
type shelf struct {
	events []Event
	fail   error
}

func (s *shelf) find(id identity.ID) Event {
	i := slices.IndexFunc(s.events, func(e Event) bool { return e.ID() == id })
	if i < 0 {
		return nil
	}
	return s.events[i]
}

func (s *shelf) Held(id identity.ID) (bool, error) { return s.find(id) != nil, s.fail }

func (s *shelf) Resolve(id identity.ID) (Target, bool, error) {
	e := s.find(id)
	return TargetOf(e), e != nil, s.fail
}

func (s *shelf) Keep(e Event) (uint64, error) {
	if s.fail != nil {
		return 0, s.fail
	}
	s.events = append(s.events, e)
	return uint64(len(s.events)), nil
}
