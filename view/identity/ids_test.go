package identity

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"akx/view/fault"
)

const someID = "txT8wzviFxiqJA9KzQKzRFJWCtZmVFiEybnYGddh1hw"

// idTexts start the fuzzing of IDs.
var idTexts = []string{
	someID, AgentPrefix + someID, strings.Repeat("A", 43), strings.Repeat("A", 86), strings.Repeat("_", 42) + "8", strings.Repeat("-", 42) + "x",
	"", someID + "=", someID[:42], someID + "A", someID[:42] + "x", "DID:agent:" + someID, AgentPrefix, strings.Repeat("A", 41) + "\n\n", strings.Repeat("A", 42) + "+", strings.Repeat("A", 85) + "B",
}

func TestCanonicalBase64url_AgentIdentity_4_2(t *testing.T) {
	if id, err := ParseID(someID); err != nil || id.String() != someID {
		t.Errorf("%s, %v", id, err)
	}
	for name, s := range map[string]string{
		"empty": "", "padding": someID + "=", "short": someID[:42], "long": someID + "A", "trailing bits": someID[:42] + "x",
		"plus": "+" + someID[1:], "slash": "/" + someID[1:], "line break": someID[:21] + "\n" + someID[22:], "space": " " + someID[1:],
		"not ASCII": "é" + someID[2:], "NUL": "\x00" + someID[1:],
	} {
		id, err := ParseID(s)
		wantStep(t, name, err, fault.StepHash)
		digest, err := ParseDigest(s)
		wantStep(t, name, err, fault.StepPayload)
		actor, err := ParseActor(AgentPrefix + s)
		wantStep(t, name, err, fault.StepActor)
		if !id.IsZero() || !digest.IsZero() || !actor.IsZero() {
			t.Errorf("%s: something beside an error", name)
		}
	}
	for _, s := range []string{"", someID, "did:agent", "did:Agent:" + someID, "did:agent: " + someID, " did:agent:" + someID, "did:agent:did:agent:" + someID} {
		_, err := ParseActor(s)
		wantStep(t, s, err, fault.StepActor)
	}
	for _, s := range []string{"", someID, strings.Repeat("A", 85) + "B", strings.Repeat("A", 88)} {
		_, err := ParseSignature(s)
		wantStep(t, s, err, fault.StepSignature)
	}
}

// The order of the text differs from that of the bytes (Agent Knowledge 7.2).
func TestSortIDs(t *testing.T) {
	texts := []string{"-", "0", "9", "A", "Z", "_", "a", "z"} // ASCII order
	var ids []ID
	for _, s := range texts {
		id, err := ParseID(s + strings.Repeat("A", 42))
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id, id)
	}
	slices.Reverse(ids)
	for i, id := range SortIDs(ids) {
		if id.String()[:1] != texts[i] {
			t.Errorf("place %d: %s", i, id)
		}
	}
}

func TestNonces_AgentIdentity_6_2(t *testing.T) {
	for _, c := range [][3]int64{{0, 0, 1}, {0, 5, 5}, {5, 5, 6}, {9, 5, 10}, {-3, 0, 1}, {MaxSafeInteger, 0, MaxSafeInteger + 1}, {1<<63 - 1, 1, MaxSafeInteger + 1}} {
		if got := NextNonce(c[0], c[1]); got != c[2] {
			t.Errorf("last %d, created %d: %d, want %d", c[0], c[1], got, c[2])
		}
	}
	for _, c := range []struct {
		next, now int64
		header    string
		want      int64 // 0 where refused
	}{
		{10, 1000, "0", 10}, {10, 1000, "9", 10}, {10, 1000, "10", 11}, {10, 1000, "4294968296", 4294968297}, {10, 1000, "4294968297", 0},
		{5000, 1000, "4294972296", 4294972297}, {5000, 1000, "4294972297", 0},
		{MaxSafeInteger - 5, 0, "9007199254740990", MaxSafeInteger}, {MaxSafeInteger - 5, 0, "9007199254740991", 0}, {1<<63 - 1, 1<<63 - 1, "1", 1<<63 - 1},
		{10, 0, "", 0}, {10, 0, "-1", 0}, {10, 0, "+11", 0}, {10, 0, " 11", 0}, {10, 0, "011", 0}, {10, 0, "1e1", 0}, {10, 0, "11.0", 0}, {10, 0, "99999999999999999999", 0}, {10, 0, "١١", 0},
	} {
		got, err := ApplyMaxSeen(c.next, c.now, c.header)
		if c.want != 0 {
			if err != nil || got != c.want {
				t.Errorf("%+v: %d, %v", c, got, err)
			}
			continue
		}
		var refusal *fault.Refusal
		if !errors.As(err, &refusal) || refusal.Code != fault.InvalidResponse || got != c.next {
			t.Errorf("%+v: %d, %v", c, got, err)
		}
	}
}
