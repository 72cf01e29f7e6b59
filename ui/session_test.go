package ui_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"akx/ui/kit"
)

var (
	totalPattern  = regexp.MustCompile(`\d+/(\d+) sort:`)
	listedPattern = regexp.MustCompile(`(?m)^│(   | > )[QHDOIPRNSCAX] ok  `)
)

// total is the count on Browse's edge.
func total(x *explorer) int {
	x.t.Helper()
	found := totalPattern.FindStringSubmatch(x.Screen())
	if found == nil {
		x.t.Fatalf("no count:\n%s", x.Screen())
	}
	n, err := strconv.Atoi(found[1])
	if err != nil {
		x.t.Fatal(err)
	}
	return n
}

// listed is how many rows Browse shows.
func listed(x *explorer) int { return len(listedPattern.FindAllString(x.Screen(), -1)) }

// chosenRow is the row under Browse's cursor.
func chosenRow(x *explorer) string {
	for _, row := range strings.Split(x.Screen(), "\n") {
		if strings.HasPrefix(row, "│ > ") {
			return row
		}
	}
	return ""
}

// ux.md, bug 9: A B C, back twice, D, forward does nothing, back has its cursor.
func TestSessionHistoryLikeABrowser(t *testing.T) {
	x := newExplorer(t, at(80, 60)).do("j j j j j j j")
	before := chosenRow(x)
	x.do("enter r [ [")
	if chosenRow(x) != before {
		t.Fatalf("back gives %q, left at %q", chosenRow(x), before)
	}
	x.do("a ]")
	x.shows("nothing to go forward to", "Assessments of")
	x.do("[")
	if chosenRow(x) != before {
		t.Errorf("back gives %q, left at %q", chosenRow(x), before)
	}
	x.do("]")
	x.shows("Assessments of")
	x.do("-")
	x.shows("72 capsules")
	x.do("-")
	x.shows("Assessments of")
	x.do("H")
	x.shows("Visited on the way here", "every capsule")
	x.do("down enter")
	x.shows("72 capsules")
}

func TestSessionFilterCountsEqualRows(t *testing.T) {
	x := newExplorer(t, at(80, 200)).do("/")
	for _, typed := range []string{"c", "a", "c", "h", "e", "_", "k", "e", "y", "z"} {
		x.do("'" + typed)
		if listed(x) != total(x) {
			t.Fatalf("after %q: %d rows, counted %d", typed, listed(x), total(x))
		}
	}
	x.shows("nothing held has all these terms")
	x.do("backspace enter , ,")
	x.shows("text:cache key", "sort: title")
	if listed(x) != total(x) || total(x) != 25 {
		t.Errorf("%d rows, counted %d", listed(x), total(x))
	}
	for range 4 {
		x.do("t")
		if listed(x) != total(x) {
			t.Errorf("%d rows, counted %d", listed(x), total(x))
		}
	}
}

// Esc never costs text that was accepted.
func TestSessionEscKeepsAcceptedText(t *testing.T) {
	x := newExplorer(t).do("/ 'joiners enter / '_more esc")
	x.shows("text:joiners")
	x.do("esc")
	x.hides("text:joiners")

	x = newExplorer(t, place(t, kit.Links, withdrawn)).do("/ 'retracted enter / 'zz")
	x.shows("no link has all these words")
	x.do("esc")
	x.shows("A spot check of 30 rows")
	x.hides("derived_from")
	x.do("esc")
	x.shows("derived_from")

	x = newExplorer(t, page(t, hub), at(80, 24)).do("/ 'week enter / 'zz")
	x.shows("not found")
	x.do("esc n")
	x.hides("not found")
	x.do("/ 'qqq enter n")
	x.shows("not found in this text")
}

func TestSessionFacets(t *testing.T) {
	x := newExplorer(t, at(140, 200)).do("f")
	x.shows("Narrow the list", "[ ] observation", "knowledge.publish")
	x.do("j space")
	x.shows("[x] observation", "17 capsules · kind:observation")
	x.do("j space")
	x.shows("[ ] observation", "[x] procedure", "kind:procedure")
	x.do("x")
	x.shows("[ ] procedure", "72 capsules")
	x.hides("kind:")
	x.do("esc")
	x.hides("Narrow the list")
}

// The sort goes round, and the order that is named is the order that is shown.
func TestSessionSortKeepsSense(t *testing.T) {
	x := newExplorer(t, at(80, 200)).do(", ,")
	x.shows("sort: title")
	rows := regexp.MustCompile(`(?m)^│.{35}([A-Z].*?) *│$`).FindAllStringSubmatch(x.Screen(), -1)
	if len(rows) < 50 {
		t.Fatalf("%d titles", len(rows))
	}
	for i := 1; i < len(rows); i++ {
		if strings.ToLower(rows[i-1][1]) > strings.ToLower(rows[i][1]) {
			t.Errorf("%q stands before %q", rows[i-1][1], rows[i][1])
		}
	}
	x.do(",")
	x.shows("sort: newest")
}

