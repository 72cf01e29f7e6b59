package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"akx/cmd/gen/corpus"
	"akx/view/wire"
)

// BenchmarkServe measures query pages a second and their p99 with 32 clients at
// 100,000 events, and the anonymous memory of the service; clients and service
// share the machine. It takes half a minute to make the home.
func BenchmarkServe(b *testing.B) {
	dir, home := serviceHome(b, nil)
	importCorpus(b, dir, home, 100_000)
	s := serveHome(b, dir, home, "--rate", "0")
	client := s.plain(benchClients)
	for _, c := range []struct{ name, query string }{
		{"pages of 100", "limit=100&after_seq=%d"},
		{"pages of 1000", "limit=1000&after_seq=%d"},
		{"filtered by kind and language", "kind=negative_result&language=en&limit=20&after_seq=%d"},
	} {
		b.Run(c.name, func(b *testing.B) { askTogether(b, s, client, c.query) })
	}
	b.Run("one event", func(b *testing.B) { askTogether(b, s, client, "limit=1&after_seq=%d") })
	s.stop()
}

const benchClients = 32

func askTogether(b *testing.B, s *served, client *http.Client, query string) {
	took := make([][]time.Duration, benchClients)
	work := make(chan int)
	var wait sync.WaitGroup
	var mu sync.Mutex
	var failed error
	for i := range benchClients {
		wait.Go(func() {
			for n := range work {
				begun := time.Now()
				err := readAll(client, string(hubOrigin)+wire.QueryPath+"?"+fmt.Sprintf(query, n*7919%98_000))
				took[i] = append(took[i], time.Since(begun))
				if err != nil {
					mu.Lock()
					failed = err
					mu.Unlock()
				}
			}
		})
	}
	before := cpuTime(b, s.cmd.Process.Pid)
	b.ResetTimer()
	for n := range b.N {
		work <- n
	}
	close(work)
	wait.Wait()
	b.StopTimer()
	if failed != nil {
		b.Fatal(failed)
	}
	all := slices.Concat(took...)
	slices.Sort(all)
	b.ReportMetric(float64(len(all))/b.Elapsed().Seconds(), "pages/s")
	b.ReportMetric(float64(all[len(all)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(all[len(all)*99/100].Microseconds())/1000, "p99-ms")
	used := cpuTime(b, s.cmd.Process.Pid) - before
	b.ReportMetric(float64(used.Milliseconds())/float64(b.N), "server-cpu-ms/page")
	b.ReportMetric(anonymous(b, s.cmd.Process.Pid), "anon-MB")
}

func readAll(client *http.Client, url string) error {
	answer, err := client.Get(url)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d", answer.StatusCode)
	}
	return nil
}

func importCorpus(b *testing.B, dir, home string, events int) {
	b.Helper()
	cmd := akxCommand(b, dir, "import", "--home", home, "-")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	if err := corpus.Write(stdin, corpus.Options{Events: events, Seed: 1}); err != nil {
		b.Fatal(err)
	}
	stdin.Close()
	end(b, cmd)
}

func end(b *testing.B, cmd *exec.Cmd) {
	b.Helper()
	if err := cmd.Wait(); err != nil {
		b.Fatal(err)
	}
}

// anonymous is RssAnon of a process in MB; mapped pages of the database are not its
// own. 0 where the system does not tell.
func anonymous(b *testing.B, process int) float64 {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", process))
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(text), "RssAnon:")
	kb, err := strconv.ParseFloat(strings.Fields(after + " 0")[0], 64)
	if err != nil {
		b.Fatal(err)
	}
	return kb / 1024
}

// cpuTime is the processor time that a process has used, to 10 ms; 0 where the
// system does not tell.
func cpuTime(b *testing.B, process int) time.Duration {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", process))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text)[strings.LastIndex(string(text), ")")+1:])
	var ticks int64
	for _, f := range fields[11:13] {
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			b.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}
