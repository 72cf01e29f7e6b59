package client_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"akx/client"
	"akx/client/clienttest"
	"akx/client/fetch"
	"akx/client/service"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/memory"
	"akx/view/wire"
)

// newTaker starts a service that takes envelopes, behind a lie at its events endpoint.
func newTaker(t testing.TB, lie clienttest.Lie, o service.HandlerOptions) (*world, *memory.Store) {
	w := &world{Network: clienttest.NewNetwork(t), clock: clienttest.NewClock(t, time.Hour)}
	store := memory.New(string(hubOrigin), func() int64 { return w.clock.Now().UnixMilli() })
	var handler http.Handler = service.NewHandler(service.New(store, service.Options{Origin: hubOrigin, Clock: w.clock.Now}), o)
	if lie != nil {
		handler = clienttest.At(wire.EventsPath, lie)(handler)
	}
	w.server = w.Serve(hubOrigin, handler)
	w.client = client.New(hubOrigin, newTransport(t, w), client.Limits{})
	return w, store
}

func newTransport(t testing.TB, w *world) *fetch.Client {
	day := 24 * time.Hour
	transport, err := fetch.New(hubOrigin, fetch.Options{Version: "1", CA: w.CA, Resolver: w, Dial: w.Dial, Clock: w.clock,
		Random: func() float64 { return 0 },
		Limits: fetch.Limits{Connect: day, TLS: 2 * day, Answer: 3 * day, Idle: 4 * day, Whole: 5 * day}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(transport.Close)
	return transport
}

func envelope(t testing.TB) string { return clienttest.Event(t, 0, identity.ID{}).Envelope().Text() }

func (w *world) posts() int {
	n := 0
	for _, r := range w.server.Requests() {
		if strings.HasPrefix(r, "POST "+wire.EventsPath) {
			n++
		}
	}
	return n
}

func TestSubmit_8_1_and_8_3(t *testing.T) {
	w, store := newTaker(t, nil, service.HandlerOptions{})
	text := envelope(t)
	first, err := w.client.Submit(t.Context(), text, "")
	if err != nil || first.Event.Envelope().Text() != text || first.Seq != 1 || first.AcceptedAt == 0 {
		t.Fatalf("%+v, %v", first, err)
	}
	again, err := w.client.Submit(t.Context(), text, "")
	if err != nil || again.Seq != first.Seq || again.AcceptedAt != first.AcceptedAt {
		t.Fatalf("%+v, %v", again, err)
	}
	if stats, err := store.Stats(t.Context()); err != nil || stats.Events != 1 {
		t.Error(stats, err)
	}
}

// Only envelopes of valid events go out.
func TestSubmitSendsNothingElse(t *testing.T) {
	w, _ := newTaker(t, nil, service.HandlerOptions{})
	good := envelope(t)
	for _, text := range []string{"", "{}", good + " x", strings.Replace(good, "Entry 0", "Entry 1", 1)} {
		_, err := w.client.Submit(t.Context(), text, "")
		var u *fault.Usage
		if !errors.As(err, &u) {
			t.Errorf("%.20q: %v", text, err)
		}
	}
	if n := w.posts(); n != 0 {
		t.Errorf("%d posts", n)
	}
}

func errorBody(code fault.Code) string {
	return string(wire.Error{Code: code, Message: "because", Missing: []string{identity.ID{9}.String()}}.Append(nil))
}

// Every refusal keeps its code, is not repeated, and says that the service answered.
func TestSubmitRefused_9_7(t *testing.T) {
	refusals := []fault.Code{
		fault.InvalidRequest, fault.InvalidEvent, fault.InvalidEventHash, fault.InvalidSignature, fault.InvalidActor,
		fault.TimestampOutside, fault.NonceNotGreater, fault.InvalidToken, fault.PermissionDenied, fault.PayloadTooLarge,
		fault.MissingDependency, fault.InvalidTarget,
	}
	for _, code := range refusals {
		w, _ := newTaker(t, clienttest.Status(wire.Error{Code: code}.Status(), "application/json", errorBody(code)), service.HandlerOptions{})
		_, err := w.client.Submit(t.Context(), envelope(t), "")
		var r *fault.Refusal
		if !errors.As(err, &r) || r.Code != code || (code == fault.MissingDependency) != (len(r.Missing) == 1) {
			t.Errorf("%s: %v", code, err)
		}
		if n := w.posts(); n != 1 {
			t.Errorf("%s: %d posts", code, n)
		}
	}
	for _, code := range []fault.Code{fault.RateLimited, fault.QueryUnavailable} {
		lie := clienttest.Change(func(_ *http.Request, a *clienttest.Answer) {
			a.Status, a.Body = wire.Error{Code: code}.Status(), []byte(errorBody(code))
			a.Header.Del("Content-Length")
			a.Header.Set("Retry-After", "7")
		})
		w, _ := newTaker(t, lie, service.HandlerOptions{})
		_, err := w.client.Submit(t.Context(), envelope(t), "")
		wantFate(t, string(code), err, fault.Answered, code)
		var u *fault.Unavailable
		if errors.As(err, &u); u.RetryAfter != 7000 || w.posts() != 1 {
			t.Errorf("%s: wait %d, %d posts", code, u.RetryAfter, w.posts())
		}
	}
}

func wantFate(t testing.TB, what string, err error, fate fault.Fate, code fault.Code) {
	t.Helper()
	var u *fault.Unavailable
	if !errors.As(err, &u) || u.Fate != fate || u.Code != code {
		t.Errorf("%s: %#v", what, err)
	}
}

// What became of an envelope is known only from an acceptance record of it, or from an
// answer that refuses it.
func TestSubmitFates(t *testing.T) {
	other := clienttest.Event(t, 1, identity.ID{})
	record := func(e capsule.Event) string {
		return string(wire.Record{Event: e, Seq: 3, AcceptedAt: 5}.Append(nil))
	}
	right := record(clienttest.Event(t, 0, identity.ID{}))
	const kind = "application/json"
	for name, c := range map[string]struct {
		lie  clienttest.Lie
		fate fault.Fate
		code fault.Code
	}{
		"dropped before the answer": {clienttest.Truncate(0), fault.Lost, fault.UnavailableCode},
		"dropped within the answer": {clienttest.Truncate(40), fault.Lost, fault.UnavailableCode},
		"redirect":                  {clienttest.Redirect(307, "https://peer.example/"), fault.Lost, fault.UnavailableCode},
		"bomb":                      {clienttest.Bomb(4 << 20), fault.Lost, fault.UnavailableCode},
		"another event":             {clienttest.Status(200, kind, record(other)), fault.Lost, fault.InvalidResponse},
		"no record":                 {clienttest.Status(200, kind, "{}"), fault.Lost, fault.InvalidResponse},
		"no JSON":                   {clienttest.Status(200, kind, "ok"), fault.Lost, fault.InvalidResponse},
		"another type":              {clienttest.Status(200, "text/html", right), fault.Lost, fault.InvalidResponse},
		"created":                   {clienttest.Status(201, kind, right), fault.Lost, fault.InvalidResponse},
		"a changed envelope":        {clienttest.Status(200, kind, strings.Replace(right, "Entry 0", "Entry 7", 1)), fault.Lost, fault.InvalidResponse},
		"many values":               {clienttest.Status(200, kind, right[:len(right)-1]+`,"x":[`+strings.Repeat("0,", 510_000)+`0]}`), fault.Lost, fault.InvalidResponse},
		"an error inside":           {clienttest.Status(500, "text/plain", "oops"), fault.Lost, fault.ServerError},
		"a bad gateway":             {clienttest.Status(502, "text/html", "<html>"), fault.Lost, fault.ServerError},
		"a foreign code on 503":     {clienttest.Status(503, kind, `{"error":{"code":"busy","message":"m"}}`), fault.Lost, fault.ServerError},
		"too slow":                  {clienttest.Status(408, "text/html", "<html>"), fault.Lost, fault.ServerError},
		"a foreign code":            {clienttest.Status(418, kind, `{"error":{"code":"weird_code","message":"m"}}`), fault.Answered, fault.OtherRefusal},
		"a conflict in HTML":        {clienttest.Status(409, "text/html", "<html>"), fault.Answered, fault.OtherRefusal},
		"a code of akx's own":       {clienttest.Status(400, kind, `{"error":{"code":"locked","message":"m"}}`), fault.Answered, fault.OtherRefusal},
		"forbidden in HTML":         {clienttest.Status(403, "text/html", "<html>"), fault.Answered, fault.PermissionDenied},
		"too large in HTML":         {clienttest.Status(413, "text/html", "<html>"), fault.Answered, fault.PayloadTooLarge},
		"too many in HTML":          {clienttest.Status(429, "text/html", "<html>"), fault.Answered, fault.RateLimited},
		"no such place":             {clienttest.Status(404, "text/html", "<html>"), fault.Answered, fault.NotFound},
	} {
		w, _ := newTaker(t, c.lie, service.HandlerOptions{})
		_, err := w.client.Submit(t.Context(), envelope(t), "")
		wantFate(t, name, err, c.fate, c.code)
		if n := w.posts(); n != 1 {
			t.Errorf("%s: %d posts", name, n)
		}
	}
}

// Nothing was sent where there was no way to the service.
func TestSubmitUnsent(t *testing.T) {
	w := &world{Network: clienttest.NewNetwork(t), clock: clienttest.NewClock(t, time.Hour)}
	c := client.New(hubOrigin, newTransport(t, w), client.Limits{})
	_, err := c.Submit(t.Context(), envelope(t), "")
	wantFate(t, "no such name", err, fault.Unsent, fault.UnavailableCode)

	w.ServeRaw(hubOrigin, func(conn net.Conn) { conn.Close() })
	_, err = c.Submit(t.Context(), envelope(t), "")
	wantFate(t, "no TLS", err, fault.Unsent, fault.UnavailableCode)

	bad, _ := newWorld(t, 0, clienttest.At(wire.DiscoveryPath, clienttest.Status(200, "application/json", "{}")), client.Limits{}), 0
	_, err = bad.client.Submit(t.Context(), envelope(t), "")
	wantFate(t, "bad discovery", err, fault.Unsent, fault.UnavailableCode)
}

// A submission that its user ends before the answer is lost, not unsent.
func TestSubmitCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	lie := func(http.Handler) http.Handler {
		return http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			cancel()
			<-r.Context().Done()
		})
	}
	w, _ := newTaker(t, lie, service.HandlerOptions{})
	_, err := w.client.Submit(ctx, envelope(t), "")
	wantFate(t, "cancelled", err, fault.Lost, fault.Cancelled)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	_, err = w.client.Submit(ctx, envelope(t), "")
	if !errors.Is(err, context.Canceled) || w.posts() != 1 {
		t.Errorf("%v, %d posts", err, w.posts())
	}
}

