package main

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"akx/explore/sample"
)

// TestServiceScripts runs the command lines of testdata/service against two services
// of akx serve on loopback TLS: hub has the sample, lab the sample without one
// retraction. Their homes and origins, and the authority of both, are in the
// environment.
func TestServiceScripts(t *testing.T) {
	t.Parallel()
	hub := serveLoopback(t, sample.Text(), "--peer", "https://peer.example")
	lab := serveLoopback(t, without(sample.Text(), sample.Withdrawn))
	testscript.Run(t, testscript.Params{
		Dir: "testdata/service",
		Setup: func(env *testscript.Env) error {
			for name, value := range map[string]string{
				"HUB": hub.origin, "HUBHOME": hub.home, "HUBCA": hub.ca,
				"LAB": lab.origin, "LABHOME": lab.home, "LABCA": lab.ca,
				"RETRACTION": sample.Withdrawn,
			} {
				env.Setenv(name, value)
			}
			return setupScript(env)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"events": checkEvents,
			"exit":   checkExit,
		},
	})
}

// loopback is a running service, its home and what leads to it.
type loopback struct{ origin, home, ca string }

// serveLoopback starts akx serve at an address of its own, which its origin names.
func serveLoopback(t *testing.T, events []byte, args ...string) loopback {
	t.Helper()
	// The port is free when the service takes it, but for bad luck.
	socket, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := socket.Addr().String()
	socket.Close()
	dir := t.TempDir()
	l := loopback{origin: "https://" + address, home: filepath.Join(dir, "home"), ca: filepath.Join(dir, "cert.pem")}
	runAkx(t, dir, nil, "serve", "init", "--home", l.home, "--origin", l.origin)
	runAkx(t, dir, events, "import", "--home", l.home, "-")
	s := serveHome(t, dir, l.home, append([]string{"--listen", address, "--rate", "0"}, args...)...)
	t.Cleanup(func() { s.stop() })
	return l
}

// without leaves out the line of one event.
func without(text []byte, id string) []byte {
	var out []byte
	for _, line := range lines(string(text)) {
		if !bytes.Contains(line, []byte(`"hash":"`+id+`"`)) {
			out = append(append(out, line...), '\n')
		}
	}
	return out
}

func writeFile(t *testing.T, dir, name string, text []byte) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
