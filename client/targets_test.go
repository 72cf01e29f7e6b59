package client_test

import (
	"encoding/json"
	"testing"

	"akx/client"
	"akx/client/clienttest"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/memory"
	"akx/view/wire"
)

// Well-signed events that break a target rule, or come before their target, are
// proven items of their page: a store refuses them or lets them wait (8.2). The
// others of the page live on.
func TestTargets_8_2(t *testing.T) {
	retraction := func(target identity.ID) capsule.Event {
		return clienttest.Sign(t, identity.TestKey(0x22), "knowledge.retract", 900, `{"target":"`+target.String()+`","reason":"No."}`)
	}
	supersedes := func(nonce int64, key byte) func(identity.ID) capsule.Event {
		return func(target identity.ID) capsule.Event {
			return clienttest.Sign(t, identity.TestKey(key), "knowledge.publish", nonce,
				`{"license":"https://a.example/","basis":"B","context":{"scope":"s","conditions":[],"limitations":[]},"kind":"question",`+
					`"title":"T","statement":"S","language":"en","relations":[{"relation":"supersedes","target":"`+target.String()+`"}]}`)
		}
	}
	first := clienttest.Event(t, 3, identity.ID{}).Envelope().ID() // nonce 4
	for name, c := range map[string]struct {
		event  capsule.Event
		status wire.Status
		code   fault.Code
	}{
		"a foreign retraction": {retraction(first), wire.Refused, fault.InvalidTarget},
		"foreign supersedes":   {supersedes(900, 0x22)(first), wire.Refused, fault.InvalidTarget},
		"older supersedes":     {supersedes(4, 0x21)(first), wire.Refused, fault.InvalidTarget},
		"right supersedes":     {supersedes(900, 0x21)(first), wire.Added, ""},
		"before its target":    {retraction(identity.ID{9}), wire.Pending, ""},
	} {
		lie := clienttest.Results(func(list []any) []any {
			list[9].(map[string]any)["envelope"] = json.RawMessage(c.event.Envelope().Text())
			return list
		})
		w := newWorld(t, 10, clienttest.At(wire.QueryPath, lie), client.Limits{})
		_, items, err := w.query(t.Context(), wire.Query{})
		if good, refused := count(items); err != nil || good != 10 || refused != 0 {
			t.Fatalf("%s: %d good, %d refused, %v", name, good, refused, err)
		}
		store := memory.New("this cache", func() int64 { return w.clock.Now().UnixMilli() })
		outcomes, err := store.Accept(t.Context(), wire.Source{Kind: wire.FromService, Name: string(hubOrigin)}, items)
		if err != nil {
			t.Fatal(err)
		}
		for i, o := range outcomes[:9] {
			if o.Status != wire.Added {
				t.Errorf("%s: item %d has status %d", name, i, o.Status)
			}
		}
		last := outcomes[9]
		if last.Status != c.status || (c.code != "" && last.Refusal.Code != c.code) {
			t.Errorf("%s: %+v", name, last)
		}
	}
}
