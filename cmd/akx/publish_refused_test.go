package main

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"akx/client/clienttest"
	"akx/view/wire"
)

// What was refused for good is not sent again by itself, and that is said.
func TestRefusedForGoodIsCounted(t *testing.T) {
	t.Parallel()
	l := signedLair(t, time.Now, clienttest.At(wire.EventsPath, clienttest.Status(http.StatusForbidden, "application/json", `{"error":{"code":"permission_denied","message":"no"}}`)))
	holds(t, l.ends("error", "submit", "--to", "hub"), map[string]any{"code": "permission_denied", "refused_before_count": nil})
	holds(t, l.ends("result", "submit", "--to", "hub"), map[string]any{"refused_before_count": 1})
	code, stdout, _ := l.run("submit", "--to", "hub")
	if code != exitDone || !strings.Contains(stdout, "1 delivery stands refused and was not sent again") {
		t.Errorf("code %d\n%s", code, stdout)
	}
}
