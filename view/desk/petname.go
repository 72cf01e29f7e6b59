package desk

import (
	"akx/view/fault"
	"akx/view/identity"
)

// CheckNameFree refuses a name that another Agent ID has already: two of them never have
// one name. A store asks within the transaction that keeps the name.
func CheckNameFree(names map[identity.Actor]string, a identity.Actor, name string) error {
	for other, taken := range names {
		if taken == name && other != a {
			return &fault.Usage{Detail: "you call " + other.String() + " so", Hint: "choose another name"}
		}
	}
	return nil
}
