package report

import (
	"strings"

	"akx/view/clean"
)

// Config is the effective configuration.
type Config struct {
	Home     string    `json:"home"`
	File     string    `json:"file"`
	Exists   bool      `json:"exists"`
	Settings []Setting `json:"settings"`
}

// Setting is one value, where it comes from and what it is for. Value is written as
// config.yaml takes it; the name of one within a group is the group's, a dot and its own.
type Setting struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	From  string `json:"from"`
	About string `json:"about"`
}

// Text prints the settings as config.yaml takes them, one a line; comments say where
// each comes from and what it is for.
func (c *Config) Text(p *Printer) {
	state := ""
	if !c.Exists {
		state = " (not there: defaults)"
	}
	p.Wrapped(own("# "), plainCell(clean.Line(c.File)), words(state))
	group := ""
	var rows [][]Cell
	for _, s := range c.Settings {
		name, indent := s.Name, ""
		if in, inner, ok := strings.Cut(s.Name, "."); ok {
			if in != group {
				group = in
				rows = append(rows, []Cell{words(group + ":")})
			}
			name, indent = inner, "  "
		}
		rows = append(rows, []Cell{plainCell(clean.Join(own(indent+name+": "), clean.Line(s.Value))),
			{Text: clean.Join(own("# "), clean.Line(s.From), own(": "+s.About)), Tone: Quiet}})
	}
	if p.style.Plain {
		for _, row := range rows {
			for i := range row {
				// The comment comes first, on a line of its own; indents are part of the form.
				p.exact(row[len(row)-1-i])
			}
		}
		return
	}
	p.Table(nil, rows)
}
