package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"akx/client"
	"akx/cmd/gen/corpus"
	"akx/explore/sample"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

// follow reads everything behind a checkpoint, and checks that no number is missing
// of those that were ever given, which only holds where nothing is withheld.
func follow(t *testing.T, c *client.Client, after uint64) (checkpoint uint64) {
	t.Helper()
	seq := after
	for page, err := range c.Follow(t.Context(), after) {
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range page.Items {
			if item.Refusal != nil || item.Seq != seq+1 {
				t.Fatalf("after #%d: #%d, %v", seq, item.Seq, item.Refusal)
			}
			seq = item.Seq
		}
		checkpoint = page.Checkpoint
	}
	if seq != checkpoint {
		t.Fatalf("checkpoint %d, last record #%d", checkpoint, seq)
	}
	return checkpoint
}

func TestServe(t *testing.T) {
	t.Parallel()
	dir, home := serviceHome(t, sample.Text())
	s := serveHome(t, dir, home, "--peer", "https://lab.example", "--rate", "0")
	c := s.client()
	d, err := c.Discover(t.Context())
	if err != nil || d.Service != hubOrigin || !d.Ranked() || len(d.Peers) != 1 {
		t.Fatal(d, err)
	}
	if got := follow(t, c, 0); got != 101 {
		t.Fatalf("checkpoint %d", got)
	}
	question := sign(t1, 1, "A question to the service", identity.ID{})
	submitted := s.post(wire.EventsPath, question.Text())
	again := s.post(wire.EventsPath, question.Text())
	if submitted != again || !strings.Contains(submitted, `"seq":102`) {
		t.Errorf("%s\n%s", submitted, again)
	}
	orphan := s.post(wire.EventsPath, sign(t1, 9, "no target", identity.ID{7}).Text())
	if !strings.Contains(orphan, `"code":"missing_dependency"`) {
		t.Error(orphan)
	}
	if item, err := c.Event(t.Context(), question.ID()); err != nil || item.Seq != 102 {
		t.Error(item, err)
	}
	page, err := c.Search(t.Context(), wire.SearchRequest{Text: "question service", Mode: wire.Lexical, Limit: 5})
	if err != nil || len(page.Hits) == 0 {
		t.Error(page, err)
	}
	runAkx(t, dir, nil, "withhold", "id:"+question.ID().String(), "--home", home)
	var refusal *fault.Refusal
	var absent *fault.NotHeld
	if _, err := c.Event(t.Context(), question.ID()); !errors.As(err, &absent) && (!errors.As(err, &refusal) || refusal.Code != fault.NotFound) {
		t.Errorf("a withheld event: %v", err)
	}
	runAkx(t, dir, nil, "withhold", "--undo", question.ID().String(), "--home", home)
	if got := follow(t, c, 0); got != 102 {
		t.Errorf("checkpoint %d", got)
	}
	stdout := s.stop()
	for _, want := range []string{`"accepted_count":1`, `"unavailable_count":0`, `"origin":"https://hub.example"`} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %s in %s", want, stdout)
		}
	}
	log := s.log()
	for _, want := range []string{`"license_policy":"any"`, `"event_id":"` + question.ID().String() + `","seq":102`, `"operation":"query"`, `"code":"missing_dependency"`} {
		if !strings.Contains(log, want) {
			t.Errorf("no %s in\n%s", want, log)
		}
	}
	for _, never := range []string{"question service", "after_seq", "limit=", `"query":`, "93.184"} {
		if strings.Contains(log, never) {
			t.Errorf("%s in\n%s", never, log)
		}
	}
}

func (s *served) post(path, body string) string {
	s.t.Helper()
	answer, err := s.plain(1).Post(string(hubOrigin)+path, "application/json", strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text)
}

// TestServeWhileImporting: readers see whole states while another process imports.
func TestServeWhileImporting(t *testing.T) {
	t.Parallel()
	dir, home := serviceHome(t, nil)
	s := serveHome(t, dir, home, "--rate", "0")
	var events bytes.Buffer
	if err := corpus.Write(&events, corpus.Options{Events: 3000, Seed: 4}); err != nil {
		t.Fatal(err)
	}
	imported := akxCommand(t, dir, "import", "--home", home, "-")
	imported.Stdin = &events
	if err := imported.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- imported.Wait() }()
	c, last, rounds := s.client(), uint64(0), 0
	for running := true; running; rounds++ {
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			running = false
		default:
		}
		last = follow(t, c, last)
	}
	if last != 3000 {
		t.Errorf("%d events after %d rounds", last, rounds)
	}
	s.stop()
}

