package wire

import (
	"strconv"
	"strings"

	"akx/view/capsule"
	"akx/view/identity"
)

// Param is one decoded parameter of a query string.
type Param struct{ Name, Value string }

// Query is a request for an exact enumeration (9.3).
type Query struct {
	Filter   capsule.Filter
	AfterSeq uint64
	Limit    int    // 1 to MaxQueryLimit
	Cursor   string // empty on the first page
}

// ParseQuery reads decoded parameters in any order. Unknown, repeated and
// malformed ones are refused with invalid_request.
func ParseQuery(params []Param) (Query, error) {
	q := Query{Limit: DefaultQueryLimit}
	seen := make(map[string]bool, len(params))
	for _, p := range params {
		known, err := q.set(p)
		if err != nil {
			return Query{}, err
		}
		if !known {
			return Query{}, badRequest("", "an unknown parameter, "+quoted(p.Name))
		}
		if seen[p.Name] {
			return Query{}, badRequest("/"+p.Name, "is given twice")
		}
		seen[p.Name] = true
	}
	if err := q.Filter.Check(); err != nil {
		return Query{}, err
	}
	return q, nil
}

// maxQuoted bounds what is told of a foreign name, in bytes.
const maxQuoted = 40

// quoted gives a foreign name in ASCII between quotes, cut.
func quoted(name string) string {
	if len(name) <= maxQuoted {
		return strconv.QuoteToASCII(name)
	}
	return strconv.QuoteToASCII(strings.ToValidUTF8(name[:maxQuoted], "")) + "…"
}

func (q *Query) set(p Param) (known bool, err error) {
	switch p.Name {
	case "after_seq":
		n, ok := capsule.ParseDecimal(p.Value)
		if !ok {
			return true, badRequest("/after_seq", "must be a sequence number in decimal digits")
		}
		q.AfterSeq = uint64(n)
		return true, nil
	case "limit":
		n, ok := capsule.ParseDecimal(p.Value)
		if !ok || n < 1 || n > MaxQueryLimit {
			return true, badRequest("/limit", "must be 1 to 1000 in decimal digits")
		}
		q.Limit = int(n)
		return true, nil
	case "cursor":
		if p.Value == "" {
			return true, badRequest("/cursor", "must not be empty")
		}
		q.Cursor = p.Value
		return true, nil
	}
	return q.Filter.ParseFilter(p.Name, p.Value)
}

// Params gives the parameters that say q, in the order of 9.3's table.
func (q Query) Params() []Param {
	var params []Param
	add := func(name, value string) { params = append(params, Param{name, value}) }
	for _, name := range capsule.FilterNames() {
		if text := q.Filter.FilterText(name); text != "" {
			add(name, text)
		}
	}
	if q.AfterSeq != 0 {
		add("after_seq", strconv.FormatUint(q.AfterSeq, 10))
	}
	if q.Limit != DefaultQueryLimit {
		add("limit", strconv.Itoa(q.Limit))
	}
	if q.Cursor != "" {
		add("cursor", q.Cursor)
	}
	return params
}

// QueryResponse is one page as a service answers it.
type QueryResponse struct {
	Stamp
	Records []Record
	Next    string // cursor; empty on the last page
}

// Append appends the document.
func (r QueryResponse) Append(dst []byte) []byte {
	w := newWriter(dst)
	w.list("result", len(r.Records), func(dst []byte, i int) []byte { return r.Records[i].Append(dst) })
	w.stamp(r.Stamp)
	if r.Next != "" {
		w.text("next_cursor", r.Next)
	}
	return w.end()
}

// QueryPage is one page as a client takes it.
type QueryPage struct {
	Stamp
	Items []Item // records whose proof failed stand here as refusals
	Next  string
}

// Enumeration is a client's walk over the pages of one query. It holds every page
// to the contract of 9.3.1 and remembers the checkpoint and time of the first.
type Enumeration struct {
	service identity.Origin
	query   Query
	begun   bool
	stamp   Stamp
	last    uint64          // seq of the last record
	cursors map[string]bool // since the last record
}

// maxEmptyPages bounds pages without a record in a row.
const maxEmptyPages = 1000

// NewEnumeration begins to walk over what service answers to q.
func NewEnumeration(service identity.Origin, q Query) *Enumeration {
	return &Enumeration{service: service, query: q, last: q.AfterSeq}
}

// Request is the request for the next page.
func (e *Enumeration) Request() Query { return e.query }

var queryPageShape = capsule.OpenObject(append(stampFields(),
	capsule.Required("result", capsule.ArrayOf(capsule.AnyObject, 0, MaxQueryLimit, false)),
	capsule.Optional("next_cursor", textShape))...)

// Page checks the answer to Request and goes on to the next page, which there is
// where Next is not empty. Errors carry invalid_response; e is unchanged then.
func (e *Enumeration) Page(text []byte) (QueryPage, error) {
	v, err := parseAnswer(text, queryPageShape)
	if err != nil {
		return QueryPage{}, err
	}
	stamp, err := answered(v, e.service)
	if err != nil {
		return QueryPage{}, err
	}
	if err := e.checkStamp(stamp); err != nil {
		return QueryPage{}, err
	}
	all, err := receiveAll(text, member(v, "result").Items(), "", stamp.Checkpoint, e.query.Limit)
	if err != nil {
		return QueryPage{}, err
	}
	last := e.last
	for _, r := range all {
		if r.Seq <= last {
			return QueryPage{}, badAnswer(r.Where+"/seq", "is not greater than the one before")
		}
		last = r.Seq
		if event := r.event(); event != nil && !e.query.Filter.Match(event) {
			return QueryPage{}, badAnswer(r.Where, "does not match the filters")
		}
	}
	next := member(v, "next_cursor").Text()
	if err := e.checkCursor(next, len(all)); err != nil {
		return QueryPage{}, err
	}
	e.advance(stamp, last, next, len(all))
	return QueryPage{Stamp: stamp, Items: itemsOf(all), Next: next}, nil
}

func (e *Enumeration) checkStamp(stamp Stamp) error {
	switch {
	case stamp.Checkpoint < e.query.AfterSeq:
		return badAnswer("/checkpoint", "is before after_seq")
	case e.begun && stamp.Checkpoint != e.stamp.Checkpoint:
		return badAnswer("/checkpoint", "is not that of the first page")
	case e.begun && stamp.AsOf != e.stamp.AsOf:
		return badAnswer("/as_of", "is not that of the first page")
	}
	return nil
}

// checkCursor refuses a cursor that would go round in a circle.
func (e *Enumeration) checkCursor(next string, records int) error {
	switch {
	case next == "":
		return nil
	case next == e.query.Cursor, records == 0 && e.cursors[next]:
		return badAnswer("/next_cursor", "leads back to a page that was read")
	case records == 0 && len(e.cursors) >= maxEmptyPages:
		return badAnswer("/next_cursor", "follows too many pages without a record")
	}
	return nil
}

func (e *Enumeration) advance(stamp Stamp, last uint64, next string, records int) {
	e.begun, e.stamp, e.last = true, stamp, last
	if records > 0 || e.cursors == nil {
		e.cursors = make(map[string]bool)
	}
	if next != "" {
		e.cursors[next] = true
	}
	e.query.Cursor = next
}
