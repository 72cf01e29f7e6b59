package desk

import (
	"strings"

	"akx/view/capsule"
)

// Brief is what tells a draft from others in a list.
type Brief struct {
	What   string // assess, retract, or the kind; capsule where there is none yet
	Link   string // the verdict, or its first relation; empty for none
	Target string // of Link, as typed
	More   int    // further relations
	Title  string // the first line of title, summary or reason
	None   string // what to say where there is no Title
}

// Brief describes d for a list.
func (d Draft) Brief() Brief {
	p := &d.Payload
	b := Brief{What: p.Kind, Target: p.Target, Title: firstLine(p.Title), None: "no title yet"}
	switch d.Type {
	case capsule.Assess:
		b.What, b.Link, b.None = "assess", p.Verdict, "no summary yet"
	case capsule.Retract:
		b.What, b.None = "retract", "no reason yet"
	default:
		if b.What == "" {
			b.What = "capsule"
		}
		if len(p.Relations) > 0 {
			b.Link, b.Target, b.More = p.Relations[0].Relation, p.Relations[0].Target, len(p.Relations)-1
		}
	}
	return b
}

func firstLine(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	return first
}
