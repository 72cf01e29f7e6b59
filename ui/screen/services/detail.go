package services

import (
	"slices"
	"strconv"

	"akx/explore"
	"akx/ui/draw"
	"akx/ui/kit"
	"akx/view"
	"akx/view/clean"
	"akx/view/desk"
	"akx/view/fault"
)

// about lays out what is known of the chosen service.
func (s *Screen) about(width int) []draw.Line {
	v, ok := s.under()
	if !ok {
		return nil
	}
	var rows []draw.Line
	add := func(lines ...draw.Line) {
		for _, l := range lines {
			rows = append(rows, draw.WrapLine(l, max(width, 1))...)
		}
	}
	add(pair("origin", clean.Line(string(v.Service.Origin))))
	add(s.state(v, width)...)
	add(s.trouble(v, width)...)
	add(s.checked(v, width)...)
	add(s.unreached(v, width)...)
	add(faults(v)...)
	if v.Follow.Complete {
		add(draw.Line{draw.Own(draw.Quiet, "lag  "), draw.Say(draw.Normal, lag(Now(v))),
			draw.Own(draw.Normal, ": how many numbers of its own it has named beyond what is followed")})
	}
	add(settings(v.Service)...)
	add(s.described(v)...)
	return rows
}

func pair(w clean.Words, t clean.Text) draw.Line {
	return draw.Line{draw.Own(draw.Quiet, w), draw.Gap(2), draw.Say(draw.Normal, t)}
}

// state says how far it was followed, in full.
func (s *Screen) state(v explore.ServiceState, width int) []draw.Line {
	now, clock := Now(v), s.options.Clock()
	lead := draw.Line{draw.Own(draw.Quiet, "state"), draw.Gap(3)}
	line := append(lead, kit.ServiceState(now, clock, width-lead.Width())...)
	if v.Syncing {
		line = append(line, draw.Own(draw.Normal, "; . stops it, and what came stays"))
	}
	if !v.Follow.Complete {
		return []draw.Line{append(line, s.unfollowed(v)...)}
	}
	line = append(line, draw.Own(draw.Normal, "; followed up to #"), number(v.Follow.Checkpoint),
		draw.Own(draw.Normal, ", as of "), draw.Say(draw.Normal, kit.DateTime(v.Follow.AsOf)), draw.Own(draw.Normal, ", "))
	if f := v.Follow.Followed(""); view.Ahead(f.AsOf, f.Seen()) { // its own time tells no age
		line = append(line, draw.Own(draw.Normal, "asked "))
	}
	line = append(line, draw.Say(draw.Normal, kit.Age(v.Follow.Followed("").Seen(), clock)), draw.Own(draw.Normal, " ago"))
	if behind := now.Seen - v.Follow.Checkpoint; behind > 0 {
		line = append(line, draw.Own(draw.Normal, "; it named #"), number(now.Seen), draw.Own(draw.Normal, " since"))
	}
	lines := []draw.Line{line}
	if n := v.Follow.Exceptions; n > 0 {
		lines = append(lines, draw.Line{draw.Own(draw.Warn, "exceptions "), draw.Say(draw.Warn, draw.Int(n)),
			draw.Own(draw.Normal, ": records that are not events here; what they could bear on is PARTIAL; enter lists them")})
	}
	return lines
}

// unfollowed says what that means for a service that is not followed yet, and the way
// on.
func (s *Screen) unfollowed(v explore.ServiceState) draw.Line {
	switch {
	case v.Syncing:
		return draw.Line{draw.Own(draw.Normal, "; it is followed once this first sync is complete")}
	case v.Follow.Reached > 0:
		return draw.Line{draw.Own(draw.Normal, "; stored up to #"), number(v.Follow.Reached), draw.Own(draw.Normal, ", the next sync goes on there; until it is complete, it is asked live, when you ask")}
	}
	return draw.Line{draw.Own(draw.Normal, "; it is asked live, when you ask; f follows it")}
}

func number(n uint64) draw.Span { return draw.Say(draw.Normal, clean.Line(strconv.FormatUint(n, 10))) }

