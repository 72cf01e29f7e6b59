package storetest

import (
	"math/rand/v2"
	"testing"

	"akx/view/capsule"
	"akx/view/identity"
)

// Signers is how many signers a world has; they are numbered from 1.
const Signers = 4

// world makes valid events at random, each in line with those before it.
type world struct {
	t      testing.TB
	rand   *rand.Rand
	nonces [Signers + 1]int64
	events []capsule.Event
}

// World makes n valid events in an order in which each finds what it points at.
// The same seed gives the same events.
func World(t testing.TB, seed uint64, n int) []capsule.Event {
	t.Helper()
	w := world{t: t, rand: rand.New(rand.NewPCG(seed, 11))}
	for len(w.events) < n {
		if e := w.next(); e != nil {
			w.events = append(w.events, e)
		}
	}
	return w.events
}

var (
	worldTags      = []string{"caching", "localization", "go", "statistics", "zz.last"}
	worldLanguages = []string{"en", "EN", "en-US", "zh-CN", "ZH-cn", "und"}
	worldProfiles  = []identity.Digest{{1}, {2}, {3}}
	worldWords     = []string{"cache", "Key", "language", "缓存", "语言", "loss", "Bench", "a*b", "Ärger", "run"}
)

func (w *world) next() capsule.Event {
	switch roll := w.rand.IntN(10); {
	case roll < 6 || len(w.events) < 5:
		return w.publication()
	case roll < 8:
		return w.assessment()
	default:
		return w.retraction()
	}
}

func (w *world) stamp() Stamp {
	signer := byte(1 + w.rand.IntN(Signers))
	w.nonces[signer] += 1 + w.rand.Int64N(3)
	return Stamp{Signer: signer, Nonce: w.nonces[signer], CreatedAt: Epoch + w.rand.Int64N(20)*31*24*3600*1000}
}

// some picks each item with the chance of one in n.
func some[T any](w *world, items []T, n int) []T {
	var out []T
	for _, item := range items {
		if w.rand.IntN(n) == 0 {
			out = append(out, item)
		}
	}
	return out
}

func one[T any](w *world, items []T) T { return items[w.rand.IntN(len(items))] }

func (w *world) words(n int) string {
	text := one(w, worldWords)
	for range w.rand.IntN(n) {
		text += " " + one(w, worldWords)
	}
	return text
}

func (w *world) publication() capsule.Event {
	s := w.stamp()
	p := PublishPayload()
	p.Kind = one(w, capsule.Kinds())
	p.Title, p.Statement, p.Basis = w.words(3), w.words(6), w.words(4)
	p.Language = one(w, worldLanguages)
	p.Context.Conditions = some(w, worldWords, 5)
	p.Tags = some(w, worldTags, 3)
	for _, d := range some(w, worldProfiles, 4) {
		p.Profiles = append(p.Profiles, capsule.Profile{URL: "https://profiles.example.org/p", Digest: d, Data: identity.ObjectValue()})
	}
	if p.Kind == capsule.Resource {
		p.Evidence = []capsule.Evidence{Output}
	}
	p.Relations = w.links(s, p.Kind)
	if p.Kind == capsule.Collection && !contains(p.Relations) {
		return nil
	}
	return event(w.t, s, capsule.Publish, p.Value())
}

func contains(links []capsule.Link) bool {
	for _, l := range links {
		if l.Relation == capsule.Contains {
			return true
		}
	}
	return false
}

// links picks relations whose target rules hold (6.1).
func (w *world) links(s Stamp, kind capsule.Kind) []capsule.Link {
	var links []capsule.Link
	seen := make(map[capsule.Link]bool)
	for range w.rand.IntN(4) {
		if len(w.events) == 0 {
			break
		}
		target := one(w, w.events)
		link := capsule.Link{Relation: one(w, capsule.Relations()), Target: target.ID()}
		if kind == capsule.Collection {
			link.Relation = capsule.Contains
		}
		if !seen[link] && w.allowed(s, kind, link.Relation, target) {
			seen[link] = true
			links = append(links, link)
		}
	}
	return links
}

func (w *world) allowed(s Stamp, kind capsule.Kind, r capsule.Relation, target capsule.Event) bool {
	if target.Type() == capsule.Retract {
		return false
	}
	p, publication := target.(*capsule.Publication)
	switch r {
	case capsule.DerivedFrom, capsule.Supports, capsule.Contradicts:
		return true
	case capsule.Addresses:
		return publication && p.Payload().Kind == capsule.Question
	case capsule.Tests:
		return publication && p.Payload().Kind == capsule.Hypothesis
	case capsule.Supersedes:
		return publication && target.Actor() == Key(s.Signer).Actor() && target.Nonce() < s.Nonce
	case capsule.Contains:
		return publication && kind == capsule.Collection
	default:
		return publication
	}
}

func (w *world) assessment() capsule.Event {
	target := one(w, w.events)
	if target.Type() != capsule.Publish {
		return nil
	}
	return Assess(w.t, w.stamp(), target.ID(), one(w, capsule.Verdicts()), func(p *capsule.AssessPayload) {
		p.Summary = w.words(4)
		for _, d := range some(w, worldProfiles, 5) {
			p.Profiles = append(p.Profiles, capsule.Profile{URL: "https://profiles.example.org/p", Digest: d, Data: identity.ObjectValue()})
		}
	})
}

func (w *world) retraction() capsule.Event {
	s := w.stamp()
	target := one(w, w.events)
	if target.Type() == capsule.Retract || target.Actor() != Key(s.Signer).Actor() || target.Nonce() >= s.Nonce {
		return nil
	}
	return Retract(w.t, s, target.ID())
}
