package identity

import "math"

// ValueKind tells what a JSON Value is; the zero kind is Absent.
type ValueKind uint8

// The kinds of JSON values.
const (
	Absent ValueKind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

// Value is one strictly parsed JSON value (Agent Identity 4.1). It is immutable:
// callers do not write into the slices it hands out. The zero Value is Absent.
type Value struct {
	kind    ValueKind
	truth   bool
	plain   bool   // text needs no escape in canonical form
	start   uint32 // where the value stands in the parsed text
	end     uint32
	number  float64
	text    string
	items   []Value
	members []Member
}

// Member is one name and value of an object, in the order of the text.
type Member struct {
	Name  string
	Value Value
}

// Kind tells what v is.
func (v Value) Kind() ValueKind { return v.kind }

// Bool gives the truth of a Bool; false for any other kind.
func (v Value) Bool() bool { return v.truth }

// Text gives the text of a String; empty for any other kind.
func (v Value) Text() string { return v.text }

// Float gives the double of a Number; 0 for any other kind.
func (v Value) Float() float64 { return v.number }

// Items gives the items of an Array; nil for any other kind.
func (v Value) Items() []Value { return v.items }

// Members gives the members of an Object in the order of the text.
func (v Value) Members() []Member { return v.members }

// Get gives the member called name of an Object; ok is false where there is none.
func (v Value) Get(name string) (value Value, ok bool) {
	if m := v.member(name); m != nil {
		return *m, true
	}
	return Value{}, false
}

// member is Get without the copy; nil where there is no such member.
func (v *Value) member(name string) *Value {
	for i := range v.members {
		if v.members[i].Name == name {
			return &v.members[i].Value
		}
	}
	return nil
}

// Span gives the half-open byte range of v in the text that was parsed; both are
// 0 for a value that a builder made.
func (v Value) Span() (start, end int) { return int(v.start), int(v.end) }

// Integer gives the integer that v stands for by value: 1.0 is 1, -0 is 0. ok is
// false for any other kind, for fractions and beyond the safe range.
func (v Value) Integer() (n int64, ok bool) {
	if v.kind != Number || v.number != math.Trunc(v.number) || math.Abs(v.number) > MaxSafeInteger {
		return 0, false
	}
	return int64(v.number), true
}

// Equal reports whether two values are the same by JSON value: member order does
// not matter, 1 equals 1.0.
func (v Value) Equal(w Value) bool { return equal(&v, &w) }

func equal(v, w *Value) bool {
	if v.kind != w.kind || len(v.items) != len(w.items) || len(v.members) != len(w.members) {
		return false
	}
	switch v.kind {
	case Bool:
		return v.truth == w.truth
	case Number:
		return v.number == w.number
	case String:
		return v.text == w.text
	case Array:
		for i := range v.items {
			if !equal(&v.items[i], &w.items[i]) {
				return false
			}
		}
	case Object:
		return equalMembers(v, w)
	}
	return true
}

// equalMembers pairs members by name; big objects get an index, so that hostile
// ones cost no quadratic time.
func equalMembers(v, w *Value) bool {
	find := w.member
	if len(w.members) > smallObject {
		index := make(map[string]*Value, len(w.members))
		for i := range w.members {
			index[w.members[i].Name] = &w.members[i].Value
		}
		find = func(name string) *Value { return index[name] }
	}
	for i := range v.members {
		other := find(v.members[i].Name)
		if other == nil || !equal(&v.members[i].Value, other) {
			return false
		}
	}
	return true
}

// StringValue makes a String for documents that akx writes itself. The text must
// be valid UTF-8: nothing else passes the strict parser on the other side.
func StringValue(s string) Value { return Value{kind: String, text: s} }

// IntegerValue makes a Number. n must lie in the safe range.
func IntegerValue(n int64) Value { return Value{kind: Number, number: float64(n)} }

// BoolValue makes a Bool.
func BoolValue(b bool) Value { return Value{kind: Bool, truth: b} }

// ArrayValue makes an Array of items, which it keeps.
func ArrayValue(items ...Value) Value { return Value{kind: Array, items: items} }

// ObjectValue makes an Object of members, which it keeps. Names must differ.
func ObjectValue(members ...Member) Value { return Value{kind: Object, members: members} }
