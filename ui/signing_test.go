package ui_test

import (
	"bytes"
	"context"
	"crypto/sha3"
	"encoding/base64"
	"io"
	"strings"
	"testing"

	"akx/cache/storetest"
	"akx/explore"
	"akx/ui/kit"
	"akx/ui/term"
	"akx/view/capsule"
	"akx/view/desk"
	"akx/view/fault"
	"akx/view/memory"
	"akx/view/wire"
)

// In the last step no paste is taken, and a wrong passphrase is asked for again.
func TestSignTakesNoPaste(t *testing.T) {
	w := newWriting(t)
	own := w.publish("Mine", "It is so.")
	w.open(own.ID()).do("X").fill("reason", "It was wrong.").do("ctrl+x tab")
	w.Send(term.Paste{Text: own.ID().String()[:4]})
	w.shows("no paste is taken here")
	w.do("tab enter")
	w.shows("type the first characters")
	w.Type(own.ID().String()[:4])
	w.do("tab enter 'nonsense enter")
	w.shows("the passphrase is wrong", "The passphrase of")
	if n := len(w.own(capsule.Retract)); n != 0 {
		t.Fatalf("%d retractions", n)
	}
	w.Type(passphrase)
	w.do("enter")
	if n := len(w.own(capsule.Retract)); n != 1 {
		t.Errorf("%d retractions:\n%s", n, w.Screen())
	}
}

// Each finding of the scan is asked about; going back is what enter does first.
func TestFindingsAreAnswered(t *testing.T) {
	w := newWriting(t)
	w.do("c enter").fill("title", "t", "statement", "write to ann@bench.net or bob@bench.net", "scope", "s", "basis", "b").do("ctrl+x")
	w.shows("May this be public, for good?", "mail address", "/statement")
	w.do("enter")
	w.shows("> statement")
	w.do("ctrl+x down enter")
	w.shows("May this be public, for good?")
	w.do("down enter")
	w.shows("Sign: public and permanent")
}

// Relations take only targets that the rules allow, and say why others are not.
func TestTargetPicker_6_1(t *testing.T) {
	w := newWriting(t)
	accept(t, w.lib, wire.Added, storetest.Publish(t, storetest.Stamp{Signer: 1, Nonce: 2}, storetest.OfKind(capsule.Hypothesis), storetest.Titled("A guess")))
	w.do("c down down down enter").field("relations").do("enter")
	w.field(" 1 relation")
	for !strings.Contains(w.Screen(), "[tests") {
		w.Press("right")
	}
	w.field(" 1 target").do("enter")
	w.shows("Which event is the target?", "not this:", "A guess")
	w.do("'finding enter")
	w.shows("this cannot be the target")
	w.do("ctrl+u 'guess enter")
	if links := w.drafts()[0].Payload.Relations; len(links) != 1 || len(links[0].Target) != 43 {
		t.Errorf("relations %+v", links)
	}
}

// The digest of a local file is computed here, piece by piece, with its progress.
func TestDigestOfAFile_5_1(t *testing.T) {
	data := bytes.Repeat([]byte("0123456789abcdef"), 3<<20) // 48 MiB
	var bars []string
	reads := 0
	w := newWriting(t)
	read := func(name string) (io.ReadCloser, int64, error) {
		if name != "data.csv" {
			return nil, 0, &fault.Unavailable{Code: fault.UnavailableCode, What: "the file", Detail: "there is none"}
		}
		return io.NopCloser(watched{bytes.NewReader(data), func() {
			if reads++; w.explorer != nil && reads%256 == 0 {
				bars = append(bars, w.Screen())
			}
		}}), int64(len(data)), nil
	}
	w.explorer = newExplorer(t, over(w.lib), w.use, func(s *setup) { s.config.OpenFile = read })
	w.do("c down down down down down down enter").field(" 1 digest").do("enter 'other enter")
	w.shows("there is none")
	w.do("ctrl+u 'data.csv enter")
	sum := sha3.Sum256(data)
	if got := w.drafts()[0].Payload.Evidence[0].Digest; got != base64.RawURLEncoding.EncodeToString(sum[:]) {
		t.Errorf("the digest is %q", got)
	}
	w.shows("the digest of 50,331,648 bytes")
	if !strings.Contains(strings.Join(bars, ""), "33,554,432 of 50,331,648 bytes") {
		t.Error("no progress was drawn")
	}
}

// watched tells when it is read.
type watched struct {
	io.Reader
	look func()
}

func (r watched) Read(p []byte) (int, error) {
	r.look()
	return r.Reader.Read(p)
}

