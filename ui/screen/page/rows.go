package page

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"akx/ui/draw"
	"akx/ui/kit"
	"akx/view/capsule"
	"akx/view/clean"
)

// Rows are the keys of a page.
func (s *Screen) Rows() []kit.Row {
	k := s.options.Keys
	if s.find.field != nil {
		return []kit.Row{k.Row("accept", s.endFind(true)), k.Row("cancel", s.endFind(false))}
	}
	rows := []kit.Row{k.RowByKey("follow", func(key string) tea.Cmd { return s.followLink(int(key[0] - '1')) }).Unless(s.noLinks())}
	rows = append(rows, k.Quiet("open", s.chooseLink).Unless(s.noLinks()), k.Row("recheck", s.recheck).Unless(s.noRecheck()))
	if s.page == nil || s.page.Entry.Type == capsule.Publish {
		rows = append(rows,
			k.Row("reverse-links", s.visit(kit.Links)), k.Row("versions", s.visit(kit.Versions)),
			k.Row("assessments", s.visit(kit.Review)))
	} else {
		rows = append(rows, k.Row("target", func() tea.Cmd { return s.followLink(0) }), k.Row("reverse-links", s.visit(kit.Links)))
	}
	rows = append(rows, s.options.SeenByRow(string(s.set.Service())), k.Row("next-pane", s.nextPane), k.Row("copy", s.copy), k.Row("open-url", s.openURL), k.Row("raw", s.visit(kit.Raw)),
		k.Quiet("find", s.startFind), k.Quiet("next-match", s.match(1)), k.Quiet("previous-match", s.match(-1)),
		k.Quiet("refresh", s.ask), k.Quiet("main-pane", s.mainPane), k.Quiet("previous-pane", s.nextPane))
	rows = append(rows, s.options.WriteRows(s.about())...)
	return append(rows, s.scrollRows()...)
}

// about is the event that drafts from here are about.
func (s *Screen) about() kit.About {
	switch {
	case s.page == nil && s.failed == nil:
		return kit.About{Why: kit.ReadingPage}
	case s.page == nil:
		return kit.About{Why: "the event of this page is not read"}
	}
	return kit.About{Entry: s.page.Entry, Page: true}
}

func (s *Screen) noLinks() clean.Words {
	if s.page == nil && s.failed == nil {
		return kit.ReadingPage
	}
	if s.page == nil || len(s.page.Out) == 0 {
		return "this event refers to no other"
	}
	return ""
}

func (s *Screen) scrollRows() []kit.Row {
	k := s.options.Keys
	by := func(n int) func() tea.Cmd {
		return func() tea.Cmd {
			s.scroll[s.pane] += n
			s.clamp()
			return nil
		}
	}
	half := max(s.height()/2, 1)
	return []kit.Row{
		k.Quiet("down", by(1)), k.Quiet("up", by(-1)), k.Quiet("half-down", by(half)), k.Quiet("half-up", by(-half)),
		k.Quiet("top", by(-1<<30)), k.Quiet("bottom", by(1<<30)),
	}
}

func (s *Screen) visit(screen string) func() tea.Cmd {
	return func() tea.Cmd { return s.options.Now(kit.Go{Route: kit.Route{Screen: screen, ID: s.id.String()}}) }
}

func (s *Screen) nextPane() tea.Cmd {
	s.pane = 1 - s.pane
	return nil
}

func (s *Screen) mainPane() tea.Cmd {
	s.pane = bodyPane
	return nil
}

func (s *Screen) startFind() tea.Cmd {
	s.pane = bodyPane
	s.find.before = s.find.text
	s.find.field = draw.NewField(200, s.find.text)
	return nil
}

func (s *Screen) endFind(keep bool) func() tea.Cmd {
	return func() tea.Cmd {
		s.find.field = nil
		if !keep {
			s.find.text = s.find.before
			return nil
		}
		return s.tellMatch()
	}
}

func (s *Screen) match(step int) func() tea.Cmd {
	return func() tea.Cmd {
		if s.find.text == "" {
			return kit.Say("nothing to find; / takes a text")
		}
		s.jump(step, s.find.at)
		return s.tellMatch()
	}
}

// chooseLink lists every outgoing link, also those beyond the ninth.
func (s *Screen) chooseLink() tea.Cmd {
	choices := make([]kit.Choice, len(s.page.Out))
	for i := range s.page.Out {
		choices[i] = kit.Choice{Line: kit.OutLine(i, s.page.Out[i], min(s.size.W-4, 100)-4, s.options), Do: func() tea.Cmd { return s.followLink(i) }}
	}
	return s.options.Now(kit.Choose{Title: "Refers to", Choices: choices})
}

// copy offers what can be copied, exactly as signed.
func (s *Screen) copy() tea.Cmd {
	if s.page == nil {
		return nil
	}
	env := s.page.Event.Envelope()
	choice := func(w clean.Words, text string) kit.Choice {
		return kit.Choice{Line: draw.Line{draw.Own(draw.Normal, w)}, Do: func() tea.Cmd { return s.options.Now(kit.Copy{Text: text, What: w}) }}
	}
	choices := []kit.Choice{
		choice("the event ID", s.id.String()),
		choice("the command that shows it", "akx show id:"+s.id.String()),
		choice("the text", exactText(s.page.Event)),
		choice("the JSON envelope, exactly as received", env.Text()),
		choice("the Agent ID", env.Actor().String()),
	}
	return s.options.Now(kit.Choose{Title: "Copy", Choices: choices})
}

// openURL offers the URLs of the page; the chosen one is shown in full first.
func (s *Screen) openURL() tea.Cmd {
	if s.page == nil {
		return nil
	}
	urls := kit.URLsOf(kit.TextOf(*s.page).Payload)
	if len(urls) == 0 {
		return kit.Say("this page has no URL")
	}
	choices := make([]kit.Choice, len(urls))
	for i, u := range urls {
		shown := draw.Line{draw.Say(draw.Link, clean.Line(u))}
		choices[i] = kit.Choice{Line: shown, Do: func() tea.Cmd { return s.confirmVisit(u) }}
	}
	return s.options.Now(kit.Choose{Title: "Open which URL?", Choices: choices})
}

// confirmVisit shows a URL in full before anything is opened.
func (s *Screen) confirmVisit(url string) tea.Cmd {
	return s.options.Now(kit.Confirm{
		Title: "Open in the browser? [network]",
		Lines: []draw.Line{
			{draw.Say(draw.Link, clean.Line(url))}, {},
			{draw.Own(draw.Normal, "The author chose this address. A signature does not make it safe.")},
		},
		Yes: "Open it", Do: func() tea.Cmd { return s.options.Now(kit.Visit{URL: url}) },
	})
}

// tellMatch says which of the rows with the text this is.
func (s *Screen) tellMatch() tea.Cmd {
	if s.find.text == "" {
		return nil
	}
	text, nth, total := capsule.FoldASCII(s.find.text), 0, 0
	for row, plain := range s.body.Plain {
		if strings.Contains(capsule.FoldASCII(plain), text) {
			total++
			if row <= s.find.at {
				nth = total
			}
		}
	}
	if total == 0 {
		return kit.Say("not found in this text")
	}
	return kit.Send(kit.Notice{Line: draw.Line{
		draw.Own(draw.Normal, "row "), draw.Say(draw.Strong, draw.Int(nth)), draw.Own(draw.Normal, " of "), draw.Say(draw.Strong, draw.Int(total)),
		draw.Own(draw.Normal, " with this text; n and N go on"),
	}})
}
