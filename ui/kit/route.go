package kit

import "unicode/utf8"

// Route is a place as data: which screen, on what, and where in it. It is written
// to the state as JSON, so that the next start comes back to it.
type Route struct {
	Screen string `json:"screen"`
	// ID is the event that the screen is about, in its 43 characters.
	ID string `json:"id,omitempty"`
	// Query is a list's filters in the words of a command line, such as
	// "kind=hypothesis text=cache".
	Query string `json:"query,omitempty"`
	Sort  string `json:"sort,omitempty"`
	// Cursor and Scroll are rows; At is the event under the cursor.
	Cursor int    `json:"cursor,omitempty"`
	Scroll int    `json:"scroll,omitempty"`
	At     string `json:"at,omitempty"`
	// Label is the title of the event, as signed, for the list of visited places.
	Label string `json:"label,omitempty"`
	// Pane is which pane has the keys.
	Pane int `json:"pane,omitempty"`
	// SeenBy is the origin of the followed service whose set is read; empty is
	// everything held. It stays with the reader until another set is chosen.
	SeenBy string `json:"seen_by,omitempty"`
}

// Names of the screens.
const (
	Browse   = "browse"
	Page     = "page"
	Links    = "links"
	Versions = "versions"
	Review   = "assessments"
	Raw      = "raw"
	Visited  = "history"
	Waiting  = "pending"
	Services = "services"
	// Exceptions are the records of one service, named in Query, that are not events here.
	Exceptions = "exceptions"
	// Found is the answer of a service to a ranked search; Query is the question.
	Found = "found"
	// Compose is the form of one draft, whose number is in Query.
	Compose = "compose"
	// Outbox is the list of drafts and of what was signed.
	Outbox = "outbox"
)

// maxLabel bounds a label, in bytes.
const maxLabel = 200

// Named gives the route with a title as its label.
func (r Route) Named(title string) Route {
	for len(title) > maxLabel {
		_, size := utf8.DecodeLastRuneInString(title[:maxLabel+1])
		title = title[:maxLabel+1-size]
	}
	r.Label = title
	return r
}
