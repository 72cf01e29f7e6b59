package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Vectors are read as raw text: a string in them may hold an unpaired surrogate,
// which must reach the strict parser as it stands.

// member is one name and raw value of an object.
type member struct {
	name  string
	value json.RawMessage
}

// membersOf splits an object in the order of its text.
func membersOf(raw json.RawMessage) ([]member, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.New("not a JSON object")
	}
	var list []member
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, err
		}
		m := member{name: t.(string)}
		if err := d.Decode(&m.value); err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	if len(bytes.TrimSpace(raw[d.InputOffset():])) > 0 {
		return nil, errors.New("more text behind the object")
	}
	return list, nil
}

// listOf splits an array.
func listOf(raw json.RawMessage) ([]json.RawMessage, error) {
	var list []json.RawMessage
	if trimmed := bytes.TrimSpace(raw); len(trimmed) == 0 || trimmed[0] != '[' {
		return nil, errors.New("not a list")
	}
	err := json.Unmarshal(raw, &list)
	return list, err
}

// fields are the members of one object of a file. The first member that is not of
// the kind that was asked for stays in err.
type fields struct {
	names  []string
	values map[string]json.RawMessage
	err    error
}

func fieldsOf(raw json.RawMessage) (*fields, error) {
	list, err := membersOf(raw)
	if err != nil {
		return nil, err
	}
	f := &fields{values: make(map[string]json.RawMessage, len(list))}
	for _, m := range list {
		if f.has(m.name) {
			return nil, errors.New("the member " + quoted(m.name) + " stands twice")
		}
		f.names = append(f.names, m.name)
		f.values[m.name] = m.value
	}
	return f, nil
}

func (f *fields) has(name string) bool {
	_, ok := f.values[name]
	return ok
}

func (f *fields) raw(name string) json.RawMessage { return f.values[name] }

// only refuses members that are not in allowed.
func (f *fields) only(allowed ...string) error {
	for _, name := range f.names {
		if !slices.Contains(allowed, name) {
			return &mismatch{"only members that the format has", "the unknown member " + quoted(name)}
		}
	}
	return nil
}

func (f *fields) wrong(name, kind string) {
	if f.err == nil {
		f.err = fmt.Errorf("the member %s is not %s", quoted(name), kind)
	}
}

// text gives a string, empty where it is absent. Unpaired surrogates become the
// three bytes that UTF-8 forbids for them.
func (f *fields) text(name string) string {
	if !f.has(name) {
		return ""
	}
	s, ok := unquote(f.raw(name))
	if !ok {
		f.wrong(name, "a string")
	}
	return s
}

func (f *fields) bool(name string) (b bool) {
	if f.has(name) && json.Unmarshal(f.raw(name), &b) != nil {
		f.wrong(name, "true or false")
	}
	return b
}

func (f *fields) integer(name string, absent int64) int64 {
	if !f.has(name) {
		return absent
	}
	n, err := strconv.ParseInt(string(f.raw(name)), 10, 64)
	if err != nil {
		f.wrong(name, "an integer")
	}
	return n
}

// texts gives a list of strings, nil where it is absent.
func (f *fields) texts(name string) []string {
	if !f.has(name) {
		return nil
	}
	list, err := listOf(f.raw(name))
	texts := make([]string, len(list))
	for i, raw := range list {
		s, ok := unquote(raw)
		if !ok {
			f.wrong(name, "a list of strings")
		}
		texts[i] = s
	}
	if err != nil {
		f.wrong(name, "a list of strings")
	}
	return texts
}

// objects gives a list of objects, each with the members in allowed and no other.
func (f *fields) objects(name string, allowed ...string) []*fields {
	if !f.has(name) {
		return nil
	}
	list, err := listOf(f.raw(name))
	if err != nil {
		f.wrong(name, "a list of objects")
		return nil
	}
	objects := make([]*fields, 0, len(list))
	for _, raw := range list {
		o, err := fieldsOf(raw)
		if err == nil {
			err = o.only(allowed...)
		}
		if err != nil {
			if f.err == nil {
				f.err = err
			}
			return nil
		}
		objects = append(objects, o)
	}
	return objects
}

// unquote reads a JSON string; ok is false for anything else.
func unquote(raw json.RawMessage) (s string, ok bool) {
	raw = bytes.TrimSpace(raw)
	if len(raw) < 2 || raw[0] != '"' || !json.Valid(raw) {
		return "", false
	}
	out := make([]byte, 0, len(raw))
	for i := 1; i < len(raw)-1; i++ {
		if raw[i] != '\\' {
			out = append(out, raw[i])
			continue
		}
		i++
		if raw[i] != 'u' {
			out = append(out, escapes[raw[i]])
			continue
		}
		r := unit(raw[i+1:])
		i += 4
		if utf16.IsSurrogate(r) {
			if i+6 < len(raw) && raw[i+1] == '\\' && raw[i+2] == 'u' {
				if pair := utf16.DecodeRune(r, unit(raw[i+3:])); pair != utf8.RuneError {
					out = utf8.AppendRune(out, pair)
					i += 6
					continue
				}
			}
			out = append(out, byte(0xE0|r>>12), byte(0x80|r>>6&0x3F), byte(0x80|r&0x3F))
			continue
		}
		out = utf8.AppendRune(out, r)
	}
	return string(out), true
}

var escapes = map[byte]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// unit reads four hexadecimal digits.
func unit(raw []byte) rune {
	n, _ := strconv.ParseUint(string(raw[:4]), 16, 16)
	return rune(n)
}

// quoted shows a foreign text in a report, cut.
func quoted(s string) string {
	const most = 200
	if len(s) > most {
		s = s[:most] + "..."
	}
	return strconv.QuoteToASCII(s)
}
