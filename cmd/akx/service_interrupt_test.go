package main

import (
	"bytes"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"akx/client/clienttest"
	"akx/client/service"
	"akx/cmd/akx/eventtest"
	"akx/ui/termtest"
	"akx/view/identity"
	"akx/view/wire"
)

// slowHub is a service on loopback whose query hangs from one request on until it
// is freed.
type slowHub struct {
	*httptest.Server
	hangs  chan struct{} // closed when a query hangs
	freed  atomic.Bool
	mu     sync.Mutex
	querys []string
}

func newSlowHub(t *testing.T, events, from int) *slowHub {
	s := &slowHub{hangs: make(chan struct{})}
	s.Server = httptest.NewUnstartedServer(nil)
	origin := identity.Origin("https://" + s.Listener.Addr().String())
	hub := clienttest.NewHub(t, origin, clienttest.NewClock(t, time.Hour), events, func(o *service.Options) { o.PageBytes = 2500 })
	hanging := clienttest.Hang()(hub)
	var once sync.Once
	s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != wire.QueryPath {
			hub.ServeHTTP(w, r)
			return
		}
		s.mu.Lock()
		s.querys = append(s.querys, r.URL.RawQuery)
		n := len(s.querys)
		s.mu.Unlock()
		if n <= from || s.freed.Load() {
			hub.ServeHTTP(w, r)
			return
		}
		once.Do(func() { close(s.hangs) })
		hanging.ServeHTTP(w, r)
	})
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

// add makes a home that knows the service as hub.
func (s *slowHub) add(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	ca := writeFile(t, dir, "ca.pem", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}))
	runAkx(t, dir, nil, "service", "add", s.URL, "--name", "hub", "--allow-private", "--ca-file", ca)
	return dir
}

func (s *slowHub) last() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.querys[len(s.querys)-1]
}

// hubState is what a home says of its only service.
func hubState(t *testing.T, dir string) (reached float64, scope map[string]any) {
	t.Helper()
	var event struct {
		Result struct{ Services []map[string]any }
	}
	if err := json.Unmarshal([]byte(runAkx(t, dir, nil, "--json", "service", "list")), &event); err != nil {
		t.Fatal(err)
	}
	hub := event.Result.Services[0]
	scope, _ = hub["scope"].(map[string]any)
	return hub["reached_seq"].(float64), scope
}

// heldIDs lists what a home holds, by arrival.
func heldIDs(t *testing.T, dir string) string {
	t.Helper()
	var event struct {
		Result struct {
			Events []struct {
				ID string `json:"event_id"`
			}
		}
	}
	if err := json.Unmarshal([]byte(runAkx(t, dir, nil, "--json", "list", "--limit", "0")), &event); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, e := range event.Result.Events {
		ids = append(ids, e.ID)
	}
	return strings.Join(ids, "\n")
}

// An interrupted sync keeps what it stored and no checkpoint; the next one asks only
// for the rest and ends where one that was not interrupted does (9.3.1). The same
// holds when the process is killed.
func TestInterruptedSyncResumes931(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGKILL} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			const events = 40
			s := newSlowHub(t, events, 5)
			dir := s.add(t)
			cmd := akxCommand(t, dir, "--json", "sync", "hub")
			var stdout, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			select {
			case <-s.hangs:
			case <-time.After(time.Minute):
				t.Fatal("no request hangs")
			}
			begun := time.Now()
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
			if took := time.Since(begun); took > 10*time.Second {
				t.Errorf("the end took %v", took)
			}
			if signal == syscall.SIGINT {
				interrupted(t, cmd.ProcessState.ExitCode(), stdout.String(), stderr.String())
			}
			reached, scope := hubState(t, dir)
			if reached < 3 || reached >= events || scope != nil {
				t.Fatalf("reached #%v, scope %v", reached, scope)
			}

			s.freed.Store(true)
			told := lines(runAkx(t, dir, nil, "--json", "sync", "hub"))
			again := told[len(told)-1] // a slow machine makes it tell its progress before
			var event struct {
				Result struct{ Services []map[string]any }
			}
			if err := json.Unmarshal(again, &event); err != nil {
				t.Fatal(err)
			}
			if got := event.Result.Services[0]["record_count"]; got != events-reached {
				t.Errorf("%v records were fetched after #%v", got, reached)
			}
			fresh := s.add(t)
			runAkx(t, fresh, nil, "sync")
			if strings.Contains(s.last(), "after_seq") {
				t.Errorf("a fresh home asks %s", s.last())
			}
			if heldIDs(t, dir) != heldIDs(t, fresh) {
				t.Errorf("resumed:\n%s\nat once:\n%s", heldIDs(t, dir), heldIDs(t, fresh))
			}
			reached, scope = hubState(t, dir)
			if wantReached, want := hubState(t, fresh); reached != wantReached || scope["checkpoint"] != want["checkpoint"] || scope["complete"] != true {
				t.Errorf("resumed #%v %v, at once #%v %v", reached, scope, wantReached, want)
			}
		})
	}
}

func interrupted(t *testing.T, code int, stdout, stderr string) {
	t.Helper()
	all := lines(stderr)
	if err := eventtest.Stream(all, true); err != nil || stdout != "" || code != exitInterrupted {
		t.Fatalf("code %d, %v\n%s%s", code, err, stderr, stdout)
	}
	var event struct {
		Error struct {
			Code     string
			Services []map[string]any
		}
	}
	if err := json.Unmarshal(all[len(all)-1], &event); err != nil {
		t.Fatal(err)
	}
	if event.Error.Code != "cancelled" || len(event.Error.Services) != 1 || event.Error.Services[0]["added_count"].(float64) < 3 {
		t.Errorf("told %+v", event.Error)
	}
}

// A sync that takes its time says so: events once a second, with counts and rate.
func TestSyncTellsItsProgress(t *testing.T) {
	t.Parallel()
	s := newSlowHub(t, 40, 5)
	dir := s.add(t)
	cmd := akxCommand(t, dir, "--json", "sync", "hub")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Signal(os.Kill) })
	var event struct {
		Kind     string
		Progress map[string]any
	}
	if err := json.NewDecoder(stderr).Decode(&event); err != nil {
		t.Fatal(err)
	}
	p := event.Progress
	if event.Kind != "progress" || p["message"] != "syncing" || p["service"] != "hub" || p["record_count"].(float64) < 3 ||
		p["text_bytes"].(float64) < 1000 || p["total_count"] != 40.0 || p["done_count"] != p["record_count"] {
		t.Errorf("told %+v", event)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
}

// On a terminal it is a bar with events, bytes and rate, which goes away.
func TestSyncDrawsABar(t *testing.T) {
	t.Parallel()
	s := newSlowHub(t, 40, 5)
	dir := s.add(t)
	term := termtest.Start(t, program(t, dir, "sync", "hub"), 90, 10)
	term.Until(t, func(sc termtest.Screen) bool {
		return sc.Has("syncing hub  [#") && sc.Has("%") && sc.Has(" events, ") && sc.Has("KiB") && sc.Has("/s")
	}, termtest.Patience)
	term.Send("\x03")
	end := term.Until(t, func(sc termtest.Screen) bool { return sc.Has("akx: interrupted") }, termtest.Patience)
	if end.Has("[#") {
		t.Errorf("the bar stays:\n%s", strings.Join(end.Rows, "\n"))
	}
	term.Wait(t, termtest.Patience)
}
