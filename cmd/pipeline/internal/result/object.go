package result

import (
	"bytes"
	"fmt"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/load/reader"
)

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
