package cache

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"akx/cmd/gen/corpus"
	"akx/explore"
	"akx/view"
	"akx/view/capsule"
	"akx/view/identity"
	"akx/view/wire"
)

// The benchmarks use 100,000 events, or as many as AKX_BENCH_EVENTS says; 1000000
// takes some minutes and 4 GB of disk. The library of the reading benchmarks is
// built once, in a folder that AKX_BENCH_HOME may name to keep it between runs.
func benchEvents() int {
	if n, err := strconv.Atoi(os.Getenv("AKX_BENCH_EVENTS")); err == nil {
		return n
	}
	return 100_000
}

const (
	benchBatch = 5000
	benchHub   = 50_000
)

func corpusOf(events int) corpus.Options {
	return corpus.Options{Events: events, HubLinks: min(benchHub, events/4)}
}

// benchHome is the folder of the corpus and the library.
var benchHome = sync.OnceValues(func() (string, error) {
	if dir := os.Getenv("AKX_BENCH_HOME"); dir != "" {
		return dir, nil
	}
	return os.MkdirTemp("", "akx-bench")
})

// library is the home of the reading benchmarks.
var library = sync.OnceValues(func() (string, error) {
	home, err := benchHome()
	if err != nil {
		return "", err
	}
	home = filepath.Join(home, strconv.Itoa(benchEvents()))
	if _, err := os.Stat(filepath.Join(home, cacheName)); err == nil {
		return home, nil
	}
	c, err := Open(context.Background(), home, Options{})
	if err != nil {
		return "", err
	}
	defer c.Close()
	path, err := corpusFile()
	if err != nil {
		return "", err
	}
	_, err = importAll(c, path, benchBatch)
	return home, err
})

func TestMain(m *testing.M) {
	if child := os.Getenv("AKX_TEST_CHILD"); child != "" {
		os.Exit(runChild(child, os.Args[1:]))
	}
	code := m.Run()
	if os.Getenv("AKX_BENCH_HOME") == "" {
		if dir, err := benchHome(); err == nil && dir != "" {
			os.RemoveAll(dir)
		}
	}
	os.Exit(code)
}

// corpusFile writes the corpus once and gives its path.
var corpusFile = sync.OnceValues(func() (string, error) {
	dir, err := benchHome()
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, strconv.Itoa(benchEvents())+".jsonl")
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	f, err := os.Create(path)
	if err != nil {
		return "", err
	}
	return path, errors.Join(corpus.Write(f, corpusOf(benchEvents())), f.Close())
})

// importAll proves a file of envelopes on all cores and stores them in batches, as
// an import does. It gives the greatest anonymous memory seen, in MB.
func importAll(c *Cache, path string, size int) (memory float64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	source := wire.Source{Kind: wire.FromFile, Name: filepath.Base(path)}
	for batch := range proven(bufio.NewScanner(f), size) {
		outcomes, err := c.Accept(context.Background(), source, batch)
		if err != nil {
			return 0, err
		}
		for _, o := range outcomes {
			if o.Status != wire.Added {
				return 0, fmt.Errorf("not added: %v", o.Refusal)
			}
		}
		memory = max(memory, anonymous())
	}
	return memory, nil
}

// proven opens lines on all cores and gives batches in order.
func proven(lines *bufio.Scanner, size int) <-chan []wire.Item {
	lines.Buffer(make([]byte, 1<<20), 1<<20)
	type job struct {
		texts []string
		items []wire.Item
		done  chan struct{}
	}
	jobs, order := make(chan *job), make(chan *job, 2)
	out := make(chan []wire.Item)
	for range runtime.GOMAXPROCS(0) {
		go func() {
			for j := range jobs {
				j.items = make([]wire.Item, len(j.texts))
				for i, text := range j.texts {
					offer, err := capsule.Open([]byte(text))
					if err != nil {
						panic(err)
					}
					j.items[i].Offer = offer
				}
				close(j.done)
			}
		}()
	}
	go func() {
		defer close(jobs)
		defer close(order)
		for more := true; more; {
			j := &job{done: make(chan struct{})}
			for len(j.texts) < 250 && more {
				if more = lines.Scan(); more {
					j.texts = append(j.texts, lines.Text())
				}
			}
			order <- j
			jobs <- j
		}
	}()
	go func() {
		defer close(out)
		var batch []wire.Item
		for j := range order {
			<-j.done
			if batch = append(batch, j.items...); len(batch) >= size {
				out <- batch
				batch = nil
			}
		}
		if len(batch) > 0 {
			out <- batch
		}
	}()
	return out
}

