package desk

import (
	"bytes"
	"errors"
	"io"

	"go.yaml.in/yaml/v3"
)

// maxTries bounds the starts of a text that are read again to find a mistake in it.
const maxTries = 64

// faultLine finds the line of the first mistake in the syntax of a text that is not YAML:
// the one behind the longest start, of whole lines, that is YAML. The library itself names
// where what it was reading began, which may be many lines before, or nothing. So many
// lines as it read until it gave up are the last that can be the one; ok is false where
// the start is too far from there.
func faultLine(text []byte) (line int, ok bool) {
	r := &lineReader{text: text}
	_ = decodeAll(r)
	ends := lineEnds(text[:len(text)-len(r.text)])
	for i, tries := len(ends)-2, 0; tries < maxTries; i, tries = i-1, tries+1 {
		if i < 0 {
			return 1, true
		}
		if decodeAll(bytes.NewReader(text[:ends[i]])) == nil {
			return i + 2, true
		}
	}
	return 0, false
}

// decodeAll reads all documents of a text.
func decodeAll(r io.Reader) error {
	d := yaml.NewDecoder(r)
	for {
		var n yaml.Node
		if err := d.Decode(&n); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// lineEnds gives the byte behind each line.
func lineEnds(text []byte) []int {
	var ends []int
	for i, c := range text {
		if c == '\n' || i == len(text)-1 {
			ends = append(ends, i+1)
		}
	}
	return ends
}

// lineReader gives a line at a time; text is what was not read yet.
type lineReader struct{ text []byte }

func (r *lineReader) Read(p []byte) (int, error) {
	if len(r.text) == 0 {
		return 0, io.EOF
	}
	line := r.text
	if i := bytes.IndexByte(line, '\n'); i >= 0 {
		line = line[:i+1]
	}
	n := copy(p, line)
	r.text = r.text[n:]
	return n, nil
}
