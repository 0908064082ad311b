package main

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
)

// presentText prints what is written, while it is written, in a pager where it is for a terminal. Without a pager that runs it is printed straight.
func presentText(ctx context.Context, stdout, stderr io.Writer, paged, marked bool, text func(io.Writer) error) error {
	signal.Ignore(syscall.SIGPIPE) // a reader that has seen enough is no error
	if !paged {
		return brokenPipe(buffered(stdout, text))
	}
	cmd, err := pagerCommand(ctx, marked)
	if cmd == nil || err != nil {
		if err != nil {
			fmt.Fprintln(stderr, "warning: "+printableLines(err.Error()))
		}
		return brokenPipe(buffered(stdout, text))
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	if err := cmd.Start(); err != nil {
		fmt.Fprintf(stderr, "warning: the pager %s does not run: %v\n", cmd.Path, err)
		return brokenPipe(buffered(stdout, text))
	}
	// Ctrl-C is the pager's: it ends a search there, and must not leave a pager without us.
	signal.Ignore(os.Interrupt)
	defer signal.Reset(os.Interrupt)
	wrong := brokenPipe(buffered(pagerInput{in}, text))
	_ = in.Close() // a pager that has ended took what it wanted
	var ended *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &ended) {
		wrong = errors.Join(wrong, err)
	}
	return cmp.Or(ctx.Err(), wrong)
}

// A pagerInput fails as a pipe does that nobody reads, whatever the system says of a pager that has ended.
type pagerInput struct{ io.Writer }

func (p pagerInput) Write(text []byte) (int, error) {
	n, err := p.Writer.Write(text)
	if err != nil {
		err = syscall.EPIPE
	}
	return n, err
}

// buffered writes in large pieces what is written in small ones.
func buffered(w io.Writer, text func(io.Writer) error) error {
	out := bufio.NewWriterSize(w, 64<<10)
	return errors.Join(text(out), out.Flush())
}

// A filter changes each piece of text that is written; no character is cut in two by a piece.
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

// filtered changes what is written to w, if it is to be changed.
func filtered(w io.Writer, really bool, change func([]byte) []byte) io.Writer {
	if !really {
		return w
	}
	return filter{w, change}
}

// printableText is printableLines of a piece of text.
func printableText(text []byte) []byte { return []byte(printableLines(string(text))) }

// pagerCommand is what PAGER names, else less; nil: none. marked: it begins where a line begins with the mark.
func pagerCommand(ctx context.Context, marked bool) (*exec.Cmd, error) {
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
	if marked && strings.HasPrefix(line, "less") {
		line += " '+/" + mark + "'"
		fields = append(fields, "+/"+mark)
	}
	cmd := exec.CommandContext(ctx, program, fields[1:]...)
	if shell, err := exec.LookPath("sh"); err == nil && runtime.GOOS != "windows" { // as git does: PAGER may hold options in quotes
		cmd = exec.CommandContext(ctx, shell, "-c", line)
	}
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // a pager puts the terminal in order then
	cmd.WaitDelay = commandTime / 2
	if os.Getenv("LESS") == "" {
		cmd.Env = append(os.Environ(), "LESS=FRX")
	}
	return cmd, nil
}

// brokenPipe is no error: the reader has seen enough.
func brokenPipe(err error) error {
	if errors.Is(err, syscall.EPIPE) {
		return nil
	}
	return err
}
