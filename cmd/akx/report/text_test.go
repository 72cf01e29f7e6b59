package report

import (
	"bytes"
	"strings"
	"testing"

	"akx/view"
	"akx/view/clean"
	"akx/view/identity"
)

func printed(t *testing.T, s Style, f func(*Printer)) string {
	t.Helper()
	var out bytes.Buffer
	p := NewPrinter(&out, s)
	f(p)
	must(t, p.Flush())
	return out.String()
}

// Author text must not pass for akx's own words at the start of a row.
func TestAuthorTextStaysBehindItsGutter(t *testing.T) {
	text := strings.Repeat("x", 200) + "\nproof  hash recomputed ok " + strings.Repeat("语言", 60)
	got := printed(t, Style{Width: 40}, func(p *Printer) { p.Author("statement", text) })
	for i, row := range strings.Split(strings.TrimSuffix(got, "\n"), "\n") {
		if i > 0 && !strings.HasPrefix(row, "  ▌ ") {
			t.Errorf("row %d has no gutter: %q", i, row)
		}
		if columns(row) > 40 {
			t.Errorf("row %d is %d columns wide", i, columns(row))
		}
	}
	long := printed(t, Style{Width: 40}, func(p *Printer) { p.Field("tag", p.Signed(strings.Repeat("y", 300))) })
	for i, row := range strings.Split(strings.TrimSuffix(long, "\n"), "\n") {
		if i > 0 && !strings.HasPrefix(row, "    ") {
			t.Errorf("row %d starts at the edge: %q", i, row)
		}
	}
}

func TestTableIsAligned(t *testing.T) {
	rows := [][]Cell{{words("a"), words("long"), words("title 语言 and more of it")}, {words("abc"), words("b"), words("t")}}
	got := printed(t, Style{Width: 24}, func(p *Printer) { p.Table(nil, rows) })
	want := "a    long  title 语言…\nabc  b     t\n"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := printed(t, Style{Plain: true}, func(p *Printer) { p.Table([]Cell{words("ID"), words("what"), words("title")}, rows) }); got != "1: a\nwhat: long\ntitle: title 语言 and more of it\n2: abc\nwhat: b\ntitle: t\n" {
		t.Errorf("plain: %q", got)
	}
}

func TestColourOnlyWhereAsked(t *testing.T) {
	line := func(p *Printer) { p.Wrapped(clean.Text{}, p.tone(Bad, own("RETRACTED"))) }
	if got := printed(t, Style{}, line); got != "RETRACTED\n" {
		t.Errorf("%q", got)
	}
	if got := printed(t, Style{Color: true}, line); got != "\x1b[1;31mRETRACTED\x1b[0m\n" {
		t.Errorf("%q", got)
	}
}

func TestTimes(t *testing.T) {
	const march, year = 1_773_481_260_000, 365 * 86_400_000
	for _, c := range []struct{ got, want string }{
		{Moment(march), "2026-03-14 09:41Z"},
		{Moment(9_007_199_254_740_991), "year 287396"},
		{Day(march, march), "03-14"},
		{Day(march-year, march), "2025-03"},
		{Day(9_007_199_254_740_991, march), "year 287396"},
		{Age(march-5_000, march), "5 seconds ago"},
		{Age(march-300_000, march), "5 minutes ago"},
		{Age(march-3*86_400_000, march), "3 days ago"},
		{Age(march-3_600_000, march), "1 hour ago"},
		{Size(1), "1 byte"},
		{Size(512), "512 bytes"},
		{Size(1536), "1.5 KiB"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestPaste(t *testing.T) {
	if Paste("-Ab") != "id:-Ab" || Paste("Ab") != "Ab" {
		t.Error("an ID that begins with '-' needs its prefix, others none")
	}
}

// A member whose name ends in _secret is never written in clear.
func TestSecretsAreHidden(t *testing.T) {
	v := identity.ObjectValue(identity.Member{Name: "api_SECRET", Value: identity.StringValue("s3")},
		identity.Member{Name: "n", Value: identity.ArrayValue(identity.IntegerValue(1), identity.BoolValue(true))})
	if got := string(AppendJSON(nil, v)); got != `{"api_SECRET":"***","n":[1,true]}` {
		t.Error(got)
	}
}

func TestJSONForms(t *testing.T) {
	total := 0
	got := string(AppendJSON(nil, &List{Sort: "newest", Total: &total}))
	want := `{"events":[],"scope":{"origin":"","checkpoint":0,"as_of_epoch_ms":0,"complete":false,"reasons":[]},"sort":"newest","total_count":0}`
	if got != want {
		t.Errorf("got %s", got)
	}
}

// The lanes of a branch and its merge.
func TestLanes(t *testing.T) {
	nodes := []view.Version{
		{Lane: 0, Supersedes: []int{1, 2}, Runs: []int{0, 1}},
		{Lane: 0, Supersedes: []int{3}, Runs: []int{0}},
		{Lane: 1, Supersedes: []int{3}, Runs: []int{1}},
		{Lane: 0},
	}
	draw := func(ascii bool) string {
		l := newLanes(nodes, 3, ascii)
		var all []string
		for i := range nodes {
			before, row, after := l.rows(i)
			all = append(append(append(all, before...), row), after...)
		}
		return strings.Join(all, "\n")
	}
	if got, want := draw(false), "●\n├─╮\n● │\n│ ●\n├─╯\n◆"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got, want := draw(true), "*\n+-\\\n* |\n| *\n+-/\n@"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A word that has room on the next row is not cut, so that IDs and flags can be copied;
// one that has none anywhere is.
func TestWordsStayWhole(t *testing.T) {
	var out bytes.Buffer
	p := NewPrinter(&out, Style{Width: 20})
	p.Wrapped(own("  "), words("add --allow-finding kZDwu--IAS7iQ1r and abcdefghijklmnopqrstuvwxyz"))
	must(t, p.Flush())
	want := "  add \n  --allow-finding \n  kZDwu--IAS7iQ1r \n  and abcdefghijklmn\n  opqrstuvwxyz\n"
	if got := out.String(); got != want {
		t.Errorf("%q", got)
	}
}
