package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/dustin/go-humanize"
	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/extract"
	"pipeline/load"
	"pipeline/load/outpath"
	"pipeline/pipelines"
)

// This file says where the result of a query goes, and in which format.

const (
	formatTable    = "table"
	formatCSV      = "csv"
	formatJSON     = "json"
	formatLines    = "jsonl"
	formatMarkdown = "markdown"
	formatParquet  = "parquet"
)

// Rows of a table that are shown unless more are asked for: as many as the duckdb CLI shows, and where nobody looks, what a program can hold.
const (
	rowsOnTerminal = 40
	rowsElsewhere  = 1000
)

// cellWidth is where cells of a table are cut that goes to no terminal.
const cellWidth = 60

const formatHelp = `Formats: table; markdown; csv, where texts that a spreadsheet would take for a formula begin with a single quote; json and jsonl (an
object for each line), which keep every text as it is; parquet, which keeps the types too. Only tables leave rows out, and say so.`

func outputFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "format", Aliases: []string{"f"}, Usage: "print `FORMAT`: table, csv, json, jsonl, markdown or parquet", DefaultText: "what the name of --output ends in, else table"},
		jsonFlag(),
		&cli.PathFlag{Name: "output", Aliases: []string{"o"}, Usage: "write to `FILE`, which is replaced when everything is written"},
		&cli.IntFlag{Name: "max-rows", Usage: "print the first `N` rows; 0: all", DefaultText: fmt.Sprintf("for a table %d on a terminal, %d elsewhere; else all", rowsOnTerminal, rowsElsewhere)},
		&cli.IntFlag{Name: "max-width", Usage: "cut cells of the table at `N` characters; 0: never", DefaultText: fmt.Sprintf("what fits the terminal, %d elsewhere", cellWidth)},
	}
}

// An outlet is how a result is printed.
type outlet struct {
	format           string
	file             string // "": standard output
	maxRows          int    // 0: all
	maxWidth         int    // of a cell; 0: any
	fit              int    // the width that a table must have; 0: any
	terminal         bool   // a person's terminal shows what is written
	anyVersion       bool   // the warehouse may be of another version
	stdout, messages io.Writer
}

// outputOf reads the flags.
func outputOf(c *cli.Context) (*outlet, error) {
	o := &outlet{format: strings.ToLower(c.String("format")), file: c.Path("output"), stdout: c.App.Writer, messages: c.App.ErrWriter}
	if o.file == "-" {
		o.file = ""
	}
	switch {
	case c.Bool("json") && o.format != "" && o.format != formatJSON:
		return nil, &pipelines.UsageError{Message: "--json and --format " + o.format + " are two formats: leave one out"}
	case c.Bool("json"):
		o.format = formatJSON
	case o.format == "":
		o.format = formatOf(o.file)
	}
	if formats := []string{formatTable, formatCSV, formatJSON, formatLines, formatMarkdown, formatParquet}; !slices.Contains(formats, o.format) {
		return nil, &pipelines.UsageError{Message: fmt.Sprintf("there is no format %q: write %s", o.format, strings.Join(formats, ", "))}
	}
	width := 0
	if o.file == "" && term.IsTerminal(c.App.Writer) {
		o.terminal, width = true, term.Width(c.App.Writer)
	}
	if o.format == formatParquet && o.terminal {
		return nil, &pipelines.UsageError{Message: "Parquet is nothing for a terminal: name a file with --output, or send it to a program"}
	}
	if o.maxRows, o.maxWidth = c.Int("max-rows"), c.Int("max-width"); o.maxRows < 0 || o.maxWidth < 0 {
		return nil, &pipelines.UsageError{Message: "--max-rows and --max-width take a number from 0 on"}
	}
	if o.format == formatParquet && o.maxRows > 0 {
		return nil, &pipelines.UsageError{Message: "Parquet holds every row of the query: leave --max-rows out, and write LIMIT into the query"}
	}
	if o.format == formatTable {
		o.tableDefaults(c.IsSet("max-rows"), c.IsSet("max-width"), width)
	}
	return o, nil
}

// tableDefaults are the measures of a table where the flags give none.
func (o *outlet) tableDefaults(rows, cells bool, width int) {
	if !rows {
		o.maxRows = rowsElsewhere
		if o.terminal {
			o.maxRows = rowsOnTerminal
		}
	}
	switch {
	case cells:
	case width > 0:
		o.fit = width
	default:
		o.maxWidth = cellWidth
	}
}

// formatOf is the format that a file's name tells.
func formatOf(file string) string {
	switch ext := strings.ToLower(filepath.Ext(file)); ext {
	case ".csv", ".json", ".jsonl", ".parquet":
		return ext[1:]
	case ".ndjson":
		return formatLines
	case ".md":
		return formatMarkdown
	}
	return formatTable
}

