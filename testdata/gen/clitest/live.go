package clitest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// envLive is the home in which a process that Live began writes.
const envLive = "CLITEST_LIVE"

// Main turns this process into a command line if Live began it, and does not return then. A test package calls it first
// thing in its TestMain. It must be another process, since POSIX locks do not hold against the process that took them.
func Main() {
	dir := os.Getenv(envLive)
	if dir == "" {
		return
	}
	if err := talk(dir, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// liveChat is the chat that a live command line writes, with so many turns.
func liveChat(turns int) *Chat {
	c := chat("live", 0)
	c.Graph.Turns = nil
	for n := range turns {
		t := turn(base, n, fmt.Sprintf("Prompt %d.", n), says(fmt.Sprintf("Answer %d.", n)),
			runs(fmt.Sprintf("toolu_live_%d", n), fmt.Sprintf("echo %d", n), 0))
		if n > 0 {
			c.Stale = append(c.Stale, c.Graph)
		}
		c.Graph.Turns, c.Graph.Used = append(c.Graph.Turns[:n:n], within(t)), int64(1000+n)
	}
	c.File.Updated = base + int64(turns)*10*minute
	return c
}

// talk holds a store open and appends a turn for each line that it reads. It answers with a line.
func talk(dir string, in io.Reader, out io.Writer) (err error) {
	folder := filepath.Join(dir, liveChat(0).dir())
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	s, err := openStore(filepath.Join(folder, "store.db"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if _, err := s.conn.ExecContext(context.Background(), "PRAGMA wal_autocheckpoint = 100"); err != nil {
		return err
	}
	lines := bufio.NewScanner(in)
	for turns := 1; lines.Scan(); turns++ {
		c := liveChat(turns)
		if _, err := s.update(context.Background(), c); err != nil {
			return err
		}
		if err := replace(filepath.Join(folder, "meta.json"), c.fileJSON()); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(out, turns); err != nil {
			return err
		}
	}
	return lines.Err()
}

// Writer is a command line that runs beside a test, and holds a chat's store open.
type Writer struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	turns   int
}

// Live begins a command line in a home. Its chat has one turn when Live returns.
func Live(dir string) (*Writer, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	w := &Writer{command: exec.Command(program)}
	w.command.Env, w.command.Stderr = append(os.Environ(), envLive+"="+dir), os.Stderr
	if w.in, err = w.command.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := w.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	w.out = bufio.NewReader(out)
	if err := w.command.Start(); err != nil {
		return nil, err
	}
	if err := w.Append(); err != nil {
		return nil, errors.Join(err, w.Kill())
	}
	return w, nil
}

// Append appends a turn. It is committed when Append returns: first its blobs, then the root that names them.
func (w *Writer) Append() error {
	if _, err := fmt.Fprintln(w.in); err != nil {
		return err
	}
	line, err := w.out.ReadString('\n')
	if err != nil {
		return fmt.Errorf("the command line says nothing: %w", err)
	}
	w.turns++
	if strings.TrimSpace(line) != fmt.Sprint(w.turns) {
		return fmt.Errorf("the command line says %q, want %d", line, w.turns)
	}
	return nil
}

// Home is the home with what was appended.
func (w *Writer) Home() *Home { return &Home{Chats: []*Chat{liveChat(w.turns)}} }

// Stop lets the command line close its store and end.
func (w *Writer) Stop() error { return errors.Join(w.in.Close(), w.command.Wait()) }

// Kill ends the command line at once: what is in its -wal stays there.
func (w *Writer) Kill() error {
	err := w.command.Process.Kill()
	if wait := w.command.Wait(); wait != nil && !strings.Contains(wait.Error(), "killed") {
		err = errors.Join(err, wait)
	}
	return err
}
