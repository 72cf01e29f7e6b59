package main

import (
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"akx/cache"
	"akx/client/fetch"
	"akx/client/service"
	"akx/explore/sample"
	"akx/view/fault"
	"akx/view/wire"
)

// TestHeldStoreIsUnavailable: a store in other hands is 503 with a time to wait,
// not an empty page; and the store is readable again afterwards.
func TestHeldStoreIsUnavailable(t *testing.T) {
	t.Parallel()
	_, home := serviceHome(t, sample.Text())
	lock, err := os.OpenFile(filepath.Join(home, "cache.db.queue"), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	store, err := cache.Open(t.Context(), home, cache.Options{Role: cache.Service, Origin: string(hubOrigin), Patience: 20 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	handler := service.NewHandler(service.New(store, service.Options{Origin: hubOrigin, Clock: time.Now}), service.HandlerOptions{})
	ask := func() fetch.Response {
		t.Helper()
		answer, err := (&inProcess{hubOrigin, handler}).Do(t.Context(), fetch.Request{URL: string(hubOrigin) + wire.QueryPath, MaxBytes: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	if answer := ask(); answer.Status != http.StatusOK {
		t.Fatalf("%d %s", answer.Status, answer.Body)
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	// A handle that is open already is given up as soon as somebody waits.
	held := ask()
	for held.Status == http.StatusOK {
		held = ask()
	}
	if e, err := wire.ParseError(held.Body); err != nil || held.Status != http.StatusServiceUnavailable || e.Code != fault.QueryUnavailable || held.RetryAfter == 0 {
		t.Errorf("%+v, %v", held, err)
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_UN); err != nil {
		t.Fatal(err)
	}
	if answer := ask(); answer.Status != http.StatusOK {
		t.Errorf("%d %s", answer.Status, answer.Body)
	}
}
