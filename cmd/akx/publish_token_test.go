package main

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"akx/client/clienttest"
	"akx/view/identity"
	"akx/view/wire"
)

// A service whose setting names a key sees request tokens of it with submissions, made
// for its origin, and nothing else is told who sends (Identity 7).
func TestTokensByTheSettingOfAService(t *testing.T) {
	t.Parallel()
	var seen []string
	l := signedLair(t, time.Now, func(honest http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			header := r.Header.Get("Authorization")
			if r.URL.Path == wire.EventsPath && r.Method == http.MethodPost {
				seen = append(seen, header)
			} else if header != "" {
				t.Errorf("%s was told who asks", r.URL.Path)
			}
			clienttest.At(wire.EventsPath, clienttest.Only(0, clienttest.Status(http.StatusServiceUnavailable, "application/json", `{"error":{"code":"query_unavailable","message":"later"}}`)))(honest).ServeHTTP(w, r)
		})
	})
	key := first(t, l.ends("result", "key", "list"), "keys")["actor"].(string)
	holds(t, l.ends("result", "service", "set", "hub", "--token-key", "main"), map[string]any{"token_key": "main", "token_actor": key})
	holds(t, first(t, l.ends("result", "service", "list"), "services"), map[string]any{"token_key": "main", "token_actor": key})

	// Nobody is there to be asked for the passphrase: nothing goes without the token.
	holds(t, l.ends("error", "submit", "--to", "hub"), map[string]any{"code": "usage"})
	if len(seen) != 0 {
		t.Fatalf("sent with %q", seen)
	}
	l.env = map[string]string{passphraseFile: filepath.Join(l.home, "pass.txt")}
	l.ends("error", "submit", "--to", "hub") // the service is not ready yet
	l.ends("error", "submit", "--to", "hub", "--token-key", "none")
	l.ends("error", "submit", "--to", "hub", "--token-key", "nobody")
	l.ends("result", "service", "check", "hub")
	if len(seen) != 2 || seen[1] != "" {
		t.Fatalf("%q", seen)
	}
	token, bearer := strings.CutPrefix(seen[0], "Bearer ")
	claims, err := identity.OpenRequest(token, hubOrigin, time.Now().Unix(), 0)
	if !bearer || err != nil || claims.Issuer.String() != key {
		t.Errorf("%q: %+v, %v", seen[0], claims, err)
	}

	// The name of the key may change, its Agent ID does not; without the key it is said.
	l.ends("result", "key", "rename", "main", "other")
	holds(t, first(t, l.ends("result", "service", "list"), "services"), map[string]any{"token_key": "other"})
	l.ends("result", "key", "delete", "other", "--confirm", "other")
	holds(t, l.ends("error", "submit", "--to", "hub"), map[string]any{"code": "not_held"})
	if _, stdout, _ := l.run("service", "list"); !strings.Contains(stdout, "of a key that is not here  "+key) {
		t.Error(stdout)
	}
	holds(t, l.ends("result", "service", "set", "hub", "--token-key", "none"), map[string]any{"token_actor": nil})
	l.ends("error", "submit", "--to", "hub")
	if len(seen) != 3 || seen[2] != "" {
		t.Errorf("%q", seen)
	}
}
