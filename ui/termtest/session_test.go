package termtest

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/term"
)

func TestMain(m *testing.M) {
	Main(m, map[string]func() int{"echo": echo, "sizes": sizes})
}

// echo answers each line, and ends with code 7 at "end".
func echo() int {
	fmt.Print("\x1b[?1049h\x1b[2J\x1b[H\x1b[?25lready 两次\r\n")
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		if in.Text() == "end" {
			fmt.Print("\x1b[?1049l")
			return 7
		}
		fmt.Printf("got <%s>\r\n", in.Text())
	}
	return 0
}

// sizes prints the size of the terminal at each change.
func sizes() int {
	changes := make(chan os.Signal, 16)
	signal.Notify(changes, syscall.SIGWINCH)
	for {
		w, h, err := term.GetSize(int(os.Stdout.Fd()))
		if err != nil {
			return 1
		}
		fmt.Printf("size %dx%d\r\n", w, h)
		<-changes
	}
}

func TestSessionShowsTypesAndEnds(t *testing.T) {
	s := Start(t, Self(t, "echo", nil), 40, 10)
	screen := s.UntilText(t, "ready 两次")
	if !screen.Alternate || screen.CursorShown || !s.Mode(ansi.ModeAltScreenSaveCursor) {
		t.Errorf("modes are not tracked: %s", screen)
	}
	if cell := s.Cell(6, 0); cell.Content != "两" || cell.Width != 2 {
		t.Errorf("wide cell: got %q of width %d", cell.Content, cell.Width)
	}
	s.Send("hello", Enter)
	s.UntilText(t, "got <hello>")
	s.Send("end", Enter)
	if exit := s.Wait(t, Patience); exit.Code != 7 || exit.Signal != 0 {
		t.Errorf("exit: got %+v", exit)
	}
	if raw := s.Output(); !bytes.HasSuffix(raw, []byte("\x1b[?1049l")) {
		t.Errorf("raw output ends in %q", raw[max(0, len(raw)-20):])
	}
}

func TestSessionResizes(t *testing.T) {
	s := Start(t, Self(t, "sizes", nil), 0, 0)
	s.UntilOutput(t, func(raw []byte) bool { return bytes.Contains(raw, []byte("size 0x0")) })
	s.Resize(61, 17)
	screen := s.UntilText(t, "size 61x17")
	if screen.Width != 61 || screen.Height != 17 {
		t.Errorf("emulator: got %dx%d", screen.Width, screen.Height)
	}
	s.Signal(syscall.SIGKILL)
	if exit := s.Wait(t, Patience); exit.Signal != syscall.SIGKILL {
		t.Errorf("exit: got %+v", exit)
	}
}

// A grandchild that holds the terminal open holds up neither Close nor the end
// of the test.
func TestCloseEndsReads(t *testing.T) {
	s := Start(t, Self(t, "echo", nil), 40, 10)
	s.UntilText(t, "ready")
	held, err := os.OpenFile("/proc/"+strconv.Itoa(s.Pid())+"/fd/1", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("the child's terminal cannot be opened: %v", err)
	}
	defer held.Close()
	s.Close()
	s.Close()
}

func TestScreenFind(t *testing.T) {
	sc := Screen{Rows: []string{"", "│ 中 text"}}
	if x, y := sc.Find("text"); x != 5 || y != 1 {
		t.Errorf("got %d, %d", x, y)
	}
	if x, y := sc.Find("none"); x != -1 || y != -1 {
		t.Errorf("got %d, %d", x, y)
	}
	if !strings.Contains(sc.String(), "|│ 中 text\n") {
		t.Errorf("got %q", sc.String())
	}
}
