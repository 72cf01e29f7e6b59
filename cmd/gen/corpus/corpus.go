// Package corpus generates signed events in any number, for benchmarks and tests:
// the same options give the same bytes. Each event finds what it points at among
// those before it. The signers are public test seeds, never for real use.
package corpus

import (
	"bufio"
	"crypto/ed25519"
	"io"
	"iter"
	"math/rand/v2"

	"akx/view/capsule"
	"akx/view/identity"
)

// Epoch is the created_at of the first event, in ms: 2025-01-01T00:00:00Z. Each
// later event is a minute younger.
const Epoch = 1_735_689_600_000

const minute = 60_000

// Rare is a word that stands in every RareEvery-th event and nowhere else.
const (
	Rare      = "quokka"
	RareEvery = 9_973
)

// Options of a corpus; zero members mean the defaults.
type Options struct {
	Events  int
	Seed    uint64
	Signers int // 16
	// HubLinks is how many publications address the first event, a question; every
	// second event does until they are enough.
	HubLinks int
}

// Write writes the events as JSON Lines, about 2 KB each.
func Write(w io.Writer, o Options) error {
	out := bufio.NewWriterSize(w, 1<<20)
	for text := range Texts(o) {
		if _, err := out.WriteString(text); err != nil {
			return err
		}
		if err := out.WriteByte('\n'); err != nil {
			return err
		}
	}
	return out.Flush()
}

// Texts gives the text of each envelope in order.
func Texts(o Options) iter.Seq[string] {
	return func(yield func(string) bool) {
		g := newGenerator(o)
		for range o.Events {
			if !yield(g.next()) {
				return
			}
		}
	}
}

// made is what later events need of one event.
type made struct {
	id     identity.ID
	typ    capsule.Type
	kind   capsule.Kind
	signer uint8
}

type generator struct {
	rand    *rand.Rand
	zipf    *rand.Zipf
	words   []string
	keys    []ed25519.PrivateKey
	actors  []string
	events  []made
	hubLeft int
}

func newGenerator(o Options) *generator {
	if o.Signers == 0 {
		o.Signers = 16
	}
	g := &generator{
		rand:    rand.New(rand.NewPCG(o.Seed, 2)),
		events:  make([]made, 0, o.Events),
		hubLeft: o.HubLinks,
	}
	g.words = vocabulary(g.rand)
	g.zipf = rand.NewZipf(g.rand, 1.1, 4, uint64(len(g.words)-1))
	for i := range min(o.Signers, 255) {
		var seed [32]byte
		for j := range seed {
			seed[j] = byte(i + 1)
		}
		key := ed25519.NewKeyFromSeed(seed[:])
		g.keys = append(g.keys, key)
		g.actors = append(g.actors, identity.Actor(key[32:]).String())
	}
	return g
}

// next makes one event and its text.
func (g *generator) next() string {
	n := len(g.events)
	m := made{signer: uint8(g.rand.IntN(len(g.keys))), typ: capsule.Publish}
	var payload identity.Value
	switch roll := g.rand.IntN(100); {
	case n == 0:
		m.kind = capsule.Question
		payload = g.publication(&m, nil).Value()
	case roll < 20 && n > 4:
		m.typ = capsule.Assess
		payload = g.assessment(g.pick(func(t made) bool { return t.typ == capsule.Publish })).Value()
	case roll < 24 && n > 4:
		target := g.pick(func(t made) bool { return t.typ != capsule.Retract && t.kind != capsule.Question })
		m.typ, m.signer = capsule.Retract, target.signer
		payload = capsule.RetractPayload{Target: target.id, Reason: g.text(60)}.Value()
	default:
		payload = g.publication(&m, g.relations(&m)).Value()
	}
	text := g.sign(&m, payload)
	g.events = append(g.events, m)
	return text
}

// pick chooses an earlier event, often a recent one. The first event, which passes
// every condition asked here but retraction's, ends the search.
func (g *generator) pick(ok func(made) bool) made {
	for range 64 {
		back := len(g.events)
		if g.rand.IntN(2) == 0 {
			back = min(back, 1000)
		}
		if t := g.events[len(g.events)-1-g.rand.IntN(back)]; ok(t) {
			return t
		}
	}
	return g.events[0]
}

