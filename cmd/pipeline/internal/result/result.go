// Package result prints the result of a query, in a format (a table for people, CSV, JSON, Markdown, Parquet) and to a
// destination (a terminal, a stream, a file that is replaced when the new one is whole). It knows rows and columns. It
// must never know what is in them.
package result

import (
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

	"pipeline/cmd/pipeline/internal/places"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/reader"
	"pipeline/load/tool/atomicfile"
	"pipeline/load/tool/outpath"
	"pipeline/pipelines"
)

// The formats of a result.
const (
	Table    = "table"
	CSV      = "csv"
	JSON     = "json"   // an array of objects
	Object   = "object" // what --json prints: an object with the columns and the rows
	Lines    = "jsonl"
	Markdown = "markdown"
	Parquet  = "parquet"
)

// FormatOf is the format for a file's ending.
func FormatOf(file string) string {
	switch ext := strings.ToLower(filepath.Ext(file)); ext {
	case ".csv", ".json", ".jsonl", ".parquet":
		return ext[1:]
	case ".ndjson":
		return Lines
	case ".md":
		return Markdown
	}
	return Table
}

// CellWidth is the width of a table's cells if the table goes to no terminal.
const CellWidth = 60

// A Caption is text above and below a table, and members before the columns of an object. Other formats leave it out.
type Caption struct {
	Above, Below string
	Members      [][2]string // names and texts
	Totals       []string    // columns that are summed up below the rows, if there are several (sql.File.Totals)
	More         string      // the command that prints what a table leaves out; "": the flags that do
}

// A Writer prints the result of a query: its destination, its format, and its limits.
type Writer struct {
	Format           string
	File             string // "": standard output
	MaxRows          int    // 0: all
	MaxWidth         int    // largest width of a cell; 0: any
	Fit              int    // width into which the table must fit; 0: any
	Terminal         bool   // the output goes to a terminal
	Stdout, Messages io.Writer

	// Open opens the warehouse in place of package reader, and adds to the caption what only the open warehouse knows.
	// The engine may also write the files in writable.
	Open func(ctx context.Context, caption *Caption, warehouse string, writable ...string) (*reader.Reader, error)
}

// Present runs a query and prints its result.
func (o *Writer) Present(ctx context.Context, warehouse, query string, caption Caption) error {
	// A reader may close the pipe early. If the signal were not ignored it would end the program, and leave its files
	// on the disk.
	signal.Ignore(syscall.SIGPIPE)
	err := o.write(warehouse, func(w io.Writer, file string) error {
		if o.Format == Parquet {
			return o.parquet(ctx, warehouse, query, file)
		}
		return term.Buffered(w, func(w io.Writer) error { return o.print(ctx, w, warehouse, query, caption) })
	})
	return term.IgnoreBrokenPipe(err)
}

// Opened opens the warehouse for queries that Ask runs.
func (o *Writer) Opened(ctx context.Context, caption *Caption, warehouse string, writable ...string) (*reader.Reader,
	error) {
	open := o.Open
	if open == nil {
		open = func(ctx context.Context, _ *Caption, warehouse string, writable ...string) (*reader.Reader, error) {
			return reader.OpenAny(ctx, warehouse, writable...)
		}
	}
	r, err := open(ctx, caption, warehouse, writable...)
	if err == nil {
		SayCopy(o.Messages, r)
	}
	return r, err
}

// SayCopy says that a reader shows the state before a run that is under way, if it does.
func SayCopy(w io.Writer, r *reader.Reader) {
	if r.IsCopy() {
		fmt.Fprintln(w, "Another program writes to the warehouse, a run perhaps: this is its state before that.")
	}
}

