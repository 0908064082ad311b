package reader

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"

	"pipeline/load/engine"
)

// A Column is a column of a result.
type Column struct {
	Name    string `json:"name"`
	Type    string `json:"type"`          // the engine's name
	Doc     string `json:"doc,omitempty"` // what it means, of a column of a view
	Numeric bool   `json:"-"`
	JSON    bool   `json:"-"` // the values are JSON, as text
	Text    bool   `json:"-"` // the values are any text
}

// A Question is a query that the engine has checked, with its columns.
type Question struct {
	Columns []Column

	reader    *Reader
	statement string
	rows      [][]any // of a statement that no other can read from: EXPLAIN, PRAGMA
	ran       bool
}

// Ask checks one query without running it. A statement that no other can read from, such as EXPLAIN, is run.
func (r *Reader) Ask(ctx context.Context, query string) (*Question, error) {
	statement, more := firstStatement(query)
	if statement == "" {
		return nil, fmt.Errorf("%w: there is none here", ErrNotOne)
	}
	if err := r.understand(query, more); err != nil {
		return nil, err
	}
	q := &Question{reader: r, statement: statement}
	err := q.held(ctx, "DESCRIBE SELECT * FROM (\n"+statement+"\n)", func(row []any) error {
		name, _ := row[0].(string)
		typeName, _ := row[1].(string)
		q.Columns = append(q.Columns, columnOf(name, typeName))
		return nil
	})
	if err == nil {
		return q, nil
	}
	if ctx.Err() != nil {
		return nil, err
	}
	q.Columns = nil
	q.rows, err = q.run(ctx)
	q.ran = err == nil
	return q, err
}

// understand lets the engine parse a text, so that errors are about the text that was typed. The text must have one
// statement. The engine splits some single statements into several (PIVOT), so a text is refused only if the engine and
// firstStatement both find several.
func (r *Reader) understand(query string, more bool) error {
	return r.conn.Raw(func(c any) error {
		preparer, ok := c.(driver.Conn)
		if !ok {
			return errors.New("the driver prepares no statements")
		}
		statement, err := preparer.Prepare(query)
		switch {
		case err == nil:
			return statement.Close()
		case !strings.Contains(err.Error(), "multi-statement"):
			return err
		case more:
			return fmt.Errorf("%w: these are several, and only the last one would be shown", ErrNotOne)
		}
		return nil
	})
}

// columnOf returns the column of a name and a type.
func columnOf(name, typeName string) Column {
	c := Column{Name: name, Type: typeName, JSON: typeName == "JSON" || isNested(typeName)}
	base, _, _ := strings.Cut(typeName, "(")
	switch {
	case c.JSON:
	case base == "VARCHAR" || base == "ENUM" || base == "BLOB":
		c.Text = true
	case base == "DOUBLE" || base == "FLOAT" || base == "DECIMAL" || base == "BIGNUM" ||
		strings.HasSuffix(base, "INT") || base == "INTEGER" || base == "UINTEGER":
		c.Numeric = true
	}
	return c
}

func isNested(typeName string) bool {
	for _, prefix := range []string{"STRUCT(", "MAP(", "UNION("} {
		if strings.HasPrefix(typeName, prefix) {
			return true
		}
	}
	return strings.HasSuffix(typeName, "]")
}

// selection returns the query with its values as they are printed. The driver parses JSON, so that numbers lose digits
// and members their order. It returns other nested types as Go structures, and a time without a zone as a time in UTC.
func (q *Question) selection() string {
	return q.converted(Column.printed)
}

// printed is the expression by which a value, %s, becomes one that is printed; "" if it is one.
func (c Column) printed() string {
	base, _, _ := strings.Cut(c.Type, "(")
	switch {
	case isNested(c.Type):
		return "CAST(to_json(%s) AS VARCHAR)"
	case c.JSON, base == "INTERVAL", base == "BLOB", base == "BIT", base == "BIGNUM",
		strings.HasPrefix(base, "TIME") && base != "TIMESTAMP WITH TIME ZONE":
		return "CAST(%s AS VARCHAR)"
	}
	return ""
}

// converted returns a SELECT from the query that puts some columns through an expression.
func (q *Question) converted(expression func(Column) string) string {
	var replaced []string
	for _, c := range q.Columns {
		if e := expression(c); e != "" {
			name := engine.Identifier(c.Name)
			replaced = append(replaced, strings.ReplaceAll(e, "%s", name)+" AS "+name)
		}
	}
	star := "*"
	if len(replaced) > 0 {
		star = "* REPLACE (" + strings.Join(replaced, ", ") + ")"
	}
	return "SELECT " + star + " FROM (\n" + q.statement + "\n)"
}

// The driver holds a whole result in memory, beyond the engine's limit. So a result that may have more than fewRows
// rows is read in pages: the first has pageRows rows, later ones about pageBytes and at most fewRows rows.
const (
	pageRows  = 1024
	pageBytes = 8 << 20
	fewRows   = 10_000
)