// Tags are completed from the library.
func TestTagsAreCompleted(t *testing.T) {
	w := newWriting(t)
	accept(t, w.lib, wire.Added, storetest.Publish(t, storetest.Stamp{Signer: 1, Nonce: 2}, func(p *capsule.PublishPayload) { p.Tags = []string{"chemistry", "gas"} }))
	w.do("c enter").field("tags").do("enter 'che enter")
	w.shows("chemistry")
	w.do("enter")
	if tags := w.drafts()[0].Payload.Tags; len(tags) != 1 || tags[0] != "chemistry" {
		t.Errorf("tags %q", tags)
	}
}

// A target that was superseded is said at the start, with a choice, and again before
// the signature.
func TestSupersededTarget(t *testing.T) {
	w := newWriting(t)
	next := storetest.Publish(t, storetest.Stamp{Signer: 1, Nonce: 2}, storetest.Titled("The better one"), storetest.Relate(capsule.Supersedes, w.target.ID()))
	accept(t, w.lib, wire.Added, next)
	w.open(w.target.ID()).do("A")
	w.shows("superseded by 1", "keep it", "The better one", "which one do you mean?")
	w.do("down enter")
	if got := w.drafts()[0].Payload.Target; got != next.ID().String() {
		t.Errorf("the target is %s", got)
	}
	w.hides("superseded by 1")
	w = newWriting(t)
	accept(t, w.lib, wire.Added, next)
	w.open(w.target.ID()).do("A enter")
	if got := w.drafts()[0].Payload.Target; got != w.target.ID().String() {
		t.Errorf("the target is %s", got)
	}
	w.field("verdict").do("right").fill("summary", "s", "scope", "s", "basis", "b").do("ctrl+x")
	w.shows("Sign: public and permanent", "superseded by 1")
}

// Two explorers on one desk: the second reads only, and says who writes.
func TestSecondExplorerReadsOnly(t *testing.T) {
	w := newWriting(t)
	w.do("c enter").fill("title", "Mine")
	other := newExplorer(t, over(w.lib), w.use, from(kit.Route{Screen: kit.Compose, Query: "1"}))
	other.shows("READ-ONLY", "Mine", "read-only here")
	other.Type("x")
	other.shows("another akx has this draft open")
	w.do("esc")
	newExplorer(t, over(w.lib), w.use, from(kit.Route{Screen: kit.Compose, Query: "1"})).hides("READ-ONLY")
}

// --read-only says at each row why it does not work.
func TestReadOnlySaysWhy(t *testing.T) {
	w := newWriting(t)
	w.do("c enter 'Mine esc")
	x := newExplorer(t, over(w.lib), w.use, func(s *setup) { s.config.Options.ReadOnly = true })
	for _, key := range []string{"c", "A", "S", "X"} {
		x.do(key)
		x.shows("read-only: nothing of your own is changed, signed or sent")
		x.do("down")
	}
	x.do("d")
	for _, key := range []string{"x", "u", ">", "+"} {
		x.do(key)
		x.shows("read-only: nothing of your own is changed")
	}
	x.do("enter 'more ctrl+x")
	x.shows("READ-ONLY", "read-only: nothing of your own is changed, signed or sent")
	if got := w.drafts()[0].Payload.Title; got != "Mine" {
		t.Errorf("the title is %q", got)
	}
}

// A state that cannot be stored is said, and stored with the next one.
func TestUnsavedIsSaid(t *testing.T) {
	w := &writing{lib: emptyLibrary(), desk: memory.NewDesk(), keys: newLocked("ann")}
	broken := &brokenDesk{Desk: w.desk}
	w.explorer = newExplorer(t, over(w.lib), w.use, func(s *setup) { s.desk = broken })
	w.do("c enter 'a")
	broken.err = &fault.Unavailable{Code: fault.Locked, What: "own.db", Detail: "in use"}
	w.do("'b")
	w.shows("NOT SAVED", "own.db")
	w.do("esc")
	broken.err = nil
	if err := w.root.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := w.drafts()[0].Payload.Title; got != "ab" {
		t.Errorf("the title is %q", got)
	}
}

// brokenDesk fails to store drafts.
type brokenDesk struct {
	explore.Desk
	err error
}

func (d *brokenDesk) PutDraft(ctx context.Context, draft desk.Draft) (desk.Draft, error) {
	if d.err != nil {
		return desk.Draft{}, d.err
	}
	return d.Desk.PutDraft(ctx, draft)
}
