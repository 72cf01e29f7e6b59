package main

import (
	"bytes"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"akx/explore/sample"
	"akx/view/identity"
)

// One process serves a home; a second one is told which, and what works beside it. The
// lock dies with its process.
func TestServeAlone(t *testing.T) {
	t.Parallel()
	dir, home := serviceHome(t, sample.Text())
	first := serveHome(t, dir, home)
	cert, key, _ := certify(t, t.TempDir())
	begun := time.Now()
	text, code := output(akxCommand(t, dir, "serve", "--home", home, "--listen", "127.0.0.1:0", "--tls-cert", cert, "--tls-key", key))
	for _, want := range []string{home, "akx serve --listen 127.0.0.1:0 (process " + strconv.Itoa(first.cmd.Process.Pid) + ") serves this home already", "akx withhold"} {
		if code != exitFailed || !strings.Contains(text, want) {
			t.Errorf("exit code %d, no %q in\n%s", code, want, text)
		}
	}
	if took := time.Since(begun); took > 10*time.Second {
		t.Errorf("refused after %v", took)
	}
	text, code = output(akxCommand(t, dir, "--json", "serve", "--home", home, "--read-only", "--listen", "127.0.0.1:0", "--tls-cert", cert, "--tls-key", key))
	if code != exitFailed || !strings.Contains(text, `"code":"locked"`) {
		t.Errorf("exit code %d\n%s", code, text)
	}

	// What works beside it.
	if text := runAkx(t, dir, []byte(sign(t1, 3, "A question", identity.ID{}).Text()), "import", "--home", home, "-"); !strings.Contains(text, "1 added") {
		t.Errorf("an import: %s", text)
	}
	id := firstID(t)
	runAkx(t, dir, nil, "withhold", "--home", home, "id:"+id)
	if status, body := first.get("/v1/knowledge/events/" + id); status != http.StatusNotFound {
		t.Errorf("withheld: %d %s", status, body)
	}
	runAkx(t, dir, nil, "withhold", "--home", home, "id:"+id, "--undo")
	if status, body := first.get("/v1/knowledge/events/" + id); status != http.StatusOK {
		t.Errorf("shown again: %d %s", status, body)
	}

	if err := first.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = first.cmd.Wait()
	serveHome(t, dir, home).stop()
}

func firstID(t *testing.T) string {
	t.Helper()
	line, _, _ := bytes.Cut(sample.Text(), []byte("\n"))
	v, err := identity.Parse(line)
	if err != nil {
		t.Fatal(err)
	}
	hash, _ := v.Get("hash")
	return hash.Text()
}

// What is no HTTP request is answered by net/http and closed; the service goes on, and
// tells nothing of it.
func TestServeWithoutHTTP(t *testing.T) {
	t.Parallel()
	dir, home := serviceHome(t, nil)
	s := serveHome(t, dir, home)
	speak := func(secure bool, text string) string {
		t.Helper()
		conn, err := net.Dial("tcp", s.address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if secure {
			conn = tls.Client(conn, &tls.Config{InsecureSkipVerify: true})
		}
		_ = conn.SetDeadline(time.Now().Add(time.Minute))
		if _, err := io.WriteString(conn, text); err != nil && secure {
			t.Fatal(err)
		}
		answer, _ := io.ReadAll(conn) // a reset behind the answer is as good as its end
		return string(answer)
	}
	const secret = "/v1/knowledge/query?tag=private-words"
	for name, c := range map[string]struct {
		secure       bool
		text, status string
	}{
		"a bad request line": {true, "GET " + secret + "\r\n\r\n", "HTTP/1.1 400"},
		"no host":            {true, "GET " + secret + " HTTP/1.1\r\n\r\n", "HTTP/1.1 400"},
		"two hosts":          {true, "GET " + secret + " HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "HTTP/1.1 400"},
		"a bad length":       {true, "POST " + secret + " HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 400"},
		"a huge header":      {true, "GET " + secret + " HTTP/1.1\r\nHost: a\r\nX: " + strings.Repeat("x", 2*headerBytes) + "\r\n\r\n", "HTTP/1.1 431"},
		"an unknown coding":  {true, "POST " + secret + " HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: smoke\r\n\r\n", "HTTP/1.1 501"},
		"no TLS":             {false, "GET " + secret + " HTTP/1.1\r\nHost: a\r\n\r\n", "HTTP/1.0 400"},
	} {
		answer := speak(c.secure, c.text)
		if !strings.HasPrefix(answer, c.status) || strings.Contains(answer, "private-words") || len(answer) > 1000 {
			t.Errorf("%s: %q", name, answer)
		}
	}
	if status, body := s.get("/.well-known/agent-knowledge"); status != http.StatusOK {
		t.Errorf("afterwards: %d %s", status, body)
	}
	s.stop()
	if log := s.log(); strings.Contains(log, "private-words") {
		t.Errorf("the log tells\n%s", log)
	}
}

// get reads a path of the service.
func (s *served) get(path string) (status int, body string) {
	s.t.Helper()
	answer, err := s.plain(1).Get(string(hubOrigin) + path)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}
