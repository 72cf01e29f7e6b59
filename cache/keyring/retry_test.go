package keyring

import (
	"errors"
	"testing"

	"akx/view/fault"
)

// The same passphrase is as wrong the next time: trying again as it is mends nothing.
func TestWrongPassphraseIsNotTemporary(t *testing.T) {
	var u *fault.Unavailable
	if err := wrongPassphrase("ann"); !errors.As(err, &u) || u.Temporary() || !IsWrongPassphrase(err) {
		t.Errorf("%+v", u)
	}
}
