package capsule

import (
	"slices"
	"strconv"
	"strings"

	"akx/view/fault"
	"akx/view/identity"
)

// Shape is the structural definition of one $defs name of the protocol's schema.
// nil means that v has the shape. A refusal carries StepShape, the JSON pointer
// of the member at fault relative to v, and one clause in words; callers move it
// with Within and give it the step or code of their own. What the schema calls
// semantic (canonical encodings, parsed URLs, digest uniqueness) is not looked at.
type Shape func(v identity.Value) *fault.Refusal

// Field is one member of an object's shape.
type Field struct {
	Name     string
	Shape    Shape
	Required bool
}

// Required is a member that must be there.
func Required(name string, s Shape) Field { return Field{Name: name, Shape: s, Required: true} }

// Optional is a member that may be left out.
func Optional(name string, s Shape) Field { return Field{Name: name, Shape: s} }

// Object is a closed object: members that are not listed are refused. It takes at
// most 64 fields.
func Object(fields ...Field) Shape { return object(false, fields) }

// OpenObject is an extensible object: members that are not listed may be anything.
func OpenObject(fields ...Field) Shape { return object(true, fields) }

func object(open bool, fields []Field) Shape {
	var required uint64
	for i, f := range fields {
		if f.Required {
			required |= 1 << i
		}
	}
	return func(v identity.Value) *fault.Refusal {
		if v.Kind() != identity.Object {
			return misshapen("must be an object")
		}
		var seen uint64
		members := v.Members()
		for m := range members {
			i := slices.IndexFunc(fields, func(f Field) bool { return f.Name == members[m].Name })
			if i < 0 {
				if open {
					continue
				}
				return unknownMember(members[m].Name)
			}
			seen |= 1 << i
			if r := fields[i].Shape(members[m].Value); r != nil {
				return Within(r, members[m].Name)
			}
		}
		return absentMember(fields, required&^seen)
	}
}

// maxNamed bounds the foreign member names that a refusal repeats.
const maxNamed = 128

func unknownMember(name string) *fault.Refusal {
	if len(name) > maxNamed {
		return misshapen("has an unknown member with a long name")
	}
	return Within(misshapen("is not a member that the protocol defines"), name)
}

func absentMember(fields []Field, absent uint64) *fault.Refusal {
	for i, f := range fields {
		if absent&(1<<i) != 0 {
			return Within(misshapen(f.Name+" is required"), f.Name)
		}
	}
	return nil
}

// MapOf is an object whose every member has the shape s, whatever its name.
func MapOf(s Shape) Shape {
	return func(v identity.Value) *fault.Refusal {
		if v.Kind() != identity.Object {
			return misshapen("must be an object")
		}
		members := v.Members()
		for i := range members {
			if r := s(members[i].Value); r != nil {
				if len(members[i].Name) > maxNamed {
					return r
				}
				return Within(r, members[i].Name)
			}
		}
		return nil
	}
}

// NoMax leaves the length of an array unbounded.
const NoMax = -1

// ArrayOf is an array of min to max items (NoMax: no bound) of shape s. With
// unique, no two items are the same by JSON value.
func ArrayOf(s Shape, min, max int, unique bool) Shape {
	return func(v identity.Value) *fault.Refusal {
		if v.Kind() != identity.Array {
			return misshapen("must be a list")
		}
		items := v.Items()
		if len(items) < min {
			return misshapen("needs at least " + count(min, "item"))
		}
		if max != NoMax && len(items) > max {
			return misshapen("takes at most " + count(max, "item"))
		}
		for i := range items {
			if r := s(items[i]); r != nil {
				return WithinItem(r, i)
			}
		}
		if unique {
			if i := firstRepeat(items); i >= 0 {
				return WithinItem(misshapen("repeats an earlier item"), i)
			}
		}
		return nil
	}
}

func count(n int, noun string) string {
	if n == 1 {
		return "one " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// StringShape is a string that ok accepts; detail is the clause for any other.
func StringShape(ok func(string) bool, detail string) Shape {
	return func(v identity.Value) *fault.Refusal {
		if v.Kind() != identity.String {
			return misshapen("must be text")
		}
		if !ok(v.Text()) {
			return misshapen(detail)
		}
		return nil
	}
}

// Enum is one of a closed set of strings.
func Enum(values ...string) Shape {
	return func(v identity.Value) *fault.Refusal {
		if v.Kind() == identity.String && slices.Contains(values, v.Text()) {
			return nil
		}
		return misshapen(oneOf(values))
	}
}

func oneOf(values []string) string {
	if len(values) == 1 {
		return "must be " + values[0]
	}
	return "must be one of " + strings.Join(values, ", ")
}

// IntegerRange is an integer by value (1.0 is 1) from min to max.
func IntegerRange(min, max int64) Shape {
	return func(v identity.Value) *fault.Refusal {
		if n, ok := v.Integer(); ok && n >= min && n <= max {
			return nil
		}
		return misshapen("must be a whole number from " + strconv.FormatInt(min, 10) +
			" to " + strconv.FormatInt(max, 10))
	}
}

// BoolShape is true or false.
func BoolShape(v identity.Value) *fault.Refusal {
	if v.Kind() != identity.Bool {
		return misshapen("must be true or false")
	}
	return nil
}

// AnyObject is an object with any members.
func AnyObject(v identity.Value) *fault.Refusal {
	if v.Kind() != identity.Object {
		return misshapen("must be an object")
	}
	return nil
}

// All applies shapes in order; the first refusal decides.
func All(shapes ...Shape) Shape {
	return func(v identity.Value) *fault.Refusal {
		for _, s := range shapes {
			if r := s(v); r != nil {
				return r
			}
		}
		return nil
	}
}

// Misshapen makes the refusal of a shape, for shapes written by hand.
func Misshapen(detail string) *fault.Refusal { return misshapen(detail) }

func misshapen(detail string) *fault.Refusal { return fault.Refuse(fault.StepShape, "", detail) }

var pointerEscape = strings.NewReplacer("~", "~0", "/", "~1")

// Within moves a refusal's path under the member called name. It changes and
// returns r.
func Within(r *fault.Refusal, name string) *fault.Refusal {
	r.Path = "/" + pointerEscape.Replace(name) + r.Path
	return r
}

// WithinItem moves a refusal's path under an item of an array.
func WithinItem(r *fault.Refusal, i int) *fault.Refusal {
	r.Path = "/" + strconv.Itoa(i) + r.Path
	return r
}
