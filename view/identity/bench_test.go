package identity

import (
	"crypto/ed25519"
	"slices"
	"strings"
	"testing"
	"time"
)

// benchFormat is the format of the events that benchmarks and fuzz tests sign.
var benchFormat = Format{Protocol: "agent-knowledge/1.0", Types: []string{"knowledge.publish", "knowledge.assess", "knowledge.retract"}}

// payload2K is a publication in the shape and size that libraries hold: 2 KB as an
// envelope, members not in canonical order.
const payload2K = `{"license":"https://creativecommons.org/licenses/by/4.0/","kind":"observation","title":"Cache language in the key","statement":"STATEMENT","language":"en",
"context":{"scope":"Two greeting requests for one user in an in-memory fixture.","conditions":["The requested languages differ.","One process."],"limitations":["This fixture does not establish behavior of other caches."]},
"basis":"The English request populated the cache and the Chinese request (你好) read the same entry.\nBASIS",
"evidence":[{"url":"https://example.com/cache-output.txt","description":"Exact fixture output bytes.","digest":"txT8wzviFxiqJA9KzQKzRFJWCtZmVFiEybnYGddh1hw","media_type":"text/plain"}],
"relations":[{"type":"tests","target":"KWtFdKFxoxMcQsaQgFGhfYMtC7Gaa3i0o-i2BBKl0wU"},{"type":"uses","target":"txT8wzviFxiqJA9KzQKzRFJWCtZmVFiEybnYGddh1hw"}],"tags":["cache","language","keys"]}`

// benchText signs a 2 KB publication and spells the envelope in another order
// than the canonical one.
func benchText(tb testing.TB) []byte {
	tb.Helper()
	text := strings.NewReplacer("STATEMENT", strings.Repeat("A user-only cache key reuses the first requested greeting language. ", 6),
		"BASIS", strings.Repeat("Each request was repeated ten times with the same result. ", 6), ",\n", ",").Replace(payload2K)
	payload, err := Parse([]byte(text))
	if err != nil {
		tb.Fatal(err)
	}
	e, err := Sign(TestKey(0x21), Draft{Protocol: benchFormat.Protocol, Type: "knowledge.publish",
		CreatedAt: 1790553600000, Nonce: 10, Payload: payload}, benchFormat)
	if err != nil {
		tb.Fatal(err)
	}
	return []byte(`{"hash":"` + e.ID().String() + `","event":{"protocol":"agent-knowledge/1.0","type":"knowledge.publish","actor":"` +
		e.Actor().String() + `","created_at":1790553600000,"nonce":10,"payload":` + text + `},"signature":"` + e.Signature().String() + `"}`)
}

// BenchmarkOpen reports the time of a whole proof as a multiple of the bare
// signature check on the same core in the same run (raw_ratio). Both are medians,
// so that a busy machine does not spoil them.
func BenchmarkOpen(b *testing.B) {
	text := benchText(b)
	e, err := Open(text, benchFormat)
	if err != nil {
		b.Fatal(err)
	}
	actor, id, signature := e.Actor(), e.ID(), e.Signature()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	raw, whole := make([]time.Duration, 0, 1<<16), make([]time.Duration, 0, 1<<16)
	for b.Loop() {
		start := time.Now()
		if !ed25519.Verify(actor[:], id[:], signature[:]) {
			b.Fatal("the signature does not hold")
		}
		middle := time.Now()
		if _, err := Open(text, benchFormat); err != nil {
			b.Fatal(err)
		}
		raw = append(raw, middle.Sub(start))
		whole = append(whole, time.Since(middle))
	}
	b.ReportMetric(float64(median(whole))/float64(median(raw)), "raw_ratio")
	b.ReportMetric(float64(median(whole)), "open_ns")
	b.ReportMetric(float64(median(raw)), "raw_ns")
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

func BenchmarkParse(b *testing.B) {
	text := benchText(b)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppendCanonical(b *testing.B) {
	v, err := Parse(benchText(b))
	if err != nil {
		b.Fatal(err)
	}
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		buf = AppendCanonical(buf[:0], v)
	}
}

func BenchmarkReopen(b *testing.B) {
	text := benchText(b)
	e, err := Open(text, benchFormat)
	if err != nil {
		b.Fatal(err)
	}
	proven := e.Proven()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Reopen(text, proven, benchFormat); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCheckHTTPS(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if err := CheckHTTPS("https://creativecommons.org/licenses/by/4.0/"); err != nil {
			b.Fatal(err)
		}
	}
}
