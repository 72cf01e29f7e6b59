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
	for _, want := range []string{"1 delivery is left to send and stands refused", "permission_denied", " --to hub sends it again; another name behind --to sends it there."} {
		if code != exitDone || !strings.Contains(strings.Join(strings.Fields(stdout), " "), want) {
			t.Errorf("code %d, without %q\n%s", code, want, stdout)
		}
	}
	if strings.Contains(stdout, "nothing is left") {
		t.Errorf("says that nothing is left to send:\n%s", stdout)
	}
}
