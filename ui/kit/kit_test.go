package kit

import (
	"errors"
	"testing"
	"time"

	"akx/view"
	"akx/view/capsule"
	"akx/view/fault"
)

func TestActionsAreNamedOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, a := range Actions() {
		if seen[a.ID] || a.ID == "" || len(a.Keys) == 0 || a.Words == "" || a.Effect == "" || a.Group == "" {
			t.Errorf("action %+v is not whole, or stands twice", a)
		}
		seen[a.ID] = true
	}
}

func TestCheckKeys(t *testing.T) {
	for name, c := range map[string]struct {
		rebound map[string][]string
		ok      bool
	}{
		"none":                   {nil, true},
		"a free key":             {map[string][]string{"raw": {"ctrl+y"}}, true},
		"unknown action":         {map[string][]string{"rawr": {"w"}}, false},
		"no key":                 {map[string][]string{"raw": {}}, false},
		"taken":                  {map[string][]string{"raw": {"r"}}, false},
		"prefix of a sequence":   {map[string][]string{"raw": {"g"}}, false},
		"swapped":                {map[string][]string{"raw": {"r"}, "reverse-links": {"i"}}, true},
		"while typing is apart":  {map[string][]string{"accept": {"r"}}, true},
		"already shared is fine": {map[string][]string{"copy": {"Y"}}, true},
	} {
		err := CheckKeys(c.rebound)
		var usage *fault.Usage
		if (err == nil) != c.ok || err != nil && !errors.As(err, &usage) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestListRouteRoundTrip(t *testing.T) {
	list := List{Text: "cache & 语言 =x", Sort: view.Title, Lifecycle: view.Retracted}
	for name, value := range map[string]string{"kind": "hypothesis", "tag": "a-b", "language": "zh-CN", "created_from": "17"} {
		if _, err := list.Filter.ParseFilter(name, value); err != nil {
			t.Fatal(err)
		}
	}
	if got := DecodeList(list.Encode()); got != list {
		t.Errorf("%+v came back as %+v", list, got)
	}
	if got := DecodeList("kind=nonsense&tag=%ff&;"); got != (List{}) {
		t.Errorf("nonsense gives %+v", got)
	}
}

func TestDates(t *testing.T) {
	now := time.Date(2026, 11, 29, 0, 0, 0, 0, time.UTC)
	for ms, want := range map[int64]string{
		time.Date(2026, 3, 14, 9, 41, 0, 0, time.UTC).UnixMilli(): "03-14",
		time.Date(2025, 3, 14, 9, 41, 0, 0, time.UTC).UnixMilli(): "2025-03",
		9007199254740991: "year 287396",
		0:                "1970-01",
	} {
		if got := Date(ms, now).String(); got != want {
			t.Errorf("Date(%d) = %q, want %q", ms, got, want)
		}
	}
	if got := DateTime(1773481260000).String(); got != "2026-03-14 09:41Z" {
		t.Errorf("DateTime = %q", got)
	}
}

func TestCursorStaysInside(t *testing.T) {
	for _, total := range []int{0, 1, 5, 100} {
		for _, height := range []int{0, 1, 3, 50} {
			c := Cursor{}
			for _, by := range []int{1, 10, -3, 1000, -1000, 50} {
				c.Row += by
				c.Clamp(total, height)
				if c.Row < 0 || c.Row >= max(total, 1) || c.Scroll < 0 || c.Row < c.Scroll || c.Row >= c.Scroll+max(height, 1) {
					t.Fatalf("total %d height %d: %+v", total, height, c)
				}
				c.Wheel(by, total, height)
				if c.Row < 0 || c.Row >= max(total, 1) || c.Scroll < 0 {
					t.Fatalf("wheel: total %d height %d: %+v", total, height, c)
				}
			}
		}
	}
}

func TestTypeLetters(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range capsule.Kinds() {
		seen[TypeLetter(capsule.Publish, k).String()] = true
	}
	seen[TypeLetter(capsule.Assess, 0).String()] = true
	seen[TypeLetter(capsule.Retract, 0).String()] = true
	if len(seen) != 12 {
		t.Errorf("%d letters for 12 kinds of rows", len(seen))
	}
}
