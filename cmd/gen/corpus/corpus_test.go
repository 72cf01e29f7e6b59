package corpus

import (
	"bytes"
	"testing"

	"akx/view"
	"akx/view/capsule"
	"akx/view/memory"
	"akx/view/wire"
)

func TestEveryEventIsAccepted(t *testing.T) {
	const events = 3000
	store := memory.New(view.ThisCache, func() int64 { return Epoch + events*minute })
	size, types := 0, make(map[capsule.Type]int)
	for text := range Texts(Options{Events: events, HubLinks: 500}) {
		offer, err := capsule.Open([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		out, err := store.Accept(t.Context(), wire.Source{Kind: wire.FromFile, Name: "corpus"}, []wire.Item{{Offer: offer}})
		if err != nil {
			t.Fatal(err)
		}
		if out[0].Status != wire.Added {
			t.Fatalf("not added: %v", out[0].Refusal)
		}
		size += len(text)
		types[offer.Event().Type()]++
	}
	if mean := size / events; mean < 1700 || mean > 2400 {
		t.Errorf("an event has %d bytes on average", mean)
	}
	for _, typ := range capsule.Types() {
		if types[typ] < events/50 {
			t.Errorf("only %d events are %v", types[typ], typ)
		}
	}
}

func TestTheSameOptionsGiveTheSameBytes(t *testing.T) {
	var a, b, c bytes.Buffer
	for _, run := range []struct {
		to   *bytes.Buffer
		seed uint64
	}{{&a, 1}, {&b, 1}, {&c, 2}} {
		if err := Write(run.to, Options{Events: 50, Seed: run.seed}); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(a.Bytes(), b.Bytes()) || bytes.Equal(a.Bytes(), c.Bytes()) {
		t.Error("the seed does not decide the bytes")
	}
}
