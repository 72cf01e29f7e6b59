package page

import (
	"strconv"

	"akx/ui/draw"
	"akx/ui/kit"
	"akx/view"
	"akx/view/clean"
	"akx/view/desk"
	"akx/view/identity"
)

// accepted says how an event that the user signed or queued stands at each service.
// Like all of the pane it holds no foreign words: a refusal is told by its code and
// akx's own sentence.
func (s *Screen) accepted(p view.Page) []draw.Line {
	list, queued := s.options.Sent(p.Entry.ID)
	mine := s.options.Mine(p.Entry)
	if !queued && !mine {
		return nil
	}
	head := draw.Line{draw.Own(draw.Strong, "Sent from here")}
	if mine {
		head = draw.Line{draw.Own(draw.Strong, "Your own event")}
	}
	accepted, all := kit.AcceptedBy(list)
	if all > 0 {
		head = append(head, draw.Own(draw.Normal, ", accepted by "), draw.Say(draw.Strong, draw.Int(accepted)), draw.Own(draw.Normal, " of "), draw.Say(draw.Strong, draw.Int(all)))
	}
	lines := []draw.Line{head}
	for _, d := range list {
		lines = append(lines, s.delivery(d)...)
	}
	switch {
	case s.options.Sample:
		lines = append(lines, own("held in the sample, in memory; it is never sent"))
	case all == 0:
		lines = append(lines, own("held here, and queued for no service"), own("d, then + queues it"))
	case accepted < all:
		lines = append(lines, own("d: outbox, where it is sent and sent again"))
	}
	return append(lines, s.elsewhereHeld(p, list)...)
}

func own(w clean.Words) draw.Line { return draw.Line{draw.Gap(2), draw.Own(draw.Normal, w)} }

// delivery is how the event stands at one service.
func (s *Screen) delivery(d desk.Delivery) []draw.Line {
	line := draw.Line{draw.Gap(2), draw.Say(draw.Strong, s.nameOf(identity.Origin(d.Service))), draw.Gap(1), kit.DeliveryWords(d)}
	lines := []draw.Line{line}
	if d.AcceptedAt > 0 {
		lines = append(lines, draw.Line{draw.Gap(4), draw.Own(draw.Quiet, "at "), draw.Say(draw.Normal, kit.DateTime(d.AcceptedAt)), draw.Own(draw.Quiet, " by its clock")})
	}
	if d.Code != "" {
		lines = append(lines, draw.Line{draw.Gap(4), draw.Say(draw.Normal, clean.Line(d.Advice().Sentence))})
	}
	if d.NextTry > 0 {
		lines = append(lines, draw.Line{draw.Gap(4), draw.Own(draw.Quiet, "next try "), draw.Say(draw.Normal, kit.DateTime(d.NextTry))})
	}
	return lines
}

// elsewhereHeld names services that show the event though it was not queued for them
// here: another machine or another person sent it.
func (s *Screen) elsewhereHeld(p view.Page, list []desk.Delivery) []draw.Line {
	queued := make(map[string]bool, len(list))
	for _, d := range list {
		queued[d.Service] = true
	}
	var lines []draw.Line
	for _, at := range p.Shown.At {
		if !at.Held || queued[string(at.Followed.Origin)] {
			continue
		}
		line := draw.Line{draw.Gap(2), draw.Say(draw.Strong, s.nameOf(at.Followed.Origin)), draw.Own(draw.Good, " holds it"), draw.Own(draw.Normal, ", not sent by this outbox")}
		for _, c := range p.Claims {
			if c.Source.Name == string(at.Followed.Origin) && c.Seq > 0 {
				line = append(line, draw.Own(draw.Quiet, ": #"), draw.Say(draw.Normal, clean.Line(strconv.FormatUint(c.Seq, 10))))
				break
			}
		}
		lines = append(lines, line)
	}
	return lines
}