// parquet writes the result of a query as Parquet.
func (o *Writer) parquet(ctx context.Context, warehouse, query, file string) (err error) {
	r, err := o.Opened(ctx, &Caption{}, warehouse, file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	_, err = r.Parquet(ctx, query, file)
	return err
}

// print opens the warehouse, runs a query and prints its rows as they come.
func (o *Writer) print(ctx context.Context, w io.Writer, warehouse, query string, caption Caption) (err error) {
	r, err := o.Opened(ctx, &caption, warehouse)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	return o.Ask(ctx, w, r, query, caption)
}

// Ask runs a query on an open warehouse and prints its rows as they come.
func (o *Writer) Ask(ctx context.Context, w io.Writer, r *reader.Reader, query string, caption Caption) error {
	q, err := r.Ask(ctx, query)
	if err != nil {
		return err
	}
	p := o.printer(w, caption)
	if err := p.begin(q.Columns); err != nil {
		return err
	}
	limit, shown, more := 0, int64(0), false
	if o.MaxRows > 0 {
		limit = o.MaxRows + 1
	}
	err = q.Each(ctx, limit, func(row []any) error {
		if more = limit > 0 && shown == int64(o.MaxRows); more {
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
	if t, ok := p.(totaller); ok && total > 1 && len(caption.Totals) > 0 {
		if err := o.total(ctx, t, r, q.Columns, query, caption.Totals); err != nil {
			return err
		}
	}
	if err := p.end(total); err != nil {
		return err
	}
	if _, said := p.(*tablePrinter); more && !said {
		fmt.Fprintf(o.Messages, "%s of %s printed; --max-rows 0 prints all\n", humanize.Comma(shown),
			term.Plural(total, "row"))
	}
	return nil
}

// total sums columns of all rows of a query, also of those that are not printed.
func (o *Writer) total(ctx context.Context, p totaller, r *reader.Reader, columns []reader.Column, query string,
	of []string) error {
	var sums []string
	var at []int
	for _, total := range of {
		name, twice, _ := strings.Cut(total, " unless ")
		i := slices.IndexFunc(columns, func(c reader.Column) bool { return c.Name == name })
		if i < 0 {
			continue // an older warehouse has another view
		}
		sum := fmt.Sprintf("TRY_CAST(sum(%s) AS %s)", name, columns[i].Type)
		if twice != "" {
			sum = fmt.Sprintf("CASE WHEN coalesce(sum(%s), 0) = 0 THEN %s END", twice, sum)
		}
		sums, at = append(sums, sum), append(at, i)
	}
	if sums == nil {
		return nil
	}
	answer, err := r.Query(ctx, "SELECT "+strings.Join(sums, ", ")+" FROM ("+query+"\n)")
	if err != nil {
		return err
	}
	cells := map[int]any{}
	for i, v := range answer.Rows[0] {
		if v != nil { // the sum would say something else than a total
			cells[at[i]] = v
		}
	}
	return p.total(cells)
}

// A printer writes a result row by row.
type printer interface {
	begin(columns []reader.Column) error
	row(cells []any) error
	end(total int64) error // total is the number of rows of the query, of which some may not have been printed
}

// A totaller is a printer that also prints sums after the rows, by the numbers of their columns. Formats for programs
// have rows alone.
type totaller interface {
	total(sums map[int]any) error
}

// printer returns the printer for the format.
func (o *Writer) printer(w io.Writer, caption Caption) printer {
	switch o.Format {
	case CSV:
		return &csvPrinter{w: w, terminal: o.Terminal}
	case JSON:
		return &jsonPrinter{w: term.HarmlessJSON(w, o.Terminal), margin: "  "}
	case Object:
		return &objectPrinter{jsonPrinter: jsonPrinter{w: term.HarmlessJSON(w, o.Terminal), margin: "    "},
			members: caption.Members}
	case Lines:
		return &jsonPrinter{w: term.HarmlessJSON(w, o.Terminal), lines: true}
	case Markdown:
		return &markdownPrinter{w: w, maxWidth: o.MaxWidth, caption: caption}
	}
	return &tablePrinter{w: w, maxWidth: o.MaxWidth, fit: o.Fit, caption: caption,
		ascii: o.Terminal && !term.HasLines()}
}

// Deliver writes a text to the destination of the result.
func (o *Writer) Deliver(warehouse string, text func(w io.Writer) error) error {
	return o.write(warehouse, func(w io.Writer, _ string) error { return text(w) })
}

// Check returns an error if the destination cannot be written to.
func (o *Writer) Check(warehouse string) error {
	_, err := o.target(warehouse)
	return err
}

// write writes a result to its destination. A file has another name until it is whole. The engine itself writes
// Parquet, to that file.
func (o *Writer) write(warehouse string, write func(w io.Writer, file string) error) (err error) {
	target, err := o.target(warehouse)
	if err != nil {
		return err
	}
	w := o.Stdout
	if target == nil && o.File != "" {
		f, err := outpath.OpenStream(o.File)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		w = f
	}
	if target == nil && o.Format != Parquet {
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
		return fmt.Errorf("write %s: %w", o.File, err)
	}
	return atomicfile.Move(temp.Name(), *target)
}

// target is the file that is replaced; nil if the result goes to standard output or another stream.
func (o *Writer) target(warehouse string) (*string, error) {
	if o.File == "" {
		return nil, nil
	}
	path, err := filepath.Abs(o.File)
	if err != nil {
		return nil, err
	}
	if err := places.CheckExport(path, "--output", warehouse); err != nil {
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
	if err := outpath.Result(o.File); err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil
	}
	if of, err := os.Stat(warehouse); err == nil && os.SameFile(of, info) {
		return nil, &pipelines.UsageError{Message: o.File + " is the warehouse: name another file with --output"}
	}
	if places.IsDatabase(path) { // for example a store of the editor
		return nil, &pipelines.UsageError{Message: o.File +
			" is a database, which would be lost: name another file with --output"}
	}
	return &path, nil
}