func TestSessionFollowNumbers(t *testing.T) {
	x := newExplorer(t, page(t, rich)).do("3")
	x.shows("A cache key without the language explains most leaks", "Refers to")
	x.do("[ 9")
	x.shows("no outgoing relation has that number")
	x.do("1")
	x.shows("Paired requests, flushed between pairs")
	x = newExplorer(t, page(t, hub)).do("enter enter")
	x.shows("Why do some tool answers come back")
}

func TestSessionLinksFilterFoldRegroup(t *testing.T) {
	x := newExplorer(t, place(t, kit.Links, withdrawn), at(100, 60))
	x.shows("▾ assessment: not_reproduced 1", "(1 RETRACTED)", "▸ tests 0", "self ▌Tandem-600, second")
	x.do("/ 'second_edition")
	x.shows("Tandem-600, second edition")
	x.hides("not_reproduced")
	x.do("enter esc z")
	x.shows("▸ derived_from 5")
	x.hides("The detector agrees with 382")
	x.do("/ 'agrees enter")
	x.shows("The detector agrees with 382")
	x.do("esc O")
	x.shows("▾ 4 did:agent:aPS2AX0Ph2pVyAqCuDiKVKrSZNNnJp4t6L4HnJNbX5Y", "4 (1 RETRACTED) did:agent:")
	x.do("j enter")
	x.shows("What we know about language leaks, winter 2026")
}

func TestSessionVersionsDrawBranchAndMerge(t *testing.T) {
	x := newExplorer(t, place(t, kit.Versions, "Measure leaks with paired requests"), at(80, 24))
	x.shows(
		"│ ●─╮ VN3sUFp7 P active ",
		"│ ● │ EU2vrMIu P active, 1 succ ",
		"│ │ ● qgyz7HaM P active, 1 succ ",
		"│ ◆─╯ EnCzCnUL P active, 2 succ ",
		"no winner",
	)
	x.do("k k k enter")
	x.shows("VN3sUFp7… procedure", "Paired requests: flush, ask, ask again, judge")
	x.hides("latest")
}

func TestSessionAssessments(t *testing.T) {
	x := newExplorer(t, place(t, kit.Review, withdrawn))
	x.shows("active: challenges 1 · not_reproduced 1 · no score is computed", "supports        RETRACTED", "self ▌A spot check", "withdrawn    ▌")
	x.do("j j")
	x.shows("environment", "observed")
	x.do("enter")
	x.shows("assessment: not_reproduced", "Assesses")
	x.do("T")
	x.shows("UYsVjMYK… resource")
}

func TestSessionRawToggleAndExactCopy(t *testing.T) {
	x := newExplorer(t, place(t, kit.Raw, hub)).do("y")
	x.shows("Exact envelope text", "copied the exact envelope text by a test")
	if len(x.copied) != 1 || !strings.HasPrefix(x.copied[0], `{"event":{"actor":`) || !strings.HasSuffix(x.copied[0], "}") {
		t.Fatalf("copied %q", x.copied)
	}
	x.do("C y")
	x.shows("Canonical event")
	if !strings.HasPrefix(x.copied[1], `{"actor":`) || !strings.Contains(x.copied[0], x.copied[1]) {
		t.Errorf("copied %q", x.copied[1])
	}
}

func TestSessionHelpFiltersByWordAndKey(t *testing.T) {
	x := newExplorer(t, page(t, hub)).do("? 'reverse")
	x.shows("what points at this event")
	x.hides("one row down")
	x.do("ctrl+u '@ctrl+d")
	x.shows("half a screen down")
	x.hides("what points at this event")
	x.do("esc ? 'retracted")
	x.shows("its author withdrew it")
}

func TestSessionPaletteRunsAnAction(t *testing.T) {
	x := newExplorer(t).do("ctrl+p 'change_the_order enter")
	x.shows("sort: created")
	x.do("ctrl+p ':verdict enter 'challenges enter")
	x.shows("6 assessments · verdict:challenges")
}

func TestSessionCommands(t *testing.T) {
	id := titled(t, hub)
	for command, want := range map[string]string{
		"open " + id:           "▌ " + hub,
		"open id:" + id[:9]:    "▌ " + hub,
		"kind hypothesis":      "capsules · kind:hypothesis",
		"kind H":               "capsules · kind:hypothesis",
		"kind h":               "capsules · kind:hypothesis",
		"kind nonsense":        "(invalid_request)",
		"type assess":          "24 assessments",
		"tag caching":          "20 capsules · tag:caching",
		"search cache key":     "text:cache key",
		"retracted":            "3 capsules · lifecycle:RETRACTED",
		"pending":              "Waiting for what they refer to",
		"open AAAAAAAAAAAA":    "! AAAAAAAAAAAA is not held in sample",
		"open":                 "! :open takes something",
		"frobnicate":           "no command is called frobnicate",
		"":                     "72 capsules",
		"kind":                 ":kind takes something",
		"quit now":             ":quit takes nothing",
		"sort title":           "tab after : lists the commands",
		"hist":                 "Visited on the way here",
		"help":                 "Help: type to filter",
		"relation contradicts": "relation:contradicts",
	} {
		x := newExplorer(t).do(":")
		x.Type(command)
		x.Press("enter")
		x.shows(want)
	}
	if x := newExplorer(t).do(": 'quit enter"); !x.Quit {
		t.Error(":quit does not leave")
	}
	if x := newExplorer(t).do("q"); !x.Quit || x.Output() != "" {
		t.Error("q does not leave")
	}
}

