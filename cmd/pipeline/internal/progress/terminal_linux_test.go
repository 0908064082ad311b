package progress

import (
	"fmt"
	"io"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// terminal is a terminal, and what was written to it.
func terminal(t *testing.T) (tty, screen *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("this machine has no terminals: %v", err)
	}
	t.Cleanup(func() { _ = screen.Close() })
	number, err := unix.IoctlGetInt(int(screen.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(screen.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		tty, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR, 0)
	}
	if err != nil {
		t.Skipf("this machine has no terminals: %v", err)
	}
	t.Cleanup(func() { _ = tty.Close() })
	return tty, screen
}

// TestStart: a line is drawn again and again on a terminal that a person may look at; where CI is set, there is a line
// for each phase.
func TestStart(t *testing.T) {
	t.Setenv("TERM", "xterm")
	for ci, drawn := range map[string]bool{"": true, "false": true, "true": false, "1": false} {
		t.Setenv("CI", ci)
		tty, screen := terminal(t)
		l := Start(tty, false)
		if (l.width != nil) != drawn {
			t.Errorf("CI=%s: drawn: %v", ci, l.width != nil)
		}
		l.Phase("reading")
		l.Close()
		if l.width == nil && !drawn {
			text := make([]byte, len("reading\r\n"))
			if _, err := io.ReadFull(screen, text); err != nil || string(text) != "reading\r\n" {
				t.Errorf("CI=%s: %q, %v", ci, text, err)
			}
		}
	}
}
