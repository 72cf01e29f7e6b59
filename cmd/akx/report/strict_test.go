package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"akx/cmd/akx/eventtest"
	"akx/view"
	"akx/view/fault"
)

func afdata(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../../../shared/conformance/afdata", name))
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("no conformance data beside the repository")
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

func TestAFDataEvents(t *testing.T) {
	var cases []struct {
		Name, Type        string
		Args              map[string]json.RawMessage
		Expected, Invalid json.RawMessage
	}
	afdata(t, "protocol.json", &cases)
	for _, c := range cases {
		switch {
		case c.Invalid != nil:
			if err := eventtest.Event(c.Invalid, false); err == nil {
				t.Errorf("%s: accepted", c.Name)
			}
		case eventtest.Event(c.Expected, true) != nil:
			t.Errorf("%s: %v", c.Name, eventtest.Event(c.Expected, true))
		}
	}
	if len(cases) < 15 {
		t.Errorf("only %d cases", len(cases))
	}
}

func TestAFDataStreams(t *testing.T) {
	var cases []struct {
		Name   string
		Valid  bool
		Events []json.RawMessage
	}
	afdata(t, "protocol_streams.json", &cases)
	for _, c := range cases {
		var lines [][]byte
		for _, e := range c.Events {
			lines = append(lines, e)
		}
		if err := eventtest.Stream(lines, false); (err == nil) != c.Valid {
			t.Errorf("%s: %v", c.Name, err)
		}
	}
}

// samples is one report of each kind, with hostile text in every foreign field.
func samples() map[string]Report {
	const evil = "a\x1b]52;c;x\x07\u202e\u200b\u009b\U000e0041\x7f\"\\\n"
	scope := Scope{Origin: "https://hub.example/" + evil, Checkpoint: 7, AsOf: 1_795_996_800_000, Reasons: []string{evil}}
	entry := Entry{ID: "-Ab", Type: "knowledge.publish", Kind: "question", Actor: "did:agent:x", Title: evil, Lifecycle: "active", Tags: []string{evil}}
	refused := Refused{File: evil, Where: "line 1", Refusal: Refusal{Step: "hash", Code: "invalid_event_hash", Path: "/" + evil, Detail: evil}}
	waiting := Waiting{ID: "-Ab", Type: "knowledge.assess", Title: evil, Missing: []string{"-Ac"}}
	failure := FailureOf(&fault.Unavailable{Code: fault.Locked, What: evil, Hint: evil}, "")
	service := Service{Name: "hub", Origin: evil, CAFile: evil, AllowPrivate: true, Ask: "never",
		Follow:     Follow{Scope: &scope, Reached: 9, Exception: 2, Tried: 1, Trouble: &Trouble{"partial", evil}, Faults: []ServiceFault{{Kind: "seq_back", ID: "-Ab"}, {Kind: "after_refused"}}},
		Exceptions: []Exception{{Seq: 3, ID: "-Ab", Code: evil, Detail: evil}}}
	record := RefusedRecord{Where: evil, ID: "-Ab", Refusal: refused.Refusal}
	differs := Difference{ID: "-Ac", What: "retraction", Shown: []string{evil}, Not: []Scope{scope}}
	var checks []ServiceFacts
	for _, answer := range []string{answerComplete, answerMissing, answerPartial, answerUnreachable, answerUnasked} {
		checks = append(checks, ServiceFacts{Service: "hub", Answer: answer, Lifecycle: "PARTIAL", Scope: &scope, Error: &failure, Cached: true,
			Facts: &Facts{Retractions: []string{"-Ac"}, Successors: []string{"-Ad"}, Verdicts: []NamedCount{{Name: "applied", Unchecked: 1}}}})
	}
	all := writingSamples(evil, entry, scope, &failure)
	maps.Copy(all, map[string]Report{
		"list":        &List{Events: []Entry{entry}, Scope: scope, Sort: "newest", Terms: []string{evil}, Next: "id:-Ab"},
		"pending":     &Pending{Events: []Waiting{waiting}, Count: 1, Next: "id:-Ab"},
		"dropped":     &Dropped{Count: 2},
		"import":      &Import{Files: []ImportFile{{Name: evil, Error: &failure}}, Waiting: []Waiting{waiting}, Refusals: []Refused{refused}},
		"verify":      &Verify{Verified: []Verified{{File: evil, Where: "line 1", Title: evil, Checks: []Check{{"hash", "failed"}}, Targets: []Target{{ID: "-Ab", Found: "unknown"}}, Refusal: &refused.Refusal}}, Files: []VerifyFile{{Name: evil, Error: &failure}}},
		"links":       &Links{ID: "-Ab", subject: entry, Lifecycle: "active", Scope: scope, Groups: []LinkGroup{{Type: "knowledge.publish", Relation: "tests", Active: 2, Events: []Entry{entry}, More: 1}}},
		"assessments": &Review{ID: "-Ab", subject: entry, Scope: scope, Verdicts: []NamedCount{{"applied", &Standing{1, 1, 1}, 1}}, Reports: []Assessment{{Entry: entry, Summary: evil, ContextScope: evil, Environment: evil, Observed: evil, Self: true, Retractions: []Retraction{{ID: "-Ac", Reason: evil}}}}},
		"versions":    &Versions{ID: "-Ab", Scope: scope, Nodes: []Version{{Entry: entry}}, tree: view.Versions{Nodes: []view.Version{{}}}},
		"conformance": &Conformance{Passed: 1, Failed: 1, Failures: []CaseFail{{evil, evil, evil, evil, evil}}},
		"config":      &Config{Home: evil, File: evil, Settings: []Setting{{"theme", evil, evil, "auto or dark"}}},
		"doctor":      &Doctor{Home: evil, Findings: []Finding{{"cache", "problem", evil, evil, []string{"-Ab"}}}, Problems: 1},
		"version":     &Build{Version: "development", Go: "go1", Platform: "linux"},
		"services":    &Services{Services: []Service{service}},
		"changed":     &ServiceChanged{Done: "added", Service: service},
		"offers":      &ServiceChecks{Services: []ServiceCheck{{Name: "hub", Origin: evil, Features: []string{evil}, Modes: []string{evil}, Limits: []ServiceLimit{{evil, 1}}, Peers: []string{evil}}, {Name: "lab", Error: &failure}}},
		"peers":       &Peers{Peers: []Peer{{Origin: evil, By: []string{evil}, Known: "hub"}}, Asked: []Asked{{Name: "lab", Error: &failure}}},
		"sync":        &Sync{Services: []Synced{{Name: "hub", Origin: evil, Records: 3, Counts: Counts{Added: 1, Refused: 1}, Follow: service.Follow, Retried: &Retried{Tried: 2, Limited: true}, Fetched: &Fetched{Asked: 2, Limit: "fetch_depth"}, Refusals: []RefusedRecord{record}, Error: &failure}}},
		"fetched":     &PendingFetched{Fetched: Fetched{Asked: 3, Limit: "fetch_bytes", Missing: []string{"-Ab"}}, Pending: 2, Error: &failure},
		"query":       &Queried{Service: "hub", Scope: scope, LocalScope: scope, Events: []Entry{entry}, Total: 3, More: 1, Refusals: []RefusedRecord{record}, Error: &failure},
		"found":       &Found{Service: "hub", Scope: scope, LocalScope: scope, Hits: []Hit{{Rank: 1, Entry: entry, Seq: 3, Explanation: evil}}, Ranking: Ranking{"lexical", evil}, Coverage: Coverage{Reasons: []string{evil, "timeout"}}, Refusals: []RefusedRecord{record}},
		"checks":      &Checks{Checks: []EventCheck{{ID: "-Ab", Actor: entry.Actor, Title: evil, Services: checks, Differences: []Difference{differs}}}},
		"help":        &Help{Command: "akx", Help: "text\n"},
		"completion":  &Script{Shell: "bash", Script: "text\n"},
	})
	for _, r := range all {
		if n, ok := r.(Naming); ok {
			n.NameActors(map[string]string{entry.Actor: evil})
		}
	}
	return all
}

func TestReportsAsStrictEvents(t *testing.T) {
	for name, r := range samples() {
		var out, errs bytes.Buffer
		s := NewStream(&out, &errs)
		must(t, s.Progress(Progress{Message: "importing", File: "a\x1bb"}), s.Note("n\x1b"), s.Result(r))
		if err := s.Result(r); !errors.Is(err, ErrEnded) {
			t.Errorf("%s: a second terminal event: %v", name, err)
		}
		lines := append(split(errs.Bytes()), split(out.Bytes())...)
		if err := eventtest.Stream(lines, true); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out.String())
		}
		harmless(t, name, out.Bytes())
		harmless(t, name, errs.Bytes())
		if bytes.Contains(out.Bytes(), []byte("null")) {
			t.Errorf("%s: null in %s", name, out.String())
		}
	}
}