// Each runs the query and calls row for each of its rows. If limit is greater than 0, it stops after so many rows.
func (q *Question) Each(ctx context.Context, limit int, row func([]any) error) error {
	if q.ran || limit > 0 && limit <= fewRows {
		query := q.selection()
		if limit > 0 {
			query += fmt.Sprintf(" LIMIT %d", limit)
		}
		left := limit
		return q.held(ctx, query, func(cells []any) error {
			if left--; limit > 0 && left < 0 {
				return nil
			}
			return row(cells)
		})
	}
	selection := q.selection()
	if limit > 0 {
		selection += fmt.Sprintf(" LIMIT %d", limit)
	}
	return q.paged(ctx, selection, pageRows, fewRows, row)
}

// paged writes the result of a selection to a temporary table, which the engine keeps within its memory limit, and
// reads the table page by page: the first page has size rows, a later one most rows at most.
func (q *Question) paged(ctx context.Context, selection string, size, most int, row func([]any) error) (err error) {
	conn := q.reader.conn
	if _, err := conn.ExecContext(ctx, "CREATE OR REPLACE TEMP TABLE _result AS "+selection); err != nil {
		return engine.WithRemedy(err)
	}
	defer func() {
		_, dropErr := conn.ExecContext(context.WithoutCancel(ctx), "DROP TABLE temp._result")
		err = errors.Join(err, dropErr)
	}()
	for from := 0; ; {
		rows, bytes := 0, 0
		page := fmt.Sprintf("SELECT * FROM temp._result WHERE rowid >= %d AND rowid < %d", from, from+size)
		err := q.direct(ctx, page, func(cells []any) error {
			rows++
			for _, cell := range cells {
				if text, ok := cell.(string); ok {
					bytes += len(text)
				}
			}
			return row(cells)
		})
		if err != nil || rows < size {
			return err
		}
		from, size = from+size, nextSize(size, bytes, most)
	}
}

// nextSize returns how many rows the next page should have so that it has about pageBytes.
func nextSize(size, bytes, most int) int {
	switch {
	case bytes > pageBytes:
		return max(1, size/4)
	case bytes < pageBytes/4:
		return min(size*2, most)
	}
	return size
}

// Count returns the number of rows in the result.
func (q *Question) Count(ctx context.Context) (n int64, err error) {
	if q.ran {
		return int64(len(q.rows)), nil
	}
	err = q.reader.conn.QueryRowContext(ctx, "SELECT count(*) FROM (\n"+q.statement+"\n)").Scan(&n)
	return n, err
}

// held calls row for each row of a query's result. If Ask has run the statement already, it uses the rows of that run.
func (q *Question) held(ctx context.Context, query string, row func([]any) error) error {
	if !q.ran {
		return q.direct(ctx, query, row)
	}
	for _, cells := range q.rows {
		if err := row(cells); err != nil {
			return err
		}
	}
	return nil
}

// run runs a statement that no other can read from, and returns its rows.
func (q *Question) run(ctx context.Context) (out [][]any, err error) {
	err = q.direct(ctx, q.statement, func(row []any) error {
		out = append(out, row)
		return nil
	}, func(types []*sql.ColumnType) {
		for _, t := range types {
			q.Columns = append(q.Columns, columnOf(t.Name(), t.DatabaseTypeName()))
		}
	})
	return out, err
}

// direct runs a query and calls row for each row. The driver holds the whole result. The functions begin get the types
// of the columns first.
func (q *Question) direct(ctx context.Context, query string, row func([]any) error,
	begin ...func([]*sql.ColumnType)) (err error) {
	rows, err := q.reader.conn.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	types, err := rows.ColumnTypes()
	if err != nil {
		return err
	}
	for _, f := range begin {
		f(types)
	}
	for rows.Next() {
		cells, refs := make([]any, len(types)), make([]any, len(types))
		for i := range cells {
			refs[i] = &cells[i]
		}
		if err := rows.Scan(refs...); err != nil {
			return err
		}
		for i, t := range types {
			cells[i] = plain(cells[i], t.DatabaseTypeName())
		}
		if err := row(cells); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Parquet writes the result of a query to a Parquet file, with its types, and returns the number of rows. The reader
// must be opened with the file as one that it may write.
func (r *Reader) Parquet(ctx context.Context, query, file string) (int64, error) {
	q, err := r.Ask(ctx, query)
	if err != nil {
		return 0, err
	}
	if q.ran {
		return 0, fmt.Errorf("%w: only what SELECT can read from is written as Parquet, and this is not", ErrNotOne)
	}
	selection := q.converted(func(c Column) string {
		// a sum: Parquet has no such integers, and the engine would make them inexact
		if c.Type == "HUGEINT" || c.Type == "UHUGEINT" {
			return "CAST(%s AS BIGINT)"
		}
		return ""
	})
	result, err := r.conn.ExecContext(ctx, "COPY ("+selection+") TO "+engine.Literal(file)+
		" (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false)")
	if err != nil {
		return 0, engine.WithRemedy(err)
	}
	return result.RowsAffected()
}
