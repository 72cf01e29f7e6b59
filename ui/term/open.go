//go:build unix

package term

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// Opener opens URLs in the user's browser.
type Opener struct {
	Caps Caps
	// Look finds a program, as exec.LookPath.
	Look func(name string) (path string, err error)
}

// Opener is the opener beside this terminal.
func (t *Terminal) Opener() Opener { return Opener{Caps: t.conf.Caps, Look: exec.LookPath} }

// Open opens an http or https URL, which the user has seen in full and agreed
// to. No shell reads it. The error is a plain sentence. A browser that keeps
// running after a moment counts as opened; it outlives akx.
func (o Opener) Open(ctx context.Context, url string) error {
	if !isWebURL(url) {
		return errors.New("not opened: only http and https URLs are opened")
	}
	if !o.Caps.Desktop {
		return errors.New("not opened: there is no desktop here; copy the URL instead")
	}
	path := ""
	for _, name := range []string{"xdg-open", "open"} {
		if found, err := o.Look(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		return errors.New("not opened: neither xdg-open nor open is installed; copy the URL instead")
	}
	// Without the context: leaving the page must not close the browser.
	cmd := exec.Command(path, url)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return errors.New("not opened: the opener could not be started")
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	late := time.NewTimer(toolTime)
	defer late.Stop()
	select {
	case err := <-ended:
		if err != nil {
			return errors.New("not opened: the opener reported a failure")
		}
	case <-late.C:
	case <-ctx.Done():
	}
	return nil
}

// isWebURL lets through what can be nothing but one argument with a web URL:
// ASCII without blanks or controls, with the scheme and something after it.
func isWebURL(url string) bool {
	for i := range len(url) {
		if url[i] <= ' ' || url[i] >= del {
			return false
		}
	}
	scheme, rest, found := strings.Cut(url, "://")
	return found && rest != "" && (strings.EqualFold(scheme, "https") || strings.EqualFold(scheme, "http"))
}
