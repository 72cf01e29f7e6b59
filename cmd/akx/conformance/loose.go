package conformance

import (
	"bytes"
	"encoding/json"

	"akx/view/identity"
)

// parseLoose reads a value for a check of structure alone. What only the strict
// parser refuses is replaced by something of the same structure: an unpaired
// surrogate by one other character, a number beyond the safe range by a fraction;
// of a repeated name the last one stays.
func parseLoose(raw json.RawMessage) (identity.Value, error) {
	v, err := identity.Parse(raw)
	if err == nil {
		return v, nil
	}
	loose, err := loosen(raw)
	if err != nil {
		return identity.Value{}, err
	}
	return identity.Parse(loose)
}

func loosen(raw json.RawMessage) (json.RawMessage, error) {
	raw = bytes.TrimSpace(raw)
	switch raw[0] {
	case '{':
		return loosenObject(raw)
	case '[':
		items, err := listOf(raw)
		if err != nil {
			return nil, err
		}
		for i := range items {
			if items[i], err = loosen(items[i]); err != nil {
				return nil, err
			}
		}
		return joinItems(items), nil
	case '"':
		s, _ := unquote(raw)
		return json.Marshal(pairedText(s))
	}
	if _, err := identity.Parse(raw); err != nil {
		return json.RawMessage("0.5"), nil
	}
	return raw, nil
}

func loosenObject(raw json.RawMessage) (json.RawMessage, error) {
	members, err := membersOf(raw)
	if err != nil {
		return nil, err
	}
	at := make(map[string]int, len(members))
	kept := members[:0]
	for _, m := range members {
		if m.value, err = loosen(m.value); err != nil {
			return nil, err
		}
		if i, ok := at[m.name]; ok {
			kept[i] = m
			continue
		}
		at[m.name] = len(kept)
		kept = append(kept, m)
	}
	return joinMembers(kept), nil
}

// pairedText puts a private character in place of each unpaired surrogate.
func pairedText(s string) string {
	out := make([]rune, 0, len(s))
	for i := 0; i < len(s); {
		if i+2 < len(s) && s[i] == 0xED && s[i+1] >= 0xA0 {
			unit := rune(s[i]&0x0F)<<12 | rune(s[i+1]&0x3F)<<6 | rune(s[i+2]&0x3F)
			out = append(out, 0x100000+unit)
			i += 3
			continue
		}
		for _, r := range s[i:] {
			out = append(out, r)
			i += len(string(r))
			break
		}
	}
	return string(out)
}
