package term

import (
	"io"
	"os"

	"github.com/mattn/go-isatty"
	xterm "golang.org/x/term"
)

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
