package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"akx/ui/termtest"
)

// The programs that start-up is compared with, from the same run.
const (
	emptyProgram = "package main\n\nfunc main() {}\n"
	emptyScreen  = `package main

import (
	_ "akx/ui/dark"

	tea "github.com/charmbracelet/bubbletea"
)

type model struct{}

func (model) Init() tea.Cmd { return nil }
func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := msg.(tea.KeyMsg); ok {
		return m, tea.Quit
	}
	return m, nil
}
func (model) View() string { return "An early hint" }

func main() { tea.NewProgram(model{}, tea.WithAltScreen()).Run() }
`
)

// build builds a program of the module, or of a source text.
func build(b *testing.B, name, source string) string {
	b.Helper()
	dir := b.TempDir()
	out, what := filepath.Join(dir, name), "akx/cmd/akx"
	if source != "" {
		what = filepath.Join(dir, "main.go")
		if err := os.WriteFile(what, []byte(source), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	if text, err := exec.Command("go", "build", "-o", out, what).CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, text)
	}
	return out
}

// fastest is the least time of several runs: what the program itself needs.
func fastest(b *testing.B, run func() time.Duration) time.Duration {
	least := time.Hour
	for range max(b.N, 20) {
		least = min(least, run())
	}
	return least
}

// BenchmarkStart is what a command needs over an empty Go program. A benchmark of
// one run is enough: it repeats by itself.
func BenchmarkStart(b *testing.B) {
	akx, empty := build(b, "akx", ""), build(b, "empty", emptyProgram)
	home := b.TempDir()
	run := func(program string, args ...string) func() time.Duration {
		return func() time.Duration {
			cmd := exec.Command(program, args...)
			cmd.Env = append(os.Environ(), "AKX_HOME="+home)
			start := time.Now()
			if err := cmd.Run(); err != nil {
				b.Fatal(err)
			}
			return time.Since(start)
		}
	}
	run(akx, "import", filepath.Join("..", "..", "explore", "sample", "sample.jsonl"))()
	floor := fastest(b, run(empty))
	for name, args := range map[string][]string{"help": {"--help"}, "list": {"list", "--limit", "20"}, "sample_list": {"--sample", "list", "--limit", "20"}} {
		b.Run(name, func(b *testing.B) {
			b.ReportMetric(ms(fastest(b, run(akx, args...))-floor), "ms-over-empty")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkFirstFrame is the time to the first full frame over that of an empty
// Bubble Tea program, both on a pseudo-terminal.
func BenchmarkFirstFrame(b *testing.B) {
	akx, empty := build(b, "akx", ""), build(b, "empty", emptyScreen)
	home := b.TempDir()
	frame := func(program string, args ...string) func() time.Duration {
		return func() time.Duration {
			cmd := exec.Command(program, args...)
			cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "TERM=xterm-256color", "LANG=C.UTF-8"}
			start := time.Now()
			s := termtest.Start(b, cmd, 120, 36)
			defer s.Close()
			s.UntilOutput(b, func(raw []byte) bool { return bytes.Contains(raw, []byte("An early hint")) })
			took := time.Since(start)
			s.Send("q")
			s.Wait(b, termtest.Patience)
			return took
		}
	}
	floor := fastest(b, frame(empty))
	b.ReportMetric(ms(fastest(b, frame(akx, "--sample"))-floor), "ms-over-empty")
	b.ReportMetric(ms(floor), "ms-empty")
	b.ReportMetric(0, "ns/op")
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
