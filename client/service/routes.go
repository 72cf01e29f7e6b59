package service

import (
	"net/http"
	"strings"

	"akx/view/fault"
	"akx/view/wire"
)

// route is a place of the service; zero is none.
type route uint8

const (
	toDiscovery route = iota + 1
	toEvents
	toEvent
	toQuery
	toBatch
	toSearch
)

// operation answers one call.
type operation func(*call) (document, error)

// document is a value with a form on the wire.
type document interface{ Append(dst []byte) []byte }

// routes names the operation and the methods of each place.
var routes = map[route]struct{ operation, allow string }{
	toDiscovery: {"discovery", "GET, HEAD"},
	toEvents:    {"submit", "POST"},
	toEvent:     {"event", "GET, HEAD"},
	toQuery:     {"query", "GET, HEAD"},
	toBatch:     {"batch", "POST"},
	toSearch:    {"search", "POST"},
}

// routeOf finds the place of a path. A trailing slash leads to no place, but below
// events, where it stands before an empty event ID.
func (h *Handler) routeOf(path string) route {
	switch path {
	case wire.DiscoveryPath:
		return toDiscovery
	case wire.EventsPath:
		return toEvents
	case wire.QueryPath:
		return toQuery
	case wire.BatchPath:
		return toBatch
	case wire.SearchPath:
		if h.core.o.Ranked {
			return toSearch
		}
		return 0
	}
	if id, below := strings.CutPrefix(path, wire.EventsPath+"/"); below && !strings.Contains(id, "/") {
		return toEvent
	}
	return 0
}

// find gives the operation of a call, or the answer where there is none.
func (h *Handler) find(c *call) (operation, *answer) {
	if c.route == 0 {
		a := h.refusal(c, &fault.Refusal{Step: fault.StepShape, Code: fault.NotFound, Detail: "there is nothing at this path"})
		return nil, &a
	}
	place := routes[c.route]
	for method := range strings.SplitSeq(place.allow, ", ") {
		if c.Method == method {
			return h.operation(c.route), nil
		}
	}
	a := h.refusal(c, &fault.Refusal{Step: fault.StepShape, Code: fault.InvalidRequest, Detail: "this place takes only " + place.allow})
	a.status, a.allow = http.StatusMethodNotAllowed, place.allow
	return nil, &a
}

func (h *Handler) operation(r route) operation {
	switch r {
	case toEvents:
		return h.submit
	case toEvent:
		return h.event
	case toQuery:
		return h.query
	case toBatch:
		return h.batch
	case toSearch:
		return h.search
	}
	return nil
}

func (h *Handler) submit(c *call) (document, error) {
	record, held, err := h.core.Submit(c.Context(), c.body)
	if err != nil {
		return nil, err
	}
	if !held {
		c.log.Accepted, c.log.Seq = record.Event.ID(), record.Seq
	}
	return record, nil
}

func (h *Handler) event(c *call) (document, error) {
	id := strings.TrimPrefix(c.URL.Path, wire.EventsPath+"/")
	c.ask(id)
	return h.core.Get(c.Context(), id)
}

func (h *Handler) query(c *call) (document, error) {
	c.ask(c.URL.RawQuery)
	params, err := ParseForm(c.URL.RawQuery)
	if err != nil {
		return nil, err
	}
	return h.core.Query(c.Context(), params)
}

func (h *Handler) batch(c *call) (document, error) {
	c.ask(string(c.body))
	return h.core.Batch(c.Context(), c.body)
}

func (h *Handler) search(c *call) (document, error) {
	c.ask(string(c.body))
	return h.core.Search(c.Context(), c.body)
}

// maxQuestion bounds what a log is told of a question.
const maxQuestion = 4 << 10

func (c *call) ask(question string) {
	c.log.Question = question[:min(len(question), maxQuestion)]
}
