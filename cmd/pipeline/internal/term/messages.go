package term

import (
	"fmt"
	"io"
)

// Warnings prints what is amiss, whatever is in the names that it tells.
func Warnings(w io.Writer) func(format string, args ...any) {
	return func(format string, args ...any) {
		fmt.Fprintln(w, "warning: "+PrintableLines(fmt.Sprintf(format, args...)))
	}
}

// Notes prints what was done beside what was asked for.
func Notes(w io.Writer) func(format string, args ...any) {
	return func(format string, args ...any) {
		fmt.Fprintln(w, PrintableLines(fmt.Sprintf(format, args...)))
	}
}
