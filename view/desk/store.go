package desk

import (
	"bytes"
	"encoding/json"
	"io"
	"unicode/utf8"

	"akx/view/capsule"
	"akx/view/fault"
	"akx/view/identity"
)

// storedFormat is the format of stored drafts and outbox entries.
const storedFormat = 1

// storedDraft is a draft as it is kept; times are Unix ms.
type storedDraft struct {
	Format  int     `json:"format"`
	ID      uint64  `json:"id,omitempty"`
	Type    string  `json:"type"`
	Actor   string  `json:"actor,omitempty"`
	Created int64   `json:"created"`
	Edited  int64   `json:"edited"`
	Sample  bool    `json:"sample,omitempty"`
	Trashed int64   `json:"trashed,omitempty"`
	Used    bool    `json:"used,omitempty"`
	Payload Payload `json:"payload"`
}

// Encode gives d as it is kept on disk; Decode reads it.
func (d Draft) Encode() ([]byte, error) {
	s := storedDraft{
		Format: storedFormat, ID: d.ID, Type: d.Type.String(), Created: d.Created, Edited: d.Edited,
		Sample: d.Sample, Trashed: d.Trashed, Used: d.Used, Payload: d.Payload,
	}
	if !d.Actor.IsZero() {
		s.Actor = d.Actor.String()
	}
	return encodeStored(s)
}

// DecodeDraft reads what Encode gave. The error is a *fault.Damaged, with code
// newer_format where a newer akx wrote it.
func DecodeDraft(text []byte) (Draft, error) {
	var s storedDraft
	if err := decodeStored("draft", text, &s, &s.Format); err != nil {
		return Draft{}, err
	}
	d := Draft{ID: s.ID, Created: s.Created, Edited: s.Edited, Sample: s.Sample, Trashed: s.Trashed, Used: s.Used, Payload: s.Payload}
	var ok bool
	if d.Type, ok = capsule.ParseType(s.Type); !ok {
		return Draft{}, damagedValue("draft", nil)
	}
	if s.Actor != "" {
		var err error
		if d.Actor, err = identity.ParseActor(s.Actor); err != nil {
			return Draft{}, damagedValue("draft", err)
		}
	}
	return d, nil
}

func encodeStored(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, damagedValue("value", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// decodeStored fills v, whose format member is at format. Members that this akx
// does not know are a newer format or damage: nothing of the user's is dropped.
func decodeStored(what string, text []byte, v any, format *int) error {
	if !utf8.Valid(text) {
		return damagedValue(what, nil)
	}
	var head struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return damagedValue(what, err)
	}
	if head.Format > storedFormat {
		return &fault.Damaged{Code: fault.NewerFormat, What: what, Detail: "a newer akx wrote it", Hint: "use that akx"}
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return damagedValue(what, err)
	}
	if _, err := d.Token(); err != io.EOF || *format != storedFormat {
		return damagedValue(what, nil)
	}
	return nil
}

func damagedValue(what string, err error) error {
	return &fault.Damaged{What: what, Detail: "what is stored makes no sense", Hint: "run 'akx doctor'", Err: err}
}
