package file

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
)

// A Error is what is wrong with a pipeline's file.
type Error struct {
	File     string    `json:"file"`
	Problems []Problem `json:"problems"`
}

// A Problem is one error in the file, and its place.
type Problem struct {
	Line    int    `json:"line"`   // from 1; 0: the file as a whole
	Column  int    `json:"column"` // in characters, from 1
	Message string `json:"message"`
	source  string // text of the line
	width   int    // number of characters to mark
}

// shownLine is how much of a long line is printed, around the place.
const shownLine = 160

// Error prints each problem as FILE:LINE:COLUMN: what, with the line and a caret below the place.
func (e *Error) Error() string {
	var lines []string
	for _, p := range e.Problems {
		if p.Line == 0 {
			lines = append(lines, e.File+" "+p.Message)
			continue
		}
		lines = append(lines, fmt.Sprintf("%s:%d:%d: %s", e.File, p.Line, p.Column, p.Message))
		lines = append(lines, p.excerpt()...)
	}
	return strings.Join(lines, "\n")
}

// excerpt is the line and the carets below it.
func (p Problem) excerpt() []string {
	runes := []rune(strings.ReplaceAll(p.source, "\t", " "))
	at := min(p.Column-1, len(runes))
	from := 0
	if at > shownLine/2 {
		from = at - shownLine/2
	}
	to := min(len(runes), from+shownLine)
	width := max(1, min(p.width, to-at))
	lead := fmt.Sprintf("%4d | ", p.Line)
	return []string{
		strings.TrimRight(lead+string(runes[from:to]), " "),
		strings.Repeat(" ", len(lead)-2) + "| " + strings.Repeat(" ", text.StringWidth(string(runes[from:at]))) +
			strings.Repeat("^", max(1, text.StringWidth(string(runes[at:min(at+width, to)])))),
	}
}

// sorted sorts the problems by their place in the file.
func (e *Error) sorted() *Error {
	slices.SortStableFunc(e.Problems, func(a, b Problem) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Column - b.Column
	})
	return e
}
