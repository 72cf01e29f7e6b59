package capsule

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"slices"
	"testing"

	"akx/view/fault"
	"akx/view/identity"
)

const vectorFile = "../../../shared/conformance/agent-knowledge/knowledge-vectors.json"

type vectors struct {
	Now      int64
	Fixtures map[string]struct{ Envelope json.RawMessage }
	Schema   []struct {
		Name, Definition, Fixture string
		Value                     json.RawMessage
		Changes                   []vectorChange
		Valid                     bool
	} `json:"schema_cases"`
	Identity []struct {
		Name, Fixture, Expected string
		RawJSON                 *string `json:"raw_json"`
		Changes                 []vectorChange
	} `json:"identity_cases"`
	Object []struct {
		Name, Fixture, Expected string
		Accepted, Missing       []string
	} `json:"object_cases"`
	Evidence []struct {
		Name, Digest, Expected string
		Representation         *string `json:"representation_hex"`
	} `json:"evidence_cases"`
	Query []struct {
		Name, Expected    string
		Accepted, Matches []string
		Parameters        [][2]string
	} `json:"query_cases"`
	Text []struct {
		Name, Expected, Fixture string
		Text                    json.RawMessage
		Lexical                 bool
		Terms                   []string
		Matches                 *bool
	} `json:"text_cases"`
}

type vectorChange struct {
	Op, Path string
	Value    any
}

func loadVectors(t *testing.T) *vectors {
	t.Helper()
	text, err := os.ReadFile(vectorFile)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("no conformance data beside the repository")
	}
	if err != nil {
		t.Fatal(err)
	}
	var v vectors
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return &v
}

// envelope gives the text of a fixture after changes.
func (v *vectors) envelope(t *testing.T, fixture string, changes []vectorChange) string {
	t.Helper()
	f, ok := v.Fixtures[fixture]
	if !ok {
		t.Fatalf("no fixture %q", fixture)
	}
	edits := make([]edit, len(changes))
	for i, c := range changes {
		edits[i] = edit{c.Path, c.Value}
		if (c.Op == "remove") != (c.Value == nil) {
			t.Fatalf("cannot apply %v", c)
		}
	}
	if len(edits) == 0 {
		return string(f.Envelope)
	}
	return edited(t, string(f.Envelope), edits...)
}

func (v *vectors) stock(t *testing.T, fixtures []string) *shelf {
	t.Helper()
	s := &shelf{}
	for _, f := range fixtures {
		o, err := Open([]byte(v.envelope(t, f, nil)))
		if err != nil {
			t.Fatal(f, err)
		}
		if _, _, err := Accept(s, o, Terms{Now: v.Now, Skew: DefaultSkew}); err != nil {
			t.Fatal(f, err)
		}
	}
	return s
}

// codeOf gives the code of a refusal, "valid" for none.
func codeOf(t *testing.T, err error) string {
	t.Helper()
	if err == nil {
		return "valid"
	}
	return string(refusalOf(t, err).Code)
}

func TestVectorsSchemaCases(t *testing.T) {
	v := loadVectors(t)
	ran := 0
	for _, c := range v.Schema {
		shape, ok := Shapes()[c.Definition]
		if !ok {
			continue // a document of package wire
		}
		ran++
		t.Run(c.Name, func(t *testing.T) {
			text := string(c.Value)
			if c.Fixture != "" {
				text = v.envelope(t, c.Fixture, c.Changes)
			}
			if r := shape(mustParse(t, text)); (r == nil) != c.Valid {
				t.Errorf("%v, want valid %v", r, c.Valid)
			}
		})
	}
	if ran == 0 {
		t.Error("no case ran")
	}
}

