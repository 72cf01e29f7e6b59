package cache

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"akx/cmd/gen/corpus"
	"akx/view"
	"akx/view/capsule"
	"akx/view/identity"
	"akx/view/wire"
)

// Tests that need other processes run this test binary again: TestMain hands the
// process to runChild where AKX_TEST_CHILD names what it is to do.

// runChild is the main function of a child.
func runChild(what string, args []string) int {
	run := map[string]func([]string) error{"import": childImport, "hold": childHold, "open": childOpen, "follow": childFollow}[what]
	if err := run(args); err != nil {
		fmt.Println("error", err)
		return 1
	}
	return 0
}

// childImport imports a file of envelopes from the number behind the last one that
// it finds marked in its arguments: home, file, events a transaction, first line.
// After each transaction it prints how many lines it has done and added.
func childImport(args []string) error {
	size, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	first, err := strconv.Atoi(args[3])
	if err != nil {
		return err
	}
	f, err := os.Open(args[1])
	if err != nil {
		return err
	}
	fmt.Println("start")
	c, err := Open(context.Background(), args[0], Options{Command: "akx import"})
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	var batch []wire.Item
	done, added := 0, 0
	flush := func() error {
		outcomes, err := c.Accept(context.Background(), wire.Source{Kind: wire.FromFile, Name: args[1]}, batch)
		if err != nil {
			return err
		}
		for _, o := range outcomes {
			if o.Status == wire.Added {
				added++
			}
		}
		batch = batch[:0]
		fmt.Println("done", done, added)
		return nil
	}
	for lines.Scan() {
		if done++; done <= first {
			continue
		}
		offer, err := capsule.Open(lines.Bytes())
		if err != nil {
			return err
		}
		if batch = append(batch, wire.Item{Offer: offer}); len(batch) == size {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

// childHold holds the lease of a home alone until its input ends.
func childHold(args []string) error {
	l := lease{base: filepath.Join(args[0], cacheName), command: "akx hold"}
	t, err := l.acquire(context.Background(), true, DefaultPatience)
	if err != nil {
		return err
	}
	fmt.Println("held")
	_, err = io.Copy(io.Discard, os.Stdin)
	t.release()
	return err
}

// childOpen opens and reads a home, and prints the code of what went wrong.
func childOpen(args []string) error {
	c, err := Open(context.Background(), args[0], Options{})
	if err == nil {
		err = c.Read(context.Background(), func(view.Snapshot) error { return nil })
	}
	fmt.Println("read", codeOf(err))
	return nil
}

// childFollow follows a service that gives a corpus in its order, from seq 1 on, page
// by page from what it had reached: home, file, events a page, origin. Each page
// completes the checkpoint. After each it prints what is reached.
func childFollow(args []string) error {
	size, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	origin, ctx := identity.Origin(args[3]), context.Background()
	c, err := Open(ctx, args[0], Options{Command: "akx sync"})
	if err != nil {
		return err
	}
	state, err := c.Follow(ctx, origin)
	if err != nil {
		return err
	}
	fmt.Println("start", state.Reached)
	f, err := os.Open(args[1])
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	var page []wire.Item
	seq := uint64(0)
	flush := func() error {
		if len(page) == 0 {
			return nil
		}
		_, stored, err := c.AcceptPage(ctx, origin, page, completed(seq))
		page = page[:0]
		fmt.Println("reached", stored.Reached)
		return err
	}
	for lines.Scan() {
		if seq++; seq <= state.Reached {
			continue
		}
		offer, err := capsule.Open(lines.Bytes())
		if err != nil {
			return err
		}
		if page = append(page, wire.Item{Offer: offer, Seq: seq, AcceptedAt: int64(seq)}); len(page) == size {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

// child is a running child process.
type child struct {
	t     testing.TB
	cmd   *exec.Cmd
	stdin io.WriteCloser
	lines *bufio.Scanner
}

func startChild(t testing.TB, what string, args ...string) *child {
	t.Helper()
	return start(t, exec.Command(os.Args[0], args...), what)
}

func start(t testing.TB, cmd *exec.Cmd, what string) *child {
	t.Helper()
	cmd.Env = append(os.Environ(), "AKX_TEST_CHILD="+what)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c := &child{t: t, cmd: cmd, stdin: in, lines: bufio.NewScanner(out)}
	t.Cleanup(func() {
		if c.cmd.ProcessState == nil {
			c.kill()
		}
	})
	return c
}

// line waits for the next line of the child; empty at the end of its output.
func (c *child) line() string {
	c.t.Helper()
	if !c.lines.Scan() {
		return ""
	}
	text := c.lines.Text()
	if strings.HasPrefix(text, "error") {
		c.t.Fatal("child: " + text)
	}
	return text
}

// kill ends the child at once, as kill -9 does.
func (c *child) kill() {
	// It may have ended by itself; Wait tells nothing that the tests do not see in the home.
	_ = c.cmd.Process.Kill()
	_ = c.cmd.Wait()
}

// finish reads the child's output to its end and expects success.
func (c *child) finish() (last string) {
	c.t.Helper()
	for line := c.line(); line != ""; line = c.line() {
		last = line
	}
	if err := c.cmd.Wait(); err != nil {
		c.t.Fatalf("child: %v", err)
	}
	return last
}

// corpusOfSeed writes a corpus and gives its path.
func corpusOfSeed(t testing.TB, events int, seed uint64) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), fmt.Sprintf("corpus-%d.jsonl", seed))
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := corpus.Write(f, corpus.Options{Events: events, Seed: seed}); err != nil {
		t.Fatal(err)
	}
	return path
}
