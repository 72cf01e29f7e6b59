package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// listed is what `go list -json` says about one package.
type listed struct {
	ImportPath, Dir string
	GoFiles         []string
	Imports         []string
}

// rule is one row of the table of the design: what a package may import of ours,
// and what it may touch.
type rule struct {
	imports string // packages of ours, "x/..." for all below x and x itself
	touches string // disk, network, clock, terminal
}

// table binds shipped files; _test.go files are free.
var table = map[string]rule{
	"view/fault":          {"", ""},
	"view/identity":       {"view/fault", ""},
	"view/capsule":        {"view/identity view/fault", ""},
	"view/wire":           {"view/capsule view/identity view/fault", ""},
	"view":                {"view/wire view/capsule view/identity view/fault", ""},
	"view/desk":           {"view view/wire view/capsule view/identity view/fault", ""},
	"view/clean":          {"", ""},
	"view/memory":         {"view view/desk view/wire view/capsule view/identity view/fault", ""},
	"view/*":              {"view view/wire view/capsule view/identity view/fault view/desk view/clean", ""},
	"client":              {"view/... client/fetch", "network clock"},
	"client/fetch":        {"view/identity view/fault", "network clock"},
	"client/service":      {"view/...", "network clock"}, // an http.Handler; it opens no connection
	"cache":               {"view/...", "disk clock"},
	"cache/keyring":       {"view/identity view/fault", "disk clock"},
	"explore":             {"view/...", "clock"},
	"explore/sample":      {"view/...", ""},
	"ui":                  {"ui/... explore view/...", "terminal"},
	"ui/dark":             {"", "terminal"},
	"ui/term":             {"", "terminal clock"},
	"ui/draw":             {"view/...", ""},
	"ui/slot":             {"", ""},
	"ui/kit":              {"ui/slot ui/draw view/...", ""},
	"ui/screen/*":         {"ui/kit ui/draw ui/slot explore view/...", ""},
	"cmd/akx":             {"...", "disk network clock terminal"},
	"cmd/akx/report":      {"explore view/...", ""},
	"cmd/akx/conformance": {"client/service cache view/...", "disk"},
	"cmd/gen/*":           {"view/... ui/kit", "disk clock"},
	// Helpers of tests: no shipped file imports them.
	"cache/storetest":   {"view/... explore", "disk clock"},
	"client/clienttest": {"view/... client/service", "disk network clock"},
	"cmd/akx/eventtest": {"", ""},
	"ui/uitest":         {"ui/... explore view/...", "terminal clock"},
	"ui/termtest":       {"ui/...", "disk terminal clock"},
}

// keepers names, by import path, who alone may import what is not ours.
var keepers = map[string]string{
	"github.com/charmbracelet/lipgloss":  "ui/draw ui/dark",
	"github.com/charmbracelet/x/ansi":    "ui/draw ui/termtest",
	"github.com/charmbracelet/bubbles":   "ui/draw",
	"github.com/charmbracelet/glamour":   "ui/draw",
	"github.com/muesli/termenv":          "ui/draw",
	"github.com/charmbracelet/bubbletea": "ui/...",
	"go.etcd.io/bbolt":                   "cache",
	"github.com/spf13/cobra":             "cmd/akx",
	"github.com/spf13/pflag":             "cmd/akx",
	"go.yaml.in/yaml/v3":                 "cmd/akx cmd/gen/... view/desk",
	"github.com/nlnwa/whatwg-url":        "view/identity",
	"github.com/gowebpki/jcs":            "view/identity",
	"github.com/creack/pty":              "ui/termtest",
	"github.com/charmbracelet/x/vt":      "ui/termtest",
	"github.com/rogpeppe/go-internal":    "",
	"testing":                            "cache/storetest client/clienttest ui/uitest ui/termtest",
}

// touching names what an import of the standard library or golang.org/x touches.
var touching = map[string]string{
	"os": "disk terminal", "os/exec": "disk terminal", "os/signal": "terminal", "os/user": "disk",
	"syscall": "disk terminal network", "golang.org/x/sys/unix": "disk terminal", "golang.org/x/term": "terminal",
	"net": "network", "net/http": "network", "crypto/tls": "network",
	"log": "disk", "log/slog": "disk", "math/rand": "clock", "math/rand/v2": "clock", "crypto/rand": "disk network clock",
}

