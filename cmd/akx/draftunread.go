package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"akx/cmd/akx/report"
	"akx/view/clean"
	"akx/view/desk"
	"akx/view/fault"
)

// editFolder is the folder of a home with the texts that editors write, one file a draft.
const editFolder = "edit"

// editFile writes the text of a draft where the editor finds it; what an earlier edit
// left there is kept and given instead.
func (a *app) editFile(d desk.Draft) (path string, text []byte, err error) {
	if path, err = a.editPath(d.ID); err != nil {
		return "", nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", nil, fileError(filepath.Dir(path), err)
	}
	left, err := os.ReadFile(path)
	switch {
	case err == nil && len(bytes.TrimSpace(left)) > 0:
		return path, left, a.note(clean.Line("this is what an earlier edit left; the draft itself has not taken it: " + path))
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return "", nil, fileError(path, err)
	}
	if err := os.WriteFile(path, d.YAML(), 0o600); err != nil {
		return "", nil, fileError(path, err)
	}
	return path, d.YAML(), nil
}

// editPath is where the text of a draft stands for editors.
func (a *app) editPath(draft uint64) (string, error) {
	dir, _, err := a.homeDir()
	return filepath.Join(dir, editFolder, "draft-"+strconv.FormatUint(draft, 10)+".yaml"), err
}

// unread gives the file with words that an edit left and that d has not taken; empty for
// none. A text that says what d says already is none, and so is an empty one.
func (a *app) unread(d desk.Draft) (string, error) {
	path, err := a.editPath(d.ID)
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && len(bytes.TrimSpace(text)) == 0:
		return "", nil
	case err != nil:
		return "", fileError(path, err)
	}
	content, complaints := desk.ReadText(text, desk.Expect{Type: d.Type})
	if len(complaints) == 0 && content.Actor == d.Actor && content.Used == d.Used && content.Payload.Equal(d.Payload) {
		return "", nil
	}
	return path, nil
}

// dropUnread drops what an edit left of a draft. The draft stays as it is.
func (a *app) dropUnread(ctx context.Context, u *author, id uint64) error {
	d, err := u.openToWrite(ctx, id)
	if err != nil {
		return err
	}
	path, err := a.unread(d)
	if err != nil {
		return err
	}
	if path == "" {
		return &fault.Usage{Detail: "no edit left words that draft " + strconv.FormatUint(id, 10) + " has not taken", Hint: "leave --drop out"}
	}
	if err := os.Remove(path); err != nil {
		return fileError(path, err)
	}
	return a.emit(&report.DraftChanged{Done: "unchanged", Draft: report.DraftOf(d), Dropped: path}, nil)
}
