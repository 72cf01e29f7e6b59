package capsule

import (
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

const schemaFile = "../../../shared/spec/agent-knowledge-1.0.schema.json"

// schema is one node of the protocol's JSON schema: the keywords that it uses.
type schema struct {
	Ref        string            `json:"$ref"`
	Type       string            `json:"type"`
	Pattern    string            `json:"pattern"`
	Minimum    *float64          `json:"minimum"`
	Maximum    *float64          `json:"maximum"`
	MinLength  int               `json:"minLength"`
	MaxLength  *int              `json:"maxLength"`
	Enum       []string          `json:"enum"`
	Const      any               `json:"const"`
	Required   []string          `json:"required"`
	Properties map[string]schema `json:"properties"`
	Additional json.RawMessage   `json:"additionalProperties"`
	Items      *schema           `json:"items"`
	MinItems   int               `json:"minItems"`
	MaxItems   *int              `json:"maxItems"`
	Unique     bool              `json:"uniqueItems"`
	Contains   *schema           `json:"contains"`
	AllOf      []schema          `json:"allOf"`
	OneOf      []schema          `json:"oneOf"`
	Not        *schema           `json:"not"`
	If         *schema           `json:"if"`
	Then       *schema           `json:"then"`
	Else       *schema           `json:"else"`
}

// oracle judges values by the schema itself, keyword by keyword.
type oracle struct {
	defs     map[string]schema
	patterns map[string]*regexp.Regexp
}

func loadOracle(t *testing.T) *oracle {
	t.Helper()
	text, err := os.ReadFile(schemaFile)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("no schema beside the repository")
	}
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Defs map[string]schema `json:"$defs"`
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	return &oracle{doc.Defs, map[string]*regexp.Regexp{}}
}

// compile writes an ECMAScript pattern of the schema in Go's syntax.
func (o *oracle) compile(pattern string) *regexp.Regexp {
	re, ok := o.patterns[pattern]
	if !ok {
		const scriptSpace = `\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`
		re = regexp.MustCompile(strings.NewReplacer(`$(?![\s\S])`, `\z`, `.*`, `[^\n\r\x{2028}\x{2029}]*`,
			`\s`, scriptSpace).Replace(pattern))
		o.patterns[pattern] = re
	}
	return re
}

func (o *oracle) valid(s schema, v any) bool {
	if s.Ref != "" {
		return o.valid(o.defs[strings.TrimPrefix(s.Ref, "#/$defs/")], v)
	}
	return isOfType(s.Type, v) && o.validScalar(s, v) && o.validObject(s, v) && o.validArray(s, v) && o.validLogic(s, v)
}

func isOfType(name string, v any) bool {
	ok := true
	switch name {
	case "string":
		_, ok = v.(string)
	case "object":
		_, ok = v.(map[string]any)
	case "array":
		_, ok = v.([]any)
	case "boolean":
		_, ok = v.(bool)
	case "integer":
		var n float64
		n, ok = v.(float64)
		ok = ok && n == math.Trunc(n)
	}
	return ok
}

func (o *oracle) validScalar(s schema, v any) bool {
	if text, ok := v.(string); ok {
		if s.Pattern != "" && !o.compile(s.Pattern).MatchString(text) {
			return false
		}
		if n := utf8.RuneCountInString(text); n < s.MinLength || s.MaxLength != nil && n > *s.MaxLength {
			return false
		}
	}
	if n, ok := v.(float64); ok && (s.Minimum != nil && n < *s.Minimum || s.Maximum != nil && n > *s.Maximum) {
		return false
	}
	if s.Enum != nil {
		text, ok := v.(string)
		if !ok || !slices.Contains(s.Enum, text) {
			return false
		}
	}
	return s.Const == nil || s.Const == v && v != nil
}

func (o *oracle) validObject(s schema, v any) bool {
	object, ok := v.(map[string]any)
	if !ok {
		return true
	}
	for _, name := range s.Required {
		if _, ok := object[name]; !ok {
			return false
		}
	}
	for name, member := range object {
		property, listed := s.Properties[name]
		if listed && !o.valid(property, member) || !listed && !o.validOther(s, member) {
			return false
		}
	}
	return true
}

func (o *oracle) validOther(s schema, v any) bool {
	switch string(s.Additional) {
	case "", "true":
		return true
	case "false":
		return false
	}
	var rest schema
	return json.Unmarshal(s.Additional, &rest) == nil && o.valid(rest, v)
}

func (o *oracle) validArray(s schema, v any) bool {
	items, ok := v.([]any)
	if !ok {
		return true
	}
	if len(items) < s.MinItems || s.MaxItems != nil && len(items) > *s.MaxItems {
		return false
	}
	seen := map[string]bool{}
	for _, item := range items {
		if s.Items != nil && !o.valid(*s.Items, item) {
			return false
		}
		form, err := json.Marshal(item) // sorts members
		if err != nil || s.Unique && seen[string(form)] {
			return false
		}
		seen[string(form)] = true
	}
	return s.Contains == nil || slices.ContainsFunc(items, func(item any) bool { return o.valid(*s.Contains, item) })
}

