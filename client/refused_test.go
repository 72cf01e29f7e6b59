package client_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"akx/client"
	"akx/client/clienttest"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/wire"
)

func errorDocument(code, message string) string {
	document, _ := json.Marshal(map[string]any{"error": map[string]string{"code": code, "message": message}, "more": 1})
	return string(document)
}

// The codes of 9.7 and Identity 8.1 come back as they are, with the service's words.
func TestErrorDocuments_9_7(t *testing.T) {
	refusals := []fault.Code{fault.InvalidRequest, fault.InvalidEvent, fault.InvalidEventHash, fault.InvalidSignature,
		fault.InvalidActor, fault.TimestampOutside, fault.NonceNotGreater, fault.InvalidToken, fault.PermissionDenied,
		fault.NotFound, fault.PayloadTooLarge, fault.MissingDependency, fault.InvalidTarget, fault.InvalidCursor,
		fault.QueryTooBroad, fault.UnsupportedSearchMode}
	passing := []fault.Code{fault.RateLimited, fault.QueryUnavailable}
	for _, code := range append(refusals, passing...) {
		status := wire.Error{Code: code}.Status()
		lie := clienttest.Status(status, "application/json", errorDocument(string(code), "because \x1b[2J"))
		w := newWorld(t, 10, clienttest.At(wire.QueryPath, inSecond(lie)), client.Limits{})
		_, items, err := w.query(t.Context(), wire.Query{Limit: 4})
		var coded fault.Coded
		if !errors.As(err, &coded) || coded.FaultCode() != code || len(items) != 4 || !strings.Contains(err.Error(), "because") {
			t.Errorf("%s: %d items, %v", code, len(items), err)
			continue
		}
		var refusal *fault.Refusal
		isPassing := code == fault.RateLimited || code == fault.QueryUnavailable
		if errors.As(err, &refusal) == isPassing || coded.Temporary() != isPassing || isPassing && coded.FaultHint() == "" {
			t.Errorf("%s: %T, temporary %v", code, err, coded.Temporary())
		}
		smaller := code == fault.QueryTooBroad || code == fault.PayloadTooLarge
		if again := w.paths(wire.QueryPath) > 2; again != (isPassing || smaller) {
			t.Errorf("%s: %d requests", code, w.paths(wire.QueryPath))
		}
	}
}

// Every status without a document that can be read is an error of its own.
func TestErrorStatuses(t *testing.T) {
	bodies := []struct{ kind, body string }{
		{"text/html", "<h1>Sorry \x1b[2J</h1>"},
		{"application/json", "<h1>Sorry</h1>"},
		{"application/json", ""},
		{"application/json", `{"error":"no"}`},
		{"application/json", `{"error":{"code":7,"message":"x"}}`},
		{"application/json", `{"error":{"code":"not_found","message":"x","message":"y"}}`},
		{"text/plain", errorDocument("not_found", "of another type")},
	}
	codes := map[int]fault.Code{401: fault.PermissionDenied, 403: fault.PermissionDenied, 404: fault.NotFound,
		413: fault.PayloadTooLarge, 429: fault.RateLimited}
	for status := 400; status < 600; status += 1 + status/418*9 {
		body := bodies[status%len(bodies)]
		w := newWorld(t, 1, clienttest.At(wire.QueryPath, clienttest.Status(status, body.kind, body.body)), client.Limits{})
		_, _, err := w.query(t.Context(), wire.Query{Limit: 1})
		want := codes[status]
		if want == "" {
			want = fault.UnavailableCode
		}
		var u *fault.Unavailable
		if !errors.As(err, &u) || u.Code != want || u.What != string(hubOrigin) || u.Retry != (status == 429 || status >= 500) || u.Hint == "" {
			t.Errorf("%d: %v", status, err)
		}
		if strings.Contains(err.Error(), "Sorry") {
			t.Errorf("%d: the page is quoted: %v", status, err)
		}
	}
}

func TestUnknownCodes_9_7(t *testing.T) {
	for _, code := range []string{"teapot", "invalid_response", "locked", "cancelled", "partial", strings.Repeat("x", 60_000)} {
		w := newWorld(t, 1, clienttest.At(wire.QueryPath, clienttest.Status(418, "application/json", errorDocument(code, strings.Repeat("ü", 3_000)))), client.Limits{})
		_, _, err := w.query(t.Context(), wire.Query{})
		var u *fault.Unavailable
		if !errors.As(err, &u) || u.Code != fault.UnavailableCode || len(err.Error()) > 2*400 {
			t.Errorf("%.20s: %.200v", code, err)
		}
	}
}

func TestRetryAfterIsTold(t *testing.T) {
	for header, want := range map[string]string{"120": "it asks to wait 120 seconds", "86400": "it asks to wait a day or more", "99999": "it asks to wait a day or more"} {
		w := newWorld(t, 1, clienttest.At(wire.QueryPath, clienttest.Change(func(_ *http.Request, a *clienttest.Answer) {
			a.Status, a.Body = 429, []byte(errorDocument("rate_limited", ""))
			a.Header.Set("Retry-After", header)
		})), client.Limits{})
		_, _, err := w.query(t.Context(), wire.Query{})
		var coded fault.Coded
		if !errors.As(err, &coded) || coded.FaultHint() != want || w.paths(wire.QueryPath) != 1 {
			t.Errorf("%v, hint %q, %d requests", err, coded.FaultHint(), w.paths(wire.QueryPath))
		}
	}
}

func TestMissingDependencies_8_2(t *testing.T) {
	id := identity.ID{3}.String()
	w := newWorld(t, 1, clienttest.At(wire.QueryPath, clienttest.Status(409, "application/json",
		`{"error":{"code":"missing_dependency","message":"m","data":{"missing":["`+id+`","junk","`+id+`",7]}}}`)), client.Limits{})
	_, _, err := w.query(t.Context(), wire.Query{})
	var refusal *fault.Refusal
	if !errors.As(err, &refusal) || len(refusal.Missing) != 1 || refusal.Missing[0] != id || refusal.Step != fault.StepDependencies {
		t.Errorf("%+v", refusal)
	}
}

// A single event that is refused for another reason is not called absent.
func TestEventErrors(t *testing.T) {
	for body, want := range map[string]fault.Code{
		errorDocument("not_found", "no"):          fault.NotHeldCode,
		errorDocument("permission_denied", "no"):  fault.PermissionDenied,
		errorDocument("query_unavailable", "now"): fault.QueryUnavailable,
		"<html>": fault.NotFound,
	} {
		w := newWorld(t, 1, clienttest.At(wire.EventsPath, clienttest.Status(404, "application/json", body)), client.Limits{})
		_, err := w.client.Event(t.Context(), w.hub.IDs[0])
		var coded fault.Coded
		if !errors.As(err, &coded) || coded.FaultCode() != want {
			t.Errorf("%s: %v", body, err)
		}
	}
}
