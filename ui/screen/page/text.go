package page

import "akx/view/capsule"

// exactText is the main text of an event, exactly as signed.
func exactText(e capsule.Event) string {
	switch e := e.(type) {
	case *capsule.Publication:
		return e.Payload().Title + "\n\n" + e.Payload().Statement
	case *capsule.Assessment:
		return e.Payload().Summary + "\n\n" + e.Payload().Basis
	case *capsule.Retraction:
		return e.Payload().Reason
	}
	return ""
}
