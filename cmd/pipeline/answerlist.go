package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/result"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/reader"
	"pipeline/sql"
)

// answerLine is an answer in the list.
type answerLine struct {
	Number   int    `json:"number"`
	Name     string `json:"name"`
	Group    string `json:"group"`
	Question string `json:"question"`
	Coverage string `json:"coverage"`
	Short    string `json:"short"` // its short form, a view beside it
}

func answerLineOf(f sql.File) answerLine {
	return answerLine{f.Number, f.Name, groupOf(f), f.Question(), f.Coverage(), f.Short()}
}

// answerGroups say what answers are about, by the numbers of their questions.
var answerGroups = []struct {
	title   string
	numbers []int
}{
	{"Time", []int{1, 2}},
	{"Prompts", []int{30}},
	{"Models and cost", []int{3, 4, 5, 6, 7, 20, 28, 29}},
	{"Tools", []int{8, 9, 10, 11, 12, 21}},
	{"Edits and outcomes", []int{13, 14, 15, 22, 17, 18, 19, 23, 24, 25}},
	{"Commits", []int{16}},
	{"Storage and history", []int{26, 27}},
}

// groupOf is the title of an answer's group.
func groupOf(f sql.File) string {
	for _, g := range answerGroups {
		if slices.Contains(g.numbers, f.Number) {
			return g.title
		}
	}
	return ""
}

func answerLines() []answerLine {
	out := []answerLine{}
	for _, f := range sql.Answers() {
		out = append(out, answerLineOf(f))
	}
	return out
}

// listAnswers prints the questions.
func listAnswers(c *cli.Context, out *result.Writer) error {
	if c.Bool("json") {
		return term.PrintJSON(c.App.Writer, map[string][]answerLine{"answers": answerLines()})
	}
	width := firstWidth
	if out.Fit > 0 {
		width = out.Fit
	}
	return printAnswers(c.App.Writer, width)
}

// printAnswers prints the answers group by group, each with the question of its short form.
func printAnswers(w io.Writer, width int) error {
	shorts, longest := sql.Shorts(), 0
	for _, f := range shorts {
		longest = max(longest, len(f.Detail()))
	}
	for _, g := range answerGroups {
		fmt.Fprintln(w, g.title)
		for _, number := range g.numbers {
			for _, f := range shorts {
				if f.Number != number {
					continue
				}
				name := f.Detail()
				for _, line := range term.Wrap(f.Question(), max(width-longest-4, 30)) {
					fmt.Fprintf(w, "  %-*s  %s\n", longest, name, line)
					name = ""
				}
			}
		}
		fmt.Fprintln(w)
	}
	_, err := fmt.Fprintln(w, "An answer: pipeline answers NAME")
	return err
}

// missingView explains a failure because an older version made the warehouse, without this view.
func missingView(ctx context.Context, path string, view sql.File, what string) error {
	found, err := reader.Query(ctx, path, "SELECT 1 FROM duckdb_views() WHERE schema_name = '"+view.Schema+
		"' AND view_name = '"+view.Name+"'")
	if err == nil && len(found.Rows) == 0 {
		return fmt.Errorf("this warehouse was made by another version, without %s: 'pipeline run' adds it", what)
	}
	return nil
}

// Where no answer is named, each that is printed has at most these rows, and fits into this width at most.
const (
	firstRows  = 5
	firstWidth = 80
)
