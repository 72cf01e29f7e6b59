package main

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"akx/view/fault"
)

// What keeps a service from being served is told in plain words, with a next step.
func TestWhatServeCannotUse(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	told := func(err error, words, hint string) {
		t.Helper()
		var u *fault.Unavailable
		if !errors.As(err, &u) || !strings.Contains(u.Error(), words) || !strings.Contains(u.Hint, hint) ||
			strings.Contains(u.Error(), "bind:") || strings.Contains(u.Error(), "open ") || strings.Contains(u.Error(), "tls:") {
			t.Errorf("%v; %v", err, u)
		}
	}
	_, err = listenAt(taken.Addr().String())
	told(err, "something listens there already", "another port")
	_, err = listenAt("192.0.2.1:8443")
	told(err, "does not have that address", ":8443")
	_, err = listenAt("127.0.0.1:99999")
	told(err, "cannot listen there", "a port")
	dir := t.TempDir()
	none, text := filepath.Join(dir, "none.pem"), filepath.Join(dir, "text.pem")
	if err := os.WriteFile(text, []byte("no PEM"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = loadPair(none, text)
	told(err, "none.pem: no such file", "--tls-cert")
	_, err = loadPair(text, text)
	told(err, "no certificate with its key", "--tls-cert")
}
