package term

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"time"

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

// Page prints the output of text while it is written, with paged in a pager. If no pager runs, it is printed directly.
// The pager starts at the line that begins with mark; "" means the first line.
func Page(ctx context.Context, stdout, stderr io.Writer, paged bool, mark string, text func(io.Writer) error) error {
	signal.Ignore(syscall.SIGPIPE) // a pager may close the pipe early
	if !paged {
		return IgnoreBrokenPipe(Buffered(stdout, text))
	}
	cmd, err := pagerCommand(ctx, mark)
	if cmd == nil || err != nil {
		if err != nil {
			fmt.Fprintln(stderr, "warning: "+PrintableLines(err.Error()))
		}
		return IgnoreBrokenPipe(Buffered(stdout, text))
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	if err := cmd.Start(); err != nil {
		fmt.Fprintf(stderr, "warning: the pager %s does not run: %v\n", cmd.Path, err)
		return IgnoreBrokenPipe(Buffered(stdout, text))
	}
	// Ctrl-C belongs to the pager: it ends a search there, and must not end this program before the pager.
	signal.Ignore(os.Interrupt)
	defer signal.Reset(os.Interrupt)
	wrong := IgnoreBrokenPipe(Buffered(pagerInput{in}, text))
	_ = in.Close() // the pager may have ended already
	var ended *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &ended) {
		wrong = errors.Join(wrong, err)
	}
	return cmp.Or(ctx.Err(), wrong)
}

// A pagerInput fails with the error of a closed pipe if the pager has ended, whatever error the system gives.
type pagerInput struct{ io.Writer }

func (p pagerInput) Write(text []byte) (int, error) {
	n, err := p.Writer.Write(text)
	if err != nil {
		err = syscall.EPIPE
	}
	return n, err
}

// pagerCommand is the command in PAGER, else less; nil: none.
func pagerCommand(ctx context.Context, mark string) (*exec.Cmd, error) {
	line, set := os.LookupEnv("PAGER")
	if !set {
		if _, err := exec.LookPath("less"); err != nil {
			return nil, nil
		}
		line = "less -FRX"
	}
	fields := strings.Fields(line)
	if len(fields) == 0 || line == "cat" {
		return nil, nil
	}
	program, err := exec.LookPath(fields[0])
	if err != nil && !strings.ContainsAny(line, "|;&<>()$`\\\"'*?[#~=%") {
		return nil, fmt.Errorf("there is no pager %s: set PAGER to another, or use --no-pager", fields[0])
	}
	if mark != "" && strings.HasPrefix(line, "less") {
		line += " '+/" + mark + "'"
		fields = append(fields, "+/"+mark)
	}
	cmd := exec.CommandContext(ctx, program, fields[1:]...)
	if shell, err := exec.LookPath("sh"); err == nil && runtime.GOOS != "windows" {
		// as git does: PAGER may hold quoted options
		cmd = exec.CommandContext(ctx, shell, "-c", line)
	}
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // a pager restores the terminal then
	cmd.WaitDelay = pagerTime
	if os.Getenv("LESS") == "" {
		cmd.Env = append(os.Environ(), "LESS=FRX")
	}
	return cmd, nil
}

// pagerTime is the time limit for a pager to end; it is shorter than a command's.
const pagerTime = 350 * time.Millisecond
