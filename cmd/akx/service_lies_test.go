package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"akx/client/clienttest"
	"akx/client/fetch"
	"akx/client/service"
	"akx/cmd/akx/eventtest"
	"akx/view/identity"
	"akx/view/wire"
)

// lair is a pretended network, and a home that knows its services.
type lair struct {
	*clienttest.Network
	t     *testing.T
	clock *clienttest.Clock
	hub   *clienttest.Hub
	home  string
	env   map[string]string // beside AKX_HOME
}

// newLair serves hub.example with n events, three or so a page, behind a lie.
func newLair(t *testing.T, n int, lie clienttest.Lie) *lair {
	l := &lair{Network: clienttest.NewNetwork(t), t: t, clock: clienttest.NewClock(t, time.Hour), home: t.TempDir()}
	l.hub = clienttest.NewHub(t, hubOrigin, l.clock, n, func(o *service.Options) { o.PageBytes = 2500 })
	l.serve("hub", hubOrigin, l.hub, lie)
	return l
}

// serve starts a service and adds it to the home.
func (l *lair) serve(name string, origin identity.Origin, honest http.Handler, lie clienttest.Lie) {
	if lie != nil {
		honest = lie(honest)
	}
	l.Serve(origin, honest)
	ca := writeFile(l.t, l.home, "ca.pem", l.CA)
	if code, _, stderr := l.run("service", "add", string(origin), "--name", name, "--ca-file", ca); code != exitDone {
		l.t.Fatal(stderr)
	}
}

// run runs akx in this process on the pretended network.
func (l *lair) run(args ...string) (code int, stdout, stderr string) {
	l.t.Helper()
	return l.runUntil(context.Background(), args...)
}

func (l *lair) runUntil(ctx context.Context, args ...string) (code int, stdout, stderr string) {
	l.t.Helper()
	dir := l.t.TempDir()
	files := make([]*os.File, 3)
	for i, name := range []string{"in", "out", "err"} {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			l.t.Fatal(err)
		}
		defer f.Close()
		files[i] = f
	}
	day := 24 * time.Hour
	a := &app{stdin: files[0], stdout: files[1], stderr: files[2],
		getenv: func(name string) string {
			if name == "AKX_HOME" {
				return filepath.Join(l.home, "akx")
			}
			return l.env[name]
		},
		transport: fetch.Options{Resolver: l, Dial: l.Dial, Clock: l.clock, Random: func() float64 { return 0 },
			Limits: fetch.Limits{Connect: day, TLS: 2 * day, Answer: 3 * day, Idle: 4 * day, Whole: 5 * day}}}
	code = a.execute(ctx, args)
	out, err := os.ReadFile(files[1].Name())
	if err != nil {
		l.t.Fatal(err)
	}
	errs, err := os.ReadFile(files[2].Name())
	if err != nil {
		l.t.Fatal(err)
	}
	return code, string(out), string(errs)
}

// ends runs akx --json, which must end in one event of a kind, and gives its payload.
func (l *lair) ends(kind string, args ...string) map[string]any {
	l.t.Helper()
	code, stdout, stderr := l.run(append([]string{"--json"}, args...)...)
	all := append(lines(stderr), lines(stdout)...)
	if err := eventtest.Stream(all, true); err != nil {
		l.t.Fatalf("%v: %v\n%s%s", args, err, stderr, stdout)
	}
	var event map[string]any
	if err := json.Unmarshal(all[len(all)-1], &event); err != nil {
		l.t.Fatal(err)
	}
	payload, ok := event[kind].(map[string]any)
	if !ok || (kind == "result") != (code == exitDone) {
		l.t.Fatalf("%v: code %d\n%s%s", args, code, stderr, stdout)
	}
	return payload
}

// first gives the first element of a list in a payload.
func first(t *testing.T, payload map[string]any, list string) map[string]any {
	t.Helper()
	items, _ := payload[list].([]any)
	if len(items) == 0 {
		t.Fatalf("no %s in %v", list, payload)
	}
	return items[0].(map[string]any)
}

// holds compares numbers, texts and truth values of a payload.
func holds(t *testing.T, payload map[string]any, want map[string]any) {
	t.Helper()
	for name, value := range want {
		got := payload[name]
		if n, ok := value.(int); ok {
			value = float64(n)
		}
		if got != value {
			t.Errorf("%s is %v, want %v, in %v", name, got, value, payload)
		}
	}
}

