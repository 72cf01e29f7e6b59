package ui_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"akx/cache/storetest"
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/ui/screen/compose"
	"akx/view/capsule"
	"akx/view/clean"
	"akx/view/fault"
	"akx/view/identity"
	"akx/view/memory"
	"akx/view/wire"
)

// mark stands in every hostile text, so that a test sees where author text got to.
const mark = "ZQX"

// attacks are texts that act on a terminal, hide, overflow or imitate akx.
var attacks = map[string]string{
	"osc 52":         mark + "\x1b]52;c;ZXZpbA==\x07" + mark,
	"osc 0":          mark + "\x1b]0;owned\x1b\\" + mark,
	"unterminated":   mark + "\x1b]8;;https://evil.example/" + mark,
	"clear":          mark + "\x1b[2J\x1b[H" + mark,
	"ask":            mark + "\x1b[6n\x1b[c\x1bP$q m\x1b\\" + mark,
	"modes":          mark + "\x1b[?1049l\x1b[?1000h\x1bc" + mark,
	"c1":             mark + "\u009b2J\u009d52;c;ZXZpbA==\u009c\u0090q\u0085" + mark,
	"bidi":           mark + "\u202egis\u2066 ko\u2069\u200f" + mark,
	"zero width":     mark + "a\u200bb\u200cc\u2060d\ufeff\u00ad" + mark,
	"tags":           mark + "\U000e0041\U000e0042\U000e007f" + mark,
	"returns":        mark + "\rsig ok\r\n\b\b\b\x7f" + mark,
	"tabs":           mark + strings.Repeat("\t", 40) + mark,
	"storm":          mark + "a" + strings.Repeat("\u0301\u0489", 300) + mark,
	"lone marks":     "\u0301\u20dd" + mark,
	"wide":           mark + strings.Repeat("语🚋👩‍👩‍👧‍👦🏳️‍🌈e\u0301", 80) + mark,
	"leading hangul": mark + strings.Repeat("\u1100", 200) + mark,
	"imitation":      mark + "\n│ sig ok · active in this cache\n└──────┘\n▌ RETRACTED by its author\n> H  ok  active" + mark,
	"breaks":         strings.Repeat("\n", 300) + mark + "\u2028\u2029",
	"nul":            mark + "\x00\x00" + mark,
}

// hostileLibrary holds events whose every free text is the attack, and gives the
// IDs of a capsule, an assessment and a retraction.
func hostileLibrary(t testing.TB, attack string) (lib *memory.Store, publication, assessment, retraction identity.ID) {
	t.Helper()
	work := func(repro **capsule.Reproduction, extra *identity.Value, profiles *[]capsule.Profile) {
		*repro = &capsule.Reproduction{Environment: attack, Steps: []string{attack, attack + "2"}, Expected: attack, Observed: attack}
		*extra = identity.ObjectValue(identity.Member{Name: attack, Value: identity.StringValue(attack)})
		*profiles = []capsule.Profile{{URL: "https://p.example/" + mark, Digest: identity.Digest{1}, Data: *extra}}
	}
	context := capsule.Context{Scope: attack, Conditions: []string{attack}, Limitations: []string{attack}}
	evidence := []capsule.Evidence{{URL: "https://e.example/" + mark, Description: attack}}
	hostile := func(p *capsule.PublishPayload) {
		p.Title, p.Statement, p.Basis, p.Context, p.Evidence = attack, attack, attack, context, evidence
		work(&p.Reproduction, &p.Extra, &p.Profiles)
	}
	base := storetest.Publish(t, storetest.Stamp{Signer: 1, Nonce: 1}, hostile)
	next := storetest.Publish(t, storetest.Stamp{Signer: 1, Nonce: 2}, hostile, storetest.Relate(capsule.Supersedes, base.ID()), storetest.Relate(capsule.Supports, base.ID()))
	report := storetest.Assess(t, storetest.Stamp{Signer: 2, Nonce: 1}, base.ID(), capsule.VerdictReproduced, func(p *capsule.AssessPayload) {
		p.Summary, p.Basis, p.Context, p.Evidence = attack, attack, context, evidence
		work(&p.Reproduction, &p.Extra, &p.Profiles)
	})
	reason := capsule.RetractPayload{Target: next.ID(), Reason: attack, Extra: identity.ObjectValue(identity.Member{Name: "x", Value: identity.StringValue(attack)})}
	gone := storetest.Offer(t, storetest.Sign(t, storetest.Stamp{Signer: 1, Nonce: 3}, capsule.Retract, reason.Value())).Event()
	absent := storetest.Publish(t, storetest.Stamp{Signer: 8, Nonce: 1})
	lost := storetest.Publish(t, storetest.Stamp{Signer: 8, Nonce: 2}, hostile, storetest.Relate(capsule.Extends, absent.ID()))

	lib = emptyLibrary()
	source := wire.Source{Kind: wire.FromFile, Name: attack}
	for _, e := range []capsule.Event{base, next, report, gone, lost} {
		item := wire.Item{Offer: capsule.OfferOf(e), Seq: 7, AcceptedAt: storetest.Now}
		if _, err := lib.Accept(t.Context(), source, []wire.Item{item}); err != nil {
			t.Fatal(err)
		}
	}
	return lib, base.ID(), report.ID(), gone.ID()
}

