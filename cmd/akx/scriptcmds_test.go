package main

import (
	"bytes"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// checkExit: "exit CODE ARG..." runs akx and compares its exit code. Output goes
// to the files stdout and stderr, beside the script's own.
func checkExit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: exit CODE [akx arguments]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	path, err := exec.LookPath("akx")
	ts.Check(err)
	cmd := exec.Command(path, args[1:]...)
	cmd.Dir = ts.MkAbs(".")
	for _, name := range []string{"HOME", "PATH", "TERM", "AKX_HOME", "XDG_DATA_HOME", "NO_COLOR", "AKX_PASSPHRASE_FILE", "VISUAL", "EDITOR"} {
		if v := ts.Getenv(name); v != "" {
			cmd.Env = append(cmd.Env, name+"="+v)
		}
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run()
	ts.Check(os.WriteFile(ts.MkAbs("out"), stdout.Bytes(), 0o644))
	ts.Check(os.WriteFile(ts.MkAbs("err"), stderr.Bytes(), 0o644))
	if got := cmd.ProcessState.ExitCode(); got != want {
		ts.Fatalf("exit code %d, want %d\n%s%s", got, want, stdout.String(), stderr.String())
	}
}

// patchFile: "patch FROM TO OLD NEW" copies a file and replaces a text in it, with
// Go's escapes in both.
func patchFile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: patch FROM TO OLD NEW")
	}
	text := ts.ReadFile(args[0])
	old, changed := unquote(ts, args[2]), unquote(ts, args[3])
	if !strings.Contains(text, old) {
		ts.Fatalf("%q is not in %s", old, args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(strings.Replace(text, old, changed, 1)), 0o644))
}

// repeatText: "repeat FILE TEXT COUNT" writes a text many times, without a newline.
func repeatText(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: repeat FILE TEXT COUNT")
	}
	n, err := strconv.Atoi(args[2])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Repeat(unquote(ts, args[1]), n)), 0o644))
}

func unquote(ts *testscript.TestScript, s string) string {
	out, err := strconv.Unquote(`"` + strings.ReplaceAll(s, `"`, `\"`) + `"`)
	ts.Check(err)
	return out
}

// damageFile: "damage FILE" overwrites every page of a database but its first four.
func damageFile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: damage FILE")
	}
	path := ts.MkAbs(args[0])
	data, err := os.ReadFile(path)
	ts.Check(err)
	for i := 4 * 4096; i < len(data); i++ {
		data[i] ^= 0x5a
	}
	ts.Check(os.WriteFile(path, data, 0o600))
}
