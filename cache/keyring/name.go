package keyring

import "akx/view/fault"

// MaxName is the longest name of a key, in characters.
const MaxName = 32

// CheckName takes 1 to MaxName of a-z, 0-9, '_' and '-', beginning with a letter or
// digit: no such name leaves its folder, and no two differ by case alone. The error
// is a *fault.Usage.
func CheckName(name string) error {
	ok := name != "" && len(name) <= MaxName && name[0] != '_' && name[0] != '-'
	for i := 0; ok && i < len(name); i++ {
		c := name[i]
		ok = c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '-'
	}
	if ok {
		return nil
	}
	return &fault.Usage{
		Detail: "this cannot be the name of a key",
		Hint:   "use 1 to 32 of a-z, 0-9, '_' and '-', beginning with a letter or digit",
	}
}
