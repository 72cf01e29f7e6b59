package kit

import (
	"strconv"
	"strings"

	"akx/ui/draw"
	"akx/view"
	"akx/view/clean"
	"akx/view/desk"
	"akx/view/identity"
)

// Sent gives how an event that was signed here stands at each service that it is
// queued for; ok is false where it is not in the outbox.
func (o Options) Sent(id identity.ID) (list []desk.Delivery, ok bool) {
	if o.Desk == nil {
		return nil, false
	}
	list, ok = o.Desk.Sent[id]
	return list, ok
}

// Mine reports whether the user signed an event. The keys of the sample are
// everybody's: there only what was signed here is one's own.
func (o Options) Mine(e view.Entry) bool {
	if o.Desk == nil || e.Damaged {
		return false
	}
	_, key := o.Desk.Own[e.Actor]
	_, sent := o.Desk.Sent[e.ID]
	return key && (sent || !o.Sample)
}

// AcceptedBy counts the services that have accepted an event, and those it is queued
// for.
func AcceptedBy(list []desk.Delivery) (accepted, all int) {
	for _, d := range list {
		if d.State == desk.Accepted {
			accepted++
		}
	}
	return accepted, len(list)
}

// OwnMark is the word of a row for an event of the user's own, with how many of the
// services that it is queued for have accepted it; empty for other events.
func (o Options) OwnMark(e view.Entry) draw.Line {
	if !o.Mine(e) {
		return nil
	}
	list, _ := o.Sent(e.ID)
	accepted, all := AcceptedBy(list)
	if all == 0 {
		return draw.Line{draw.Own(draw.Key, "own ")}
	}
	line := draw.Line{draw.Own(draw.Key, "own"), draw.Own(draw.Normal, ", accepted ")}
	role := draw.Warn
	if accepted == all {
		role = draw.Good
	}
	return append(line, draw.Say(role, clean.Line(strconv.Itoa(accepted)+"/"+strconv.Itoa(all))), draw.Gap(1))
}

// ReadyLine says that nothing blocks the signature of a draft, and how many places are to
// be answered before it.
func ReadyLine(toAnswer int) draw.Line {
	if toAnswer == 0 {
		return draw.Line{draw.Own(draw.Good, "ready")}
	}
	return draw.Line{draw.Own(draw.Good, "ready"), draw.Own(draw.Normal, ", "), draw.Say(draw.Warn, draw.Int(toAnswer)), draw.Own(draw.Warn, " to answer")}
}

// DeliveryWords are how an envelope stands with a service.
func DeliveryWords(d desk.Delivery) draw.Span {
	role := draw.Normal
	switch d.State {
	case desk.Accepted:
		role = draw.Good
	case desk.Refused:
		role = draw.Bad
	case desk.Unknown:
		role = draw.Warn
	}
	return draw.Say(role, clean.Line(d.Summary()))
}

// Host is an origin without its scheme, as lists show it.
func Host(origin string) clean.Text { return clean.Line(strings.TrimPrefix(origin, "https://")) }

// localMark stands before the user's own name of an Agent ID, which nobody signed.
const localMark clean.Words = "~"

// Petname is the user's own name of an Agent ID, with its mark; empty where there is
// none.
func (o Options) Petname(a identity.Actor) clean.Text {
	if o.Desk == nil || o.Desk.Names[a] == "" {
		return clean.Text{}
	}
	return clean.Join(clean.Own(localMark), clean.Line(o.Desk.Names[a]))
}

// Columns of who signed an event in a list: the start of the key, and before it the
// user's own name of it where any Agent ID has one.
const (
	keyColumns  = 9
	nameColumns = 10
)

// namesFrom is the width of a list from which names of Agent IDs have their columns.
const namesFrom = 70

// WhoColumns is the width of Who in a list of so many columns.
func (o Options) WhoColumns(list int) int {
	if o.Desk == nil || len(o.Desk.Names) == 0 || list < namesFrom {
		return keyColumns
	}
	return nameColumns + 1 + keyColumns
}

// Who is an Agent ID in a list: the user's own name of it, where there is room, and the
// start of its key. All of them have one width in a list.
func (o Options) Who(a identity.Actor, list int) draw.Line {
	key := draw.Say(draw.Normal, ShortActor(a, o.Glyphs))
	if o.WhoColumns(list) == keyColumns {
		return draw.Line{key}
	}
	name := draw.Cut(o.Petname(a), nameColumns, o.Glyphs.Ellipsis)
	return draw.Line{draw.Say(draw.Strong, name), draw.Gap(nameColumns - draw.Width(name) + 1), key}
}

// By says who signed an event: the Agent ID in full where it fits, and behind it the
// user's own name of it, or that it is the user's own.
func (o Options) By(a identity.Actor, mine bool, w int) draw.Line {
	line := draw.Line{draw.Own(draw.Quiet, "by ")}
	tail := o.Called(a, mine)
	room := w - line.Width()
	if tail.Width() > 0 {
		tail = append(draw.Line{draw.Gap(1)}, tail...).Cut(max(room/2, 1), o.Glyphs.Ellipsis)
		room -= tail.Width()
	}
	return append(append(line, draw.Say(draw.Normal, draw.Cut(clean.Line(a.String()), room, o.Glyphs.Ellipsis))), tail...)
}

// Called is how the user calls an Agent ID, labelled as local; empty where there is
// no name for it.
func (o Options) Called(a identity.Actor, mine bool) draw.Line {
	var line draw.Line
	if mine {
		line = append(line, draw.Own(draw.Key, "you"))
	}
	if name := o.Petname(a); name.String() != "" {
		if mine {
			line = append(line, draw.Own(draw.Normal, ", "))
		}
		line = append(line, draw.Say(draw.Strong, name), draw.Own(draw.Quiet, " (local name)"))
	}
	return line
}
