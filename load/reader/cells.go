package reader

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// This file reads a part of a result, with long texts cut in the engine.

// A Cell is a value of a result.
type Cell struct {
	Value  any   // a text has at most the characters that were asked for
	Length int64 // of a text: how many characters the whole of it has
}

// cellsPage is how many rows Cells reads at a time.
const cellsPage = 50

// Cells runs the query and calls row for each row from offset on, until row returns false, and for at most limit rows.
// Of a text it has the first length characters. It refuses a statement that no other can read from.
func (q *Question) Cells(ctx context.Context, offset, limit, length int, row func([]Cell) (bool, error)) error {
	if q.ran {
		return fmt.Errorf("%w: only what SELECT can read from is answered, and this is not", ErrNotOne)
	}
	enough := errors.New("enough")
	selection := fmt.Sprintf("%s LIMIT %d OFFSET %d", q.cut(length), limit, offset)
	err := q.paged(ctx, selection, cellsPage, cellsPage, func(values []any) error {
		more, err := row(q.cells(values))
		if err == nil && !more {
			err = enough
		}
		return err
	})
	if errors.Is(err, enough) {
		return nil
	}
	return err
}

// isText says whether the values of a column come as text.
func (c Column) isText() bool {
	base, _, _ := strings.Cut(c.Type, "(")
	return c.Text || c.JSON || base == "BIT" || base == "BIGNUM"
}

// cut returns a SELECT from the query whose columns have names of their own, with texts cut, each with its length
// behind it.
func (q *Question) cut(length int) string {
	names, values := make([]string, len(q.Columns)), []string{}
	for i, c := range q.Columns {
		names[i] = fmt.Sprintf("c%d", i)
		value := names[i]
		if e := c.printed(); e != "" {
			value = strings.ReplaceAll(e, "%s", value)
		}
		if c.isText() {
			values = append(values, fmt.Sprintf("left(CAST(%s AS VARCHAR), %d) AS c%d", value, length, i),
				fmt.Sprintf("length(CAST(%s AS VARCHAR)) AS n%d", value, i))
			continue
		}
		values = append(values, fmt.Sprintf("%s AS c%d", value, i))
	}
	return "SELECT " + strings.Join(values, ", ") + " FROM (\n" + q.statement + "\n) AS q(" +
		strings.Join(names, ", ") + ")"
}

// cells puts the values of a row together with the lengths of its texts.
func (q *Question) cells(values []any) []Cell {
	out, at := make([]Cell, len(q.Columns)), 0
	for i, c := range q.Columns {
		out[i].Value = values[at]
		at++
		if c.isText() {
			out[i].Length, _ = values[at].(int64)
			at++
		}
	}
	return out
}
