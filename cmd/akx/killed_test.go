package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"akx/cache"
	"akx/explore"
	"akx/ui"
	"akx/ui/termtest"
	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/identity"
	"akx/view/wire"
)

// deadly counts what is stored on the way from the consent to the accepted event, and
// ends this process before one of it, as a power cut would.
type deadly struct{ at, n int }

func (k *deadly) step() {
	if k.n++; k.n == k.at {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	}
}

type deadlyDesk struct {
	*cache.Desk
	k *deadly
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

type deadlyCache struct {
	*cache.Cache
	k *deadly
}

func (c deadlyCache) Accept(ctx context.Context, source wire.Source, items []wire.Item) ([]wire.Outcome, error) {
	c.k.step()
	return c.Cache.Accept(ctx, source, items)
}

func (c deadlyCache) AcceptAnswer(ctx context.Context, origin identity.Origin, items []wire.Item, faults []desk.ServiceFault) ([]wire.Outcome, error) {
	c.k.step()
	return c.Cache.AcceptAnswer(ctx, origin, items, faults)
}

// killVariable holds the step before which akx-deadly ends.
const killVariable = "AKX_TEST_KILL"

// deadlyExplorer is the explorer of a home over a deadly store: nothing else of it
// differs from akx.
func deadlyExplorer() int {
	ctx := context.Background()
	at, err := strconv.Atoi(os.Getenv(killVariable))
	if err != nil {
		return exitUsage
	}
	a := &app{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, getenv: os.Getenv, command: explorerCommand, keyCost: cheapKeys}
	if a.settings, err = a.readSettings(); err != nil {
		return exitFailed
	}
	h, err := a.open(ctx)
	if err != nil {
		return exitFailed
	}
	defer h.close()
	store, k := h.library.(*cache.Cache), &deadly{at: at}
	setup := ui.Setup{In: a.stdin, Out: a.stdout, Getenv: a.getenv, OS: runtime.GOOS, Clock: h.clock, Look: a.look(), Forced: func(error) { os.Exit(exitFailed) }}
	defer a.writeOnScreen(h, &setup)()
	library := deadlyCache{store, k}
	network := a.network(store)
	network.Store = library
	setup.Session = explore.New(library, explore.Options{Clock: time.Now, Network: network})
	setup.Writer = explore.NewWriter(setup.Session, deadlyDesk{store.Desk(), k}, explore.WriterOptions{})
	if err := ui.Run(setup); err != nil {
		return exitFailed
	}
	return exitDone
}

// copied is the same home somewhere else, with hub as its service.
func (d *desktop) copied(t *testing.T, h *hub) *desktop {
	t.Helper()
	c := &desktop{t: t, home: t.TempDir(), env: d.env, pass: d.pass}
	if out, err := exec.Command("cp", "-a", d.home+"/.", c.home).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c.add(h)
	return c
}

// signAndSend goes on a terminal from the draft in the list to the accepted event; it
// stops where the program ends.
func (s *seat) signAndSend() {
	s.t.Helper()
	s.shows(" akx ▸ ", "1 draft")
	s.do("d")
	s.shows("Drafts 1")
	s.do("enter")
	s.shows("Compose: ", "ready to be signed")
	s.do("ctrl+x")
	s.shows("[ Sign and queue ]")
	s.do("tab space tab tab enter")
	s.shows("The passphrase of")
	s.letters(secretWord).do("enter")
	if !s.UntilTextOrEnd(s.t, "queued for 1 service") {
		return
	}
	s.do("d")
	s.shows("Outbox 1", "Send it when you want.")
	s.do(">")
	if s.UntilTextOrEnd(s.t, "The service has accepted the event") {
		s.do("q")
	}
}

// Whenever the program is killed on the way from the consent to the accepted event,
// nothing is lost, nothing signed twice, and nothing sent before it is kept.
func TestKilledAfterTheConsent_3_3(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts many processes")
	}
	template := newDesktop(t, nil)
	template.run([]byte(readyDraft), "draft", "new", "question", "-")
	drafts, _ := template.stored()
	ended := false
	for at := 0; !ended && !t.Failed(); at++ { // 0 is killed by the service
		h := newHub(t, time.Now)
		d := template.copied(t, h)
		cmd := programNamed(t, "akx-deadly", d.home)
		cmd.Env = append(cmd.Env, fmt.Sprintf("%s=%d", killVariable, at))
		s := &seat{termtest.Start(t, cmd, 120, 52), t}
		h.sees(func(envelope string) {
			if _, entries := d.stored(); len(entries) != 1 || entries[0].Envelope != envelope {
				t.Errorf("step %d: what is sent is not kept yet", at)
			}
			if at == 0 {
				s.Kill()
			}
		})
		s.signAndSend()
		exit := s.Wait(t, termtest.Patience)
		if ended = exit.Code == exitDone; !ended && exit.Signal != syscall.SIGKILL {
			t.Fatalf("step %d: %+v\n%s", at, exit, s.Screen())
		}
		if ended && at < 7 {
			t.Errorf("only %d steps: what is counted has changed", at-1)
		}
		h.sees(nil)
		d.comesBack(h, drafts[0], fmt.Sprintf("killed before step %d", at))
	}
}

