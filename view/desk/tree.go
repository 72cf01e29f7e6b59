package desk

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sort"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"akx/view/fault"
	"akx/view/identity"
)

// nodeKind is what a node of a text is.
type nodeKind uint8

const (
	nullNode nodeKind = iota
	textNode
	plainNode // a number, true or false, spelled in text
	listNode
	mapNode
)

var nodeWords = [...]string{"nothing", "text", "a number, true or false", "a list", "an object"}

// node is one value of a draft's text, from YAML or from JSON.
type node struct {
	kind  nodeKind
	text  string // of null too, unless nothing stands there
	line  int
	names []string // of a map, in the order of the text
	lines []int    // of the names
	items []*node
}

// get finds a member of a map.
func (n *node) get(name string) *node {
	for i := range n.names {
		if n.names[i] == name {
			return n.items[i]
		}
	}
	return nil
}

// value gives a node as a JSON value; what has no form in JSON is a Complaint.
func (n *node) value() (identity.Value, *Complaint) {
	switch n.kind {
	case textNode:
		return identity.StringValue(n.text), nil
	case listNode, mapNode:
		items := make([]identity.Value, len(n.items))
		members := make([]identity.Member, len(n.names))
		for i, item := range n.items {
			v, c := item.value()
			if c != nil {
				return identity.Value{}, c
			}
			items[i] = v
			if n.kind == mapNode {
				members[i] = identity.Member{Name: n.names[i], Value: v}
			}
		}
		if n.kind == mapNode {
			return identity.ObjectValue(members...), nil
		}
		return identity.ArrayValue(items...), nil
	}
	text := n.text
	if n.kind == nullNode {
		text = "null"
	}
	v, err := identity.Parse([]byte(text))
	if err != nil {
		return identity.Value{}, &Complaint{Line: n.line, Words: "is not a number as JSON writes it, or out of range: put it in quotes if it is text"}
	}
	return v, nil
}

// readTree reads a text as JSON where it begins with a brace, else as YAML.
func readTree(text []byte) (*node, *Complaint) {
	if trimmed := bytes.TrimLeft(text, " \t\r\n"); len(trimmed) > 0 && trimmed[0] == '{' {
		return readJSON(text)
	}
	return readYAML(text)
}

func readJSON(text []byte) (*node, *Complaint) {
	var starts []int
	for i, c := range text {
		if c == '\n' {
			starts = append(starts, i)
		}
	}
	v, err := identity.Parse(text)
	if err != nil {
		words := err.Error()
		var refusal *fault.Refusal
		if errors.As(err, &refusal) {
			words = refusal.Detail
		}
		c := &Complaint{Words: "is not JSON as the protocol takes it: " + words}
		if at, ok := jsonFault(text); ok {
			c.Line = 1 + sort.SearchInts(starts, at)
		}
		return nil, c
	}
	return jsonNode(text, starts, v), nil
}

// jsonFault finds the byte of the first mistake in the syntax, or of the first name
// that comes twice in its object; what else the strict parser refuses it does not see.
func jsonFault(text []byte) (at int, ok bool) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var open []map[string]bool // the names of each open object; nil for a list
	for name := false; ; name = len(open) > 0 && open[len(open)-1] != nil && !name {
		before := int(d.InputOffset())
		token, err := d.Token()
		if err != nil || before > 0 && len(open) == 0 {
			end := err == io.EOF && len(open) == 0
			return before + behind(text[before:]), !end
		}
		switch delim, _ := token.(json.Delim); {
		case delim == '{':
			open, name = append(open, make(map[string]bool)), false
		case delim == '[':
			open, name = append(open, nil), false
		case delim != 0:
			open, name = open[:len(open)-1], false
		case name:
			names, word := open[len(open)-1], token.(string)
			if names[word] {
				return int(d.InputOffset()) - 1, true
			}
			names[word] = true
		}
	}
}

// behind gives how far the next token is from the end of the last one.
func behind(text []byte) int { return len(text) - len(bytes.TrimLeft(text, " \t\r\n,:")) }

func jsonNode(text []byte, starts []int, v identity.Value) *node {
	from, to := v.Span()
	n := &node{line: 1 + sort.SearchInts(starts, from)}
	switch v.Kind() {
	case identity.String:
		n.kind, n.text = textNode, v.Text()
	case identity.Number, identity.Bool:
		n.kind, n.text = plainNode, string(text[from:to])
	case identity.Null:
		n.text = "null"
	case identity.Array:
		n.kind = listNode
		for _, item := range v.Items() {
			n.items = append(n.items, jsonNode(text, starts, item))
		}
	case identity.Object:
		n.kind = mapNode
		for _, m := range v.Members() {
			item := jsonNode(text, starts, m.Value)
			n.names, n.lines, n.items = append(n.names, m.Name), append(n.lines, item.line), append(n.items, item)
		}
	}
	return n
}

