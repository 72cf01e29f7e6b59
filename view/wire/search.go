package wire

import (
	"slices"
	"strconv"

	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
)

// Mode is how a ranked search reads its text (9.5); zero is invalid.
type Mode uint8

// The search modes.
const (
	Lexical Mode = iota + 1
	Semantic
	Hybrid
)

var modeNames = []string{"", "lexical", "semantic", "hybrid"}

// String gives the wire name; empty for an invalid mode.
func (m Mode) String() string {
	if int(m) >= len(modeNames) {
		return ""
	}
	return modeNames[m]
}

// ParseMode reads a wire name; ok is false for any other text.
func ParseMode(s string) (m Mode, ok bool) {
	i := slices.Index(modeNames, s)
	if i <= 0 {
		return 0, false
	}
	return Mode(i), true
}

// SearchRequest asks for ranked hits (9.5).
type SearchRequest struct {
	Text   string
	Mode   Mode
	Filter capsule.Filter
	Limit  int      // 1 to MaxSearchLimit
	Terms  []string // of Text, folded; of any number unless Mode is Lexical
}

var searchHeadShape = capsule.Object(
	capsule.Required("text", queryTextShape),
	capsule.Required("mode", capsule.StringShape(func(string) bool { return true }, "")),
	capsule.Optional("filters", filtersShape),
	capsule.Optional("limit", capsule.IntegerRange(1, MaxSearchLimit)))

// ParseSearchRequest reads a request body strictly. modes are those that the
// service advertises; another one, and one that this version does not know, is
// refused with unsupported_search_mode, everything else with invalid_request.
func ParseSearchRequest(text []byte, modes []string) (SearchRequest, error) {
	v, err := parseRequest(text, searchHeadShape)
	if err != nil {
		return SearchRequest{}, err
	}
	r := SearchRequest{Text: member(v, "text").Text(), Limit: DefaultSearchLimit}
	if _, err := capsule.ParseTerms(r.Text, false); err != nil {
		return SearchRequest{}, err
	}
	if r.Filter, err = parseFilters(member(v, "filters")); err != nil {
		return SearchRequest{}, err
	}
	if limit, ok := member(v, "limit").Integer(); ok {
		r.Limit = int(limit)
	}
	name := member(v, "mode").Text()
	mode, known := ParseMode(name)
	if !known || !slices.Contains(modes, name) {
		return SearchRequest{}, &fault.Refusal{Step: fault.StepShape, Code: fault.UnsupportedSearchMode,
			Path: "/mode", Detail: "is not a mode that this service offers"}
	}
	r.Mode = mode
	if r.Terms, err = capsule.ParseTerms(r.Text, mode == Lexical); err != nil {
		return SearchRequest{}, err
	}
	return r, nil
}

// parseFilters reads the filters of a search, which have their shape already.
func parseFilters(v identity.Value) (capsule.Filter, error) {
	var f capsule.Filter
	for _, m := range v.Members() {
		value := m.Value.Text()
		if n, ok := m.Value.Integer(); ok {
			value = strconv.FormatInt(n, 10)
		}
		if _, err := f.ParseFilter(m.Name, value); err != nil {
			return f, err
		}
	}
	return f, f.Check()
}

// Append appends the request's body.
func (r SearchRequest) Append(dst []byte) []byte {
	w := newWriter(dst)
	w.text("text", r.Text)
	w.text("mode", r.Mode.String())
	if r.Filter != (capsule.Filter{}) {
		w.name("filters")
		f := newWriter(w.dst)
		for _, name := range capsule.FilterNames() {
			switch value := r.Filter.FilterText(name); {
			case value == "":
			case name == "created_from" || name == "created_before":
				f.name(name)
				f.dst = append(f.dst, value...)
			default:
				f.text(name, value)
			}
		}
		w.dst = f.end()
	}
	if r.Limit != DefaultSearchLimit {
		w.number("limit", int64(r.Limit))
	}
	return w.end()
}

// Hit is one ranked record. Explanation is a service's own words; may be empty.
type Hit struct {
	Record      Record
	Explanation string
}

// Ranking names the order of hits; ID belongs to one service.
type Ranking struct {
	Mode Mode
	ID   string
}