func TestFailuresAsStrictEvents(t *testing.T) {
	for name, r := range samples() {
		var out, errs bytes.Buffer
		s := NewStream(&out, &errs)
		f := FailureOf(&fault.Usage{Code: fault.AmbiguousID, Detail: "x\x1b", Candidates: []string{"-Ab"}}, "")
		f.Done = r
		must(t, s.Fail(f))
		if out.Len() > 0 {
			t.Errorf("%s: an error on the standard output", name)
		}
		if err := eventtest.Stream(split(errs.Bytes()), true); err != nil {
			t.Errorf("%s: %v\n%s", name, err, errs.String())
		}
		var event struct{ Error map[string]any }
		must(t, json.Unmarshal(errs.Bytes(), &event))
		var members map[string]any
		must(t, json.Unmarshal(AppendJSON(nil, r), &members))
		for member := range members {
			if event.Error[member] == nil {
				t.Errorf("%s: member %s is not beside the code", name, member)
			}
		}
		for _, own := range []string{"code", "message", "hint", "retryable", "candidates", "missing"} {
			if _, clash := members[own]; clash {
				t.Errorf("%s: member %s would hide that of the error", name, own)
			}
		}
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// A result that cannot be written is followed by an error that can.
func TestResultThatCannotBeWritten(t *testing.T) {
	var errs bytes.Buffer
	s := NewStream(fullDisk{}, &errs)
	err := s.Result(&Dropped{})
	if err == nil {
		t.Fatal("no error")
	}
	must(t, s.Fail(FailureOf(err, fault.UnavailableCode)))
	must(t, eventtest.Stream(split(errs.Bytes()), true))
}

func TestLogAsStrictEvents(t *testing.T) {
	entry := struct {
		Level   string `json:"level"`
		Message string `json:"message"`
	}{"info", "a\x1b"}
	line := AppendLog(nil, entry)
	must(t, eventtest.Event(line, true))
	harmless(t, "log", line)
}

func TestEveryErrorHasCodeAndMessage(t *testing.T) {
	for _, err := range []error{
		errors.New("plain"), errors.New(""), &fault.Usage{}, &fault.NotHeld{ID: "x"}, &fault.Damaged{What: "f"},
		&fault.Unavailable{}, fault.Refuse(fault.StepHash, "/hash", ""),
	} {
		if e := eventtest.Event(appendEvent(nil, "error", FailureOf(err, fault.UnavailableCode).appendJSON(nil)), true); e != nil {
			t.Errorf("%T: %v", err, e)
		}
	}
}

// TestTextIsHarmless prints every report in every style: only akx's own colour
// sequences may act, and only where colour was asked for.
func TestTextIsHarmless(t *testing.T) {
	for name, r := range samples() {
		for _, style := range []Style{{}, {Color: true, Width: 80}, {ASCII: true, Width: 20}, {Plain: true}, {Width: 1}} {
			var out bytes.Buffer
			p := NewPrinter(&out, style)
			r.Text(p)
			must(t, p.Flush())
			text := out.Bytes()
			for _, code := range sgr {
				text = bytes.ReplaceAll(text, []byte(code), nil)
			}
			text = bytes.ReplaceAll(text, []byte("\x1b[0m"), nil)
			if !style.Color && bytes.ContainsRune(out.Bytes(), '\x1b') {
				t.Errorf("%s: an escape without colour", name)
			}
			harmless(t, name, bytes.ReplaceAll(text, []byte("\n"), nil))
		}
	}
}

func harmless(t *testing.T, name string, text []byte) {
	t.Helper()
	for _, r := range strings.TrimRight(string(text), "\n") {
		if r < 0x20 && r != '\n' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == 0x200b || r == 0x202e || r >= 0xe0000 && r < 0xe0080 {
			t.Errorf("%s: %U in %.200q", name, r, text)
			return
		}
	}
}

func split(text []byte) [][]byte {
	return bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}
