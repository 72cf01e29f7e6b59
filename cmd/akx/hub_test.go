package main

import (
	"bytes"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"akx/client/clienttest"
	"akx/client/service"
	"akx/cmd/akx/eventtest"
	"akx/view/identity"
	"akx/view/memory"
	"akx/view/wire"
)

// hub is a conforming service on loopback TLS for programs in processes of their own.
// It keeps what was sent to it, verifies it, and may lie.
type hub struct {
	origin string
	ca     []byte

	honest http.Handler

	mu      sync.Mutex
	bodies  []string
	handler http.Handler
	// seen is called with each envelope before it is taken.
	seen func(envelope string)
}

// newHub starts it; clock is its clock.
func newHub(t *testing.T, clock func() time.Time) *hub {
	t.Helper()
	h := &hub{}
	server := httptest.NewUnstartedServer(nil)
	h.origin = "https://" + server.Listener.Addr().String()
	store := memory.New(h.origin, func() int64 { return clock().UnixMilli() })
	core := service.New(store, service.Options{Origin: identity.Origin(h.origin), Clock: clock})
	h.honest = service.NewHandler(core, service.HandlerOptions{})
	h.handler = h.honest
	server.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && r.URL.Path == wire.EventsPath {
			h.note(t, r)
		}
		h.mu.Lock()
		handler := h.handler
		h.mu.Unlock()
		handler.ServeHTTP(w, r)
	})
	server.StartTLS()
	t.Cleanup(server.Close)
	h.ca = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	return h
}

func (h *hub) note(t *testing.T, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Error(err)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	if _, err := eventtest.Envelope(string(body)); err != nil {
		t.Errorf("unsigned bytes were sent: %v\n%s", err, body)
	}
	h.mu.Lock()
	h.bodies = append(h.bodies, string(body))
	seen := h.seen
	h.mu.Unlock()
	if seen != nil {
		seen(string(body))
	}
}

// sent are the envelopes that were sent, in their order.
func (h *hub) sent() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.bodies)
}

// lies answers with a lie from now on, or honestly with nil.
func (h *hub) lies(lie clienttest.Lie) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.handler = h.honest
	if lie != nil {
		h.handler = lie(h.honest)
	}
}

// sees calls f with each envelope that is sent from now on.
func (h *hub) sees(f func(envelope string)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.seen = f
}
