package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/pipelines/doctor"
)

// Line widths. On a terminal long lines are folded, but not within a word, so that a path can be pasted. Elsewhere
// lines are not folded.
const (
	markMargin = len("warehouse  ")
	textMargin = markMargin + len("PROBLEM  ")
	lineWidth  = 98
)

func printDiagnosis(w io.Writer, d *doctor.Diagnosis) {
	width, topic := math.MaxInt, ""
	if term.IsTerminal(w) {
		width = min(lineWidth, cmp.Or(term.Width(w), lineWidth))
	}
	for _, f := range d.Findings {
		name := ""
		if f.Topic != topic {
			topic, name = f.Topic, f.Topic
		}
		mark := string(f.Level)
		if f.Level == doctor.LevelProblem {
			mark = strings.ToUpper(mark)
		}
		folded(w, fmt.Sprintf("%-*s%-*s", markMargin, name, textMargin-markMargin, mark), f.Text, width)
		if f.Remedy != "" {
			folded(w, strings.Repeat(" ", textMargin)+"-> ", f.Remedy, width)
		}
	}
	fmt.Fprintln(w)
	first, notes := d.First(), ""
	if n := d.Count(doctor.LevelNote); n > 0 {
		notes = ", " + term.Plural(int64(n), "note")
	}
	if first == nil {
		fmt.Fprintf(w, "all well%s\n", notes)
		return
	}
	fmt.Fprintf(w, "%s%s; the first thing to do:\n", term.Plural(int64(d.Count(doctor.LevelProblem)), "problem"), notes)
	what := first.Remedy
	if what == "" {
		what = first.Text
	}
	folded(w, "  ", what, width)
}

// folded prints a text after a lead. Further lines are indented to align with it.
func folded(w io.Writer, lead, text string, width int) {
	line, margin := lead, strings.Repeat(" ", len(lead))
	begun := false
	for _, word := range strings.Split(term.Printable(text), " ") {
		if begun && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			fmt.Fprintln(w, line)
			line, begun = margin, false
		}
		if begun {
			line += " "
		}
		line += word
		begun = true
	}
	fmt.Fprintln(w, line)
}