// comesBack looks at what a killed akx left, and goes on from there to the end.
func (d *desktop) comesBack(h *hub, before desk.Draft, what string) {
	t := d.t
	t.Helper()
	drafts, entries := d.stored()
	sent := h.sent()
	switch {
	case len(entries) == 0 && len(drafts) == 1:
		if !drafts[0].Payload.Equal(before.Payload) || len(sent) > 0 {
			t.Errorf("%s: the draft is %+v, and %d were sent", what, drafts[0].Payload, len(sent))
		}
	case len(entries) != 1 || len(drafts) != 0:
		t.Fatalf("%s: %d drafts and %d entries", what, len(drafts), len(entries))
	case slices.ContainsFunc(sent, func(s string) bool { return s != entries[0].Envelope }):
		t.Errorf("%s: other bytes were sent", what)
	}
	if len(entries) == 0 {
		d.run(nil, "sign", "1", "--yes-publish", "--to", "hub")
	}
	d.run(nil, "submit", "--to", "hub")
	after := d.entry()
	if len(entries) == 1 && entries[0].Envelope != after.Envelope {
		t.Errorf("%s: signed twice", what)
	}
	if len(h.sent()) == 0 || slices.ContainsFunc(h.sent(), func(s string) bool { return s != after.Envelope }) {
		t.Errorf("%s: %d were sent, or not the same bytes", what, len(h.sent()))
	}
	if len(after.Deliveries) != 1 || after.Deliveries[0].State != desk.Accepted || after.Deliveries[0].Seq != 1 {
		t.Errorf("%s: it stands at %+v", what, after.Deliveries)
	}
	d.withCache(func(store *cache.Cache) {
		if stats, err := store.Stats(t.Context()); err != nil || stats.Publications != 1 || stats.Events != 1 {
			t.Errorf("%s: the cache has %+v, %v", what, stats, err)
		}
	})
}

// killed ends the explorer as a power cut would, and starts it again; the draft has all
// that was shown as saved, and nothing was signed or sent.
func (d *desktop) killed(s *seat, what string, want desk.Payload) *seat {
	d.t.Helper()
	s.kill()
	drafts, entries := d.stored()
	if len(entries) != 0 || len(drafts) != 1 || !drafts[0].Payload.Equal(want) {
		d.t.Fatalf("killed at %s: %d signed, the drafts are %+v", what, len(entries), drafts)
	}
	s = d.sit()
	// The place is kept, but for a kill that comes at once.
	if s.Until(d.t, func(sc termtest.Screen) bool { return sc.Has("Compose: hypothesis") || sc.Has("sort: ") }, termtest.Patience).Has("sort: ") {
		s.do("d")
		s.shows("Drafts 1")
		s.do("enter")
	}
	s.shows("Compose: hypothesis", " saved ")
	return s
}

// Whenever the program is killed on the way to the consent, the draft has every
// keystroke, and nothing was signed or sent.
func TestKilledBeforeTheConsent_3_3(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts many processes")
	}
	h := newHub(t, time.Now)
	d := newDesktop(t, []byte(sign(t1, 1, "Somebody's question", identity.ID{}).Text())).copied(t, h)
	s := d.sit()
	s.shows("sort: ")
	s.do("c")
	s.shows("Begin a draft")
	s.kill()
	if drafts, _ := d.stored(); len(drafts) != 0 {
		t.Fatalf("a menu left %+v", drafts)
	}
	s = d.sit()
	s.shows("sort: ")
	s.do("c")
	s.shows("Begin a draft")
	s.do("down enter")
	s.shows("Compose: hypothesis", " saved ")
	want := desk.New(capsule.Hypothesis, desk.Defaults{License: "https://creativecommons.org/licenses/by/4.0/", Language: "en"}).Payload
	s = d.killed(s, "the empty form", want)
	for _, f := range []struct {
		label, text string
		at          *string
	}{
		{"title", "A guess", &want.Title}, {"statement", "It is so.", &want.Statement}, {"scope", "Here 语言.", &want.Context.Scope},
		{"basis", "Ask ann@bench.net.", &want.Basis}, {"extra", "{}", &want.Extra},
	} {
		s.fill(f.label, f.text)
		*f.at = f.text
		s = d.killed(s, f.label, want)
	}
	for _, f := range []struct {
		label string
		list  *[]string
	}{{"conditions", &want.Context.Conditions}, {"tags", &want.Tags}} {
		s.field(f.label).do("enter")
		s.Until(t, func(sc termtest.Screen) bool { return strings.HasPrefix(fieldName(sc), " 1 ") }, termtest.Patience)
		s.fill(" 1 ", "one")
		*f.list = []string{"one"}
		s = d.killed(s, f.label, want)
	}
	s.do("alt+i")
	s.shows("The exact event")
	s = d.killed(s, "the exact event", want)
	s.do("ctrl+x")
	s.shows("May this be public, for good?")
	s = d.killed(s, "the finding", want)
	consent := func(s *seat) {
		s.do("ctrl+x")
		s.shows("May this be public, for good?")
		s.do("down enter")
		s.shows("Sign: public and permanent", "[ Sign and queue ]")
	}
	consent(s)
	s = d.killed(s, "the last step", want)
	consent(s)
	s.do("tab space tab tab enter")
	s.shows("The passphrase of")
	s.letters(secretWord)
	s.shows("> *****")
	s = d.killed(s, "the passphrase", want)
	s.do("esc")
	s.hides("Compose: ")
	s.leave()
	if sent := h.sent(); len(sent) > 0 {
		t.Errorf("%d were sent", len(sent))
	}
}
