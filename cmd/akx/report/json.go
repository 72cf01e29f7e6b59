package report

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"akx/view/clean"
	"akx/view/identity"
)

// AppendJSON appends v as JSON, in which absent members are left out and strings
// are harmless to a terminal (clean.AppendJSON). It takes what reports are made
// of: structs with json tags, slices, pointers, identity.Value, numbers, truth
// values, strings, and types that name themselves with String.
func AppendJSON(dst []byte, v any) []byte {
	return appendValue(dst, reflect.ValueOf(v))
}

func appendValue(dst []byte, v reflect.Value) []byte {
	if !v.IsValid() {
		return append(dst, "null"...)
	}
	if v.CanInterface() {
		switch x := v.Interface().(type) {
		case identity.Value:
			return appendSigned(dst, x)
		case fmt.Stringer:
			if v.Kind() != reflect.Pointer {
				return clean.AppendJSON(dst, x.String())
			}
		}
	}
	switch v.Kind() {
	case reflect.Bool:
		return strconv.AppendBool(dst, v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.AppendInt(dst, v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return strconv.AppendUint(dst, v.Uint(), 10)
	case reflect.String:
		return clean.AppendJSON(dst, v.String())
	case reflect.Slice:
		return appendSlice(dst, v)
	case reflect.Struct:
		dst = append(dst, '{')
		dst, _ = appendMembers(dst, v, true)
		return append(dst, '}')
	case reflect.Pointer, reflect.Interface:
		return appendValue(dst, v.Elem())
	default:
		panic("report: no JSON form for " + v.Type().String())
	}
}

func appendSlice(dst []byte, v reflect.Value) []byte {
	dst = append(dst, '[')
	for i := range v.Len() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendValue(dst, v.Index(i))
	}
	return append(dst, ']')
}

// appendMembers writes the members of a struct; first says that none was written
// before them. Embedded structs are written in place; an
// embedded pointer that is nil writes nothing.
func appendMembers(dst []byte, v reflect.Value, first bool) ([]byte, bool) {
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if field.Anonymous {
			embedded := v.Field(i)
			if embedded.Kind() == reflect.Pointer {
				if embedded.IsNil() {
					continue
				}
				embedded = embedded.Elem()
			}
			dst, first = appendMembers(dst, embedded, first)
			continue
		}
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "" || name == "-" || options == "omitempty" && isEmpty(v.Field(i)) {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = clean.AppendJSON(dst, name)
		dst = append(dst, ':')
		dst = appendValue(dst, v.Field(i))
	}
	return dst, first
}

func isEmpty(v reflect.Value) bool {
	if v.Kind() == reflect.Slice {
		return v.Len() == 0
	}
	return v.IsZero()
}

// appendSigned writes a signed JSON value. A member whose name ends in _secret is
// never written in clear (Agent-First Data v1, field names).
func appendSigned(dst []byte, v identity.Value) []byte {
	switch v.Kind() {
	case identity.String:
		return clean.AppendJSON(dst, v.Text())
	case identity.Array:
		dst = append(dst, '[')
		for i, item := range v.Items() {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendSigned(dst, item)
		}
		return append(dst, ']')
	case identity.Object:
		dst = append(dst, '{')
		for i, m := range v.Members() {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = clean.AppendJSON(dst, m.Name)
			dst = append(dst, ':')
			if strings.HasSuffix(strings.ToLower(m.Name), "_secret") {
				dst = append(dst, `"***"`...)
				continue
			}
			dst = appendSigned(dst, m.Value)
		}
		return append(dst, '}')
	case identity.Absent:
		return append(dst, "null"...)
	default:
		return identity.AppendCanonical(dst, v)
	}
}
