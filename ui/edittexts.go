package ui

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"akx/ui/kit"
	"akx/ui/screen/compose"
	"akx/view/fault"
)

// editTexts are the files that the user's editor writes, one a draft, in a folder of
// the home that only the user can read: the same that 'akx draft edit' uses. The editor
// works on the file itself, so that neither a crash of it nor of akx loses a text.
// Without a folder the texts are kept in memory.
type editTexts struct {
	dir    string
	memory *compose.Memory
}

func newEditTexts(dir string) editTexts { return editTexts{dir, compose.NewMemory()} }

func (t editTexts) path(draft uint64) string {
	return filepath.Join(t.dir, "draft-"+strconv.FormatUint(draft, 10)+".yaml")
}

// Left gives what an edit left behind; nil for nothing.
func (t editTexts) Left(draft uint64) ([]byte, error) {
	if t.dir == "" {
		return t.memory.Left(draft)
	}
	text, err := readText(t.path(draft))
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(bytes.TrimSpace(text)) == 0 {
		return nil, nil
	}
	return text, err
}

// Keep makes a text what an edit left behind, durable when it returns.
func (t editTexts) Keep(draft uint64, text []byte) error {
	if t.dir == "" {
		return t.memory.Keep(draft, text)
	}
	return editError(t.put(t.path(draft), text))
}

// Drop forgets what an edit left behind.
func (t editTexts) Drop(draft uint64) error {
	if t.dir == "" {
		return t.memory.Drop(draft)
	}
	if err := os.Remove(t.path(draft)); !errors.Is(err, fs.ErrNotExist) {
		return editError(err)
	}
	return nil
}

func editError(err error) error {
	if err == nil {
		return nil
	}
	return &fault.Unavailable{Code: fault.UnavailableCode, What: "the text of your editor", Err: err}
}

// put writes a whole file or none.
func (t editTexts) put(path string, text []byte) error {
	if err := os.MkdirAll(t.dir, 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(t.dir, ".draft-*") // 0600
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	err = errors.Join(err, file.Sync(), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		os.Remove(file.Name())
	}
	return err
}

// prepare writes the file for the editor. What was left behind stays as it is: it may
// be longer than what akx has read of it.
func (t editTexts) prepare(want kit.Edit) (path string, err error) {
	if t.dir == "" {
		dir, err := os.MkdirTemp("", "akx-draft-")
		if err != nil {
			return "", err
		}
		path = filepath.Join(dir, "draft.yaml")
		if err = os.WriteFile(path, want.Text, 0o600); err != nil {
			os.RemoveAll(dir)
		}
		return path, err
	}
	path = t.path(want.Draft)
	if _, err := os.Stat(path); want.Again && err == nil {
		return path, nil
	}
	return path, t.put(path, want.Text)
}

// done takes what the editor saved: a file of the home stays where it is.
func (t editTexts) done(draft uint64, path string, saved []byte) error {
	if t.dir != "" {
		return nil
	}
	return errors.Join(t.memory.Keep(draft, saved), os.RemoveAll(filepath.Dir(path)))
}
