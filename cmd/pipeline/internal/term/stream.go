package term

import (
	"bufio"
	"errors"
	"io"
	"syscall"
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
