package sinks

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"pipeline/load/engine"
	"pipeline/sql/schema"
)

// csv writes text files as RFC 4180 has them, with a line of column names. A cell that is NULL is empty; an empty text
// is "".
type csv struct{}

func (csv) About() About {
	return About{Name: "csv", Title: "CSV", Extension: ".csv", For: "for spreadsheets, and for whatever reads text",
		Example: `duckdb -c "FROM read_csv('$(readlink -f ~/cursor-csv/current)/messages/*/*.csv', quote = '\"', escape = '\"', allow_quoted_nulls = false) WHERE month = '2025-03'"`,
		Details: `A file is as RFC 4180 says: UTF-8, a line of names, CRLF, quotes where they are needed. A cell with nothing in it is NULL, "" is an empty text.
Times are ISO 8601 in UTC, nested values JSON. A text that a spreadsheet would take for a formula has a single quote before it, and so has one that begins so behind such quotes.

`}
}

func (csv) Copy(f File) string {
	columns := make([]string, len(f.Columns))
	for i, c := range f.Table.Columns {
		columns[i] = f.Columns[i]
		if c.Type == "TIMESTAMPTZ" {
			columns[i] = fmt.Sprintf(`strftime(make_timestamp(epoch_us(%q)), '%%Y-%%m-%%dT%%H:%%M:%%S.%%fZ') AS %q`,
				c.Name, c.Name)
		}
	}
	return fmt.Sprintf(
		`COPY (SELECT * %s FROM (SELECT %s FROM %s)) TO %s (FORMAT csv, HEADER true, DELIMITER ',', QUOTE '"', ESCAPE '"', NULLSTR '', NEW_LINE '\r\n'%s)`,
		replaced(f.Table, formula, `'''' || %s`), strings.Join(slices.Concat(columns, f.PartitionBy), ", "), f.From,
		engine.Literal(f.Path), f.partitions())
}

// A spreadsheet takes a text that begins as these do for a formula. Such a text gets a single quote before it, as OWASP
// recommends, and one that begins so behind quotes; Scan takes it away.
const (
	formula = `^''*[=+@\t\r\n＝＋－＠-]`
	quoted  = `^''+[=+@\t\r\n＝＋－＠-]`
)

// replaced is a clause that replaces the texts of a table that match a pattern.
func replaced(t schema.Table, pattern, by string) string {
	var out []string
	for _, c := range t.Columns {
		if c.Type == "VARCHAR" || c.Type == "JSON" {
			name := fmt.Sprintf("%q", c.Name)
			out = append(out,
				fmt.Sprintf("CASE WHEN regexp_matches(CAST(%s AS VARCHAR), '%s') THEN %s ELSE CAST(%s AS VARCHAR) END "+
					"AS %s", name, pattern, fmt.Sprintf(by, name), name, name))
		}
	}
	if len(out) == 0 {
		return ""
	}
	return "REPLACE (" + strings.Join(out, ", ") + ")"
}

// By default, the engine reads lines of up to 2 MB, in pieces of 32 MB. These are the smallest values that Scan sets
// instead.
const (
	leastLine   = 2 << 20
	leastBuffer = 8 << 20
)

func (csv) Scan(t schema.Table, files []string) (string, error) {
	line := int64(leastLine)
	for _, file := range files {
		longest, err := longestLine(file)
		if err != nil {
			return "", err
		}
		line = max(line, longest)
	}
	columns := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		typeName := c.Type
		if typeName == "JSON" {
			typeName = "VARCHAR"
		}
		columns[i] = engine.Literal(c.Name) + ": " + engine.Literal(typeName)
	}
	return fmt.Sprintf(
		`(SELECT * %s FROM read_csv([%s], auto_detect = false, header = true, delim = ',', quote = '"', escape = '"', nullstr = '', allow_quoted_nulls = false, new_line = '\r\n',
		parallel = false, hive_partitioning = false, max_line_size = %d, buffer_size = %d, columns = {%s}))`,
		replaced(t, quoted, "substr(%s, 2)"), engine.Literals(engine.Patterns(files)), line, max(leastBuffer, 2*line),
		strings.Join(columns, ", ")), nil
}

// longestLine returns the length of the longest line of a file. A line break in quotes does not end a line.
func longestLine(path string) (longest int64, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	in, quoted, length := bufio.NewReaderSize(file, 1<<16), false, int64(0)
	for {
		b, err := in.ReadByte()
		if errors.Is(err, io.EOF) {
			return max(longest, length), nil
		}
		if err != nil {
			return 0, err
		}
		length++
		switch {
		case b == '"':
			quoted = !quoted
		case b == '\n' && !quoted:
			longest, length = max(longest, length), 0
		}
	}
}
