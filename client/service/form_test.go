package service

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"akx/view/fault"
	"akx/view/wire"
)

func TestForm91(t *testing.T) {
	for query, want := range map[string][]wire.Param{
		"":                       nil,
		"&&":                     nil,
		"a":                      {{Name: "a"}},
		"a=":                     {{Name: "a"}},
		"=a":                     {{Value: "a"}},
		"=":                      {{}},
		"a=b=c":                  {{Name: "a", Value: "b=c"}},
		"a=b;c=d":                {{Name: "a", Value: "b;c=d"}},
		"a=+%2B+":                {{Name: "a", Value: " + "}},
		"a+b=c":                  {{Name: "a b", Value: "c"}},
		"%61%3D=%26":             {{Name: "a=", Value: "&"}},
		"a=%e8%af%AD":            {{Name: "a", Value: "语"}},
		"a=语":                    {{Name: "a", Value: "语"}},
		"a=%EF%BB%BFb":           {{Name: "a", Value: "\ufeffb"}},
		"a=%00":                  {{Name: "a", Value: "\x00"}},
		"a=1&a=2":                {{Name: "a", Value: "1"}, {Name: "a", Value: "2"}},
		"?a=1":                   {{Name: "?a", Value: "1"}},
		"a=%2541":                {{Name: "a", Value: "%41"}},
		strings.Repeat("a&", 64): slices.Repeat([]wire.Param{{Name: "a"}}, 64),
	} {
		got, err := ParseForm(query)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v", query, got, err)
		}
	}
	for _, query := range []string{"%", "a=%", "a=%4", "a=%4&1", "a=%zz", "a=%4g", "a=%g4", "%4=a", "a=%+1", "a=%u0041", "a=\xff", "a=%ff",
		"a=%ed%a0%80", "a=%c0%80", "a=%e8%af", "a=%e8&b=%af", strings.Repeat("a&", 65)} {
		if got, err := ParseForm(query); code(t, err) != fault.InvalidRequest || got != nil {
			t.Errorf("%q: %q, %v", query, got, err)
		}
	}
}

// FuzzForm holds what is decoded to net/url, which differs in ';' alone.
func FuzzForm(f *testing.F) {
	for _, seed := range []string{"", "a=b&c=d", "a=%41+b", "%", "a=%zz", "a=%ff", "a;b=c", "=&=", "a=b=c&&", "语=%e8%af%ad"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, query string) {
		got, err := ParseForm(query)
		if err != nil {
			if code(t, err) != fault.InvalidRequest || got != nil {
				t.Fatalf("%q, %v", got, err)
			}
			return
		}
		want, err := url.ParseQuery(strings.ReplaceAll(query, ";", "%3B"))
		if err != nil {
			t.Fatalf("%q is taken: %v", query, err)
		}
		for _, p := range got {
			if len(want[p.Name]) == 0 || want[p.Name][0] != p.Value {
				t.Fatalf("%q: %q, not %q", query, p, want)
			}
			want[p.Name] = want[p.Name][1:]
		}
		for name, values := range want {
			if len(values) > 0 {
				t.Fatalf("%q lost %q", query, name)
			}
		}
	})
}
