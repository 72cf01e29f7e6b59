package explore_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"akx/cmd/akx/eventtest"
	"akx/explore"
	"akx/view"
	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/identity"
	"akx/view/wire"
)

// deadly counts what is asked of its ports and kills this process before one.
type deadly struct{ at, n int }

// step ends the process where its time has come; SIGKILL lets nothing be put in order.
func (k *deadly) step() {
	if k.n++; k.n == k.at {
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	}
}

type deadlyDesk struct {
	explore.Desk
	k *deadly
}

func (d deadlyDesk) PutDraft(ctx context.Context, draft desk.Draft) (desk.Draft, error) {
	d.k.step()
	return d.Desk.PutDraft(ctx, draft)
}

func (d deadlyDesk) ReserveNonce(ctx context.Context, a identity.Actor, nonce int64) (bool, error) {
	d.k.step()
	return d.Desk.ReserveNonce(ctx, a, nonce)
}

func (d deadlyDesk) PutEntry(ctx context.Context, e desk.Entry) (desk.Entry, error) {
	d.k.step()
	return d.Desk.PutEntry(ctx, e)
}

func (d deadlyDesk) ChangeEntry(ctx context.Context, id identity.ID, change func(desk.Entry) (desk.Entry, error)) (desk.Entry, error) {
	d.k.step()
	return d.Desk.ChangeEntry(ctx, id, change)
}

type deadlyLibrary struct {
	library
	k *deadly
}

func (l deadlyLibrary) Accept(ctx context.Context, source wire.Source, items []wire.Item) ([]wire.Outcome, error) {
	l.k.step()
	return l.library.Accept(ctx, source, items)
}

// TestKilledChild is the akx that is killed: it goes on with the one draft of a home,
// or starts it, signs it and sends it; what is sent goes to a file.
func TestKilledChild(t *testing.T) {
	order := os.Getenv("AKX_TEST_KILL")
	if order == "" {
		t.Skip("runs as a child of TestKillAtEveryStep")
	}
	parts := strings.Split(order, ",")
	at, err := strconv.Atoi(parts[1])
	if err != nil {
		t.Fatal(err)
	}
	k := &deadly{at: at}
	w := newWriting(t, change{home: parts[0]})
	w.desk, w.lib = deadlyDesk{w.desk, k}, deadlyLibrary{w.lib, k}
	w.s = explore.New(w.lib, explore.Options{Clock: w.now, Network: explore.Network{Book: w.lib, Store: w.lib,
		Reach: func(s desk.Service) (explore.Remote, error) { return w.takers[s.Origin], nil }}})
	w.w = explore.NewWriter(w.s, w.desk, explore.WriterOptions{Defaults: clean})
	w.takers[hub].answer(func(text string, n int) (wire.Record, error) {
		k.step()
		f, err := os.OpenFile(filepath.Join(parts[0], "wire"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return wire.Record{}, err
		}
		_, err = f.WriteString(text + "\n")
		if err := errors.Join(err, f.Close()); err != nil {
			return wire.Record{}, err
		}
		k.step()
		return acceptance(text, 7)
	})
	if err := w.w.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	finish(t, w)
}

// finish goes on where the home is, to the accepted envelope.
func finish(t *testing.T, w *writing) {
	t.Helper()
	drafts, err := w.w.Drafts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	entries, err := w.w.Outbox(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(drafts)+len(entries) > 1 {
		t.Fatalf("%d drafts, %d entries", len(drafts), len(entries))
	}
	var id identity.ID
	switch {
	case len(entries) == 1:
		id = entries[0].ID
	case len(drafts) == 1:
		d := drafts[0]
		if _, err := w.w.OpenDraft(t.Context(), d.ID); err != nil {
			t.Fatal(err)
		}
		id = w.signFilled(d)
	default:
		opened, err := w.w.NewDraft(t.Context(), explore.Start{Kind: capsule.Observation})
		if err != nil {
			t.Fatal(err)
		}
		id = w.signFilled(opened.Draft)
	}
	w.submit(id, "hub")
	if d := w.delivery(id, hub); d.State != desk.Accepted {
		t.Fatalf("%+v", d)
	}
}

func (w *writing) signFilled(d desk.Draft) identity.ID {
	w.t.Helper()
	d, err := w.w.SaveDraft(w.t.Context(), fill(d))
	if err != nil {
		w.t.Fatal(err)
	}
	return w.sign(d, "hub").Event.ID()
}

// Whenever akx is killed, nothing is lost, nothing signed twice, nothing sent unsigned
// or before it was kept.
func TestKillAtEveryStep(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	for at := 1; !t.Failed(); at++ {
		home := filepath.Join(t.TempDir(), "home")
		killed := runKilled(t, home, at)
		checkHome(t, home, fmt.Sprintf("killed before step %d", at))
		if killed {
			continue
		}
		if at < 10 {
			t.Errorf("only %d steps: what is counted has changed", at-1)
		}
		return
	}
}

// runKilled reports whether the child was killed; it may not fail otherwise.
func runKilled(t *testing.T, home string, at int) bool {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^TestKilledChild$")
	child.Env = append(os.Environ(), fmt.Sprintf("AKX_TEST_KILL=%s,%d", home, at))
	out, err := child.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return false
	case errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL:
		return true
	}
	t.Fatalf("%v\n%s", err, out)
	return false
}

// checkHome looks at what a killed akx left, then goes on to the end.
func checkHome(t *testing.T, home, what string) {
	t.Helper()
	w := newWriting(t, change{home: home})
	entries, err := w.w.Outbox(t.Context())
	if err != nil {
		t.Fatal(what, err)
	}
	before := wireOf(t, home)
	for _, text := range before {
		if _, err := eventtest.Envelope(text); err != nil {
			t.Errorf("%s: sent %q: %v", what, text, err)
		}
		if len(entries) != 1 || entries[0].Envelope != text {
			t.Errorf("%s: what was sent is not in the outbox", what)
		}
	}
	for _, e := range entries {
		for _, d := range e.Deliveries {
			if d.State == desk.Sending || d.State == desk.NotSent && len(before) > 0 {
				t.Errorf("%s: sent %d times, and %+v", what, len(before), d)
			}
		}
	}
	if err := w.w.Recover(t.Context()); err != nil {
		t.Fatal(what, err)
	}
	finish(t, w)
	stats, err := w.s.Stats(t.Context())
	after, err2 := w.w.Outbox(t.Context())
	if err != nil || err2 != nil || stats.Publications != 1 || len(after) != 1 {
		t.Fatalf("%s: %d capsules, %d entries, %v, %v", what, stats.Publications, len(after), err, err2)
	}
	if len(entries) == 1 && after[0].Envelope != entries[0].Envelope {
		t.Errorf("%s: signed twice", what)
	}
	for _, text := range append(before, w.takers[hub].sent()...) {
		if text != after[0].Envelope {
			t.Errorf("%s: two envelopes were sent", what)
		}
	}
	if page, err := w.s.Page(t.Context(), after[0].ID); err != nil || page.Entry.Lifecycle != view.Active {
		t.Errorf("%s: %+v, %v", what, page.Entry, err)
	}
	w.w.Close()
}

// wireOf gives what the child sent.
func wireOf(t *testing.T, home string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(home, "wire"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return strings.FieldsFunc(string(text), func(r rune) bool { return r == '\n' })
}
