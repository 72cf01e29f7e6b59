package cache

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	berrors "go.etcd.io/bbolt/errors"

	"akx/view/fault"
	"akx/view/identity"
)

// Ways out that users are told.
const (
	hintDamaged = "run 'akx doctor': it looks at all of it and says the way out"
	hintAnew    = "run 'akx doctor --compact': it writes the file anew"
	hintEntry   = hintImport + "; 'akx doctor' lists all damage"
	hintImport  = "import a file that holds this event again"
	hintLarge   = "raise the limit (ulimit -f), or use a home on another disk with --home DIR; nothing that was there is lost"
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
	case errors.Is(err, syscall.EFBIG), limited(path):
		return &fault.Unavailable{Code: fault.UnavailableCode, What: path, Detail: "this user or this disk allows no file of that size", Hint: hintLarge}
	default:
		return &fault.Unavailable{Code: fault.UnavailableCode, What: path, Detail: "the disk gave an error", Retry: true, Err: err}
	}
}

// limited reports whether the file cannot grow by a step within the limit of this
// process: the database does not pass on what kept it from growing.
func limited(path string) bool {
	var limit syscall.Rlimit
	info, err := os.Stat(path)
	if err != nil || syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit) != nil {
		return false
	}
	return uint64(limit.Cur) < uint64(info.Size())+growStep
}

func damaged(path, detail string, err error) *fault.Damaged {
	return &fault.Damaged{What: path, Detail: detail, Hint: hintDamaged, Err: err}
}

// The ways out of a damaged file, by what is lost with it.
const (
	outCache   = "move the file away: events are had again by importing and by syncing; what files and services said of them, and what was pending, is lost until then"
	outService = "keep a copy of the home, then restore it from a backup and run 'akx serve restored': the numbers that this service gave cannot be had again"
	outOwn     = "keep a copy of the file, then move it away: akx makes a new one. The services that you added, names, drafts and the place in it cannot be had again; events are not touched"
)

// wayOut says how to go on without the damaged file at path.
func wayOut(path string) string {
	if filepath.Base(path) == ownName {
		return outOwn
	}
	if _, err := os.Lstat(filepath.Join(filepath.Dir(path), sequenceName)); err == nil {
		return outService
	}
	return outCache
}

// checked gives the hint of a finding for one that comes from an error: it does not
// send its reader to the check that found it.
func checked(path, hint string) string {
	switch hint {
	case hintDamaged, hintOwn:
		return wayOut(path)
	case hintEntry:
		return hintImport
	default:
		return hint
	}
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