// hostileScenes are the places where author text is shown.
func hostileScenes(publication, assessment, retraction identity.ID) []scene {
	on := func(name, screen string, id identity.ID, keys string) scene {
		return scene{name, []func(*setup){from(kit.Route{Screen: screen, ID: id.String()})}, keys}
	}
	writes := func(name, keys string) scene {
		s := on(name, kit.Page, publication, keys)
		s.start = append(s.start, func(s *setup) { s.config.Keys = compose.TestKeys{1} })
		return s
	}
	return []scene{
		writes("assess", "A"), writes("assess with steps", "A enter alt+c"), writes("gather", "S"), writes("retarget", "S enter"),
		writes("correction", "S enter enter"), writes("correction statement", "S enter enter tab tab"), writes("correction preview", "S enter enter alt+p"),
		writes("correction event", "S enter enter alt+i"), writes("correction problems", "S enter enter ctrl+x"),
		writes("drafts", "S enter enter esc d"), writes("extension target", "c enter enter shift+tab shift+tab shift+tab shift+tab shift+tab shift+tab enter"),
		writes("retraction draft", "X enter 'x ctrl+x"),
		on("browse", kit.Browse, identity.ID{}, "t t t t j"), on("preview", kit.Browse, identity.ID{}, "p j"), on("facets", kit.Browse, identity.ID{}, "f"),
		on("page", kit.Page, publication, ""), on("page end", kit.Page, publication, "G"), on("checks", kit.Page, publication, "tab"),
		on("assessment", kit.Page, assessment, ""), on("retraction", kit.Page, retraction, ""), on("links menu", kit.Page, assessment, "enter"),
		on("urls", kit.Page, publication, "o"), on("confirm", kit.Page, publication, "o enter"), on("copy", kit.Page, publication, "y"),
		on("links", kit.Links, publication, "j"), on("links by actor", kit.Links, publication, "O"), on("versions", kit.Versions, publication, ""),
		on("assessments", kit.Review, publication, ""), on("raw", kit.Raw, publication, ""), on("canonical", kit.Raw, publication, "C G"),
		on("waiting", kit.Waiting, identity.ID{}, "j"), on("history", kit.Page, publication, "r H"),
	}
}

// own are the only sequences that akx writes into a frame: styles, and a column
// set outright.
var own = regexp.MustCompile(`\x1b\[[0-9;]*m|\x1b\[[0-9]+G`)

// harmless fails when the output holds anything that acts on a terminal but akx's
// own sequences, or a hidden character.
func (x *explorer) harmless(name string) {
	x.t.Helper()
	for _, row := range strings.Split(own.ReplaceAllString(x.Output(), ""), "\n") {
		if !utf8.ValidString(row) {
			x.t.Fatalf("%s: a row is no UTF-8: %q", name, row)
		}
		if alerts := clean.Alerts(row); len(alerts) > 0 {
			x.t.Fatalf("%s: %v reaches the terminal: %q", name, alerts, row)
		}
	}
}

// framed fails when author text stands in akx's own rows, or tears a border.
func (x *explorer) framed(name string, w, h int) {
	x.t.Helper()
	rows := strings.Split(strings.TrimSuffix(x.Screen(), "\n"), "\n")
	for _, y := range []int{0, h - 1} {
		if strings.Contains(rows[y], mark) {
			x.t.Fatalf("%s: author text in akx's row %q", name, rows[y])
		}
	}
	for y := 1; y < h-1; y++ {
		left, right := ansi.Cut(rows[y], 0, 1), ansi.Cut(rows[y], w-1, w)
		if !strings.Contains("┌│└", left) || !strings.Contains("┐│┘", right) || left == "" || right == "" {
			x.t.Fatalf("%s: row %d tears the frame: %q", name, y, rows[y])
		}
	}
}

