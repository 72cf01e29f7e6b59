// Command akx is a terminal explorer for signed research capsules (Agent
// Knowledge 1.0). This package is the only one that knows all of akx: it reads
// flags, configuration and files, wires the rest together and turns what happened
// into text, events and exit codes.
package main

import (
	"context"
	"io"
	"log"
	"os"
	"os/signal"
	"syscall"

	"akx/cache/keyring"
)

func main() { os.Exit(run(keyring.DefaultCost)) }

// run is main without the exit, so that tests can start it in a child process. keyCost
// is what opening a signing key that it writes will take.
func run(keyCost keyring.Cost) int {
	// Every command can end in a crash, and most can be given a key.
	keepFromDumps()
	// The standard library has words of its own for what peers do; they would stand
	// uncleaned between events, or over the screen.
	log.SetOutput(io.Discard)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// A second signal ends akx at once, whatever it waits for.
	context.AfterFunc(ctx, stop)
	a := &app{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, getenv: os.Getenv, keyCost: keyCost}
	return a.execute(ctx, os.Args[1:])
}