// What came before a broken page stays, the checkpoint does not move, and the next
// sync goes on from there (9.3.1).
func TestSyncOfABrokenWalkIsPartial931(t *testing.T) {
	t.Parallel()
	for name, lie := range map[string]clienttest.Lie{
		"truncated":         clienttest.Truncate(700),
		"another service":   clienttest.Set("service", "https://lab.example"),
		"moving checkpoint": clienttest.Set("checkpoint", 99),
		"HTML":              clienttest.Status(200, "text/html", "<html>\x1b[2J"),
		"unavailable":       clienttest.Status(503, "application/json", `{"code":"query_unavailable","message":"\u001b[2J index"}`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLair(t, 20, clienttest.At(wire.QueryPath, clienttest.From(3, lie)))
			failure := l.ends("error", "sync", "hub")
			holds(t, failure, map[string]any{"code": "partial"})
			hub := first(t, failure, "services")
			if hub["error"] == nil || hub["added_count"].(float64) < 3 || hub["reached_seq"] != hub["added_count"] || hub["scope"] != nil {
				t.Errorf("told %v", hub)
			}
			kept := first(t, l.ends("result", "service", "list"), "services")
			if kept["trouble"] == nil || kept["scope"] != nil || kept["reached_seq"] != hub["reached_seq"] {
				t.Errorf("kept %v", kept)
			}
			_, _, stderr := l.run("sync", "hub")
			if strings.ContainsAny(stderr, "\x1b\u009b") {
				t.Errorf("an escape: %q", stderr)
			}
		})
	}
}

// A record that is not an event here is told, counted and listed; any check at its
// service is PARTIAL, and the rest of its page lives on.
func TestRefusedRecordsMakeChecksPartial(t *testing.T) {
	t.Parallel()
	bad := clienttest.Results(func(list []any) []any {
		for _, item := range list {
			record := item.(map[string]any)
			if record["seq"] == json.Number("2") {
				record["envelope"].(map[string]any)["signature"] = strings.Repeat("A", 86)
			}
		}
		return list
	})
	l := newLair(t, 7, clienttest.At(wire.QueryPath, bad))
	failure := l.ends("error", "sync")
	holds(t, failure, map[string]any{"code": "partial"})
	hub := first(t, failure, "services")
	holds(t, hub, map[string]any{"record_count": 7, "added_count": 6, "refused_count": 1, "exception_count": 1})
	holds(t, first(t, hub, "refusals"), map[string]any{"where": "#2", "code": "invalid_signature"})
	listed := first(t, l.ends("result", "service", "list", "hub"), "services")
	holds(t, first(t, listed, "exceptions"), map[string]any{"seq": 2, "code": "invalid_signature"})
	id := l.hub.IDs[0].String()
	cached := first(t, first(t, l.ends("error", "check", "--cached", id), "checks"), "services")
	holds(t, cached, map[string]any{"answer": "partial", "lifecycle": "PARTIAL", "cached": true})
	query := l.ends("error", "query", "--service", "hub")
	holds(t, query, map[string]any{"code": "partial", "total_count": 7, "refused_count": 1})
	if events := query["events"].([]any); len(events) != 6 {
		t.Errorf("%d events", len(events))
	}
	search := l.ends("result", "search", "cache", "keys", "--service", "hub")
	holds(t, first(t, search, "hits"), map[string]any{"rank": 1, "lifecycle": "active"})
}

// A check tells what it learnt: missing is an answer, unreachable and partial are
// none, and what was not asked is unchecked (9.6).
func TestCheckTellsAnswersApart96(t *testing.T) {
	t.Parallel()
	l := newLair(t, 5, nil)
	others := map[string]clienttest.Lie{
		"half": clienttest.At(wire.QueryPath, clienttest.Truncate(50)),
		"down": clienttest.Status(503, "text/plain", "no"),
		"none": nil,
		"off":  nil,
	}
	for name, lie := range others {
		origin := identity.Origin("https://" + name + ".example")
		n := 5
		if name == "none" {
			n = 0
		}
		l.serve(name, origin, clienttest.NewHub(t, origin, l.clock, n), lie)
	}
	l.ends("result", "service", "disable", "off")
	id := l.hub.IDs[0].String()
	args := []string{"check", id}
	for _, name := range []string{"down", "half", "hub", "none", "off"} {
		args = append(args, "--service", name)
	}
	failure := l.ends("error", args...)
	holds(t, failure, map[string]any{"code": "partial"})
	answers := make(map[string]any)
	for _, item := range first(t, failure, "checks")["services"].([]any) {
		s := item.(map[string]any)
		answers[s["service"].(string)] = s["answer"].(string) + " " + s["lifecycle"].(string)
		scope, answered := s["scope"].(map[string]any)
		reasons, _ := s["reasons"].([]any)
		if answered == (len(reasons) > 0) || answered && (scope["origin"] == "" || scope["as_of_epoch_ms"] == 0.0) {
			t.Errorf("a lifecycle without its scope, or the reason for that: %v", s)
		}
	}
	holds(t, answers, map[string]any{"down": "unreachable PARTIAL", "half": "partial PARTIAL", "hub": "complete active",
		"none": "missing unchecked", "off": "unasked unchecked"})
	_, _, stderr := l.run(args...)
	if stderr == "" {
		t.Error("no reason on the error stream")
	}
}

