package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/result"
	"pipeline/pipelines"
	"pipeline/sql"
)

func answersCommand() *cli.Command {
	return &cli.Command{
		Name:      "answers",
		Usage:     "answer a question that people ask often",
		ArgsUsage: "[NAME]",
		Description: `Without a name it lists the questions. With one it queries the view of that name in the warehouse, and says how much of its data is recorded.
To go further, query the view like a table: pipeline sql "SELECT ... FROM NAME".

Examples:
   pipeline answers
   pipeline answers tool_failures
   pipeline answers tool_failures --where "tool = 'edit_file'" --max-rows 0
   pipeline answers tool_failures --json | jq .
   pipeline answers tool_failures -o failures.csv
   pipeline answers tool_failures --sql                how is it worked out?

` + formatHelp,
		Flags: append([]cli.Flag{warehouseFlag(),
			&cli.StringFlag{Name: "where", Usage: "only rows for which `CONDITION` holds, in SQL over the answer's columns"},
			&cli.BoolFlag{Name: "sql", Usage: "print the view's SQL instead; no warehouse is needed"}}, outputFlags()...),
		Action: answersAction,
	}
}

func answersAction(c *cli.Context) error {
	out, err := outputOf(c)
	if err != nil {
		return err
	}
	if c.NArg() > 1 {
		return &pipelines.UsageError{Message: fmt.Sprintf("one answer at a time: what is %q?", c.Args().Get(1))}
	}
	name := c.Args().First()
	if name == "" {
		return listAnswers(c, out)
	}
	answer, err := answerOf(name)
	if err != nil {
		return err
	}
	if c.Bool("sql") {
		_, err := fmt.Fprint(c.App.Writer, answer.SQL)
		return err
	}
	path, err := existingWarehouse(c)
	if err != nil {
		return err
	}
	query := "FROM " + answer.Object()
	if where := c.String("where"); where != "" {
		query += " WHERE (" + where + "\n)"
	}
	caption := result.Caption{Above: answer.Question()}
	if coverage := answer.Coverage(); coverage != "" {
		caption.Below = "Known: " + coverage
	}
	if err := out.Present(c.Context, path, query, caption); err != nil {
		return errors.Join(err, missingView(c.Context, path, answer, "that answer"))
	}
	return nil
}

// answerOf finds an answer by its name or by the number of its question.
func answerOf(name string) (sql.File, error) {
	var names []string
	for _, f := range sql.Answers() {
		if strings.EqualFold(name, f.Name) || name == fmt.Sprint(f.Number) {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return sql.File{}, &pipelines.UsageError{Message: fmt.Sprintf("there is no answer %q; the nearest names are: %s. 'pipeline answers' lists all", name,
		strings.Join(pipelines.Nearest(name, names), ", "))}
}
