package result

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/reader"
)

// jsonPrinter writes an array of objects, or one object a line. The members have the order of the columns.
type jsonPrinter struct {
	w       io.Writer
	lines   bool
	margin  string // what an object's lines are indented by
	columns []reader.Column
	rows    int
}

func (p *jsonPrinter) begin(columns []reader.Column) error {
	p.columns = columns
	return nil
}

func (p *jsonPrinter) row(cells []any) error {
	var object bytes.Buffer
	object.WriteByte('{')
	for i, v := range cells {
		if i > 0 {
			object.WriteByte(',')
		}
		if err := term.AppendJSON(&object, p.columns[i].Name); err != nil {
			return err
		}
		object.WriteByte(':')
		if text, ok := v.(string); ok && p.columns[i].JSON && json.Valid([]byte(text)) {
			v = json.RawMessage(text)
		}
		if err := term.AppendJSON(&object, v); err != nil {
			return fmt.Errorf("column %s: %w", p.columns[i].Name, err)
		}
	}
	object.WriteByte('}')
	out := object.Bytes()
	if !p.lines {
		var laid bytes.Buffer
		laid.WriteString(map[bool]string{true: "[\n", false: ",\n"}[p.rows == 0] + p.margin)
		if err := json.Indent(&laid, out, p.margin, "  "); err != nil {
			return err
		}
		out = laid.Bytes()
	} else {
		out = append(out, '\n')
	}
	p.rows++
	_, err := p.w.Write(out)
	return err
}

func (p *jsonPrinter) end(int64) error {
	if p.lines {
		return nil
	}
	end := "\n]\n"
	if p.rows == 0 {
		end = "[]\n"
	}
	_, err := io.WriteString(p.w, end)
	return err
}

// objectPrinter writes one object, as every command does with --json: its version, the columns with their types, the
// rows as objects, and how many rows the query has.
type objectPrinter struct {
	jsonPrinter
	members [][2]string
	sums    map[string]any
}

func (p *objectPrinter) begin(columns []reader.Column) error {
	var out bytes.Buffer
	fmt.Fprintf(&out, "{\n  %q: %d,\n", term.JSONVersionName, term.JSONVersion)
	member := func(indent, name, text, end string) (err error) {
		fmt.Fprintf(&out, "%s%q: ", indent, name)
		if err = term.AppendJSON(&out, text); err == nil {
			out.WriteString(end)
		}
		return err
	}
	for _, m := range p.members {
		if err := member("  ", m[0], m[1], ",\n"); err != nil {
			return err
		}
	}
	out.WriteString("  \"columns\": [\n")
	for i, c := range columns {
		out.WriteString("    {")
		if err := member("", "name", c.Name, ", "); err != nil {
			return err
		}
		if err := member("", "type", c.Type, "}"); err != nil {
			return err
		}
		out.WriteString(map[bool]string{true: "\n", false: ",\n"}[i == len(columns)-1])
	}
	out.WriteString("  ],\n  \"rows\": ")
	if _, err := out.WriteTo(p.w); err != nil {
		return err
	}
	return p.jsonPrinter.begin(columns)
}

func (p *objectPrinter) total(sums map[int]any) error {
	p.sums = map[string]any{}
	for i, v := range sums {
		p.sums[p.columns[i].Name] = v
	}
	return nil
}

func (p *objectPrinter) end(total int64) error {
	closing := "\n  ]"
	if p.rows == 0 {
		closing = "[]"
	}
	var totals bytes.Buffer
	if p.sums != nil {
		totals.WriteString(",\n  \"totals\": ")
		if err := term.AppendJSON(&totals, p.sums); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(p.w, "%s%s,\n  \"total_rows\": %d\n}\n", closing, totals.String(), total)
	return err
}
