package term

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"github.com/mattn/go-isatty"
	xterm "golang.org/x/term"
)

// HarmlessText replaces control characters in text that is written to w, if terminal is true.
func HarmlessText(w io.Writer, terminal bool) io.Writer {
	if !terminal {
		return w
	}
	return filter{w, func(text []byte) []byte { return []byte(PrintableLines(string(text))) }}
}

// HarmlessJSON does the same with JSON, which stays valid.
func HarmlessJSON(w io.Writer, terminal bool) io.Writer {
	if !terminal {
		return w
	}
	return filter{w, escapeControls}
}

// A filter changes each piece of text that is written. It never splits a character.
type filter struct {
	w      io.Writer
	change func([]byte) []byte
}

func (f filter) Write(piece []byte) (int, error) {
	if _, err := f.w.Write(f.change(piece)); err != nil {
		return 0, err
	}
	return len(piece), nil
}

// Buffered collects small writes into large ones.
func Buffered(w io.Writer, text func(io.Writer) error) error {
	out := bufio.NewWriterSize(w, 64<<10)
	return errors.Join(text(out), out.Flush())
}

// IgnoreBrokenPipe drops the error of a reader that closed the pipe.
func IgnoreBrokenPipe(err error) error {
	if errors.Is(err, syscall.EPIPE) {
		return nil
	}
	return err
}

// Warnings returns a function that prints warnings, without control characters.
func Warnings(w io.Writer) func(format string, args ...any) {
	w = Fitted(w)
	return func(format string, args ...any) {
		fmt.Fprintln(w, "warning: "+PrintableLines(fmt.Sprintf(format, args...)))
	}
}

// Notes returns a function that prints notes about what was done besides.
func Notes(w io.Writer) func(format string, args ...any) {
	w = Fitted(w)
	return func(format string, args ...any) {
		fmt.Fprintln(w, PrintableLines(fmt.Sprintf(format, args...)))
	}
}

// IsTerminal reports whether w is a terminal.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

// Width is the width of a terminal; 0 if w is no terminal, or if the width is unknown.
func Width(w io.Writer) int {
	if !IsTerminal(w) {
		return 0
	}
	width, _, _ := xterm.GetSize(int(w.(*os.File).Fd()))
	return width
}

// ColoursWanted follows no-color.org.
func ColoursWanted() bool { return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" }

// HasLines reports whether a terminal may be able to show lines that tables are drawn with: not if the locale names no
// other characters than those of ASCII.
func HasLines() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := os.Getenv(name); locale != "" {
			return locale != "C" && locale != "POSIX"
		}
	}
	return true
}
