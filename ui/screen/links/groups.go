package links

import (
	"slices"
	"strings"

	"akx/view"
	"akx/view/capsule"
	"akx/view/clean"
	"akx/view/identity"
)

// group is a heading and the links under it.
type group struct {
	key    string
	name   clean.Text
	actor  identity.Actor // of a group by actor
	links  []view.Incoming
	active int
	gone   int
}

// unfoldLimit is up to how many links a group starts unfolded.
const unfoldLimit = 12

func (s *Screen) unfoldSmall() {
	for _, g := range s.groups() {
		s.open[g.key] = len(g.links) > 0 && len(g.links) <= unfoldLimit
	}
}

// groups gives the groups by relation and verdict, zero ones included, or by actor.
func (s *Screen) groups() []group {
	if s.links == nil {
		return nil
	}
	var out []group
	if !s.byActor {
		for _, g := range s.links.Groups {
			name := "retractions"
			switch g.Type {
			case capsule.Publish:
				name = g.Relation.String()
			case capsule.Assess:
				name = "assessment: " + g.Verdict.String()
			}
			out = append(out, group{key: name, name: clean.Line(name), links: g.Links, active: g.Active, gone: g.Retracted})
		}
		return out
	}
	at := map[identity.Actor]int{}
	for _, g := range s.links.Groups {
		for _, l := range g.Links {
			i, ok := at[l.Actor]
			if !ok {
				i = len(out)
				at[l.Actor] = i
				out = append(out, group{key: l.Actor.String(), name: clean.Line(l.Actor.String()), actor: l.Actor})
			}
			out[i].links = append(out[i].links, l)
			if l.Retracted {
				out[i].gone++
			} else {
				out[i].active++
			}
		}
	}
	slices.SortStableFunc(out, func(a, b group) int { return len(b.links) - len(a.links) })
	return out
}

// arrange makes the rows from the groups, the folds and the filter.
func (s *Screen) arrange() {
	s.rows = nil
	words := strings.Fields(capsule.FoldASCII(s.filter))
	for _, g := range s.groups() {
		kept := g
		if len(words) > 0 {
			kept.links, kept.active, kept.gone = nil, 0, 0
			for _, l := range g.links {
				if !s.matches(g, l, words) {
					continue
				}
				kept.links = append(kept.links, l)
				if l.Retracted {
					kept.gone++
				} else {
					kept.active++
				}
			}
		}
		if len(words) > 0 && len(kept.links) == 0 {
			continue
		}
		s.rows = append(s.rows, row{group: &kept})
		if s.open[g.key] || len(words) > 0 {
			for i := range kept.links {
				s.rows = append(s.rows, row{group: &kept, link: &kept.links[i]})
			}
		}
	}
	s.cursor.Clamp(len(s.rows), s.height())
}

// matches looks for every word in what is known of a link: its group, kind,
// verdict, actor, ID, state, and its title once that is read.
func (s *Screen) matches(g group, l view.Incoming, words []string) bool {
	state := "active"
	if l.Retracted {
		state = "retracted"
	}
	text := strings.Join([]string{
		g.key, l.Relation.String(), l.Verdict.String(), l.Kind.String(), l.Actor.String(), l.Source.String(), state, s.entries[l.Source].Title,
		s.options.Petname(l.Actor).String(),
	}, " ")
	text = capsule.FoldASCII(text)
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}
