package explore

import (
	"context"
	"unicode"
	"unicode/utf8"

	"akx/view/fault"
	"akx/view/identity"
)

// MaxPetname is the longest name of an Agent ID, in characters.
const MaxPetname = 64

// SetPetname keeps the user's own name of an Agent ID, which is shown beside the ID
// and never instead of it; an empty name forgets it. Two Agent IDs never have one
// name. Errors: *fault.Usage.
func (w *Writer) SetPetname(ctx context.Context, a identity.Actor, name string) error {
	if err := w.writable(); err != nil {
		return err
	}
	if err := checkPetname(name); err != nil {
		return err
	}
	return w.desk.SetPetname(ctx, a, name)
}

// checkPetname takes visible text without a blank at its ends.
func checkPetname(name string) error {
	first, _ := utf8.DecodeRuneInString(name)
	last, _ := utf8.DecodeLastRuneInString(name)
	ok := utf8.ValidString(name) && utf8.RuneCountInString(name) <= MaxPetname &&
		(name == "" || first != ' ' && last != ' ')
	for _, r := range name {
		ok = ok && unicode.IsPrint(r)
	}
	if ok {
		return nil
	}
	return &fault.Usage{Detail: "this cannot be a name", Hint: "use 1 to 64 visible characters"}
}
