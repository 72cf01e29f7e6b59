package explore_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"akx/explore"
	"akx/view/capsule"
	"akx/view/fault"
)

// TestHoldingChild is another akx that has draft 1 of a home open until it is killed.
func TestHoldingChild(t *testing.T) {
	home := os.Getenv("AKX_TEST_HOLD")
	if home == "" {
		t.Skip("runs as a child of TestTwoProcessesOnOneDraft")
	}
	w := newWriting(t, change{home: home})
	opened, err := w.w.OpenDraft(t.Context(), 1)
	if err != nil || opened.Holder != "" {
		t.Fatal(opened, err)
	}
	opened.Draft.Payload.Title = "typed in the other akx"
	if _, err := w.w.SaveDraft(t.Context(), opened.Draft); err != nil {
		t.Fatal(err)
	}
	fmt.Println("held")
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		t.Fatal(err)
	}
}

// While another process has a draft open it is read-only here, and who has it is said;
// when that process is killed, the draft is free, with all that was typed there.
func TestTwoProcessesOnOneDraft(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	w := newWriting(t, change{home: home})
	d := w.draft(explore.Start{Kind: capsule.Observation})
	w.w.CloseDraft(d.ID)

	child := exec.Command(os.Args[0], "-test.run=^TestHoldingChild$")
	child.Env = append(os.Environ(), "AKX_TEST_HOLD="+home)
	in, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() && lines.Text() != "held" {
		t.Log(lines.Text())
	}
	opened, err := w.w.OpenDraft(t.Context(), d.ID)
	if err != nil || !strings.Contains(opened.Holder, fmt.Sprintf("(process %d)", child.Process.Pid)) {
		t.Errorf("%q, %v", opened.Holder, err)
	}
	if opened.Draft.Payload.Title != "typed in the other akx" {
		t.Errorf("reads %q", opened.Draft.Payload.Title)
	}
	_, err = w.w.SaveDraft(t.Context(), d)
	wantCode(t, err, fault.Locked)

	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	// It was killed: what it says at its end is not of interest.
	_ = child.Wait()
	if opened, err = w.w.OpenDraft(t.Context(), d.ID); err != nil || opened.Holder != "" {
		t.Errorf("%q, %v", opened.Holder, err)
	}
	if _, err := w.w.SaveDraft(t.Context(), opened.Draft); err != nil {
		t.Error(err)
	}
}

// TestTypingChild is an akx in which somebody types, until it is killed.
func TestTypingChild(t *testing.T) {
	home := os.Getenv("AKX_TEST_TYPE")
	if home == "" {
		t.Skip("runs as a child of TestEveryKeystrokeIsSafe")
	}
	w := newWriting(t, change{home: home})
	opened, err := w.w.NewDraft(t.Context(), explore.Start{Kind: capsule.Question})
	for n := 1; err == nil; n++ {
		opened.Draft.Payload.Statement += "x"
		if opened.Draft, err = w.w.SaveDraft(t.Context(), opened.Draft); err == nil {
			fmt.Println("saved", n)
		}
	}
	t.Fatal(err)
}

// What was said to be saved is there after kill -9, at whatever moment it comes.
func TestEveryKeystrokeIsSafe(t *testing.T) {
	for _, keys := range []int{1, 7, 40} {
		home := filepath.Join(t.TempDir(), "home")
		child := exec.Command(os.Args[0], "-test.run=^TestTypingChild$")
		child.Env = append(os.Environ(), "AKX_TEST_TYPE="+home)
		out, err := child.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		lines, saved := bufio.NewScanner(out), 0
		for saved < keys && lines.Scan() {
			fmt.Sscanf(lines.Text(), "saved %d", &saved)
		}
		if err := child.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for lines.Scan() {
			fmt.Sscanf(lines.Text(), "saved %d", &saved)
		}
		// It was killed: what it says at its end is not of interest.
		_ = child.Wait()
		drafts, err := newWriting(t, change{home: home}).w.Drafts(t.Context())
		if err != nil || len(drafts) != 1 {
			t.Fatal(drafts, err)
		}
		if n := len(drafts[0].Payload.Statement); saved < keys || n < saved || n > saved+1 {
			t.Errorf("%d keys were saved, %d are there", saved, n)
		}
	}
}
