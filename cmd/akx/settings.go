package main

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"akx/cmd/akx/report"
	"akx/ui/kit"
	"akx/view/fault"
)

// maxSettings bounds config.yaml, in bytes.
const maxSettings = 1 << 20

// setting is one value of the configuration and where it comes from.
type setting struct {
	name, value, about, from string
	check                    func(string) error
}

// settings are the effective values: defaults, then config.yaml, then the
// environment, then flags.
type settings struct {
	file     string
	exists   bool
	values   []setting
	keys     map[string][]string // action -> keys, as rebound in the file
	keyFrom  map[string]string
	unusable error // a flag that cannot be used; then nothing is settled
}

func defaults() *settings {
	return &settings{
		keys: map[string][]string{}, keyFrom: map[string]string{},
		values: []setting{
			{"theme", "auto", "auto, dark, light or 16", "", oneOf("auto", "dark", "light", "16")},
			{"color", "auto", "auto or never", "", oneOf("auto", "never")},
			{"ascii", "false", "draw with ASCII characters only", "", truth},
			{"plain", "false", "commands print in spoken order, one thing a line", "", truth},
			{"mouse", "true", "the explorer takes clicks and the wheel", "", truth},
			{"preview_from", "100", "columns from which Browse shows its preview", "", between(0, 1000)},
			{"sort", "newest", "order of akx list: newest, created or title", "", oneOf(sortNames...)},
			{"limit", "50", "rows of a list; 0 lists all", "", between(0, 1<<31-1)},
			{"fetch_events", "1000", "events that one sync fetches by ID because others wait for them", "", between(1, 1_000_000)},
			{"fetch_depth", "8", "how far it goes through events that wait for each other", "", between(1, 1000)},
			{"fetch_bytes", "16777216", "text of such events that one sync fetches, in bytes", "", between(1024, 1<<30)},
			{"license", "", "HTTPS address of the terms under which new drafts stand; none by default", "", noBlanks},
			{"language", "", "language of new drafts, such as en or zh-CN; none by default", "", noBlanks},
			{"unlock_minutes", "10", "how long the explorer keeps a key unlocked, in memory; 0 asks for its passphrase each time", "", between(0, 24*60)},
			{"max_envelope_bytes", "262144", "longest envelope that is read; a local limit, not invalidity", "", between(1024, 64<<20)},
		},
	}
}

func (s *settings) at(name string) *setting {
	i := slices.IndexFunc(s.values, func(v setting) bool { return v.name == name })
	if i < 0 {
		return nil
	}
	return &s.values[i]
}

// text gives a value by its name, which must be in the table.
func (s *settings) text(name string) string { return s.at(name).value }

func (s *settings) flag(name string) bool { return s.at(name).value == "true" }

func (s *settings) number(name string) int {
	n, _ := strconv.Atoi(s.at(name).value) // checked when it was set
	return n
}

func (s *settings) set(name, value, from string) error {
	v := s.at(name)
	if err := v.check(value); err != nil {
		return err
	}
	v.value, v.from = value, from
	return nil
}

// readSettings gives the effective settings. Those that could be read come with
// the error too, so that reports of it can be printed.
func (a *app) readSettings() (*settings, error) {
	s := defaults()
	var failed error
	if dir, _, err := a.homeDir(); err == nil {
		s.file = filepath.Join(dir, "config.yaml")
		failed = s.readFile()
	}
	if a.getenv("NO_COLOR") != "" {
		failed = errors.Join(failed, s.set("color", "never", "NO_COLOR"))
	}
	for _, f := range []struct {
		given             bool
		name, value, flag string
	}{
		{a.flags.noColor, "color", "never", "--no-color"},
		{a.flags.ascii, "ascii", "true", "--ascii"},
		{a.flags.plain, "plain", "true", "--plain"},
	} {
		if f.given {
			failed = errors.Join(failed, s.set(f.name, f.value, f.flag))
		}
	}
	if a.flags.theme != "" {
		if err := s.set("theme", a.flags.theme, "--theme"); err != nil {
			s.unusable = &fault.Usage{Detail: "--theme: " + err.Error(), Hint: "see akx --help"}
			return s, s.unusable
		}
	}
	return s, failed
}

func (s *settings) readFile() error {
	f, err := os.Open(s.file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return &fault.Unavailable{Code: fault.UnavailableCode, Detail: "the settings cannot be read", Err: err}
	}
	defer f.Close()
	s.exists = true
	text, err := io.ReadAll(io.LimitReader(f, maxSettings+1))
	switch {
	case err != nil:
		return &fault.Unavailable{Code: fault.UnavailableCode, Detail: "the settings cannot be read", Err: err}
	case len(text) > maxSettings:
		return s.wrong(0, "longer than 1 MiB")
	}
	return s.parse(text)
}

