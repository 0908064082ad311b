package term

import (
	"fmt"
	"io"
)

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
