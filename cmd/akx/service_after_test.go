package main

import (
	"net/http"
	"strings"
	"testing"

	"akx/client/clienttest"
	"akx/view/wire"
)

// A service that names its checkpoint and will not go on behind it contradicts itself: no
// check of it is complete from then on, and what is wrong names the service (8.3, 9.3).
func TestAServiceThatRefusesItsOwnSeq_8_3(t *testing.T) {
	refuse := clienttest.Status(http.StatusBadRequest, "application/json", `{"error":{"code":"invalid_request","message":"after_seq is greater"}}`)
	l := newLair(t, 12, clienttest.At(wire.QueryPath, func(honest http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Get("after_seq") == "12" {
				refuse(honest).ServeHTTP(w, r)
				return
			}
			honest.ServeHTTP(w, r)
		})
	}))
	if code, _, stderr := l.run("sync", "hub"); code != exitDone {
		t.Fatal(stderr)
	}
	id := "id:" + l.hub.IDs[0].String()
	if code, stdout, stderr := l.run("check", "--cached", id); code != exitDone || !strings.Contains(stdout, "complete") {
		t.Fatalf("before: %d\n%s%s", code, stdout, stderr)
	}
	code, _, stderr := l.run("--json", "sync", "hub")
	if code != exitFailed || !strings.Contains(stderr, `"kind":"after_refused"`) || !strings.Contains(stderr, "hub: it refuses to go on behind #12") {
		t.Errorf("the sync: %d\n%s", code, stderr)
	}
	if code, stdout, _ := l.run("check", "--cached", id); code != exitFailed || !strings.Contains(stdout, "PARTIAL") {
		t.Errorf("after: %d\n%s", code, stdout)
	}
	if _, stdout, _ := l.run("service", "list"); !strings.Contains(stdout, "it refuses to go on after #12, which it gave") {
		t.Errorf("the list:\n%s", stdout)
	}
}
