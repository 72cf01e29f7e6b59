package main

import (
	"encoding/csv"
	"io/fs"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"akx/view/capsule"
	"akx/view/identity"
)

func TestTitlesAreShortAndDistinct(t *testing.T) {
	seen, long := map[string]string{}, 0
	events := build(t).events
	for _, s := range events {
		if s.Event.Type() == capsule.Retract {
			continue
		}
		title := s.Event.Title()
		if other := seen[title]; other != "" {
			t.Errorf("%s and %s have one title", s.Key, other)
		}
		seen[title] = s.Key
		if n := utf8.RuneCountInString(title); n > 80 {
			t.Errorf("%s: title of %d characters", s.Key, n)
		} else if n > 60 {
			long++
		}
	}
	if long*5 > len(seen) {
		t.Errorf("%d of %d titles have more than 60 characters", long, len(seen))
	}
}

// Folding in the content files must not leave stray blanks in signed text.
func TestTextIsTidy(t *testing.T) {
	for _, s := range build(t).events {
		walkStrings(s.Event.Envelope().Payload(), func(text string) {
			if text != strings.TrimSpace(text) || strings.Contains(text, "  ") || strings.Contains(text, " \n") || strings.Contains(text, "\n ") {
				t.Errorf("%s: stray blanks in %q", s.Key, text)
			}
		})
	}
}

func walkStrings(v identity.Value, f func(string)) {
	if v.Kind() == identity.String {
		f(v.Text())
	}
	for _, item := range v.Items() {
		walkStrings(item, f)
	}
	for _, m := range v.Members() {
		walkStrings(m.Value, f)
	}
}

// What no reader could see stands as an escape in the embedded file.
func TestFileShowsWhatItHolds(t *testing.T) {
	text, err := Lines(build(t).events)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range string(text) {
		if r != '\n' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Variation_Selector) {
			t.Errorf("the file holds a bare %U", r)
		}
	}
	if !strings.Contains(string(text), `\u202e`) || !strings.Contains(string(text), "缓存") {
		t.Error("the file lacks an escaped override or plain Chinese")
	}
}

func TestURLsAreReservedForExamples(t *testing.T) {
	l := build(t)
	check := func(key, text string) {
		u, err := url.Parse(text)
		if err != nil || !reserved(u.Hostname()) {
			t.Errorf("%s: %q is not an example address", key, text)
		}
	}
	for key, p := range l.publications {
		for _, e := range p.Evidence {
			check(key, e.URL)
		}
		for _, b := range p.Profiles {
			check(key, b.URL)
		}
	}
	for key, a := range l.assessments {
		for _, e := range a.Evidence {
			check(key, e.URL)
		}
	}
}

func reserved(host string) bool {
	for _, domain := range []string{"example.com", "example.org", "example"} {
		if host == domain || strings.HasSuffix(host, "."+domain) {
			return true
		}
	}
	return false
}

func TestEveryArtefactIsNamed(t *testing.T) {
	l := build(t)
	named := map[identity.Digest]bool{}
	for _, p := range l.publications {
		for _, e := range p.Evidence {
			named[e.Digest] = true
		}
		for _, b := range p.Profiles {
			named[b.Digest] = true
		}
	}
	for _, a := range l.assessments {
		for _, e := range a.Evidence {
			named[e.Digest] = true
		}
	}
	files, err := fs.ReadDir(artefactFiles, "artefacts")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text, err := artefact(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		if !named[identity.SHA3(text)] {
			t.Errorf("no event names %s", f.Name())
		}
	}
}

func TestBundleListsTheDigestsOfItsLogs(t *testing.T) {
	text, err := artefact("bundle.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")[1:]
	if len(lines) != 12 {
		t.Errorf("%d logs", len(lines))
	}
	for _, line := range lines {
		digest, name, _ := strings.Cut(line, "  ")
		log, err := artefact(name)
		if err != nil {
			t.Fatal(err)
		}
		if identity.Digest(identity.SHA3(log)).String() != digest {
			t.Errorf("%s has another digest", name)
		}
	}
}

// The last row of these tables is the sum of the others.
func TestTablesAddUp(t *testing.T) {
	for _, name := range []string{"recount.csv", "detector-1.csv", "detector-2.csv", "mixed.csv"} {
		text, err := artefact(name)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for column := 1; column < len(rows[0]); column++ {
			sum := 0
			for _, row := range rows[1 : len(rows)-1] {
				n, err := strconv.Atoi(row[column])
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				sum += n
			}
			if total := rows[len(rows)-1][column]; total != strconv.Itoa(sum) {
				t.Errorf("%s: column %s adds up to %d, not %s", name, rows[0][column], sum, total)
			}
		}
	}
}