// ux.md, bug 8, and the hostile text: on every screen, at three sizes.
func TestHostileTextStaysInItsPane(t *testing.T) {
	sweep(t)
	for attackName, attack := range attacks {
		lib, publication, assessment, retraction := hostileLibrary(t, attack)
		for _, s := range hostileScenes(publication, assessment, retraction) {
			for _, size := range goldenSizes {
				x := s.play(t, size[0], size[1], over(lib))
				name := attackName + " on " + s.name
				x.fits(name, size[0], size[1])
				x.harmless(name)
				x.framed(name, size[0], size[1])
			}
		}
	}
}

// The checks pane holds no author text, whatever the event says: only the name of
// the file that it came from, which is the user's own, and cut.
func TestHostileTextNeverEntersTheChecks(t *testing.T) {
	for name, attack := range attacks {
		lib, publication, assessment, retraction := hostileLibrary(t, attack)
		for _, id := range []identity.ID{publication, assessment, retraction} {
			x := newExplorer(t, over(lib), from(kit.Route{Screen: kit.Page, ID: id.String()}), at(120, 60))
			split := 120 * 58 / 100
			for y, row := range strings.Split(x.Screen(), "\n") {
				pane := ansi.Cut(row, split, 120)
				if strings.Contains(pane, mark) && !strings.Contains(pane, "file ") {
					t.Errorf("%s: row %d of the checks is %q", name, y, pane)
				}
				if y > 1 && y < 58 && (ansi.Cut(row, split-1, split) != "│" || ansi.Cut(row, split, split+1) != "│") {
					t.Errorf("%s: row %d tears the panes: %q", name, y, row)
				}
			}
		}
	}
}

func TestHostileTextIsCountedAndCopiedExactly(t *testing.T) {
	lib, publication, _, _ := hostileLibrary(t, attacks["bidi"])
	x := newExplorer(t, over(lib), from(kit.Route{Screen: kit.Page, ID: publication.String()}), at(120, 200))
	x.shows("<U+202E>", "Text alerts", "<U+202E> x", "<U+2066> x")
	x.do("y j j enter")
	if want := attacks["bidi"] + "\n\n" + attacks["bidi"]; len(x.copied) != 1 || x.copied[0] != want {
		t.Errorf("copied %q, want %q", x.copied, want)
	}
}

// Errors are foreign too: a service, a file or a library may write them.
func TestHostileErrorsAreHarmless(t *testing.T) {
	lib, err := sampleLibrary()
	if err != nil {
		t.Fatal(err)
	}
	for name, attack := range attacks {
		broken := failing{lib, &fault.Unavailable{Code: fault.UnavailableCode, What: attack, Detail: attack, Hint: attack}}
		for _, s := range scenes(t) {
			if s.keys == "" {
				x := s.play(t, 80, 24, over(broken))
				x.fits(name, 80, 24)
				x.harmless(name + " as an error on " + s.name)
			}
		}
	}
}

// A line as long as an envelope may be is shown in its pane like any other.
func TestHostileLongLine(t *testing.T) {
	lib := emptyLibrary()
	accept(t, lib, wire.Added, storetest.Publish(t, storetest.Stamp{Signer: 1, Nonce: 1}, func(p *capsule.PublishPayload) {
		p.Statement, p.Title = strings.Repeat("x", 150_000), strings.Repeat("语", 30_000)
	}))
	x := newExplorer(t, over(lib))
	for _, keys := range []string{"", "enter", "G", "i", "G", "[ [", "enter / 'xxxx"} {
		x.do(keys)
		x.fits("a long line after "+keys, 120, 36)
		x.harmless("a long line after " + keys)
		x.framed("a long line after "+keys, 120, 36)
	}
}

// The checker itself sees what it has to see.
func TestCheckerSeesWhatIsForeign(t *testing.T) {
	for _, bad := range []string{"\x1b[2J", "\x1b]0;x\x07", "\u009b", "\u202e", "\x1b[6n", "\x07", "\x1b[?1000h", "\x1bc"} {
		if len(clean.Alerts(own.ReplaceAllString(bad, ""))) == 0 {
			t.Errorf("%q passes", bad)
		}
	}
	f := draw.NewFrame(20, 1, draw.Unicode())
	f.Put(f.Area(), 0, 0, draw.Line{draw.Own(draw.Bad, "RETRACTED"), draw.Say(draw.Author, clean.Line("语"))})
	if rest := own.ReplaceAllString(f.Render(draw.NewTheme("16", true, draw.Colors16)), ""); len(clean.Alerts(rest)) > 0 {
		t.Errorf("akx's own output is refused: %q", rest)
	}
}