// anonymous is the anonymous memory of this process in MB (Linux).
func anonymous() float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "RssAnon:" {
			kb, err := strconv.ParseFloat(fields[1], 64)
			if err == nil {
				return kb / 1024
			}
		}
	}
	return 0
}

// cpu is the time that this process spent on its cores so far.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// measured reports the core time of an operation, which a busy machine changes
// less than its duration.
func measured(b *testing.B, op func()) {
	b.Helper()
	start := cpu()
	for b.Loop() {
		op()
	}
	b.ReportMetric(float64(cpu()-start)/float64(b.N)/1e6, "cpu-ms/op")
}

// imported imports a file as the program does, and gives the greatest anonymous
// memory seen, in MB.
func imported(c *Cache, path string, size int) (memory float64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	_, err = explore.Import(context.Background(), c, f, explore.ImportOptions{
		Source: wire.Source{Kind: wire.FromFile, Name: filepath.Base(path)}, Batch: size,
		Progress: func(explore.Progress) { memory = max(memory, anonymous()) },
	})
	return memory, err
}

func BenchmarkImport(b *testing.B) {
	path, err := corpusFile()
	if err != nil {
		b.Fatal(err)
	}
	b.Run("as the program does", func(b *testing.B) {
		var memory float64
		measured(b, func() {
			c, err := Open(b.Context(), filepath.Join(b.TempDir(), "home"), Options{})
			if err != nil {
				b.Fatal(err)
			}
			defer c.Close()
			if memory, err = imported(c, path, 0); err != nil {
				b.Fatal(err)
			}
		})
		b.ReportMetric(float64(benchEvents()*b.N)/b.Elapsed().Seconds(), "events/s")
		b.ReportMetric(memory, "anonMB")
	})
	for _, size := range []int{1000, benchBatch} {
		b.Run(strconv.Itoa(size)+" a transaction", func(b *testing.B) {
			var stats view.Stats
			var memory float64
			measured(b, func() {
				c, err := Open(b.Context(), filepath.Join(b.TempDir(), "home"), Options{})
				if err != nil {
					b.Fatal(err)
				}
				defer c.Close()
				if memory, err = importAll(c, path, size); err != nil {
					b.Fatal(err)
				}
				if stats, err = c.Stats(b.Context()); err != nil {
					b.Fatal(err)
				}
			})
			b.ReportMetric(float64(stats.Events)*float64(b.N)/b.Elapsed().Seconds(), "events/s")
			b.ReportMetric(float64(stats.FileBytes)/float64(stats.TextBytes), "file/text")
			b.ReportMetric(memory, "anonMB")
		})
	}
}

func reading(b *testing.B) *Cache {
	b.Helper()
	home, err := library()
	if err != nil {
		b.Fatal(err)
	}
	c, err := Open(b.Context(), home, Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { c.Close() })
	return c
}

func BenchmarkOpen(b *testing.B) {
	home := reading(b).Home()
	measured(b, func() {
		c, err := Open(b.Context(), home, Options{})
		if err != nil {
			b.Fatal(err)
		}
		c.Close()
	})
}