// trouble is why the last attempt to follow it did not finish.
func (s *Screen) trouble(v explore.ServiceState, width int) []draw.Line {
	t := v.Follow.Trouble
	if t.Code == "" || v.Syncing {
		return nil
	}
	at := draw.Line{draw.Own(draw.Quiet, "last sync  "), draw.Own(draw.Bad, "failed "), draw.Say(draw.Normal, kit.DateTime(v.Follow.Tried))}
	if t.Code == fault.Cancelled {
		at[1] = draw.Own(draw.Warn, "did not finish ")
		return []draw.Line{append(at, s.way("f goes on")...)}
	}
	at = append(append(at, draw.Own(draw.Normal, ": ")), draw.ErrorLine(&fault.Unavailable{Code: t.Code, Detail: t.Detail})...)
	if v.Follow.Stuck() {
		return s.bounded(width, at, s.way("f cannot go on; a follows it anew"))
	}
	return s.bounded(width, at, s.way("f tries again"))
}

// way is the key that goes on, behind what failed.
func (s *Screen) way(w clean.Words) draw.Line {
	return draw.Line{draw.Own(draw.Quiet, " "+s.options.Glyphs.Dot+" "), draw.Own(draw.Normal, w)}
}

// unreached is why the last question did not reach it, where nothing above says so.
func (s *Screen) unreached(v explore.ServiceState, width int) []draw.Line {
	c := v.Contact
	check := s.checks[v.Service.Name]
	if c.Unreached == "" || v.Syncing || v.Follow.Trouble.Detail == c.Unreached || check != nil && (check.asking.Waiting() || check.failed != nil) {
		return nil
	}
	line := draw.Line{draw.Own(draw.Quiet, "not reached  "), draw.Say(draw.Normal, kit.DateTime(c.At)), draw.Own(draw.Normal, ": "), draw.Say(draw.Normal, clean.Line(c.Unreached))}
	return s.bounded(width, line, s.way("L tries again"))
}

// foreignRows is how many rows an error may take, whose words are a service's.
const foreignRows = 3

// bounded wraps what may be foreign and akx's own words behind it. What is too long is
// cut before those, so that they are always seen.
func (s *Screen) bounded(width int, foreign, own draw.Line) []draw.Line {
	width = max(width, 1)
	for room := width * foreignRows; ; room -= max(width/8, 1) {
		cut := foreign.Cut(max(room, 0), s.options.Glyphs.Ellipsis)
		rows := draw.WrapLine(append(cut, own...), width)
		if len(rows) <= foreignRows || room <= 0 {
			return rows
		}
	}
}

// checked is the question that was asked here.
func (s *Screen) checked(v explore.ServiceState, width int) []draw.Line {
	c := s.checks[v.Service.Name]
	switch {
	case c == nil:
		return nil
	case c.asking.Waiting():
		return []draw.Line{{draw.Own(draw.Normal, "checking...")}}
	case !c.done:
		return nil
	case c.failed != nil:
		line := append(draw.Line{draw.Own(draw.Quiet, "check  ")}, draw.ErrorAt(c.failed)...)
		return s.bounded(width, line, s.way("L tries again"))
	}
	return []draw.Line{{draw.Own(draw.Quiet, "check  "), draw.Own(draw.Good, "ok"), draw.Own(draw.Normal, " "), draw.Say(draw.Normal, kit.ClockTime(c.at, s.options.Clock())),
		draw.Own(draw.Normal, ": it answered as a service of this origin")}}
}

// faults tell contradictions of the service with itself, and accuse nobody.
func faults(v explore.ServiceState) []draw.Line {
	all := v.Follow.Contradictions()
	if len(all) == 0 {
		return []draw.Line{{draw.Own(draw.Quiet, "contradictions  "), draw.Own(draw.Normal, "none seen")}}
	}
	lines := []draw.Line{{draw.Own(draw.Warn, "contradictions "), draw.Say(draw.Warn, draw.Int(len(all))),
		draw.Own(draw.Normal, ": a follows it anew; a reset, a restored copy or a fault can each look like this, and nothing proven was dropped")}}
	for _, c := range slices.Backward(all[max(len(all)-maxFaults, 0):]) {
		line := faultLine(c.Fault)
		if c.More > 0 {
			line = append(line, draw.Own(draw.Normal, "; "), draw.Say(draw.Normal, draw.Int(c.More)), draw.Own(draw.Normal, " more of the same cause"))
		}
		lines = append(lines, line)
	}
	if more := len(all) - maxFaults; more > 0 {
		lines = append(lines, draw.Line{draw.Gap(2), draw.Own(draw.Normal, "and "), draw.Say(draw.Normal, draw.Int(more)), draw.Own(draw.Normal, " more, older")})
	}
	return lines
}