// parse takes one YAML document: a mapping of the known names.
func (s *settings) parse(text []byte) error {
	d := yaml.NewDecoder(bytes.NewReader(text))
	var doc, second yaml.Node
	switch err := d.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return s.wrong(0, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if err := d.Decode(&second); !errors.Is(err, io.EOF) {
		return s.wrong(second.Line, "a second document")
	}
	root := doc.Content[0]
	if root.Kind == yaml.ScalarNode && root.Tag == "!!null" {
		return nil
	}
	if root.Kind != yaml.MappingNode {
		return s.wrong(root.Line, "not a mapping of settings")
	}
	return s.parseMapping(root)
}

// parseMapping takes every line that is right, and names every one that is not.
func (s *settings) parseMapping(root *yaml.Node) error {
	seen := map[string]bool{}
	var all error
	for i := 0; i+1 < len(root.Content); i += 2 {
		name, value := root.Content[i], root.Content[i+1]
		if seen[name.Value] {
			all = errors.Join(all, s.wrong(name.Line, name.Value+" is given twice"))
			continue
		}
		seen[name.Value] = true
		var err error
		switch {
		case name.Value == "keys":
			err = s.parseKeys(value)
		case s.at(name.Value) == nil:
			err = s.wrong(name.Line, "unknown setting "+name.Value)
		case value.Kind != yaml.ScalarNode:
			err = s.wrong(value.Line, name.Value+" takes one value")
		default:
			if bad := s.set(name.Value, value.Value, s.place(name.Line)); bad != nil {
				err = s.wrong(value.Line, name.Value+": "+bad.Error())
			}
		}
		all = errors.Join(all, err)
	}
	return all
}

// each gives the errors that were joined in err, to any depth.
func each(err error) []error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	var all []error
	for _, e := range joined.Unwrap() {
		all = append(all, each(e)...)
	}
	return all
}

// parseKeys reads keys: a mapping of action to one key or a list of keys. Each action
// is checked alone first, so that every wrong line is named; clashes come last.
func (s *settings) parseKeys(node *yaml.Node) error {
	if node.Kind == yaml.ScalarNode && node.Tag == "!!null" {
		return nil
	}
	if node.Kind != yaml.MappingNode {
		return s.wrong(node.Line, "keys is a mapping of action to keys")
	}
	var all error
	for i := 0; i+1 < len(node.Content); i += 2 {
		action, value := node.Content[i], node.Content[i+1]
		bound, err := s.parseKey(action, value)
		if err != nil {
			all = errors.Join(all, err)
			continue
		}
		s.keys[action.Value], s.keyFrom[action.Value] = bound, s.place(action.Line)
	}
	if err := kit.CheckKeys(s.keys); err != nil {
		all = errors.Join(all, s.wrong(node.Line, "keys: "+err.Error()))
	}
	return all
}

// parseKey reads the keys of one action.
func (s *settings) parseKey(action, value *yaml.Node) ([]string, error) {
	if _, twice := s.keys[action.Value]; twice {
		return nil, s.wrong(action.Line, action.Value+" is given twice")
	}
	if !slices.ContainsFunc(kit.Actions(), func(a kit.Action) bool { return a.ID == action.Value }) {
		return nil, s.wrong(action.Line, "keys: no action is called "+action.Value)
	}
	list := []*yaml.Node{value}
	if value.Kind == yaml.SequenceNode {
		list = value.Content
	}
	bound := make([]string, 0, len(list))
	for _, k := range list {
		if k.Kind != yaml.ScalarNode || k.Value == "" {
			return nil, s.wrong(k.Line, action.Value+" takes a key or a list of keys")
		}
		bound = append(bound, k.Value)
	}
	if len(bound) == 0 {
		return nil, s.wrong(value.Line, action.Value+" has no key")
	}
	return bound, nil
}

func (s *settings) place(line int) string {
	return filepath.Base(s.file) + " line " + strconv.Itoa(line)
}

func (s *settings) wrong(line int, detail string) error {
	what := s.file
	if line > 0 {
		what += " line " + strconv.Itoa(line)
	}
	return &fault.Damaged{What: what, Detail: detail, Hint: "akx config --help lists the settings"}
}

// report lists the values and where they come from.
func (s *settings) report(home string) *report.Config {
	r := &report.Config{Home: home, File: s.file, Exists: s.exists}
	for _, v := range s.values {
		from := v.from
		if from == "" {
			from = "default"
		}
		r.Settings = append(r.Settings, report.Setting{Name: v.name, Value: v.value, From: from, About: v.about})
	}
	for _, action := range kit.Actions() {
		bound, from := action.Keys, "default"
		if own, ok := s.keys[action.ID]; ok {
			bound, from = own, s.keyFrom[action.ID]
		}
		r.Settings = append(r.Settings, report.Setting{Name: "keys." + action.ID, Value: spell(bound), From: from, About: string(action.Effect)})
	}
	return r
}

// spell writes keys as config.yaml takes them.
func spell(keys []string) string {
	names := make([]string, 0, len(keys))
	for _, k := range keys {
		names = append(names, strconv.Quote(k))
	}
	return "[" + strings.Join(names, ", ") + "]"
}