func (o *oracle) validLogic(s schema, v any) bool {
	for _, part := range s.AllOf {
		if !o.valid(part, v) {
			return false
		}
	}
	if s.OneOf != nil {
		n := 0
		for _, part := range s.OneOf {
			if o.valid(part, v) {
				n++
			}
		}
		if n != 1 {
			return false
		}
	}
	if s.Not != nil && o.valid(*s.Not, v) {
		return false
	}
	if s.If == nil {
		return true
	}
	branch := s.Else
	if o.valid(*s.If, v) {
		branch = s.Then
	}
	return branch == nil || o.valid(*branch, v)
}

// spares are values that mutations put in: each is right somewhere.
func spares() []any {
	return []any{nil, true, 0.0, 1.0, 1.5, -1.0, "", "x", "en", "a\n", "https://example.com/", "https://u@h/", "https://h?q",
		"https://a:443", "https://a/\u2028", codeA, codeA + codeB, "did:agent:" + codeA, "resource", "collection", "question",
		"contains", "tests", "supports", "applied", "output", "source", "knowledge.assess", "knowledge.publish", Protocol,
		[]any{}, []any{"a"}, []any{"a", "a"}, []any{"1", 1.0}, map[string]any{}, map[string]any{"role": "output"},
		map[string]any{"relation": "contains", "target": codeA}, []any{map[string]any{"relation": "contains", "target": codeA}}}
}

// mutated changes one random place at or below v.
func mutated(r *rand.Rand, v any, pool []any) any {
	deeper := r.IntN(3) != 0
	switch v := v.(type) {
	case map[string]any:
		names := make([]string, 0, len(v))
		for n := range v {
			names = append(names, n)
		}
		slices.Sort(names)
		if len(names) == 0 || r.IntN(12) == 0 {
			v[[]string{"role", "digest", "evidence", "relations", "kind", "observed", "other"}[r.IntN(7)]] = pool[r.IntN(len(pool))]
			return v
		}
		n := names[r.IntN(len(names))]
		for _, inner := range []string{"event", "payload"} { // most rules are there
			if slices.Contains(names, inner) && r.IntN(8) != 0 {
				n = inner
			}
		}
		if n == "event" || n == "payload" || deeper {
			v[n] = mutated(r, v[n], pool)
		} else {
			delete(v, n)
		}
		return v
	case []any:
		if len(v) == 0 {
			return []any{pool[r.IntN(len(pool))]}
		}
		i := r.IntN(len(v))
		switch {
		case deeper:
			v[i] = mutated(r, v[i], pool)
			return v
		case r.IntN(2) == 0:
			return append(v, v[i])
		default:
			return slices.Delete(v, i, i+1)
		}
	case string:
		if r.IntN(2) == 0 {
			return v + "-x"
		}
	}
	return pool[r.IntN(len(pool))]
}

// differ compares a shape with the schema on one value.
func (o *oracle) differ(t *testing.T, name string, v any) (valid bool) {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var plain any // numbers and shared parts as a parser gives them
	if err := json.Unmarshal(text, &plain); err != nil {
		t.Fatal(err)
	}
	valid = o.valid(o.defs[name], plain)
	if r := Shapes()[name](mustParse(t, string(text))); (r == nil) != valid {
		t.Errorf("%s of %s: %v, the schema says %v", name, text, r, valid)
	}
	return valid
}

func TestShapesAgainstTheSchema(t *testing.T) {
	o := loadOracle(t)
	for name := range Shapes() {
		if _, ok := o.defs[name]; !ok {
			t.Fatalf("the schema has no %s", name)
		}
		for _, v := range spares() {
			o.differ(t, name, v)
		}
	}
	v := loadVectors(t)
	fixtures := make([]string, 0, len(v.Fixtures))
	for name := range v.Fixtures {
		fixtures = append(fixtures, name)
	}
	slices.Sort(fixtures)
	r := rand.New(rand.NewPCG(1, 2))
	counts := map[bool]int{}
	for range 4000 {
		fixture := fixtures[r.IntN(len(fixtures))]
		var envelope any
		if err := json.Unmarshal(v.Fixtures[fixture].Envelope, &envelope); err != nil {
			t.Fatal(err)
		}
		for range 1 + r.IntN(2) {
			envelope = mutated(r, envelope, spares())
		}
		counts[o.differ(t, "signedEnvelope", envelope)]++
	}
	if counts[true] < 200 || counts[false] < 200 {
		t.Errorf("the mutations are one-sided: %v", counts)
	}
}
