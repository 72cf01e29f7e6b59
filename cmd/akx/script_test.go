package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"akx/cache/keyring"
	"akx/cmd/akx/eventtest"
	"akx/explore/sample"
	"akx/view/capsule"
	"akx/view/identity"
)

// cheapKeys keeps tests that sign from spending most of their time on passphrases; the
// cost of real key files is a test of the keyring.
var cheapKeys = keyring.Cost{Time: 1, Memory: 64, Threads: 1}

// TestMain lets scripts run this test binary again as akx, so that nothing is built.

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"akx":        func() { os.Exit(run(cheapKeys)) },
		"akx-deadly": func() { os.Exit(deadlyExplorer()) },
	})
}

// TestScripts runs the command lines of testdata/script, each in an empty home.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:   "testdata/script",
		Setup: setupScript,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"events": checkEvents,
			"exit":   checkExit,
			"patch":  patchFile,
			"repeat": repeatText,
			"damage": damageFile,
			"take":   takeMember,
		},
	})
}

// now is the created_at of events that scripts use, in ms: long past.
const now = 1_773_481_260_000

func setupScript(env *testscript.Env) error {
	env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
	env.Setenv("TERM", "xterm-256color")
	first, _, _ := bytes.Cut(sample.Text(), []byte("\n"))
	offer, err := capsule.Open(first)
	if err != nil {
		return err
	}
	env.Setenv("FIRST", offer.Envelope().ID().String())
	question := sign(t1, 1, "A question", identity.ID{})
	dash := question
	for nonce := int64(2); dash.ID().String()[0] != '-'; nonce++ {
		dash = sign(t1, nonce, "An ID that begins with a dash", identity.ID{})
	}
	env.Setenv("DASH", dash.ID().String())
	env.Setenv("QUESTION", question.ID().String())
	orphan := sign(t1, 9, "An assessment without its target", identity.ID{7})
	env.Setenv("ORPHAN", orphan.ID().String())
	env.Setenv("MISSING", identity.ID{7}.String())
	hostile := sign(t1, 10, "clear\x1b[2J \x1b]52;c;eA==\x07 \u202eevil \u200b\u009b2J\U000e0041", identity.ID{})
	env.Setenv("HOSTILE", hostile.ID().String())
	public := sign(identity.TestKey(0x21), 1, "Signed with a published key", identity.ID{})
	env.Setenv("PUBLIC", public.ID().String())
	for name, text := range map[string][]byte{
		"public.json":   []byte(public.Text()),
		"sample.jsonl":  sample.Text(),
		"question.json": []byte(question.Text()),
		"dash.json":     []byte(dash.Text()),
		"orphan.json":   []byte(orphan.Text()),
		"record.json":   []byte(`{"envelope":` + question.Text() + `,"seq":7,"accepted_at":1773481300000,"service":"https://hub.example"}`),
		"hostile.json":  []byte(hostile.Text()),
	} {
		if err := os.WriteFile(filepath.Join(env.WorkDir, name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

var t1 = identity.NewKey([32]byte{1})

// sign makes a question, or an assessment of target where there is one.
func sign(k identity.Key, nonce int64, title string, target identity.ID) identity.Envelope {
	text := identity.StringValue
	member := func(name string, v identity.Value) identity.Member { return identity.Member{Name: name, Value: v} }
	members := []identity.Member{
		member("license", text("https://creativecommons.org/licenses/by/4.0/")),
		member("context", identity.ObjectValue(member("scope", text("tests")), member("conditions", identity.ArrayValue()), member("limitations", identity.ArrayValue()))),
		member("basis", text("made for a test")),
	}
	kind := capsule.Publish.String()
	if target.IsZero() {
		members = append(members, member("kind", text("question")), member("title", text(title)), member("statement", text("What follows?")), member("language", text("en")))
	} else {
		kind = capsule.Assess.String()
		members = append(members, member("target", text(target.String())), member("verdict", text("inconclusive")), member("summary", text(title)))
	}
	format := capsule.Format()
	format.MaxBytes = 1 << 20
	e, err := identity.Sign(k, identity.Draft{Protocol: capsule.Protocol, Type: kind, CreatedAt: now, Nonce: nonce, Payload: identity.ObjectValue(members...)}, format)
	if err != nil {
		panic(err)
	}
	return e
}

// checkEvents: "events result" or "events error". The last command's output is a
// strict stream with that end: result on stdout and nothing else there.
func checkEvents(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: events result|error")
	}
	stdout, stderr := ts.ReadFile("stdout"), ts.ReadFile("stderr")
	lines := append(lines(stderr), lines(stdout)...)
	if err := eventtest.Stream(lines, true); err != nil {
		ts.Fatalf("%v in\n%s%s", err, stderr, stdout)
	}
	want := `{"kind":"` + args[0] + `"`
	if !bytes.HasPrefix(lines[len(lines)-1], []byte(want)) || (args[0] == "error") != (stdout == "") {
		ts.Fatalf("no %s at the end of\n%s%s", args[0], stderr, stdout)
	}
	for _, r := range stdout + stderr {
		if r < 0x20 && r != '\n' || r >= 0x7f && r < 0xa0 || r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0xe0000 && r < 0xe0080 {
			ts.Fatalf("%U is not escaped", r)
		}
	}
}

func lines(text string) [][]byte {
	if text == "" {
		return nil
	}
	return bytes.Split([]byte(strings.TrimSuffix(text, "\n")), []byte("\n"))
}