// TestServeStopsInOrder: a request under way when the signal comes is answered.
func TestServeStopsInOrder(t *testing.T) {
	t.Parallel()
	dir, home := serviceHome(t, nil)
	s := serveHome(t, dir, home)
	conn, err := tls.Dial("tcp", s.address, s.tls())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	text := sign(t1, 1, "A question", identity.ID{}).Text()
	fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: hub.example\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n", wire.EventsPath, len(text))
	from := bufio.NewReader(conn)
	// The 100 says that the handler reads the body.
	if line, err := from.ReadString('\n'); err != nil || !strings.Contains(line, " 100 ") {
		t.Fatal(line, err)
	}
	if _, err := from.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	s.until(`"message":"stopping`)
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(from, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != 200 {
		t.Errorf("status %d", answer.StatusCode)
	}
	if stdout := s.wait(); !strings.Contains(stdout, `"accepted_count":1`) {
		t.Error(stdout)
	}
	if _, err := tls.Dial("tcp", s.address, s.tls()); err == nil {
		t.Error("it still listens")
	}
}

func TestServeTLS(t *testing.T) {
	t.Parallel()
	dir, home := serviceHome(t, nil)
	s := serveHome(t, dir, home, "--log-queries", "--no-submit", "--rate", "1")
	old := s.tls()
	old.MinVersion, old.MaxVersion = tls.VersionTLS10, tls.VersionTLS11
	if _, err := tls.Dial("tcp", s.address, old); err == nil {
		t.Error("TLS 1.1 is taken")
	}
	if got := s.post(wire.EventsPath, "{}"); !strings.Contains(got, `"code":"permission_denied"`) {
		t.Error(got)
	}
	for i := range 5 {
		got := s.post(wire.SearchPath, `{"text":"private words","mode":"lexical"}`)
		if want := `"result":[]`; i < 4 && !strings.Contains(got, want) || i == 4 && !strings.Contains(got, `"code":"rate_limited"`) {
			t.Error(i, got)
		}
	}
	s.stop()
	if !strings.Contains(s.log(), `"query":"{\"text\":\"private words\"`) {
		t.Error(s.log())
	}
}

// TestServeDamaged: a store that is damaged while it is served answers 503, and
// never a short page.
func TestServeDamaged(t *testing.T) {
	t.Parallel()
	dir, home := serviceHome(t, sample.Text())
	s := serveHome(t, dir, home)
	path := filepath.Join(home, "cache.db")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 4 * 4096; i < len(data); i++ {
		data[i] ^= 0x5a
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	answer, err := s.plain(1).Get(string(hubOrigin) + wire.QueryPath)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != 503 || !bytes.Contains(text, []byte(`"code":"query_unavailable"`)) {
		t.Errorf("%d %s %v", answer.StatusCode, text, err)
	}
	s.stop()
}

func TestBoundedConnections(t *testing.T) {
	t.Parallel()
	dir, home := serviceHome(t, nil)
	const most = 5
	s := serveHome(t, dir, home, "--connections-per-address", "5", "--license", "https://l.example/")
	d, err := s.client().Discover(t.Context())
	if err != nil || d.Limit(wire.LimitPerAddress) != most || d.Limit(wire.LimitConnections) != 256 || len(d.Licenses) != 1 || d.Licenses[0] != "https://l.example/" {
		t.Errorf("%+v, %v", d, err)
	}
	for i := range most {
		conn, err := tls.Dial("tcp", s.address, s.tls())
		// The client that asked for discovery has a connection still.
		if (err == nil) != (i < most-1) {
			t.Fatalf("connection %d: %v", i, err)
		}
		if err != nil {
			continue
		}
		defer conn.Close()
	}
	s.stop()
}

// TestServeCutsOff: a request that does not end is cut off, and that is told.
func TestServeCutsOff(t *testing.T) {
	t.Parallel()
	cert, key, authority := certify(t, t.TempDir())
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		t.Fatal(err)
	}
	socket, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	begun, gone := make(chan struct{}), make(chan struct{})
	handler := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(begun)
		<-r.Context().Done()
		close(gone)
	})
	s := &server{log: &accessLog{to: io.Discard}, stopTime: time.Millisecond}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.run(ctx, handler, socket, pair) }()
	conn, err := tls.Dial("tcp", socket.Addr().String(), (&served{authority: authority}).tls())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: hub.example\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	<-begun
	cancel()
	var u *fault.Unavailable
	if err := <-ended; !errors.As(err, &u) || u.Code != fault.Partial || !s.done.CutOff {
		t.Errorf("%v, %+v", err, s.done)
	}
	<-gone
}

func TestLicensePolicy(t *testing.T) {
	t.Parallel()
	event := func(e identity.Envelope) capsule.Event {
		o, err := capsule.Open([]byte(e.Text()))
		if err != nil || o.Event() == nil {
			t.Fatal(err, o.Refusal())
		}
		return o.Event()
	}
	const commons = "https://creativecommons.org/licenses/by/4.0/"
	publication, assessment := event(sign(t1, 1, "q", identity.ID{})), event(sign(t1, 2, "a", identity.ID{7}))
	for licenses, want := range map[string]bool{commons: true, "https://other.example/ " + commons: true, "https://other.example/": false} {
		policy, err := licensePolicy(strings.Fields(licenses))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range []capsule.Event{publication, assessment} {
			err := policy(e)
			var r *fault.Refusal
			if (err == nil) != want || err != nil && (!errors.As(err, &r) || r.Code != fault.PermissionDenied) {
				t.Errorf("%s: %v", licenses, err)
			}
		}
	}
	if policy, err := licensePolicy(nil); policy != nil || err != nil {
		t.Errorf("any licence: %v", err)
	}
	for _, bad := range []string{"any", "http://a.example/", "https:", ""} {
		if _, err := licensePolicy([]string{bad}); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}