// A service whose copy of the event is not the event was asked, and settles nothing.
func TestCheckOfAForgedCopyIsPartial96(t *testing.T) {
	t.Parallel()
	forge := clienttest.Document(func(doc map[string]any) {
		doc["envelope"].(map[string]any)["signature"] = strings.Repeat("A", 86)
	})
	l := newLair(t, 5, clienttest.At(wire.EventsPath, forge))
	failure := l.ends("error", "check", l.hub.IDs[0].String())
	hub := first(t, first(t, failure, "checks"), "services")
	holds(t, hub, map[string]any{"answer": "partial", "lifecycle": "unchecked", "seq": 1})
	holds(t, hub["error"].(map[string]any), map[string]any{"code": "invalid_signature"})
	holds(t, l.ends("error", "show", "--service", "hub", l.hub.IDs[0].String()), map[string]any{"code": "invalid_signature"})
}

// What a service names as peers is asked nothing, by no command.
func TestPeersAreNeverContacted92(t *testing.T) {
	t.Parallel()
	l := newLair(t, 5, nil)
	for _, command := range [][]string{{"service", "check"}, {"peers"}, {"sync"}, {"check", l.hub.IDs[0].String()},
		{"query", "--service", "hub"}, {"search", "cache", "--service", "hub"}} {
		l.ends("result", command...)
	}
	peers := l.ends("result", "peers")
	holds(t, first(t, peers, "peers"), map[string]any{"origin": "https://peer.example"})
	for _, address := range l.Dialled() {
		if address != "93.184.216.1:443" {
			t.Errorf("dialled %s", address)
		}
	}
}

// Foreign words of a search are kept apart from the author's, and harmless.
func TestSearchKeepsExplanationsApart95(t *testing.T) {
	t.Parallel()
	explain := clienttest.Results(func(list []any) []any {
		for _, hit := range list {
			hit.(map[string]any)["explanation"] = "close to\x1b[2J your words"
		}
		return list
	})
	l := newLair(t, 5, clienttest.At(wire.SearchPath, explain))
	holds(t, first(t, l.ends("result", "search", "cache", "--service", "hub"), "hits"),
		map[string]any{"service_explanation": "close to\x1b[2J your words"})
	_, stdout, _ := l.run("search", "cache", "--service", "hub")
	if !strings.Contains(stdout, "the service says, not the author: ") || bytes.ContainsRune([]byte(stdout), 0x1b) {
		t.Errorf("printed %q", stdout)
	}
}

// What a record waits for is fetched by its ID, within bounds that are named when
// they bite (8.2).
func TestDependenciesAreFetchedWithinBounds82(t *testing.T) {
	t.Parallel()
	hide := clienttest.Results(func(list []any) []any {
		kept := make([]any, 0, len(list))
		for _, item := range list {
			// The targets of both assessments.
			if seq := item.(map[string]any)["seq"]; seq != json.Number("4") && seq != json.Number("9") {
				kept = append(kept, item)
			}
		}
		return kept
	})
	l := newLair(t, 10, clienttest.At(wire.QueryPath, hide))
	config := writeFile(t, filepath.Join(l.home, "akx"), "config.yaml", []byte("fetch_events: 1\n"))
	failure := l.ends("error", "sync")
	holds(t, failure, map[string]any{"code": "partial"})
	hub := first(t, failure, "services")
	holds(t, hub, map[string]any{"record_count": 8, "exception_count": 1})
	holds(t, hub["fetched"].(map[string]any), map[string]any{"asked_count": 1, "found_count": 1, "limited_by": "fetch_events"})
	if err := os.Remove(config); err != nil {
		t.Fatal(err)
	}
	holds(t, l.ends("result", "pending", "fetch")["fetched"].(map[string]any), map[string]any{"asked_count": 1, "found_count": 1})
	holds(t, first(t, l.ends("result", "sync"), "services"), map[string]any{"exception_count": 0})
	if list := l.ends("result", "list", "--limit", "0")["events"].([]any); len(list) != 10 {
		t.Errorf("%d events", len(list))
	}
}

