package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/result"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/reader"
	"pipeline/pipelines"
	"pipeline/sql"
)

func answersCommand() *cli.Command {
	return &cli.Command{
		Name:      "answers",
		Usage:     "answer a question that people ask often",
		ArgsUsage: "[NAME]",
		Description: `Without a name it answers the six questions that people ask first. With one it prints that answer in short: few columns, in hours, dollars and percent.
--detail prints every column and row of it. --list names all answers.
Both forms are views: pipeline sql "FROM answers.NAME_short", or answers.NAME for the detail.

--since, --until and --project narrow an answer: it is then what it would be if the warehouse held only the messages, tool calls, edits, sessions, commits and
billed events of that period or project, and the conversations that were active in it. What an answer takes from a conversation as a whole (its cost, its context,
its own totals of lines) is not divided. What has no time is left out, and counted below the table. Answers about Cursor's store and about runs cannot be narrowed.

Days and weeks, also those of --since and --until, are those of your time zone (TZ, else the machine's) or of --timezone. What is printed names it.

Examples:
   pipeline answers
   pipeline answers --list   # all of them
   pipeline answers tool_failures --since 30d
   pipeline answers tool_failures --detail --where "tool = 'edit_file'"

` + formatHelp,
		Flags: slices.Concat([]cli.Flag{warehouseFlag(), timezoneFlag(),
			&cli.BoolFlag{Name: "list", Usage: "list the answers, by what they are about; no warehouse is needed"},
			&cli.BoolFlag{Name: "detail", Usage: "print every column and row of the answer, not its short form"},
		}, timeFlags("what was"), []cli.Flag{
			&cli.StringFlag{Name: "project", Usage: "only what belongs to `PROJECT`: its URI, path or name, or a glob"},
			&cli.StringFlag{Name: "where", Usage: "only rows for which `CONDITION` holds, in SQL over the columns " +
				"that are printed"},
			&cli.BoolFlag{Name: "sql", Usage: "print the view's SQL instead; no warehouse is needed"}}, outputFlags()),
		Action: answersAction,
	}
}

func answersAction(c *cli.Context) error {
	out, err := outputOf(c)
	if err != nil {
		return err
	}
	if c.NArg() > 1 {
		return usage("one answer at a time: what is %q?", c.Args().Get(1))
	}
	name := c.Args().First()
	if name == "" {
		return answersWithoutName(c, out)
	}
	if c.Bool("list") {
		return usage("--list lists all answers: leave %s out", name)
	}
	answer, err := answerOf(name)
	if err != nil {
		return err
	}
	if !c.Bool("detail") {
		answer = shortOf(answer)
	}
	if c.Bool("sql") {
		_, err := fmt.Fprint(c.App.Writer, answer.SQL)
		return err
	}
	path, err := existingWarehouse(c)
	if err != nil {
		return err
	}
	filter, err := answerFilter(c, path)
	if err != nil {
		return err
	}
	query, err := askedOf(out, answer, filter)
	if err != nil {
		return err
	}
	if where := c.String("where"); where != "" {
		query += " WHERE (" + where + "\n)"
	}
	if err := out.Present(c.Context, path, query, answerCaption(answer, path)); err != nil {
		return errors.Join(err, missingView(c.Context, path, answer, "that answer"))
	}
	return nil
}

// answerCaption is what stands above and below an answer.
func answerCaption(answer sql.File, warehouse string) result.Caption {
	form := "detail"
	if answer.Name != answer.Detail() {
		form = "short"
	}
	caption := result.Caption{Above: answer.Question(), Totals: answer.Totals,
		Members: [][2]string{{"name", answer.Detail()}, {"form", form}, {"question", answer.Question()},
			{"coverage", answer.Coverage()}}}
	if coverage := answer.Coverage(); coverage != "" {
		caption.Below = "Known: " + coverage
	}
	if form == "short" {
		caption.Below += "\nEvery column and row: " + inLine("pipeline answers "+answer.Detail()+" --detail", warehouse)
	}
	return caption
}

// answerFilter reads the flags that narrow an answer.
func answerFilter(c *cli.Context, path string) (f reader.Filter, err error) {
	if c.String("project") != "" {
		r, err := reader.Open(c.Context, path)
		if err != nil {
			return f, err
		}
		f, err = filterOf(c, path, r)
		return f, errors.Join(err, r.Close())
	}
	return filterOf(c, path, nil)
}

