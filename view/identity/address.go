package identity

import (
	"strconv"
	"strings"
)

// endsInNumber is the WHATWG checker of that name: such a domain must be IPv4.
func endsInNumber(domain string) bool {
	domain = strings.TrimSuffix(domain, ".")
	last := domain[strings.LastIndexByte(domain, '.')+1:]
	if last == "" {
		return false
	}
	if strings.Trim(last, "0123456789") == "" {
		return true
	}
	_, ok := parseIPv4Number(last)
	return ok
}

// parseIPv4 reads one to four numbers, the last one filling the rest.
func parseIPv4(s string) (uint32, bool) {
	parts := strings.Split(strings.TrimSuffix(s, "."), ".")
	if len(parts) > 4 {
		return 0, false
	}
	var address uint64
	for i, part := range parts {
		n, ok := parseIPv4Number(part)
		limit, shift := uint64(1)<<8, 8*(3-i)
		if i == len(parts)-1 {
			limit, shift = uint64(1)<<(8*(5-len(parts))), 0
		}
		if !ok || n >= limit {
			return 0, false
		}
		address |= n << shift
	}
	return uint32(address), true
}

// parseIPv4Number reads decimal, octal behind 0 and hexadecimal behind 0x. Values
// that do not fit 33 bits come out too big for any use, not wrapped.
func parseIPv4Number(s string) (n uint64, ok bool) {
	if s == "" {
		return 0, false
	}
	base := uint64(10)
	switch {
	case strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "0X"):
		s, base = s[2:], 16
	case len(s) > 1 && s[0] == '0':
		s, base = s[1:], 8
	}
	for _, c := range []byte(s) {
		digit := hexDigit(c)
		if digit >= base {
			return 0, false
		}
		n = min(n*base+digit, 1<<33)
	}
	return n, true
}

// hexDigit gives the value of a hexadecimal digit, 16 for any other byte.
func hexDigit(c byte) uint64 {
	switch {
	case c >= '0' && c <= '9':
		return uint64(c - '0')
	case c >= 'a' && c <= 'f':
		return uint64(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return uint64(c-'A') + 10
	}
	return 16
}

func printIPv4(address uint32) string {
	var out []byte
	for shift := 24; shift >= 0; shift -= 8 {
		out = strconv.AppendUint(out, uint64(address>>shift&0xff), 10)
		if shift > 0 {
			out = append(out, '.')
		}
	}
	return string(out)
}

// parseIPv6 reads the text between the brackets: eight pieces, fewer around one
// "::", the last two perhaps as an IPv4 address in plain decimal.
func parseIPv6(s string) (pieces [8]uint16, ok bool) {
	n, gap := 0, -1
	if strings.HasPrefix(s, "::") {
		s, n, gap = s[2:], 1, 1 // a gap is one zero piece at least
	} else if strings.HasPrefix(s, ":") {
		return pieces, false
	}
	for s != "" {
		if n == 8 {
			return pieces, false
		}
		if s[0] == ':' {
			if gap >= 0 {
				return pieces, false
			}
			n++
			s, gap = s[1:], n
			continue
		}
		value, digits := uint64(0), 0
		for digits < 4 && digits < len(s) && hexDigit(s[digits]) < 16 {
			value = value<<4 | hexDigit(s[digits])
			digits++
		}
		switch rest := s[digits:]; {
		case rest == "":
			s = ""
		case rest[0] == ':' && len(rest) > 1:
			s = rest[1:]
		case rest[0] == '.' && digits > 0 && n <= 6:
			address, ok := parseDottedQuad(s)
			if !ok {
				return pieces, false
			}
			pieces[n] = uint16(address >> 16)
			n++
			value, s = uint64(address&0xffff), ""
		default:
			return pieces, false
		}
		pieces[n] = uint16(value)
		n++
	}
	if gap < 0 {
		return pieces, n == 8
	}
	moved := pieces[gap:n]
	var spread [8]uint16
	copy(spread[:], pieces[:gap])
	copy(spread[8-len(moved):], moved)
	return spread, true
}

// parseDottedQuad reads exactly four decimal numbers up to 255 without leading
// zeros, as they may stand inside an IPv6 address.
func parseDottedQuad(s string) (address uint32, ok bool) {
	parts := strings.Split(s, ".")
	if len(parts) != 4 {
		return 0, false
	}
	for _, part := range parts {
		n, err := strconv.ParseUint(part, 10, 8)
		if err != nil || strconv.FormatUint(n, 10) != part {
			return 0, false
		}
		address = address<<8 | uint32(n)
	}
	return address, true
}

// printIPv6 prints pieces in brackets, the first longest run of two or more zeros
// as "::", never with a dotted part.
func printIPv6(pieces [8]uint16) string {
	from, length := -1, 1
	for i := 0; i < 8; i++ {
		j := i
		for j < 8 && pieces[j] == 0 {
			j++
		}
		if j-i > length {
			from, length = i, j-i
		}
		i = j
	}
	out := []byte{'['}
	for i := 0; i < 8; i++ {
		if i == from {
			out = append(out, "::"...)
			i += length - 1
			continue
		}
		if i > 0 && out[len(out)-1] != ':' {
			out = append(out, ':')
		}
		out = strconv.AppendUint(out, uint64(pieces[i]), 16)
	}
	return string(append(out, ']'))
}