// scanned runs a query to its first rows, or to its end.
func scanned(b *testing.B, q view.Query, all bool) {
	c := reading(b)
	rows := 0
	measured(b, func() {
		rows = 0
		err := c.Read(b.Context(), func(s view.Snapshot) error {
			var first []view.Entry
			err := s.Scan(b.Context(), q, func(numbers []uint64) bool {
				if rows == 0 {
					var err error
					if first, err = s.Entries(numbers[:min(50, len(numbers))]); err != nil || first[0].ID.IsZero() {
						b.Fatal(err)
					}
				}
				rows += len(numbers)
				return all
			})
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	})
	b.ReportMetric(float64(rows), "rows")
	b.ReportMetric(anonymous(), "anonMB")
}

func BenchmarkList(b *testing.B) {
	for _, bench := range []struct {
		name string
		q    view.Query
		all  bool
	}{
		{"first rows", view.Query{}, false},
		{"all rows", view.Query{}, true},
		{"kind", view.Query{Filter: capsule.Filter{Kind: capsule.Hypothesis}}, true},
		{"tag and language", view.Query{Filter: capsule.Filter{Tag: "optics", Language: "zh-cn"}}, true},
		{"retracted", view.Query{Lifecycle: view.Retracted}, true},
		{"by created, first rows", view.Query{Sort: view.Created}, false},
		{"by title, first rows", view.Query{Sort: view.Title}, false},
		{"search rare word", view.Query{Terms: []string{corpus.Rare}}, true},
		{"search absent word", view.Query{Terms: []string{"xylophone"}}, true},
		{"search two common words, first rows", view.Query{Terms: []string{"ba", "lo"}}, false},
		{"search two common words, all", view.Query{Terms: []string{"ba", "lo"}}, true},
	} {
		b.Run(bench.name, func(b *testing.B) { scanned(b, bench.q, bench.all) })
	}
}

func BenchmarkFacets(b *testing.B) {
	c := reading(b)
	measured(b, func() {
		err := c.Read(b.Context(), func(s view.Snapshot) error {
			f, err := view.LoadFacets(b.Context(), s, view.Query{})
			if f.Total != benchEvents() {
				b.Fatal(f.Total)
			}
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	})
}

// idAt gives the ID of a number.
func idAt(b *testing.B, c *Cache, n uint64) identity.ID {
	b.Helper()
	var id identity.ID
	err := c.Read(b.Context(), func(s view.Snapshot) error {
		rows, err := s.Entries([]uint64{n})
		id = rows[0].ID
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return id
}

func BenchmarkPage(b *testing.B) {
	c := reading(b)
	id := idAt(b, c, uint64(benchEvents()/2))
	measured(b, func() {
		err := c.Read(b.Context(), func(s view.Snapshot) error {
			if _, err := view.LoadPage(b.Context(), s, id); err != nil {
				return err
			}
			_, err := view.LoadLinks(b.Context(), s, id)
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	})
}

func BenchmarkHub(b *testing.B) {
	c := reading(b)
	id := idAt(b, c, 1)
	links := 0
	measured(b, func() {
		err := c.Read(b.Context(), func(s view.Snapshot) error {
			l, err := view.LoadLinks(b.Context(), s, id)
			links = 0
			for _, g := range l.Groups {
				links += len(g.Links)
			}
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	})
	b.ReportMetric(float64(links), "links")
}

// BenchmarkGiven asks for the set of a service that gave every event, at every number
// of a hub's size.
func BenchmarkGiven(b *testing.B) {
	c := reading(b)
	followAll(b, c)
	numbers := make([]uint64, min(benchHub, benchEvents()))
	for i := range numbers {
		numbers[i] = uint64(i * benchEvents() / len(numbers))
	}
	measured(b, func() {
		err := c.Read(b.Context(), func(s view.Snapshot) error {
			given, err := s.(view.Recorded).Records().Given(hub, numbers)
			if err == nil && !given[len(given)-1] {
				b.Fatal("the last was not given")
			}
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	})
}

// followAll notes that two services gave every event.
func followAll(b *testing.B, c *Cache) {
	b.Helper()
	for _, origin := range []identity.Origin{hub, lab} {
		err := c.update(b.Context(), func(t *batch) error {
			s, err := t.service(origin)
			if err != nil || s.follow.Complete {
				return err
			}
			for n := uint64(1); n <= t.counts.last; n++ {
				if err := s.note(row(t.rows.record(n)).id(), n, n); err != nil {
					return err
				}
			}
			s.advance(completed(t.counts.last))
			return s.store()
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkHubOfServices shows what two followed services say of a hub.
func BenchmarkHubOfServices(b *testing.B) {
	c := reading(b)
	followAll(b, c)
	id := idAt(b, c, 1)
	measured(b, func() {
		err := c.Read(b.Context(), func(s view.Snapshot) error {
			shown, err := view.LoadShown(b.Context(), s, s.(view.Recorded).Records(), id)
			if err == nil && (len(shown.At) != 2 || !shown.At[0].Held) {
				b.Fatal(shown.At)
			}
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	})
}

// BenchmarkFollow takes pages of 100 events that are proven already.
func BenchmarkFollow(b *testing.B) {
	items := recorded(few(b, 5000), 1)
	measured(b, func() {
		c, err := Open(b.Context(), filepath.Join(b.TempDir(), "home"), Options{})
		if err != nil {
			b.Fatal(err)
		}
		defer c.Close()
		for i := 0; i < len(items); i += 100 {
			acceptPage(b, c, hub, completed(uint64(i+100)), items[i:i+100]...)
		}
	})
	b.ReportMetric(float64(len(items)*b.N)/b.Elapsed().Seconds(), "events/s")
}

func BenchmarkHubFacts(b *testing.B) {
	c := reading(b)
	id := idAt(b, c, 1)
	measured(b, func() {
		err := c.Read(b.Context(), func(s view.Snapshot) error {
			return s.Incoming(b.Context(), id, func([]view.Incoming) bool { return true })
		})
		if err != nil {
			b.Fatal(err)
		}
	})
}

func BenchmarkEntries(b *testing.B) {
	c := reading(b)
	numbers := make([]uint64, 50)
	for i := range numbers {
		numbers[i] = uint64(benchEvents() - 3*i)
	}
	measured(b, func() {
		err := c.Read(b.Context(), func(s view.Snapshot) error {
			_, err := s.Entries(numbers)
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	})
}

func BenchmarkCheck(b *testing.B) {
	home := reading(b).Home()
	measured(b, func() {
		found, err := Check(b.Context(), home)
		if err != nil || len(found) > 0 {
			b.Fatal(found, err)
		}
	})
}

func BenchmarkHint(b *testing.B) {
	text := bytes.Repeat([]byte("a text of some length "), 50)
	hint := make([]byte, hintBytes)
	b.SetBytes(int64(len(text)))
	measured(b, func() {
		addHint(hint, text)
	})
}

// BenchmarkReadBesideImport reads first rows while another process imports, and
// reports how long a read takes.
func BenchmarkReadBesideImport(b *testing.B) {
	path, err := corpusFile()
	if err != nil {
		b.Fatal(err)
	}
	home := filepath.Join(b.TempDir(), "home")
	importer := startChild(b, "import", home, path, "1000", "0")
	importer.line()
	importer.line()
	c, err := Open(b.Context(), home, Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	go func() {
		for importer.lines.Scan() {
		}
	}()
	var took []time.Duration
	for b.Loop() {
		start := time.Now()
		err := c.Read(b.Context(), func(s view.Snapshot) error {
			return s.Scan(b.Context(), view.Query{}, func(numbers []uint64) bool {
				_, err := s.Entries(numbers[:min(50, len(numbers))])
				return err != nil
			})
		})
		if err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(start))
		// A reader asks now and then; the importer goes on between.
		time.Sleep(5 * time.Millisecond)
	}
	slices.Sort(took)
	ms := func(part int) float64 { return took[min(len(took)*part/100, len(took)-1)].Seconds() * 1000 }
	b.ReportMetric(ms(50), "p50-ms")
	b.ReportMetric(ms(99), "p99-ms")
}

// BenchmarkHubOfOneService shows a hub's links in the set of one followed service.
func BenchmarkHubOfOneService(b *testing.B) {
	c := reading(b)
	followAll(b, c)
	id := idAt(b, c, 1)
	links := 0
	measured(b, func() {
		inSet(b, c, func(set view.Snapshot) error {
			l, err := view.LoadLinks(b.Context(), set, id)
			links = 0
			for _, g := range l.Groups {
				links += len(g.Links)
			}
			return err
		})
	})
	b.ReportMetric(float64(links), "links")
}

// BenchmarkFacetsOfOneService counts everything that one followed service gave.
func BenchmarkFacetsOfOneService(b *testing.B) {
	c := reading(b)
	followAll(b, c)
	measured(b, func() {
		inSet(b, c, func(set view.Snapshot) error {
			f, err := view.LoadFacets(b.Context(), set, view.Query{})
			if err == nil && f.Total != benchEvents() {
				b.Fatal(f.Total)
			}
			return err
		})
	})
}

func inSet(b *testing.B, c *Cache, f func(view.Snapshot) error) {
	b.Helper()
	err := c.Read(b.Context(), func(s view.Snapshot) error {
		set, _, err := view.SetOf(b.Context(), s, hub)
		if err != nil {
			return err
		}
		return f(set)
	})
	if err != nil {
		b.Fatal(err)
	}
}
