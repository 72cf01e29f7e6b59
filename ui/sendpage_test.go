package ui_test

import "testing"

// What was signed and queued is sent from its own page, and d leads to its row, whatever
// else is in the list.
func TestSendFromThePage(t *testing.T) {
	w, hub := newSending(t, nil)
	w.do("c enter").fill("title", "Unfinished").do("esc")
	w.queue("Mine")
	w.shows("> sends it")
	w.do("d")
	w.shows("hub: not sent. Nothing was sent yet.")
	w.do("esc >")
	w.shows("accepted #1", "The service has accepted the event.")
	if len(hub.got) != 1 {
		t.Errorf("sent %d times", len(hub.got))
	}
	w.do("esc >")
	w.shows("every service that it is queued for has accepted it")
	w.open(w.target.ID()).do(">")
	w.shows("this is not in your outbox")
}

// Leaving the sample asks where something of the user's own would be lost.
func TestLeavingTheSampleAsks(t *testing.T) {
	x := newExplorer(t, fresh(t))
	x.do("c enter").fill("title", "Mine").do("esc q")
	x.shows("Leave the sample?", "1 draft and 0 signed events would be lost", "[ Cancel ]")
	x.do("enter")
	if x.Quit {
		t.Fatal("enter on Cancel left")
	}
	x.do("q tab enter")
	if !x.Quit {
		t.Fatal("it was not left")
	}
	x = newExplorer(t, fresh(t))
	x.do("c enter ctrl+c ctrl+c")
	if !x.Quit {
		t.Error("a second ctrl+c does not leave")
	}
	x = newExplorer(t, fresh(t))
	if x.do("q"); !x.Quit {
		t.Error("it asks where nothing would be lost")
	}
	w := newWriting(t)
	w.do("c enter").fill("title", "Mine").do("esc q")
	if !w.Quit {
		t.Error("it asks about drafts that are kept")
	}
}
