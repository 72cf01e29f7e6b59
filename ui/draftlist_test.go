package ui_test

import (
	"fmt"
	"strings"
	"testing"
)

// Where the scan found something, a draft is not plainly ready: form, preview and list
// say how much is to be answered.
func TestReadyWithPlacesToAnswer(t *testing.T) {
	w := newWriting(t)
	w.do("c enter").fill("title", "t", "statement", "ask me@bench.net", "scope", "/home/ann/data", "basis", "b")
	if n := strings.Count(w.Screen(), "ready, 2 to answer"); n != 2 {
		t.Errorf("form and preview: said %d times:\n%s", n, w.Screen())
	}
	w.hides("ready to be signed")
	w.do("esc d")
	w.shows("ready, 2 to answer", "2 places may not be meant for the public")
}

// A discarded draft comes back with the key that the notice names, from where one is.
func TestDiscardIsUndoneInPlace(t *testing.T) {
	w := newWriting(t)
	w.do("c enter").fill("title", "Kept").do("esc d x")
	w.shows("draft 1 is in the trash; u takes it out again", "Drafts 0")
	w.do("u")
	w.shows("Drafts 1", "Kept", "taken out of the trash")
	w.do("u")
	w.shows("only a draft of the trash")
}

// The columns of drafts stay in place, whatever their numbers have of digits.
func TestDraftsStandInColumns(t *testing.T) {
	w := newWriting(t)
	for i := range 11 {
		w.do("B c enter").fill("title", fmt.Sprintf("Title %02d", i)).do("esc")
	}
	w.do("d")
	at := -1
	for _, row := range strings.Split(w.Screen(), "\n") {
		if before, _, ok := strings.Cut(row, "▌Title"); ok {
			if at >= 0 && at != len([]rune(before)) {
				t.Fatalf("columns differ:\n%s", w.Screen())
			}
			at = len([]rune(before))
		}
	}
}

// At 80 columns the whole explanation of a merge is shown.
func TestMergeIsExplainedAt80(t *testing.T) {
	w := newWriting(t, at(80, 24))
	own := w.publish("Mine", "It is so.")
	w.open(own.ID()).do("S")
	w.shows("Text comes from the first", "is added below it.")
}

// In Browse esc clears the filter and leads nowhere else, so that no key of another
// screen is pressed unaware.
func TestEscStaysInBrowse(t *testing.T) {
	w := newWriting(t)
	w.do("c enter").fill("title", "Kept").do("esc d B / 'zzz enter esc")
	w.shows("▸ Browse", "Somebody's finding")
	w.do("esc")
	w.shows("▸ Browse", "nothing to close here", "[ goes back")
	w.do("[")
	w.shows("▸ Drafts and outbox")
}
