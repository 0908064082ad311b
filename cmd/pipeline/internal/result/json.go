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