// maxFaults is how many contradictions are told, the newest first.
const maxFaults = 5

func faultLine(f desk.ServiceFault) draw.Line {
	line := draw.Line{draw.Gap(2), draw.Say(draw.Normal, kit.DateTime(f.At)), draw.Gap(1)}
	id := draw.Say(draw.Normal, clean.Line(f.ID.String()))
	switch f.Kind {
	case desk.CheckpointBack:
		return append(line, draw.Own(draw.Normal, "its checkpoint is #"), number(f.Now), draw.Own(draw.Normal, ", it was #"), number(f.Before))
	case desk.AfterRefused:
		if f.Now >= f.Before {
			return append(line, draw.Own(draw.Normal, "it refuses to go on behind #"), number(f.Before), draw.Own(draw.Normal, ", which it gave"))
		}
		return append(line, draw.Own(draw.Normal, "it has no record #"), number(f.Before), draw.Own(draw.Normal, " any more; it has up to #"), number(f.Now))
	case desk.SeqBack:
		return append(line, draw.Own(draw.Normal, "an event has #"), number(f.Now), draw.Own(draw.Normal, ", it had #"), number(f.Before), draw.Own(draw.Normal, ": "), id)
	case desk.SeqShared:
		return append(line, draw.Own(draw.Normal, "#"), number(f.Now), draw.Own(draw.Normal, " stands for two events; one is "), id)
	}
	return line
}

func settings(v desk.Service) []draw.Line {
	lines := []draw.Line{{draw.Own(draw.Normal, askWords(v.Ask)), draw.Own(draw.Quiet, "; w changes it, E the rest")}}
	if v.AllowPrivate {
		lines = append(lines, draw.Line{draw.Own(draw.Warn, "private addresses are allowed"), draw.Own(draw.Normal, " for this service")})
	}
	if v.CAFile != "" {
		lines = append(lines, pair("its own CA", clean.Line(v.CAFile)))
	}
	return append(lines, pair("added", kit.DateTime(v.Added)))
}

// described is the service's own description, as last read and with its age: hints, and
// nobody among its peers is contacted for them (9.2).
func (s *Screen) described(v explore.ServiceState) []draw.Line {
	d := v.Discovery
	if d == nil {
		return []draw.Line{{draw.Own(draw.Quiet, "its description was not read yet; L reads it")}}
	}
	search := draw.Line{draw.Own(draw.Quiet, "ranked search  "), draw.Own(draw.Normal, "not offered")}
	if d.Ranked() {
		search = draw.Line{draw.Own(draw.Quiet, "ranked search ")}
		for _, mode := range d.Modes {
			search = append(search, draw.Gap(1), draw.Say(draw.Normal, clean.Line(mode)))
		}
	}
	lines := []draw.Line{{draw.Own(draw.Quiet, "described  "), draw.Say(draw.Normal, kit.DateTime(v.DescribedAt)), draw.Own(draw.Normal, ", "),
		draw.Say(draw.Normal, kit.Age(v.DescribedAt, s.options.Clock())), draw.Own(draw.Normal, " ago; L reads it again")}, search}
	if len(d.Peers) == 0 {
		return append(lines, draw.Line{draw.Own(draw.Quiet, "peer hints  "), draw.Own(draw.Normal, "none")})
	}
	lines = append(lines, draw.Line{draw.Own(draw.Quiet, "peer hints "), draw.Say(draw.Normal, draw.Int(len(d.Peers))), draw.Own(draw.Normal, " (not contacted; + adds one if you want it)")})
	for _, peer := range d.Peers {
		lines = append(lines, draw.Line{draw.Gap(2), draw.Say(draw.Normal, clean.Line(string(peer)))})
	}
	return lines
}

// errorCode is a code in its role.
func errorCode(c fault.Code) draw.Span { return draw.Say(draw.Bad, clean.Line(string(c))) }
