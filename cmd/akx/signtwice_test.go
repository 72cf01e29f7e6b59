package main

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"
)

// Several akx that sign one draft at the same time make one event.
func TestOneDraftIsSignedOnce(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	pass := writeFile(t, home, "pass.txt", []byte("horse"))
	run := func(stdin string, args ...string) (string, int) {
		cmd := akxCommand(t, home, append([]string{"--json"}, args...)...)
		cmd.Env = append(cmd.Env, "AKX_PASSPHRASE_FILE="+pass)
		cmd.Stdin = strings.NewReader(stdin)
		out, _ := cmd.CombinedOutput()
		return string(out), cmd.ProcessState.ExitCode()
	}
	for _, c := range []struct {
		stdin string
		args  []string
	}{{"", []string{"key", "new"}}, {readyDraft, []string{"draft", "new", "question", "-"}}} {
		if out, code := run(c.stdin, c.args...); code != exitDone {
			t.Fatal(out)
		}
	}
	var wait sync.WaitGroup
	outs, codes := make([]string, 4), make([]int, 4)
	for i := range outs {
		wait.Go(func() { outs[i], codes[i] = run("", "sign", "1", "--yes-publish") })
	}
	wait.Wait()
	ids := map[string]bool{}
	for i, out := range outs {
		var event struct {
			Result struct {
				ID string `json:"event_id"`
			}
			Error struct{ Code string }
		}
		if err := json.Unmarshal([]byte(out), &event); err != nil {
			t.Fatal(err, out)
		}
		switch {
		case codes[i] == exitDone:
			ids[event.Result.ID] = true
		case event.Error.Code != "locked":
			t.Errorf("exit code %d\n%s", codes[i], out)
		}
	}
	out, _ := run("", "outbox")
	if len(ids) != 1 || strings.Count(out, `"event_id"`) != 1 {
		t.Errorf("signed as %v\n%s", ids, out)
	}
}
