package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"akx/explore/sample"
)

// TestPublishScripts runs the command lines of testdata/publish: writing, signing and
// sending, against two services of akx serve on loopback TLS. Both begin with the
// sample.
func TestPublishScripts(t *testing.T) {
	t.Parallel()
	hub := serveLoopback(t, sample.Text())
	lab := serveLoopback(t, sample.Text())
	testscript.Run(t, testscript.Params{
		Dir: "testdata/publish",
		Setup: func(env *testscript.Env) error {
			for name, value := range map[string]string{"HUB": hub.origin, "HUBCA": hub.ca, "LAB": lab.origin, "LABCA": lab.ca} {
				env.Setenv(name, value)
			}
			return setupScript(env)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"events": checkEvents,
			"exit":   checkExit,
			"patch":  patchFile,
			"take":   takeMember,
		},
	})
}

// takeMember: "take VARIABLE MEMBER" sets a variable to a member of the event that the
// last command, or the last exit, ended with.
func takeMember(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: take VARIABLE MEMBER")
	}
	all := lines(ts.ReadFile("stderr") + ts.ReadFile("stdout"))
	var event map[string]json.RawMessage
	ts.Check(json.Unmarshal(all[len(all)-1], &event))
	var payload map[string]any
	for _, name := range []string{"result", "error"} {
		if event[name] != nil {
			ts.Check(json.Unmarshal(event[name], &payload))
		}
	}
	value := payload
	path := strings.Split(args[1], ".")
	for _, name := range path[:len(path)-1] {
		list, ok := value[name].([]any)
		if !ok || len(list) == 0 {
			ts.Fatalf("no %s in %v", name, payload)
		}
		value = list[0].(map[string]any)
	}
	text, ok := value[path[len(path)-1]].(string)
	if !ok {
		ts.Fatalf("no text %s in %v", args[1], payload)
	}
	ts.Setenv(args[0], text)
}