// relations chooses the links of a publication and with them its kind.
func (g *generator) relations(m *made) []capsule.Link {
	m.kind = capsule.Kind(1 + g.rand.IntN(int(capsule.Synthesis)))
	if m.kind == capsule.Resource {
		m.kind = capsule.Procedure
	}
	var links []capsule.Link
	add := func(r capsule.Relation, id identity.ID) {
		for _, l := range links {
			if l.Relation == r && l.Target == id {
				return
			}
		}
		links = append(links, capsule.Link{Relation: r, Target: id})
	}
	if g.hubLeft > 0 && len(g.events)%2 == 1 {
		g.hubLeft--
		add(capsule.Addresses, g.events[0].id)
	}
	published := func(t made) bool { return t.typ == capsule.Publish }
	for range g.rand.IntN(3) {
		t := g.pick(published)
		switch g.rand.IntN(5) {
		case 0:
			add(capsule.Extends, t.id)
		case 1:
			add(capsule.Supports, t.id)
		case 2:
			add(capsule.Contradicts, t.id)
		case 3:
			add(capsule.DerivedFrom, t.id)
		default:
			if t.signer == m.signer {
				add(capsule.Supersedes, t.id)
			}
		}
	}
	return links
}

var (
	tags      = []string{"caching", "localization", "statistics", "go", "materials", "ecology", "optics", "proofs"}
	languages = []string{"en", "en", "en", "en-GB", "zh-CN", "de"}
)

const license = "https://creativecommons.org/licenses/by/4.0/"

func (g *generator) publication(m *made, links []capsule.Link) capsule.PublishPayload {
	statement := g.text(560)
	if n := len(g.events); n > 0 && n%RareEvery == 0 {
		statement += " " + Rare
	}
	first := g.rand.IntN(len(tags))
	return capsule.PublishPayload{
		License: license, Kind: m.kind, Title: g.text(40), Statement: statement,
		Language: languages[g.rand.IntN(len(languages))],
		Context:  g.context(), Basis: g.text(240), Relations: links,
		Tags: []string{tags[first], tags[(first+1+g.rand.IntN(len(tags)-1))%len(tags)]},
		Evidence: []capsule.Evidence{{
			URL: "https://data.example.org/" + g.word(), Description: g.text(60), Role: capsule.RoleSource,
		}},
	}
}

func (g *generator) assessment(target made) capsule.AssessPayload {
	return capsule.AssessPayload{
		License: license, Target: target.id, Verdict: capsule.Verdict(1 + g.rand.IntN(len(capsule.Verdicts()))),
		Summary: g.text(60), Context: g.context(), Basis: g.text(300),
		Reproduction: &capsule.Reproduction{
			Environment: g.text(80), Steps: []string{g.text(60), g.text(60)}, Expected: g.text(60), Observed: g.text(60),
		},
	}
}

func (g *generator) context() capsule.Context {
	return capsule.Context{Scope: g.text(80), Conditions: []string{g.text(60)}, Limitations: []string{g.text(70), g.text(50)}}
}

// text gives words of at least n bytes together.
func (g *generator) text(n int) string {
	b := make([]byte, 0, n+16)
	for len(b) < n {
		if len(b) > 0 {
			b = append(b, ' ')
		}
		b = append(b, g.word()...)
	}
	return string(b)
}

func (g *generator) word() string { return g.words[g.zipf.Uint64()] }

// sign makes the envelope's text and sets the ID.
func (g *generator) sign(m *made, payload identity.Value) string {
	n := int64(len(g.events))
	event := identity.ObjectValue(
		identity.Member{Name: "protocol", Value: identity.StringValue(capsule.Protocol)},
		identity.Member{Name: "type", Value: identity.StringValue(m.typ.String())},
		identity.Member{Name: "actor", Value: identity.StringValue(g.actors[m.signer])},
		identity.Member{Name: "created_at", Value: identity.IntegerValue(Epoch + n*minute)},
		identity.Member{Name: "nonce", Value: identity.IntegerValue(n + 1)},
		identity.Member{Name: "payload", Value: payload},
	)
	canonical := identity.AppendCanonical(nil, event)
	m.id = identity.SHA3(canonical)
	signature := identity.Signature(ed25519.Sign(g.keys[m.signer], m.id[:]))
	text := make([]byte, 0, len(canonical)+200)
	text = append(text, `{"event":`...)
	text = append(text, canonical...)
	text = append(append(text, `,"hash":"`...), m.id.String()...)
	text = append(append(text, `","signature":"`...), signature.String()...)
	return string(append(text, `"}`...))
}

// vocabulary makes a few thousand words, some of them Chinese.
func vocabulary(r *rand.Rand) []string {
	const onsets, vowels = "bcdfghklmnprstvwz", "aeiou"
	han := []rune("语言缓存观察假设方法测量结果问题证据知识")
	words := make([]string, 0, 4000)
	for len(words) < cap(words) {
		var word []byte
		if r.IntN(20) == 0 {
			word = append(word, string(han[r.IntN(len(han))])+string(han[r.IntN(len(han))])...)
		} else {
			for range 1 + r.IntN(4) {
				word = append(word, onsets[r.IntN(len(onsets))], vowels[r.IntN(len(vowels))])
			}
			if r.IntN(3) == 0 {
				word = append(word, onsets[r.IntN(len(onsets))])
			}
		}
		words = append(words, string(word))
	}
	return words
}
