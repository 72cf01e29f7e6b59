package kit

import (
	"net/url"
	"slices"
	"strings"

	"akx/view"
	"akx/view/capsule"
)

// List is what a list shows, with the text filter as typed.
type List struct {
	Filter    capsule.Filter
	Text      string
	Lifecycle view.Lifecycle
	Sort      view.Sort
}

// Query gives the query of a list. Blank text filters nothing; text that is over
// the bounds of a lexical request (9.5.1) is an error, never a wider list.
func (l List) Query() (view.Query, error) {
	q := view.Query{Filter: l.Filter, Lifecycle: l.Lifecycle, Sort: l.Sort}
	if strings.TrimSpace(l.Text) == "" {
		return q, nil
	}
	var err error
	q.Terms, err = capsule.ParseTerms(l.Text, true)
	return q, err
}

// Encode writes a list as the Query of a route.
func (l List) Encode() string {
	v := url.Values{}
	for _, name := range capsule.FilterNames() {
		if text := l.Filter.FilterText(name); text != "" {
			v.Set(name, text)
		}
	}
	if l.Text != "" {
		v.Set("text", l.Text)
	}
	if l.Lifecycle == view.Retracted {
		v.Set("lifecycle", "retracted")
	}
	if l.Lifecycle == view.Active {
		v.Set("lifecycle", "active")
	}
	if i := int(l.Sort); i > 0 {
		v.Set("sort", SortNames()[i])
	}
	return v.Encode()
}

// DecodeList reads the Query of a route; what it does not understand is left out.
func DecodeList(query string) List {
	var l List
	v, err := url.ParseQuery(query)
	if err != nil {
		return l
	}
	for _, name := range capsule.FilterNames() {
		if text := v.Get(name); text != "" {
			before := l.Filter
			if _, err := l.Filter.ParseFilter(name, text); err != nil {
				l.Filter = before
			}
		}
	}
	l.Text = v.Get("text")
	switch v.Get("lifecycle") {
	case "retracted":
		l.Lifecycle = view.Retracted
	case "active":
		l.Lifecycle = view.Active
	}
	if i := slices.Index(SortNames(), v.Get("sort")); i > 0 {
		l.Sort = view.Sort(i)
	}
	return l
}

// SortNames lists the sorts by their numbers.
func SortNames() []string { return []string{"newest", "created", "title"} }

// Words says what a list shows, such as "kind:hypothesis text:cache".
func (l List) Words() string {
	if l.Filter.Type == capsule.Publish {
		l.Filter.Type = 0
	}
	if l.Sort = 0; l == (List{}) {
		return "every capsule"
	}
	var words []string
	v, _ := url.ParseQuery(l.Encode()) // made by Encode
	for _, name := range append(capsule.FilterNames(), "text", "lifecycle") {
		if v.Has(name) {
			words = append(words, name+":"+v.Get(name))
		}
	}
	return strings.Join(words, " ")
}
