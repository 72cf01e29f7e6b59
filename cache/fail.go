package cache

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"

	berrors "go.etcd.io/bbolt/errors"

	"akx/view/fault"
	"akx/view/identity"
)

// Ways out that users are told.
const (
	hintDamaged = "run 'akx doctor'; if it stays, move the file away: what it held can be imported again"
	hintAnew    = "run 'akx doctor --compact': it writes the file anew"
	hintEntry   = "import a file that holds this event again; 'akx doctor' lists all damage"
	hintSpace   = "free some space on that disk and try again; nothing that was there is lost"
	hintDisk    = "use a home on a disk that can be written, with --home DIR"
	hintAccess  = "check the owner and the mode of the folder, or use another one with --home DIR"
	hintLocked  = "wait for it to end, or end it"
	hintNewer   = "use the newer akx that wrote it, or another home with --home DIR"
)

// fail turns an error of the disk or the database into one of fault's types.
// Errors that are so already, and context errors, pass.
func fail(path string, err error) error {
	var coded fault.Coded
	switch {
	case err == nil, errors.As(err, &coded), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, syscall.EROFS):
		return &fault.Unavailable{Code: fault.ReadOnly, What: path, Detail: "the disk is read-only", Hint: hintDisk, Err: err}
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return &fault.Unavailable{Code: fault.UnavailableCode, What: path, Detail: "the disk is full", Hint: hintSpace, Retry: true, Err: err}
	case errors.Is(err, os.ErrPermission):
		return &fault.Unavailable{Code: fault.UnavailableCode, What: path, Detail: "permission denied", Hint: hintAccess, Err: err}
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.EEXIST):
		return &fault.Unavailable{Code: fault.UnavailableCode, What: path, Detail: "a file stands where a folder should be", Hint: hintAccess, Err: err}
	case errors.Is(err, berrors.ErrTimeout):
		return &fault.Unavailable{Code: fault.Locked, What: path, Detail: "held by a program that is not akx", Hint: hintLocked, Retry: true, Err: err}
	case errors.Is(err, berrors.ErrInvalid), errors.Is(err, berrors.ErrVersionMismatch), errors.Is(err, berrors.ErrChecksum),
		errors.Is(err, berrors.ErrIncompatibleValue), errors.Is(err, berrors.ErrBucketNotFound):
		return damaged(path, "it is not a database of akx, or its pages are damaged", err)
	default:
		return &fault.Unavailable{Code: fault.UnavailableCode, What: path, Detail: "the disk gave an error", Retry: true, Err: err}
	}
}

func damaged(path, detail string, err error) *fault.Damaged {
	return &fault.Damaged{What: path, Detail: detail, Hint: hintDamaged, Err: err}
}

func damagedEvent(id identity.ID, err error) *fault.Damaged {
	return &fault.Damaged{
		What: "event " + id.String(), Detail: "what is stored no longer proves it", Hint: hintEntry, Err: err,
	}
}

// pages is the damage that a recovered panic stands for: a page that a bit flip
// or a foreign hand made senseless, or a part of the file that is gone.
func pages(path string, recovered any) *fault.Damaged {
	return damaged(path, "its pages make no sense", fmt.Errorf("%v", recovered))
}

func isDamaged(err error) bool {
	var d *fault.Damaged
	return errors.As(err, &d)
}