// askedOf returns the query for an answer, and has the writer open the warehouse for it, narrowed if a filter says so.
func askedOf(out *result.Writer, answer sql.File, f reader.Filter) (query string, err error) {
	query = "FROM " + answer.Object()
	if f.IsNarrow() {
		query = "FROM " + reader.NarrowedView
		if err := reader.Narrowable(answer, f); err != nil {
			return "", usage("%s. Leave --since, --until and --project out", err)
		}
	}
	out.Open = func(ctx context.Context, caption *result.Caption, path string, writable ...string) (r *reader.Reader,
		err error) {
		var left []reader.LeftOut
		if f.IsNarrow() {
			r, left, err = reader.OpenNarrowed(ctx, path, answer, f, writable...)
		} else {
			r, err = reader.OpenLocal(ctx, path, writable...)
		}
		if err != nil {
			return nil, err
		}
		if answer.CutsDays() || f.Since != nil || f.Until != nil {
			zone, err := r.Zone(ctx)
			if err != nil {
				return nil, errors.Join(err, r.Close())
			}
			days := "The period's days"
			if answer.CutsDays() {
				days = "Days"
			}
			nameZone(caption, days, zone)
		}
		if f.Since != nil {
			day, err := r.NewestBefore(ctx, *f.Since)
			if err != nil {
				return nil, errors.Join(err, r.Close())
			}
			if day != "" {
				caption.Below += "\nThe newest activity is of " + day + ", before that period."
			}
		}
		if said := leftOut(left); said != "" {
			caption.Below = strings.TrimSpace(caption.Below + "\n" + said)
			caption.Members = append(caption.Members, [2]string{"left_out", said})
		}
		return r, nil
	}
	return query, nil
}

// nameZone adds the time zone of days to what stands below an answer: to the line that says what is known.
func nameZone(caption *result.Caption, days, zone string) {
	known, below, _ := strings.Cut(caption.Below, "\n")
	caption.Below = strings.TrimSpace(strings.TrimSpace(known+" "+days+" are those of "+zone+".") + "\n" + below)
	caption.Members = append(caption.Members, [2]string{"time_zone", zone})
}

// leftOut says what a narrowed answer leaves out.
func leftOut(left []reader.LeftOut) string {
	var parts []string
	for _, l := range left {
		parts = append(parts, term.Plural(l.Rows, strings.TrimSuffix(strings.ReplaceAll(l.Table, "_", " "), "s")))
	}
	if parts == nil {
		return ""
	}
	return "Left out, for no time of theirs is known: " + strings.Join(parts, ", ")
}

// shortOf is the short form of an answer.
func shortOf(answer sql.File) sql.File {
	shorts := sql.Shorts()
	if i := slices.IndexFunc(shorts, func(f sql.File) bool { return f.Detail() == answer.Name }); i >= 0 {
		return shorts[i]
	}
	return answer
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
	message := fmt.Sprintf("there is no answer %q; ", name)
	if about := answersAbout(name); len(about) > 0 && !strings.Contains(name, "_") { // one of them may be misspelt
		message += "of it are:"
		for _, f := range about {
			message += fmt.Sprintf("\n  %-*s %s", longestName, f.Detail(), f.Question())
		}
		return sql.File{}, usage("%s", message)
	}
	return sql.File{}, usage("%sthe nearest names are: %s. 'pipeline answers --list' lists all", message,
		strings.Join(pipelines.Nearest(name, names), ", "))
}

// longestName is about how long the names of answers are.
const longestName = 24

// saidFor are words that people use for those in the names of answers. What Cursor bills goes before the cost that
// old stores recorded.
var saidFor = map[string][]string{
	"billed": {"cost", "costs", "money", "price", "prices", "spend", "spent", "expensive", "dollars", "usd"},
	"commit": {"git", "repository", "repositories", "repo"},
}

// answersAbout are the answers that have one of some words in their names, then those that have it in their questions;
// if there are none, those that have it in what is told of their rows and columns.
func answersAbout(text string) (out []sql.File) {
	var byQuestion, byDoc []sql.File
	words := strings.FieldsFunc(strings.ToLower(text), isNoLetter)
	for name, others := range saidFor {
		if slices.ContainsFunc(words, func(word string) bool { return slices.Contains(others, word) }) {
			out = append(out, answersAbout(name)...)
		}
	}
	has := func(text string) bool {
		return slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(text), isNoLetter), func(part string) bool {
			return slices.ContainsFunc(words, func(word string) bool {
				return len(word) > 2 && (part == word || part == word+"s" || part+"s" == word)
			})
		})
	}
	for _, f := range sql.Shorts() {
		whole, _ := answerOf(f.Detail()) // there is one, or it would be no short form
		switch {
		case slices.ContainsFunc(out, func(have sql.File) bool { return have.Name == f.Name }):
		case has(f.Detail()):
			out = append(out, f)
		case has(f.Question()):
			byQuestion = append(byQuestion, f)
		case has(whole.Doc):
			byDoc = append(byDoc, f)
		}
	}
	if out = append(out, byQuestion...); len(out) == 0 {
		return byDoc
	}
	return out
}

func isNoLetter(r rune) bool { return !unicode.IsLetter(r) }

// What follows prints what 'pipeline answers' says without a name: the answers to the questions that people ask first.

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
	case last && filter.IsNarrow():
		_, err = fmt.Fprintf(w, "%s\nNothing of it is in that period or project. %s\n\n", answer.Question(),
			caption.Below)
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
