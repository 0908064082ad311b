package term

import (
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
)

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
