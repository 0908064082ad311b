package term

import (
	"bufio"
	"errors"
	"io"
	"syscall"
)

// HarmlessText keeps text that is written to w from steering a terminal, where w is one.
func HarmlessText(w io.Writer, terminal bool) io.Writer {
	if !terminal {
		return w
	}
	return filter{w, func(text []byte) []byte { return []byte(PrintableLines(string(text))) }}
}

// HarmlessJSON does the same with JSON, which stays JSON.
func HarmlessJSON(w io.Writer, terminal bool) io.Writer {
	if !terminal {
		return w
	}
	return filter{w, escapeControls}
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

// Buffered writes in large pieces what is written in small ones.
func Buffered(w io.Writer, text func(io.Writer) error) error {
	out := bufio.NewWriterSize(w, 64<<10)
	return errors.Join(text(out), out.Flush())
}

// IgnoreBrokenPipe leaves out the error of a reader that has seen enough.
func IgnoreBrokenPipe(err error) error {
	if errors.Is(err, syscall.EPIPE) {
		return nil
	}
	return err
}
