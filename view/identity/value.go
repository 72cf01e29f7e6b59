package identity

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
	for i := range v.members {
		if v.members[i].Name == name {
			return v.members[i].Value, true
		}
	}
	return Value{}, false
}

// Span gives the half-open byte range of v in the text that was parsed.
func (v Value) Span() (start, end int) { return int(v.start), int(v.end) }
