package main

import (
	"path/filepath"

	"akx/view/fault"
)

// homeDir finds the directory of akx: --home, AKX_HOME, $XDG_DATA_HOME/akx, else
// ~/.local/share/akx. It makes none.
func (a *app) homeDir() (dir, from string, err error) {
	if a.flags.home != "" {
		dir, err = filepath.Abs(a.flags.home)
		return dir, "--home", err
	}
	if dir = a.getenv("AKX_HOME"); dir != "" {
		dir, err = filepath.Abs(dir)
		return dir, "AKX_HOME", err
	}
	// The XDG rules ignore a relative path.
	if data := a.getenv("XDG_DATA_HOME"); filepath.IsAbs(data) {
		return filepath.Join(data, "akx"), "XDG_DATA_HOME", nil
	}
	if user := a.getenv("HOME"); filepath.IsAbs(user) {
		return filepath.Join(user, ".local", "share", "akx"), "HOME", nil
	}
	return "", "", &fault.Unavailable{
		Code: fault.UnavailableCode, What: "no home directory", Detail: unusableHome(a.getenv("HOME")),
		Hint: "set AKX_HOME or use --home DIR; --sample needs no home",
	}
}

func unusableHome(user string) string {
	if user == "" {
		return "HOME is not set"
	}
	return "HOME is not an absolute path"
}
