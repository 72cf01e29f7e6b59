package main

import (
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"akx/view/identity"
)

// A service that was restored from a copy, numbers and all, and took other events beyond
// what a reader followed is noticed by the reader's next sync (8.3).
func TestSyncNoticesARegrownService(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	home, reader := filepath.Join(dir, "hub"), filepath.Join(dir, "reader")
	runAkx(t, dir, nil, "serve", "init", "--home", home, "--origin", "https://"+address)
	add := func(from, to int64) {
		var text strings.Builder
		for nonce := from; nonce <= to; nonce++ {
			text.WriteString(sign(t1, nonce, "A question", identity.ID{}).Text() + "\n")
		}
		runAkx(t, dir, []byte(text.String()), "import", "--home", home, "-")
	}
	serve := func() *served { return serveHome(t, dir, home, "--listen", address) }
	add(1, 20)
	copied := make(map[string][]byte)
	for _, name := range []string{"cache.db", "sequence"} {
		if copied[name], err = os.ReadFile(filepath.Join(home, name)); err != nil {
			t.Fatal(err)
		}
	}
	add(21, 30)
	s := serve()
	runAkx(t, dir, nil, "--home", reader, "service", "add", "https://"+address, "--name", "hub", "--allow-private", "--ca-file", filepath.Join(dir, "cert.pem"))
	runAkx(t, dir, nil, "--home", reader, "sync")
	runAkx(t, dir, nil, "--home", reader, "sync")
	s.stop()
	for name, text := range copied {
		if err := os.WriteFile(filepath.Join(home, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	add(101, 140)
	s = serve()
	// Another certificate of the same name: each start writes one.
	text, _ := output(akxCommand(t, dir, "--json", "--home", reader, "sync", "hub"))
	s.stop()
	if !strings.Contains(text, "contradict") {
		t.Errorf("the sync tells\n%s", text)
	}
	var list struct {
		Result struct {
			Services []struct {
				Scope struct {
					Complete bool
					Reasons  []string
				}
				Faults []struct{ Kind string }
			}
		}
	}
	told := runAkx(t, dir, nil, "--json", "--home", reader, "service", "list")
	if err := json.Unmarshal([]byte(told), &list); err != nil {
		t.Fatal(err)
	}
	hub := list.Result.Services[0]
	if len(hub.Faults) == 0 || hub.Faults[0].Kind != "seq_shared" || hub.Scope.Complete {
		t.Errorf("the service is listed as\n%s", told)
	}
}