func TestVectorsIdentityCases(t *testing.T) {
	v := loadVectors(t)
	for _, c := range v.Identity {
		t.Run(c.Name, func(t *testing.T) {
			var err error
			if c.RawJSON != nil {
				_, err = identity.Parse([]byte(*c.RawJSON))
			} else {
				_, err = Open([]byte(v.envelope(t, c.Fixture, c.Changes)))
			}
			if got := codeOf(t, err); got != c.Expected {
				t.Errorf("%s, want %s", got, c.Expected)
			}
		})
	}
}

func TestVectorsObjectCases(t *testing.T) {
	v := loadVectors(t)
	for _, c := range v.Object {
		t.Run(c.Name, func(t *testing.T) {
			s := v.stock(t, c.Accepted)
			kept := len(s.events)
			o, err := Open([]byte(v.envelope(t, c.Fixture, nil)))
			if err == nil {
				_, _, err = Accept(s, o, Terms{Now: v.Now, Skew: DefaultSkew})
			}
			if got := codeOf(t, err); got != c.Expected {
				t.Fatalf("%v, want %s", err, c.Expected)
			}
			if err == nil {
				return
			}
			if r := refusalOf(t, err); !slices.Equal(r.Missing, c.Missing) || len(s.events) != kept {
				t.Errorf("missing %v, want %v; %d events", r.Missing, c.Missing, len(s.events))
			}
		})
	}
}

func TestVectorsEvidenceCases(t *testing.T) {
	v := loadVectors(t)
	for _, c := range v.Evidence {
		t.Run(c.Name, func(t *testing.T) {
			var digest identity.Digest
			var representation []byte
			var err error
			if c.Digest != "" {
				if digest, err = identity.ParseDigest(c.Digest); err != nil {
					t.Fatal(err)
				}
			}
			if c.Representation != nil {
				if representation, err = hex.DecodeString(*c.Representation); err != nil {
					t.Fatal(err)
				}
			}
			if got := CheckEvidence(digest, representation, c.Representation != nil); got.String() != c.Expected {
				t.Errorf("%v, want %s", got, c.Expected)
			}
		})
	}
}

// TestVectorsQueryCases leaves out what is paging and no filter.
func TestVectorsQueryCases(t *testing.T) {
	v := loadVectors(t)
	paging := []string{"after_seq", "cursor", "limit"}
	for _, c := range v.Query {
		if slices.ContainsFunc(c.Parameters, func(p [2]string) bool { return slices.Contains(paging, p[0]) }) {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			f, err := filterOf(c.Parameters...)
			if got := codeOf(t, err); got != c.Expected {
				t.Fatalf("%v, want %s", err, c.Expected)
			}
			if c.Expected != "valid" {
				return
			}
			got := []string{}
			s := v.stock(t, c.Accepted)
			for i, e := range s.events {
				if f.Match(e) {
					got = append(got, c.Accepted[i])
				}
			}
			if !slices.Equal(got, c.Matches) {
				t.Errorf("%v, want %v", got, c.Matches)
			}
		})
	}
}

func TestVectorsTextCases(t *testing.T) {
	v := loadVectors(t)
	for _, c := range v.Text {
		t.Run(c.Name, func(t *testing.T) {
			text, err := identity.Parse(c.Text)
			if err != nil { // an unpaired surrogate is no text at all
				if c.Expected != string(fault.InvalidRequest) {
					t.Fatal(err)
				}
				return
			}
			terms, err := ParseTerms(text.Text(), c.Lexical)
			if got := codeOf(t, err); got != c.Expected {
				t.Fatalf("%v, want %s", err, c.Expected)
			}
			if err != nil {
				return
			}
			if !slices.Equal(terms, c.Terms) {
				t.Errorf("%q, want %q", terms, c.Terms)
			}
			if c.Fixture == "" || c.Matches == nil {
				return
			}
			o, err := Open([]byte(v.envelope(t, c.Fixture, nil)))
			if err != nil || o.Event() == nil {
				t.Fatal(err, o.Refusal())
			}
			if got := Lexical(o.Event(), terms); got != *c.Matches {
				t.Errorf("matches %v", got)
			}
		})
	}
}
