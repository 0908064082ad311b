package main

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/result"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/reader"
	"pipeline/sql"
)

// This file prints what 'pipeline answers' says without a name: the answers to the questions that people ask first.

// firstAnswers are these answers, in order. Of several names the first is taken that knows something.
var firstAnswers = [][]string{
	{"hours_by_project"},
	{"tool_failures"},
	{"billed_by_model", "cost_by_model", "tokens_by_model"},
	{"edit_acceptance"},
	{"sessions_per_week"},
	{"commit_share"},
}

// answersWithoutName lists the answers, or prints those that people ask first.
func answersWithoutName(c *cli.Context, out *result.Writer) error {
	for _, name := range []string{"where", "sql", "detail"} {
		if c.IsSet(name) {
			return usage("--%s needs the name of an answer; 'pipeline answers --list' lists them", name)
		}
	}
	if out.Format != result.Table && out.Format != result.Object || out.File != "" {
		return usage("without a name there is a table, or a list with --json: name an answer for other formats")
	}
	if c.Bool("json") || c.Bool("list") {
		return listAnswers(c, out)
	}
	path, err := existingWarehouse(c)
	if err != nil {
		return err
	}
	filter, err := answerFilter(c, path)
	if err != nil {
		return err
	}
	if out.Fit == 0 || out.Fit > firstWidth {
		out.Fit = firstWidth
	}
	if !c.IsSet("max-rows") {
		out.MaxRows = firstRows
	}
	return term.IgnoreBrokenPipe(term.Buffered(c.App.Writer, func(w io.Writer) error {
		for _, names := range firstAnswers {
			if err := firstAnswer(c, w, out, path, names, filter); err != nil {
				return err
			}
		}
		_, err := fmt.Fprintln(w, "All answers: pipeline answers --list\nOne of them: "+
			inLine("pipeline answers NAME", path))
		return err
	}))
}

// firstAnswer prints the first of some answers that has rows.
func firstAnswer(c *cli.Context, w io.Writer, out *result.Writer, path string, names []string,
	filter reader.Filter) (err error) {
	for i, name := range names {
		answer, err := answerOf(name)
		if err != nil {
			return err
		}
		answer = shortOf(answer)
		rows, err := printFirst(c, w, out, path, answer, filter, i == len(names)-1)
		if err != nil {
			return errors.Join(err, missingView(c.Context, path, answer, "the answers"))
		}
		if rows > 0 {
			return nil
		}
	}
	return nil
}

// printFirst prints the first rows of an answer and returns how many rows it has. Without a row it says so if it is the
// last one that can.
func printFirst(c *cli.Context, w io.Writer, out *result.Writer, path string, answer sql.File, filter reader.Filter,
	last bool) (rows int64, err error) {
	query, err := askedOf(out, answer, filter)
	if err != nil {
		return 0, err
	}
	caption := result.Caption{Above: answer.Question(), Totals: answer.Totals,
		More: inLine("pipeline answers "+answer.Detail(), path)}
	r, err := out.Opened(c.Context, &caption, path)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	q, err := r.Ask(c.Context, query)
	counts := func(c reader.Column) bool { return c.Name == knownColumn }
	if err == nil && slices.ContainsFunc(q.Columns, counts) {
		// there may be rows of which nothing is known but that there is something
		q, err = r.Ask(c.Context, "FROM ("+query+") WHERE "+knownColumn+" > 0")
	}
	if err == nil {
		rows, err = q.Count(c.Context)
	}
	switch {
	case err != nil:
	case rows > 0:
		if err = out.Ask(c.Context, w, r, query, caption); err == nil {
			_, err = fmt.Fprintln(w)
		}
	case last:
		hint := ""
		if slices.Contains(ofUsage, answer.Detail()) {
			hint = " 'pipeline hook install' has Cursor write it down from now\n" +
				"on; 'pipeline run --usage FILE' reads an export of Cursor's dashboard."
		}
		_, err = fmt.Fprintf(w, "%s\nNothing is recorded for this yet.%s\n\n", answer.Question(), hint)
	}
	return rows, err
}

// knownColumn says in an answer how many of a row's things are known.
const knownColumn = "known"

// ofUsage are first answers that usage would fill.
var ofUsage = []string{"tokens_by_model"}