func TestImportTable(t *testing.T) {
	for _, p := range listPackages(t) {
		path := strings.TrimPrefix(p.ImportPath, "akx/")
		r, ok := ruleOf(path)
		if !ok {
			t.Errorf("%s stands in no row of the table", path)
			continue
		}
		for _, i := range p.Imports {
			for _, fault := range faults(path, r, i) {
				t.Errorf("%s imports %s: %s", path, i, fault)
			}
		}
		if !shares(r.touches, "clock") {
			for _, file := range p.GoFiles {
				readsClock(t, filepath.Join(p.Dir, file))
			}
		}
	}
}

// TestImportTableRefuses proves that the check itself can fail.
func TestImportTableRefuses(t *testing.T) {
	for _, c := range []struct{ path, imported string }{
		{"view/capsule", "akx/view/wire"}, {"view", "akx/view/clean"}, {"explore", "akx/cache"},
		{"explore", "net/http"}, {"explore", "os"}, {"view/clean", "os"}, {"view/identity", "math/rand/v2"},
		{"ui/screen/browse", "akx/ui/screen/page"}, {"ui/kit", "akx/explore"}, {"ui/kit", "github.com/charmbracelet/lipgloss"},
		{"cmd/akx/report", "github.com/charmbracelet/bubbletea"}, {"cache", "akx/explore"}, {"cache", "akx/cache/storetest"},
		{"cmd/akx", "akx/client/clienttest"}, {"explore", "testing"},
	} {
		r, ok := ruleOf(c.path)
		if !ok || len(faults(c.path, r, c.imported)) == 0 {
			t.Errorf("%s may import %s", c.path, c.imported)
		}
	}
}

func faults(path string, r rule, imported string) []string {
	var out []string
	if ours, ok := strings.CutPrefix(imported, "akx/"); ok {
		if !matches(r.imports, ours) {
			out = append(out, "an arrow that is not in the table")
		}
		if strings.HasSuffix(ours, "test") && !strings.HasSuffix(path, "test") {
			out = append(out, "a helper of tests")
		}
		return out
	}
	for dependency, who := range keepers {
		if (imported == dependency || strings.HasPrefix(imported, dependency+"/")) && !matches(who, path) {
			out = append(out, "only for: "+who)
		}
	}
	if needs := touching[imported]; needs != "" && !shares(r.touches, needs) {
		out = append(out, "it touches "+needs)
	}
	return out
}

func ruleOf(path string) (rule, bool) {
	if r, ok := table[path]; ok {
		return r, true
	}
	r, ok := table[filepath.Dir(path)+"/*"]
	return r, ok
}

func matches(patterns, path string) bool {
	return slices.ContainsFunc(strings.Fields(patterns), func(p string) bool {
		below, wild := strings.CutSuffix(p, "...")
		return p == path || wild && (strings.HasPrefix(path, below) || path+"/" == below)
	})
}

func shares(have, need string) bool {
	return slices.ContainsFunc(strings.Fields(need), func(n string) bool { return slices.Contains(strings.Fields(have), n) })
}

// readsClock fails for calls of package time that read a clock or wait for one.
func readsClock(t *testing.T, file string) {
	t.Helper()
	tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		x, ok := s.X.(*ast.Ident)
		if ok && x.Name == "time" && slices.Contains([]string{"Now", "Since", "Until", "After", "AfterFunc", "NewTimer", "NewTicker", "Tick", "Sleep"}, s.Sel.Name) {
			t.Errorf("%s uses time.%s: its package has no clock", file, s.Sel.Name)
		}
		return true
	})
}

func listPackages(t *testing.T) []listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-e", "-json=ImportPath,Dir,GoFiles,Imports", "akx/...")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.String())
	}
	var all []listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		switch err := d.Decode(&p); {
		case errors.Is(err, io.EOF):
			if len(all) < 10 {
				t.Fatalf("go list gave only %d packages", len(all))
			}
			return all
		case err != nil:
			t.Fatal(err)
		}
		if len(p.GoFiles) > 0 {
			all = append(all, p)
		}
	}
}
