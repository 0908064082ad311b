// Package result has where the result of a query goes, and in which format: a table for people, CSV, JSON, Markdown, Parquet; a terminal, a stream, a file that is
// replaced when it is whole. It knows rows and columns. It must never know what is in them.
package result

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/dustin/go-humanize"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/reader"
)

// The formats of a result.
const (
	Table    = "table"
	CSV      = "csv"
	JSON     = "json"
	Lines    = "jsonl"
	Markdown = "markdown"
	Parquet  = "parquet"
)

// FormatOf is the format that a file's name tells.
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

// CellWidth is where cells of a table are cut that goes to no terminal.
const CellWidth = 60

// A Caption is what people read above and below a result; programs do not get it.
type Caption struct{ Above, Below string }

// A Writer prints the result of a query: where to, in which format, and how much of it.
type Writer struct {
	Format           string
	File             string // "": standard output
	MaxRows          int    // 0: all
	MaxWidth         int    // of a cell; 0: any
	Fit              int    // the width that a table must have; 0: any
	Terminal         bool   // a person's terminal shows what is written
	AnyVersion       bool   // the warehouse may be of another version
	Stdout, Messages io.Writer
}

// Present runs a query and prints its result.
func (o *Writer) Present(ctx context.Context, warehouse, query string, caption Caption) error {
	// A reader that has seen enough closes the pipe. Unless the signal is ignored it ends the program, and what it has on the disk stays there.
	signal.Ignore(syscall.SIGPIPE)
	err := o.write(warehouse, func(w io.Writer, file string) error {
		if o.Format == Parquet {
			_, err := reader.Parquet(ctx, warehouse, query, file)
			return err
		}
		return term.Buffered(w, func(w io.Writer) error { return o.print(ctx, w, warehouse, query, caption) })
	})
	return term.IgnoreBrokenPipe(err)
}

// print runs a query and prints its rows while they come.
func (o *Writer) print(ctx context.Context, w io.Writer, warehouse, query string, caption Caption) (err error) {
	open := reader.Open
	if o.AnyVersion {
		open = func(ctx context.Context, path string) (*reader.Reader, error) { return reader.OpenAny(ctx, path) }
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
	if err := p.end(total); err != nil {
		return err
	}
	if _, said := p.(*tablePrinter); more && !said {
		fmt.Fprintf(o.Messages, "%s of %s printed; --max-rows 0 prints all\n", humanize.Comma(shown), term.Plural(total, "row"))
	}
	return nil
}