func TestAgentVersion(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]string{"v1.2.3": "v1.2.3", "development": "development", "development, commit 1f": "development"} {
		if got := agentVersion(version); got != want {
			t.Errorf("%q: %q", version, got)
		}
	}
}

// A hit that is no event here is told, and the others are shown (9.5).
func TestSearchTellsRefusedHits95(t *testing.T) {
	t.Parallel()
	forge := clienttest.Results(func(list []any) []any {
		hit := list[0].(map[string]any)
		hit["record"].(map[string]any)["envelope"].(map[string]any)["signature"] = strings.Repeat("A", 86)
		return list
	})
	l := newLair(t, 5, clienttest.At(wire.SearchPath, forge))
	failure := l.ends("error", "search", "keys", "--service", "hub")
	holds(t, failure, map[string]any{"code": "partial"})
	holds(t, first(t, failure, "refusals"), map[string]any{"code": "invalid_signature"})
	holds(t, first(t, failure, "hits"), map[string]any{"rank": 2})
	if scope := failure["scope"].(map[string]any); scope["complete"] != false {
		t.Errorf("scope %v", scope)
	}
}

// An interruption ends every question at once, with what was found so far.
func TestInterruptedQuestionsEnd(t *testing.T) {
	t.Parallel()
	id := identity.ID{1}.String()
	for _, args := range [][]string{{"query", "--service", "hub"}, {"check", id}, {"search", "cache", "--service", "hub"},
		{"show", "--service", "hub", id}, {"service", "check"}, {"peers"}, {"sync"}} {
		t.Run(args[0], func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			hang := func(http.Handler) http.Handler {
				return http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
					cancel()
					<-r.Context().Done()
				})
			}
			l := newLair(t, 5, hang)
			begun := time.Now()
			code, stdout, stderr := l.runUntil(ctx, append([]string{"--json"}, args...)...)
			if took := time.Since(begun); took > 10*time.Second {
				t.Errorf("the end took %v", took)
			}
			all := lines(stderr)
			if err := eventtest.Stream(all, true); err != nil || code != exitInterrupted || stdout != "" ||
				!strings.Contains(string(all[len(all)-1]), `"code":"cancelled"`) {
				t.Errorf("code %d, %v\n%s%s", code, err, stderr, stdout)
			}
		})
	}
}

// What a filter leaves out may be what its events wait for: it is fetched from the same
// service. One event that is shown alone waits, until that was fetched too (8.2).
func TestQueriedEventsMayWait82(t *testing.T) {
	t.Parallel()
	l := newLair(t, 10, nil)
	shown := l.ends("result", "show", "--service", "hub", l.hub.IDs[4].String())
	holds(t, shown, map[string]any{"lifecycle": "unchecked"})
	given := shown["given"].(map[string]any)
	holds(t, given, map[string]any{"pending": true, "seq": 5})
	if missing := given["missing"].([]any); len(missing) != 1 || missing[0] != l.hub.IDs[3].String() {
		t.Errorf("missing %v", missing)
	}
	if _, stdout, _ := l.run("show", "--service", "hub", l.hub.IDs[4].String()); !strings.Contains(stdout, "akx pending fetch hub") {
		t.Errorf("no way out in %s", stdout)
	}
	holds(t, l.ends("result", "pending", "fetch", "hub")["fetched"].(map[string]any), map[string]any{"found_count": 1, "added_count": 2})
	query := l.ends("result", "query", "--service", "hub", "--type", "assess")
	holds(t, query, map[string]any{"total_count": 2, "pending_count": 0, "added_count": 2})
	holds(t, first(t, query, "events"), map[string]any{"lifecycle": "active"})
	if list := l.ends("result", "list")["events"].([]any); len(list) != 4 {
		t.Errorf("%d events", len(list))
	}
}