// A token goes with the submission it was made for, and with no read.
func TestSubmitWithToken_Identity_7(t *testing.T) {
	w, _ := newTaker(t, nil, service.HandlerOptions{RequireToken: true})
	_, err := w.client.Submit(t.Context(), envelope(t), "")
	var r *fault.Refusal
	if !errors.As(err, &r) || r.Code != fault.InvalidToken {
		t.Fatal(err)
	}
	key := identity.TestKey(0x22)
	token, err := identity.SignRequest(key, hubOrigin, w.clock.Now().Unix(), 60)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.client.Submit(t.Context(), envelope(t), token); err != nil {
		t.Fatal(err)
	}
	if _, err := w.client.Event(t.Context(), clienttest.Event(t, 0, identity.ID{}).ID()); err != nil {
		t.Fatal(err)
	}
	with := 0
	for _, h := range w.server.Headers() {
		if h.Get("Authorization") == "Bearer "+token {
			with++
		} else if h.Get("Authorization") != "" {
			t.Errorf("sent %q", h.Get("Authorization"))
		}
	}
	if with != 1 {
		t.Errorf("the token was sent %d times", with)
	}
}

// A place that is gone is looked up again.
func TestSubmitForgetsAPlaceThatIsGone_9_1(t *testing.T) {
	w, _ := newTaker(t, clienttest.Only(0, clienttest.Status(404, "text/html", "")), service.HandlerOptions{})
	_, err := w.client.Submit(t.Context(), envelope(t), "")
	wantFate(t, "gone", err, fault.Answered, fault.NotFound)
	if _, err := w.client.Submit(t.Context(), envelope(t), ""); err != nil {
		t.Fatal(err)
	}
	if n := w.paths(wire.DiscoveryPath); n != 2 {
		t.Errorf("discovery was read %d times", n)
	}
}
