package ui

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"akx/ui/kit"
	"akx/ui/term"
	"akx/view/desk"
	"akx/view/fault"
)

// editor opens texts in the user's own editor, which gets the terminal alone.
type editor struct {
	terminal *term.Terminal
	getenv   func(string) string
	texts    editTexts
}

// open starts the editor on a file that only the user can read. What is in the file
// when the editor ends is the answer, beside an error where it did not end well.
func (e editor) open(want kit.Edit) tea.Cmd {
	command := strings.Fields(e.getenv("VISUAL"))
	if len(command) == 0 {
		command = strings.Fields(e.getenv("EDITOR"))
	}
	if len(command) == 0 {
		return answer(want.Done, &fault.Usage{Detail: "no editor is set", Hint: "set VISUAL or EDITOR, such as EDITOR=nano"})
	}
	path, err := e.texts.prepare(want)
	if err != nil {
		return answer(want.Done, &fault.Unavailable{Code: fault.UnavailableCode, What: "a file for the editor", Err: err})
	}
	cmd := e.terminal.Attach(exec.Command(command[0], append(command[1:], path)...))
	return tea.ExecProcess(cmd, func(ended error) tea.Msg {
		saved, err := readText(path)
		if err == nil {
			err = e.texts.done(want.Draft, path, saved)
		}
		if ended != nil {
			err = &fault.Unavailable{Code: fault.UnavailableCode, What: "the editor " + command[0], Hint: "the draft stays as it was; set VISUAL or EDITOR to another one", Err: ended}
		}
		return want.Done(saved, err)
	})
}

func answer(done func([]byte, error) tea.Msg, err error) tea.Cmd {
	return func() tea.Msg { return done(nil, err) }
}

// readText reads what the editor saved, one byte more than a draft may have at most.
func readText(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err == nil {
		defer file.Close()
		var text []byte
		if text, err = io.ReadAll(io.LimitReader(file, desk.MaxText+1)); err == nil {
			return text, nil
		}
	}
	return nil, &fault.Unavailable{Code: fault.UnavailableCode, What: "what the editor saved", Err: err}
}

// openFile opens a regular file; ~/ is the user's home.
func openFile(name, home string) (io.ReadCloser, int64, error) {
	if rest, ok := strings.CutPrefix(name, "~/"); ok && home != "" {
		name = filepath.Join(home, rest)
	}
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		return nil, 0, &fault.Usage{Detail: "not a regular file: " + name}
	}
	if err == nil {
		var file *os.File
		if file, err = os.Open(name); err == nil {
			return file, info.Size(), nil
		}
	}
	return nil, 0, &fault.Unavailable{Code: fault.UnavailableCode, What: "the file", Err: err}
}