func TestSessionCommandCompletes(t *testing.T) {
	x := newExplorer(t).do(": 'ki tab 'hy tab enter")
	x.shows("capsules · kind:hypothesis")
	x = newExplorer(t).do(": 'r tab")
	x.shows("tab completes: relation  retracted")
	x.do("'elation_contra tab enter")
	x.shows("relation:contradicts")
	x.do(": 'abc esc")
	x.hides(":abc")
}

func TestSessionCopyMenu(t *testing.T) {
	id := titled(t, hub)
	x := newExplorer(t, page(t, hub))
	for i := range 5 {
		x.do("y" + strings.Repeat(" j", i) + " enter")
		x.shows("by a test")
	}
	if len(x.copied) != 5 || x.copied[0] != id || x.copied[1] != "akx show id:"+id ||
		!strings.HasPrefix(x.copied[2], hub+"\n\nIn one week") || !strings.HasPrefix(x.copied[3], `{"event":`) || !strings.HasPrefix(x.copied[4], "did:agent:") {
		t.Errorf("copied %q", x.copied)
	}
}

func TestSessionOpenURLAsksFirst(t *testing.T) {
	x := newExplorer(t, page(t, withdrawn)).do("o")
	x.shows("https://bench.example.org/tandem-600/1/manifest.csv")
	x.do("enter")
	x.shows("Open in the browser?", "[ Cancel ]")
	x.do("enter")
	x.hides("[ Cancel ]")
	x.do("o enter y Y esc")
	if len(x.visited) != 0 {
		t.Fatalf("opened %q without a second step", x.visited)
	}
	x.do("o enter tab enter")
	if len(x.visited) != 1 || x.visited[0] != "https://bench.example.org/tandem-600/1/manifest.csv" {
		t.Errorf("opened %q", x.visited)
	}
	x.shows("asked the browser to open")
}

func TestSessionRestoresItsPlace(t *testing.T) {
	x := newExplorer(t).do("/ 'cache_key enter , , j j j enter r j j")
	for range 2 {
		state, screen := x.root.State(), x.Screen()
		x = newExplorer(t, func(s *setup) { s.config.State = state })
		if x.Screen() != screen {
			t.Fatalf("came back to\n%s\nfrom\n%s", x.Screen(), screen)
		}
		x.do("[ [")
		x.shows("text:cache key", "sort: title", "4/25")
		x.do("] ]")
	}
	if len(x.saved) == 0 {
		t.Error("moving saved no state")
	}
}

func TestSessionStartsFromAnyState(t *testing.T) {
	for _, state := range []string{
		"", "null", "{", "[]", `"x"`, `{"visits":[]}`, `{"visits":[{}],"at":-1}`, `{"visits":[{}],"at":1}`,
		`{"visits":[{"screen":"moon"}],"at":0}`, `{"visits":[{"screen":"page","id":"short"}],"at":0}`,
		`{"visits":[{"screen":"page"}],"at":0}`, `{"visits":[{"screen":"versions","id":"","cursor":-5}],"at":0}`,
		`{"visits":[{"screen":"browse","query":"kind=moon&text=%zz&sort=9","cursor":-7,"scroll":1000000,"at":"zz","pane":99}],"at":0}`,
		`{"visits":[{"screen":"browse","cursor":9223372036854775807,"scroll":9223372036854775807}],"at":0}`,
		`{"visits":[{"screen":"links","id":"` + titled(t, hub) + `","cursor":999,"scroll":-999,"pane":7}],"at":0}`,
		`{"visits":[{"screen":"page","id":"` + titled(t, hub) + `","scroll":-999,"pane":-7}],"at":0}`,
		`{"visits":[{"screen":"raw","id":"` + titled(t, hub) + `","scroll":99999999,"pane":-7}],"at":0}`,
		`{"visits":[{"screen":"assessments","id":"` + titled(t, withdrawn) + `","cursor":-999,"scroll":-4}],"at":0}`,
		`{"visits":[{"screen":"pending","cursor":-999,"scroll":-4,"at":"\u001b]52;c;x\u0007"}],"at":0}`,
	} {
		x := newExplorer(t, at(80, 24), func(s *setup) { s.config.State = []byte(state) })
		x.fits(state, 80, 24)
		x.do("j k down ctrl+d ctrl+u G g g enter esc [ B")
		x.shows("capsules")
	}
}