// Coverage says how much of a service's records a search covers.
type Coverage struct {
	Exhaustive bool
	Reasons    []string // of candidate_limit, index_lag, approximate, timeout
}

// Append appends the object.
func (c Coverage) Append(dst []byte) []byte {
	w := newWriter(dst)
	w.bool("exhaustive", c.Exhaustive)
	w.texts("reasons", c.Reasons)
	return w.end()
}

// SearchResponse is the answer to a search as a service gives it.
type SearchResponse struct {
	Stamp
	Hits     []Hit // in descending relevance
	Ranking  Ranking
	Coverage Coverage
}

// Append appends the document.
func (r SearchResponse) Append(dst []byte) []byte {
	w := newWriter(dst)
	w.list("result", len(r.Hits), func(dst []byte, i int) []byte {
		h := newWriter(dst)
		h.name("record")
		h.dst = r.Hits[i].Record.Append(h.dst)
		if r.Hits[i].Explanation != "" {
			h.text("explanation", r.Hits[i].Explanation)
		}
		return h.end()
	})
	w.stamp(r.Stamp)
	w.name("ranking")
	k := newWriter(w.dst)
	k.text("mode", r.Ranking.Mode.String())
	k.text("id", r.Ranking.ID)
	w.dst = k.end()
	w.name("coverage")
	w.dst = r.Coverage.Append(w.dst)
	return w.end()
}

// SearchHit is one hit as a client takes it. Explanation is foreign text.
type SearchHit struct {
	Item        Item // a refusal where the record's proof failed
	Explanation string
}

// SearchPage is the answer to a search as a client takes it.
type SearchPage struct {
	Stamp
	Hits     []SearchHit
	Ranking  Ranking
	Coverage Coverage
}

var searchPageShape = capsule.All(noCursor, capsule.OpenObject(append(stampFields(),
	capsule.Required("result", capsule.ArrayOf(capsule.OpenObject(
		capsule.Required("record", capsule.AnyObject),
		capsule.Optional("explanation", textShape)), 0, MaxSearchLimit, false)),
	capsule.Required("ranking", rankingShape),
	capsule.Required("coverage", coverageShape))...), modeCoverageRule)

// Check holds the answer of service to the contract of 9.5: the mode that was
// asked for, its coverage, and hits that match the filters and, in lexical mode,
// the terms. Errors carry invalid_response.
func (r SearchRequest) Check(service identity.Origin, text []byte) (SearchPage, error) {
	v, err := parseAnswer(text, searchPageShape)
	if err != nil {
		return SearchPage{}, err
	}
	stamp, err := answered(v, service)
	if err != nil {
		return SearchPage{}, err
	}
	page := SearchPage{Stamp: stamp, Coverage: coverageOf(member(v, "coverage"))}
	ranking := member(v, "ranking")
	page.Ranking.ID = member(ranking, "id").Text()
	page.Ranking.Mode, _ = ParseMode(member(ranking, "mode").Text())
	if page.Ranking.Mode != r.Mode {
		return SearchPage{}, badAnswer("/ranking/mode", "is not the mode that was asked for")
	}
	values := member(v, "result").Items()
	all, err := receiveAll(text, values, "record", stamp.Checkpoint, r.Limit)
	if err != nil {
		return SearchPage{}, err
	}
	for i, hit := range all {
		if err := r.checkHit(hit); err != nil {
			return SearchPage{}, err
		}
		page.Hits = append(page.Hits, SearchHit{Item: hit.Item, Explanation: member(values[i], "explanation").Text()})
	}
	return page, nil
}

func (r SearchRequest) checkHit(hit received) error {
	event := hit.event()
	switch {
	case event == nil:
		return nil
	case !r.Filter.Match(event):
		return badAnswer(hit.Where, "does not match the filters")
	case r.Mode == Lexical && !capsule.Lexical(event, r.Terms):
		return badAnswer(hit.Where, "does not hold every term")
	}
	return nil
}

func coverageOf(v identity.Value) Coverage {
	c := Coverage{Exhaustive: member(v, "exhaustive").Bool()}
	for _, reason := range member(v, "reasons").Items() {
		c.Reasons = append(c.Reasons, reason.Text())
	}
	return c
}
