package main

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"akx/view/capsule"
	"akx/view/identity"
)

//go:embed content/*.yaml
var contentFiles embed.FS

//go:embed artefacts
var artefactFiles embed.FS

// note is one event as it is written in a content file. A kind makes it a capsule,
// a verdict an assessment, a retract a retraction.
type note struct {
	Key     string    `yaml:"key"`
	By      string    `yaml:"by"`
	At      time.Time `yaml:"at"`
	Late    bool      `yaml:"late"` // arrives after everything else
	Licence string    `yaml:"licence"`

	Kind  string `yaml:"kind"`
	paper `yaml:",inline"`

	Title     string   `yaml:"title"`
	Statement string   `yaml:"statement"`
	Language  string   `yaml:"language"`
	Links     []string `yaml:"links"` // "relation key"
	Tags      []string `yaml:"tags"`

	verdict `yaml:",inline"`
	retract `yaml:",inline"`
}

// paper holds what capsules and assessments have in common.
type paper struct {
	Scope        string        `yaml:"scope"`
	Conditions   []string      `yaml:"conditions"`
	Limitations  []string      `yaml:"limitations"`
	Basis        string        `yaml:"basis"`
	Evidence     []reference   `yaml:"evidence"`
	Reproduction *reproduction `yaml:"reproduction"`
	Profiles     []binding     `yaml:"profiles"`
	Extra        object        `yaml:"extra"`
}

type verdict struct {
	Verdict string `yaml:"verdict"`
	Target  string `yaml:"target"`
	Summary string `yaml:"summary"`
}

type retract struct {
	Retract string `yaml:"retract"`
	Reason  string `yaml:"reason"`
}

// reference is one evidence item; a file among the artefacts gives it a digest.
type reference struct {
	URL   string `yaml:"url"`
	Says  string `yaml:"says"`
	File  string `yaml:"file"`
	Media string `yaml:"media"`
	Role  string `yaml:"role"`
}

type reproduction struct {
	Environment string   `yaml:"environment"`
	Steps       []string `yaml:"steps"`
	Expected    string   `yaml:"expected"`
	Observed    string   `yaml:"observed"`
}

// binding names one of profileURLs and gives its data.
type binding struct {
	Use  string `yaml:"use"`
	Data object `yaml:"data"`
}

// object is a YAML mapping as a JSON value; Absent where there is none.
type object struct{ identity.Value }

// UnmarshalYAML reads a mapping of plain values.
func (o *object) UnmarshalYAML(node *yaml.Node) error {
	var plain map[string]any
	if err := node.Decode(&plain); err != nil {
		return err
	}
	text, err := json.Marshal(plain)
	if err != nil {
		return err
	}
	o.Value, err = identity.Parse(text)
	return err
}

// loadNotes reads all content files; keys are unique over all of them.
func loadNotes() ([]note, error) {
	names, err := fs.Glob(contentFiles, "content/*.yaml")
	if err != nil {
		return nil, err
	}
	var all []note
	seen := map[string]bool{}
	for _, name := range names {
		notes, err := loadFile(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for _, n := range notes {
			if seen[n.Key] {
				return nil, fmt.Errorf("%s: key %q stands twice", name, n.Key)
			}
			seen[n.Key] = true
		}
		all = append(all, notes...)
	}
	return all, nil
}

func loadFile(name string) ([]note, error) {
	text, err := contentFiles.ReadFile(name)
	if err != nil {
		return nil, err
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	var notes []note
	if err := decoder.Decode(&notes); err != nil {
		return nil, err
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one document")
	}
	return notes, nil
}

// artefact reads a file that evidence may name.
func artefact(name string) ([]byte, error) { return artefactFiles.ReadFile("artefacts/" + name) }

func (r reference) evidence() (capsule.Evidence, error) {
	e := capsule.Evidence{URL: r.URL, Description: r.Says, MediaType: r.Media}
	if r.Role != "" {
		role, ok := capsule.ParseRole(r.Role)
		if !ok {
			return e, fmt.Errorf("unknown role %q", r.Role)
		}
		e.Role = role
	}
	if r.File != "" {
		text, err := artefact(r.File)
		if err != nil {
			return e, err
		}
		e.Digest = identity.SHA3(text)
	}
	return e, nil
}

// linkWords splits "relation key".
func linkWords(s string) (capsule.Relation, string, error) {
	word, key, _ := strings.Cut(s, " ")
	relation, ok := capsule.ParseRelation(word)
	if !ok {
		return 0, "", fmt.Errorf("unknown relation in %q", s)
	}
	return relation, key, nil
}