// caption is what people read above and below a result; programs do not get it.
type caption struct{ above, below string }

// present runs a query and prints its result.
func (o *outlet) present(ctx context.Context, warehouse, query string, caption caption) error {
	// A reader that has seen enough closes the pipe. Unless the signal is ignored it ends the program, and what it has on the disk stays there.
	signal.Ignore(syscall.SIGPIPE)
	err := o.deliver(warehouse, func(w io.Writer, file string) error {
		if o.format == formatParquet {
			_, err := load.Parquet(ctx, warehouse, query, file)
			return err
		}
		return term.Buffered(w, func(w io.Writer) error { return o.print(ctx, w, warehouse, query, caption) })
	})
	return term.IgnoreBrokenPipe(err)
}

// print runs a query and prints its rows while they come.
func (o *outlet) print(ctx context.Context, w io.Writer, warehouse, query string, caption caption) (err error) {
	open := load.OpenReader
	if o.anyVersion {
		open = func(ctx context.Context, path string) (*load.Reader, error) { return load.OpenAny(ctx, path) }
	}
	r, err := open(ctx, warehouse)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	q, err := r.Ask(ctx, query)
	if err != nil {
		return err
	}
	p := o.printer(w, caption)
	if err := p.begin(q.Columns); err != nil {
		return err
	}
	limit, shown, more := 0, int64(0), false
	if o.maxRows > 0 {
		limit = o.maxRows + 1
	}
	err = q.Each(ctx, limit, func(row []any) error {
		if more = limit > 0 && shown == int64(o.maxRows); more {
			return nil
		}
		shown++
		return p.row(row)
	})
	if err != nil {
		return err
	}
	total := shown
	if more {
		if total, err = q.Count(ctx); err != nil {
			return err
		}
	}
	if err := p.end(total); err != nil {
		return err
	}
	if _, said := p.(*tablePrinter); more && !said {
		fmt.Fprintf(o.messages, "%s of %s printed; --max-rows 0 prints all\n", humanize.Comma(shown), term.Plural(total, "row"))
	}
	return nil
}

// deliver has a result written to where it belongs: a file under another name, until it is whole.
func (o *outlet) deliver(warehouse string, write func(w io.Writer, file string) error) (err error) {
	target, err := o.target(warehouse)
	if err != nil {
		return err
	}
	w := o.stdout
	if target == nil && o.file != "" {
		f, err := outpath.OpenStream(o.file)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		w = f
	}
	if target == nil && o.format != formatParquet {
		return write(w, "")
	}
	dir, name := "", "result"
	if target != nil {
		dir, name = filepath.Split(*target)
	}
	temp, err := os.CreateTemp(filepath.Clean(dir), "."+name+".*")
	if err != nil {
		return fmt.Errorf("write the result: %w; name a folder that is there and that you may write to", err)
	}
	defer func() {
		_ = temp.Close()
		if target == nil || err != nil {
			err = errors.Join(err, os.Remove(temp.Name()))
		}
	}()
	if err := write(temp, temp.Name()); err != nil {
		return err
	}
	if target == nil {
		_, err = io.Copy(w, temp)
		return err
	}
	if err := errors.Join(temp.Sync(), temp.Close()); err != nil {
		return fmt.Errorf("write %s: %w", o.file, err)
	}
	return os.Rename(temp.Name(), *target)
}

// target is the file that is replaced; nil where the result goes to standard output, or to another stream.
func (o *outlet) target(warehouse string) (*string, error) {
	if o.file == "" {
		return nil, nil
	}
	path, err := filepath.Abs(o.file)
	if err != nil {
		return nil, err
	}
	if err := checkExportPlace(path, "--output", warehouse); err != nil {
		return nil, err
	}
	if followed, err := filepath.EvalSymlinks(path); err == nil {
		path = followed
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return &path, nil
	case err != nil:
		return nil, err
	}
	if err := outpath.Result(o.file); err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil
	}
	if of, err := os.Stat(warehouse); err == nil && os.SameFile(of, info) {
		return nil, &pipelines.UsageError{Message: o.file + " is the warehouse: name another file with --output"}
	}
	if isDatabase(path) { // a store of the editor's, for one
		return nil, &pipelines.UsageError{Message: o.file + " is a database, which would be lost: name another file with --output"}
	}
	return &path, nil
}

// isDatabase reports a file of SQLite's or DuckDB's: nothing that this program writes takes the place of one.
func isDatabase(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 16)
	n, _ := io.ReadFull(f, head)
	head = head[:n]
	return bytes.HasPrefix(head, []byte(extract.SQLiteMagic)) || len(head) >= 12 && string(head[8:12]) == "DUCK"
}
