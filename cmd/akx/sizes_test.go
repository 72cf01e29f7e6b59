package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"testing"
)

// measure is one thing whose size is bounded: the aim, and where a test fails.
type measure struct {
	what      string
	aim, most int
	found     []sized
}

type sized struct {
	n     int
	where string
}

// TestSizes prints the largest files, functions, structs and interfaces of what
// is shipped, and fails well above the aims: giants are what spoils a code base.
func TestSizes(t *testing.T) {
	files := &measure{what: "lines of a file", aim: 400, most: 600}
	functions := &measure{what: "lines of a function", aim: 60, most: 100}
	structs := &measure{what: "fields of a struct", aim: 15, most: 24}
	interfaces := &measure{what: "methods of an interface", aim: 8, most: 10}
	for _, p := range listPackages(t) {
		for _, name := range p.GoFiles {
			measureFile(t, filepath.Join(p.Dir, name), filepath.Join(p.ImportPath, name), files, functions, structs, interfaces)
		}
	}
	for _, m := range []*measure{files, functions, structs, interfaces} {
		m.report(t)
	}
}

func measureFile(t *testing.T, path, name string, files, functions, structs, interfaces *measure) {
	t.Helper()
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	files.add(set.File(tree.Pos()).LineCount(), name)
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			functions.add(set.Position(n.End()).Line-set.Position(n.Pos()).Line+1, name+" "+n.Name.Name)
		case *ast.TypeSpec:
			switch kind := n.Type.(type) {
			case *ast.StructType:
				structs.add(kind.Fields.NumFields(), name+" "+n.Name.Name)
			case *ast.InterfaceType:
				interfaces.add(kind.Methods.NumFields(), name+" "+n.Name.Name)
			}
		}
		return true
	})
}

func (m *measure) add(n int, where string) { m.found = append(m.found, sized{n, where}) }

func (m *measure) report(t *testing.T) {
	t.Helper()
	slices.SortStableFunc(m.found, func(a, b sized) int { return b.n - a.n })
	text := fmt.Sprintf("%s, aim %d, at most %d:", m.what, m.aim, m.most)
	for _, s := range m.found[:min(5, len(m.found))] {
		text += fmt.Sprintf("\n  %4d  %s", s.n, s.where)
	}
	t.Log(text)
	for _, s := range m.found {
		if s.n > m.most {
			t.Errorf("%s: %d %s, at most %d", s.where, s.n, m.what, m.most)
		}
	}
}
