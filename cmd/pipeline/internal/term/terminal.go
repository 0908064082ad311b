package term

import (
	"io"
	"os"

	"github.com/mattn/go-isatty"
	xterm "golang.org/x/term"
)

// IsTerminal reports a terminal that people look at.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

// Width is how wide a terminal is; 0 where w is none, or where it does not say.
func Width(w io.Writer) int {
	if !IsTerminal(w) {
		return 0
	}
	width, _, _ := xterm.GetSize(int(w.(*os.File).Fd()))
	return width
}

// ColoursWanted follows no-color.org.
func ColoursWanted() bool { return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" }
