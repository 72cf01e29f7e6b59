package termtest

import (
	"os"
	"os/exec"
	"testing"
)

// roleVariable tells a test binary that it runs as one of its roles.
const roleVariable = "TERMTEST_ROLE"

// Main is the body of TestMain of a package that runs its own test binary as
// the program under test: a child started with [Self] runs the function of its
// role and exits with the code that it returns; otherwise the tests run.
func Main(m *testing.M, roles map[string]func() int) {
	if run, ok := roles[os.Getenv(roleVariable)]; ok {
		os.Exit(run())
	}
	os.Exit(m.Run())
}

// Self is this test binary as a program in the given role. Its environment
// holds nothing of the one that the tests run in but PATH: a temporary HOME,
// TERM=xterm-256color, a UTF-8 locale, and then env, as NAME=value, on top.
// args are the program's arguments.
func Self(t testing.TB, role string, env []string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatalf("find the test binary: %v", err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append([]string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=" + t.TempDir(),
		"TERM=xterm-256color",
		"LANG=C.UTF-8",
		roleVariable + "=" + role,
	}, env...)
	return cmd
}
