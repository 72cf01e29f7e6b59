package service

import (
	"strings"
	"unicode/utf8"

	"akx/view/fault"
	"akx/view/wire"
)

// maxParams bounds the parameters of one query string; 9.3 knows thirteen.
const maxParams = 64

// ParseForm decodes a query string as application/x-www-form-urlencoded (9.1) by
// the rules of the WHATWG URL standard: parts between '&' where any byte stands in
// them, the first '=' divides, '+' is a space, then percent-decoding, and ';' is a
// byte like others. Where that standard repairs, this refuses with invalid_request:
// a '%' without two hex digits, and bytes that are no UTF-8. Repeated names are the
// caller's to refuse.
func ParseForm(query string) ([]wire.Param, error) {
	var params []wire.Param
	for part := range strings.SplitSeq(query, "&") {
		if part == "" {
			continue
		}
		if len(params) == maxParams {
			return nil, badQuery("has too many parameters")
		}
		name, value, _ := strings.Cut(part, "=")
		var p wire.Param
		var err error
		if p.Name, err = decodeForm(name); err == nil {
			p.Value, err = decodeForm(value)
		}
		if err != nil {
			return nil, err
		}
		params = append(params, p)
	}
	return params, nil
}

func decodeForm(s string) (string, error) {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch b := s[i]; b {
		case '+':
			out = append(out, ' ')
		case '%':
			if i+2 >= len(s) {
				return "", badQuery("has a '%' without two hex digits")
			}
			high, low := unhex(s[i+1]), unhex(s[i+2])
			if high > 15 || low > 15 {
				return "", badQuery("has a '%' without two hex digits")
			}
			out = append(out, high<<4|low)
			i += 2
		default:
			out = append(out, b)
		}
	}
	if !utf8.Valid(out) {
		return "", badQuery("is not UTF-8")
	}
	return string(out), nil
}

// unhex gives the value of a hex digit; more than 15 for other bytes.
func unhex(b byte) byte {
	switch {
	case '0' <= b && b <= '9':
		return b - '0'
	case 'a' <= b|0x20 && b|0x20 <= 'f':
		return b | 0x20 - 'a' + 10
	}
	return 16
}

func badQuery(detail string) *fault.Refusal {
	return &fault.Refusal{Step: fault.StepParse, Code: fault.InvalidRequest, Detail: "the query string " + detail}
}
