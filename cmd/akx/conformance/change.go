package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
)

// changed applies the list of changes that stands in f under name to a document,
// which is never signed again.
func (f *fields) changed(name string, doc json.RawMessage) (json.RawMessage, error) {
	for _, c := range f.objects(name, "op", "path", "value") {
		op, path := c.text("op"), c.text("path")
		if c.err != nil {
			return nil, c.err
		}
		if op != "set" && op != "remove" {
			return nil, errors.New("a change that is neither set nor remove: " + quoted(op))
		}
		if op == "set" && !c.has("value") {
			return nil, errors.New("a change sets no value")
		}
		tokens, err := pointer(path)
		if err == nil {
			doc, err = change(doc, tokens, op, c.raw("value"))
		}
		if err != nil {
			return nil, errors.New("change " + quoted(path) + ": " + err.Error())
		}
	}
	return doc, f.err
}

var unescape = strings.NewReplacer("~1", "/", "~0", "~")

// pointer splits a JSON pointer (RFC 6901).
func pointer(path string) ([]string, error) {
	if path == "" {
		return nil, nil
	}
	if path[0] != '/' {
		return nil, errors.New("not a JSON pointer")
	}
	tokens := strings.Split(path[1:], "/")
	for i, t := range tokens {
		if strings.Contains(strings.NewReplacer("~0", "", "~1", "").Replace(t), "~") {
			return nil, errors.New("not a JSON pointer")
		}
		tokens[i] = unescape.Replace(t)
	}
	return tokens, nil
}

// change sets or removes what tokens point at. A member is added where it is
// absent; in an array, '-' and its length append. Removing what is absent changes
// nothing.
func change(doc json.RawMessage, tokens []string, op string, value json.RawMessage) (json.RawMessage, error) {
	if len(tokens) == 0 {
		if op == "remove" {
			return nil, errors.New("the whole document cannot be removed")
		}
		return value, nil
	}
	switch trimmed := bytes.TrimSpace(doc); {
	case len(trimmed) > 0 && trimmed[0] == '{':
		return changeMember(doc, tokens, op, value)
	case len(trimmed) > 0 && trimmed[0] == '[':
		return changeItem(doc, tokens, op, value)
	}
	return nil, errors.New("there is no object or array to change")
}

func changeMember(doc json.RawMessage, tokens []string, op string, value json.RawMessage) (json.RawMessage, error) {
	members, err := membersOf(doc)
	if err != nil {
		return nil, err
	}
	at := -1
	for i, m := range members {
		if m.name == tokens[0] {
			at = i
		}
	}
	switch {
	case len(tokens) == 1 && op == "remove":
		if at >= 0 {
			members = append(members[:at], members[at+1:]...)
		}
	case at < 0 && len(tokens) == 1:
		members = append(members, member{tokens[0], value})
	case at < 0:
		return nil, errors.New("there is no member " + quoted(tokens[0]))
	default:
		if members[at].value, err = change(members[at].value, tokens[1:], op, value); err != nil {
			return nil, err
		}
	}
	return joinMembers(members), nil
}

func joinMembers(members []member) json.RawMessage {
	out := []byte{'{'}
	for i, m := range members {
		if i > 0 {
			out = append(out, ',')
		}
		name, _ := json.Marshal(m.name)
		out = append(append(append(out, name...), ':'), m.value...)
	}
	return append(out, '}')
}

func changeItem(doc json.RawMessage, tokens []string, op string, value json.RawMessage) (json.RawMessage, error) {
	items, err := listOf(doc)
	if err != nil {
		return nil, err
	}
	at := len(items)
	if tokens[0] != "-" {
		if at, err = strconv.Atoi(tokens[0]); err != nil || strconv.Itoa(at) != tokens[0] || at < 0 || at > len(items) {
			return nil, errors.New("there is no item " + quoted(tokens[0]))
		}
	}
	switch {
	case at == len(items) && len(tokens) == 1 && op == "set":
		items = append(items, value)
	case at == len(items) && len(tokens) > 1:
		return nil, errors.New("there is no item " + quoted(tokens[0]))
	case at == len(items):
	case len(tokens) == 1 && op == "remove":
		items = append(items[:at], items[at+1:]...)
	default:
		if items[at], err = change(items[at], tokens[1:], op, value); err != nil {
			return nil, err
		}
	}
	return joinItems(items), nil
}

func joinItems(items []json.RawMessage) json.RawMessage {
	out := []byte{'['}
	for i, item := range items {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, item...)
	}
	return append(out, ']')
}
