package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/result"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/reader"
	"pipeline/pipelines"
	"pipeline/sql"
)

// answerLine is an answer in the list.
type answerLine struct {
	Number   int    `json:"number"`
	Name     string `json:"name"`
	Question string `json:"question"`
	Coverage string `json:"coverage"`
}

func answerLineOf(f sql.File) answerLine {
	return answerLine{f.Number, f.Name, f.Question(), f.Coverage()}
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
	for _, name := range []string{"where", "sql"} {
		if c.IsSet(name) {
			return &pipelines.UsageError{Message: "--" + name + " needs the name of an answer; 'pipeline answers' lists them"}
		}
	}
	if !slices.Contains([]string{result.Table, result.JSON}, out.Format) || out.File != "" {
		return &pipelines.UsageError{Message: "the list is printed as a table or with --json: name an answer for other formats"}
	}
	if out.Format == result.JSON {
		return term.PrintJSON(c.App.Writer, answerLines())
	}
	return printAnswers(c.App.Writer, answerLines())
}

func printAnswers(w io.Writer, answers []answerLine) error {
	var rows []table.Row
	for _, a := range answers {
		rows = append(rows, table.Row{a.Number, a.Name, a.Question})
	}
	term.PlainTable(w, table.Row{"", "name", "question"}, rows, "")
	if len(answers) == 0 {
		return nil
	}
	_, err := fmt.Fprintf(w, "\nAn answer: pipeline answers %s\n", answers[0].Name)
	return err
}

// missingView explains a failure because an older version made the warehouse, without this view.
func missingView(ctx context.Context, path string, view sql.File, what string) error {
	found, err := reader.Query(ctx, path, "SELECT 1 FROM duckdb_views() WHERE schema_name = '"+view.Schema+"' AND view_name = '"+view.Name+"'")
	if err == nil && len(found.Rows) == 0 {
		return fmt.Errorf("this warehouse was made by another version, without %s: 'pipeline run' adds it", what)
	}
	return nil
}
