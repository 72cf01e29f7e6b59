package keyring

import (
	"context"
	"errors"
	"io/fs"
	"syscall"

	"akx/view/fault"
)

const (
	hintDamaged = "put the file back from a backup, or move it away and import the key again"
	hintAccess  = "check the owner and the mode of the folder, or use another one with --home DIR"
)

func damaged(path, detail string) *fault.Damaged {
	return &fault.Damaged{What: path, Detail: detail, Hint: hintDamaged}
}

func wrongPassphrase(name string) error {
	return &fault.Unavailable{
		Code: fault.PermissionDenied, What: "key " + name, Detail: "wrong passphrase",
		Hint: "give the right one; the check sum of the file fits",
	}
}

// IsWrongPassphrase reports whether err says that a key, or a file to import, is
// whole and did not open under the passphrase that was given.
func IsWrongPassphrase(err error) bool {
	var u *fault.Unavailable
	return errors.As(err, &u) && u.Code == fault.PermissionDenied
}

func noSuchKey(name string) error {
	return &fault.Usage{Code: fault.NotHeldCode, Detail: "there is no key called " + name, Hint: "'akx key list' names those that are there"}
}

func nameTaken(name string) error {
	return &fault.Usage{Detail: "there is a key called " + name + " already", Hint: "choose another name; keys are never overwritten"}
}

// diskError turns an error of the disk into one of fault's types. Errors that are
// so already, and context errors, pass.
func diskError(path string, err error) error {
	var coded fault.Coded
	if err == nil || errors.As(err, &coded) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	u := &fault.Unavailable{Code: fault.UnavailableCode, What: path, Detail: "the disk gave an error", Hint: hintAccess, Retry: true, Err: err}
	switch {
	case errors.Is(err, syscall.EROFS):
		u.Code, u.Detail, u.Retry = fault.ReadOnly, "the disk is read-only", false
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		u.Detail, u.Hint = "the disk is full", "free some space on that disk and try again"
	case errors.Is(err, fs.ErrPermission):
		u.Detail, u.Retry = "permission denied", false
	}
	return u
}
