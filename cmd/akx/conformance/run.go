// Package conformance runs files of test vectors against akx's own code: the
// strict parser, the proof, the shapes, the rules of payloads and targets, the
// views, the documents and the service core. What needs a store runs on each store
// that it is handed. The formats are those of agent-knowledge/1.0 and
// agent-identity/1.0, told apart by the member protocol.
package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"akx/view"
	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/wire"
)

// Store is what the vectors need of a store.
type Store interface {
	wire.RecordStore
	// Read runs f over one consistent snapshot.
	Read(ctx context.Context, f func(view.Snapshot) error) error
}

// Maker makes empty stores of one kind.
type Maker struct {
	Name string
	// Open makes an empty store. origin names its scope, clock gives ms; close
	// takes away everything that the store left behind.
	Open func(ctx context.Context, origin string, clock func() int64) (s Store, close func() error, err error)
}

// Report is the result of one file.
type Report struct {
	Name                    string
	Passed, Failed, Skipped int
	Failures                []Failure
}

// Failure is one case that did not give what its file expects, or something in
// the file that no case of the format has. All of it is foreign text.
type Failure struct{ Section, Case, Expected, Got string }

// Run runs every case of one file. name is only repeated in the report and in
// errors. Whatever is wrong within a file of vectors is a failure of the report; the
// error is *fault.Usage for a file of another kind, or that of ctx, or of a store that
// could not be made.
func Run(ctx context.Context, name string, data []byte, makers []Maker) (Report, error) {
	r := &runner{ctx: ctx, makers: makers, report: Report{Name: name}}
	top, err := fieldsOf(data)
	if err != nil {
		return r.report, otherFile(name, "it is not one JSON object")
	}
	switch protocol := top.text("protocol"); protocol {
	case capsule.Protocol:
		err = r.knowledge(top)
	case identityProtocol:
		err = r.identity(top)
	default:
		return r.report, otherFile(name, "its member protocol is neither "+capsule.Protocol+" nor "+identityProtocol)
	}
	return r.report, err
}

// otherFile says that a file holds no vectors of a protocol that is known here.
func otherFile(name, why string) error {
	return &fault.Usage{Detail: name + ": not a file of conformance vectors: " + why, Hint: "akx verify proves events"}
}

// runner runs one file.
type runner struct {
	ctx      context.Context
	makers   []Maker
	report   Report
	now      int64
	fixtures map[string]fixture
}

func (r *runner) fail(section, name, expected, got string) {
	r.report.Failed++
	r.report.Failures = append(r.report.Failures, Failure{section, name, expected, got})
}

// mismatch is a case that did not give what its file expects.
type mismatch struct{ expected, got string }

func (m *mismatch) Error() string { return "expected " + m.expected + ", got " + m.got }

// expect compares; what stands for the thing in the report.
func expect(what, expected, got string) error {
	if expected == got {
		return nil
	}
	if what != "" {
		what += " "
	}
	return &mismatch{what + expected, what + got}
}

// broken is a failure of a store or a context, which ends the run.
type broken struct{ err error }

func (b *broken) Error() string { return b.err.Error() }
func (b *broken) Unwrap() error { return b.err }

// settle counts one case.
func (r *runner) settle(section, name string, err error) error {
	var m *mismatch
	var b *broken
	switch {
	case errors.As(err, &b):
		return b.err
	case r.ctx.Err() != nil:
		return r.ctx.Err()
	case err == nil:
		r.report.Passed++
	case errors.As(err, &m):
		r.fail(section, name, m.expected, m.got)
	default:
		r.fail(section, name, "a case that can be run", err.Error())
	}
	return nil
}

// workers is how many cases run at once: a store on disk waits more than it works.
const workers = 8

// section runs the cases of one section: each has the members in allowed and no
// other. They are counted in their order.
func (r *runner) section(name string, raw json.RawMessage, allowed []string, run func(c *fields) error) error {
	cases, err := listOf(raw)
	if err != nil {
		r.fail(name, "", "a list of cases", err.Error())
		return nil
	}
	allowed = append([]string{"name", "layer", "scope"}, allowed...)
	titles, results := make([]string, len(cases)), make([]error, len(cases))
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(workers, len(cases)) {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(cases); i = int(next.Add(1)) - 1 {
				titles[i] = fmt.Sprintf("case %d", i)
				results[i] = r.one(cases[i], &titles[i], allowed, run)
			}
		})
	}
	all.Wait()
	for i := range cases {
		if err := r.settle(name, titles[i], results[i]); err != nil {
			return err
		}
	}
	return nil
}

// one runs one case and finds its name.
func (r *runner) one(raw json.RawMessage, title *string, allowed []string, run func(c *fields) error) error {
	c, err := fieldsOf(raw)
	if err != nil {
		return err
	}
	if c.has("name") {
		*title = c.text("name")
	}
	if err := c.only(allowed...); err != nil {
		return err
	}
	err = run(c)
	if c.err != nil {
		return c.err
	}
	return err
}
