package main

import (
	"bytes"
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

// presentText prints a text, in a pager where it is for a terminal. Without a pager that runs it is printed straight.
func presentText(ctx context.Context, stdout, stderr io.Writer, text []byte, paged, marked bool) error {
	signal.Ignore(syscall.SIGPIPE) // a reader that has seen enough is no error
	if !paged {
		return write(stdout, text)
	}
	cmd, err := pagerCommand(ctx, marked)
	if cmd == nil || err != nil {
		if err != nil {
			fmt.Fprintln(stderr, "warning: "+printableLines(err.Error()))
		}
		return write(stdout, text)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(text), stdout, stderr
	if err := cmd.Start(); err != nil {
		fmt.Fprintf(stderr, "warning: the pager %s does not run: %v\n", cmd.Path, err)
		return write(stdout, text)
	}
	// Ctrl-C is the pager's: it ends a search there, and must not leave a pager without us.
	signal.Ignore(os.Interrupt)
	defer signal.Reset(os.Interrupt)
	var ended *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &ended) && !errors.Is(err, syscall.EPIPE) {
		return err
	}
	return ctx.Err()
}

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
