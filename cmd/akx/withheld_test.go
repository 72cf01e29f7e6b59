package main

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"akx/explore/sample"
)

// TestWithheldScripts runs the command lines of testdata/withheld, each against a service
// of akx serve of its own that has the sample, and withholds some of it.
func TestWithheldScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir: "testdata/withheld",
		Setup: func(env *testscript.Env) error {
			hub := serveLoopback(t, sample.Text())
			for name, value := range map[string]string{
				"HUB": hub.origin, "HUBHOME": hub.home, "HUBCA": hub.ca,
				"RETRACTION": sample.Withdrawn, "CAPSULE": withheldCapsule, "ROOT": withheldRoot,
				"WAITS": "cGf9vMKZQO8IX9z_Sz-lndpc9GFgwKb3czY8dFINOSA", "FREE": withheldFree,
			} {
				env.Setenv(name, value)
			}
			return setupScript(env)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"events": checkEvents,
			"exit":   checkExit,
		},
	})
}

// Events of the sample that the scripts withhold: one that little refers to, and one that
// much does.
const (
	withheldCapsule = "wpOee8AyKEowOs05_dwMb-w2RVvM22mY77PhejPpT-Y"
	withheldRoot    = "mzw2P--c6o15oP0IfB0g3IgmscdMNc7ek40uDk5tgdM"
	withheldFree    = "2MlaSSazl5eDS2tMI2QbVwry8bP4wUuz_uPOcPXRpmY"
)
