package ui_test

import (
	"strings"
	"testing"

	"akx/cache/storetest"
	"akx/view/capsule"
	"akx/view/wire"
)

// A licence is taken from the settings, from one's own work or from the library, as far
// as it begins with what is typed.
func TestLicenceIsCompleted(t *testing.T) {
	const theirs = "https://terms.example/theirs"
	w := newWriting(t)
	accept(t, w.lib, wire.Added, storetest.Publish(t, storetest.Stamp{Signer: 2, Nonce: 1}, func(p *capsule.PublishPayload) { p.License = theirs }))
	w.do("c enter").field("license").do("ctrl+u")
	w.Type("https://mine.example/by")
	w.do("esc c enter").field("license").do("enter")
	w.shows("Licences of your settings", testLicense+"  default", "https://mine.example/by  own 1", theirs+"  others 1")
	if strings.Index(w.Screen(), "mine.example") > strings.Index(w.Screen(), theirs) {
		t.Errorf("one's own come first:\n%s", w.Screen())
	}
	w.do("down enter")
	if got := w.drafts()[0].Payload.License; got != "https://mine.example/by" {
		t.Errorf("the licence is %q", got)
	}
	w.do("ctrl+u 'https://te enter")
	w.hides("mine.example/by  own")
	w.do("enter")
	all := w.drafts()
	if got := all[0].Payload.License; got != theirs && all[1].Payload.License != theirs {
		t.Errorf("the licence is %q", got)
	}
}