// readYAML reads exactly one document. The library's panics, should it have any,
// end here: its input is whatever an editor saved.
func readYAML(text []byte) (root *node, complaint *Complaint) {
	defer func() {
		if r := recover(); r != nil {
			root, complaint = nil, &Complaint{Words: "is not YAML"}
		}
	}()
	d := yaml.NewDecoder(bytes.NewReader(text))
	var first, second yaml.Node
	if err := d.Decode(&first); errors.Is(err, io.EOF) {
		return nil, &Complaint{Line: 1, Words: "is empty"}
	} else if err != nil {
		return nil, yamlComplaint(text, err)
	}
	if err := d.Decode(&second); err == nil {
		return nil, &Complaint{Line: second.Line, Words: "a second document begins here; a draft is one"}
	} else if !errors.Is(err, io.EOF) {
		return nil, yamlComplaint(text, err)
	}
	r := yamlReader{left: maxNodes}
	n := r.node(first.Content[0], 1)
	return n, r.complaint
}

// yamlComplaint says what is wrong with the syntax, at its own line where that is found.
// The line of the library's message, which has it nowhere else, is where that began.
func yamlComplaint(text []byte, err error) *Complaint {
	c := &Complaint{Words: err.Error()}
	if _, scanErr := fmt.Sscanf(c.Words, "yaml: line %d:", &c.Line); scanErr == nil {
		c.Words = c.Words[len("yaml: line : ")+len(strconv.Itoa(c.Line)):]
	}
	c.Words = "is not YAML: " + strings.TrimPrefix(c.Words, "yaml: ")
	if line, ok := faultLine(text); ok {
		c.Line = line
	}
	return c
}

// maxNodes bounds the values in one text.
const maxNodes = 100_000

type yamlReader struct {
	left      int
	complaint *Complaint
}

func (r *yamlReader) refuse(n *yaml.Node, words string) *node {
	if r.complaint == nil {
		r.complaint = &Complaint{Line: n.Line, Words: words}
	}
	return &node{line: n.Line}
}

func (r *yamlReader) node(n *yaml.Node, depth int) *node {
	r.left--
	switch {
	case r.complaint != nil:
		return &node{line: n.Line}
	case r.left < 0:
		return r.refuse(n, "has too many values for a draft")
	case depth > identity.MaxDepth:
		return r.refuse(n, "nests too deep")
	case n.Anchor != "" || n.Kind == yaml.AliasNode:
		return r.refuse(n, "anchors and aliases are not taken: write the value itself")
	}
	out := &node{line: n.Line}
	switch n.Kind {
	case yaml.ScalarNode:
		return r.scalar(n)
	case yaml.SequenceNode:
		out.kind = listNode
		if n.Style&yaml.TaggedStyle != 0 {
			return r.refuse(n, "tags are not taken")
		}
		for _, item := range n.Content {
			out.items = append(out.items, r.node(item, depth+1))
		}
	case yaml.MappingNode:
		out.kind = mapNode
		if n.Style&yaml.TaggedStyle != 0 {
			return r.refuse(n, "tags are not taken")
		}
		r.members(out, n, depth)
	}
	return out
}

func (r *yamlReader) members(out *node, n *yaml.Node, depth int) {
	seen := make(map[string]bool, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := r.node(n.Content[i], depth+1)
		if key.kind != textNode {
			r.refuse(n.Content[i], "names are text: put this one in quotes")
			return
		}
		if seen[key.text] {
			r.refuse(n.Content[i], "'"+short(key.text)+"' is here for the second time")
			return
		}
		seen[key.text] = true
		out.names, out.lines = append(out.names, key.text), append(out.lines, key.line)
		out.items = append(out.items, r.node(n.Content[i+1], depth+1))
	}
}

func (r *yamlReader) scalar(n *yaml.Node) *node {
	out := &node{kind: textNode, text: n.Value, line: n.Line}
	switch n.ShortTag() {
	case "!!str":
	case "!!null":
		out.kind = nullNode // spelled in text; empty where nothing stands there
	case "!!int", "!!float", "!!bool":
		out.kind = plainNode
	case "!!timestamp":
		// JSON has no dates: as written, it is text.
	default:
		return r.refuse(n, "tags are not taken")
	}
	if n.Style&yaml.TaggedStyle != 0 && out.kind != textNode {
		return r.refuse(n, "tags are not taken")
	}
	return out
}
