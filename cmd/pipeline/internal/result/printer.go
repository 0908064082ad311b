package result

import (
	"io"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/reader"
)

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
