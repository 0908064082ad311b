package storetest

import (
	"encoding/json"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// This file puts what a test gives it into every text of a store that is written.

// A Planter is given a text of a store and the place that it is in, such as bubbleId.text, and says what to write
// instead. Texts are what people, models and programs wrote, and paths.
type Planter func(place, text string) string

// notTexts are fields of which the format has a list, or which other fields refer to. A store whose ids and links are
// planted is another one.
var notTexts = words(
	`type status mode unifiedMode forceMode modelName model scheme language languageId fate role source capabilityType toolCallCase conversationState signature data
	external folder workspace configPath authority subagentTypeName hook_event_name cursor_version ts timestamp createdAt lastUpdatedAt updatedAt kind selectedOption`)

// idField is the name of a field that has an id.
var idField = regexp.MustCompile(`(?i)(id|ids|uuid|sha|hash)$`)

func words(s string) map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.Fields(s) {
		all[w] = true
	}
	return all
}

// isText says whether a value of a field is a text. Names of tools and the like are one word.
func isText(field, value string) bool {
	switch {
	case value == "" || notTexts[field] || idField.MatchString(field):
		return false
	case field == "text" || field == "content" || field == "output" || field == "command" || field == "error" ||
		field == "message":
		return true
	}
	return strings.ContainsAny(value, " /\\\n") || strings.ContainsFunc(value, func(c rune) bool { return c > 0x7f })
}

// JSON is a document with all its texts planted, also those in documents that its strings hold; what is no JSON stays.
// Everything else is as it was, byte for byte.
func (p Planter) JSON(place, document string) string {
	if !isDocument(document) {
		return document
	}
	w := planting{in: document, plant: p}
	w.value(place, "")
	w.out.WriteString(w.in[w.at:])
	return w.out.String()
}

func isDocument(s string) bool {
	trimmed := strings.TrimLeft(s, " \t\r\n")
	return trimmed != "" && (trimmed[0] == '{' || trimmed[0] == '[') && json.Valid([]byte(s))
}

// planting copies a valid document.
type planting struct {
	in    string
	at    int
	out   strings.Builder
	plant Planter
}

// copy copies as long as the next byte is one of these.
func (w *planting) copy(of string) {
	from := w.at
	for w.at < len(w.in) && strings.IndexByte(of, w.in[w.at]) >= 0 {
		w.at++
	}
	w.out.WriteString(w.in[from:w.at])
}

// text takes a string off the document.
func (w *planting) text() (raw, text string) {
	from := w.at
	for w.at++; w.in[w.at] != '"'; w.at++ {
		if w.in[w.at] == '\\' {
			w.at++
		}
	}
	w.at++
	raw = w.in[from:w.at]
	_ = json.Unmarshal([]byte(raw), &text) // the document is valid
	return raw, text
}

func (w *planting) value(place, field string) {
	w.copy(" \t\r\n")
	switch w.in[w.at] {
	case '{':
		w.copy("{ \t\r\n")
		for w.in[w.at] != '}' {
			raw, name := w.text()
			if strings.Contains(name, "://") {
				raw, name = quoted(w.plant(place+".key", name)), "*"
			} else if len(name) > 24 && strings.Count(name, "-") > 2 {
				name = "*" // an id
			}
			w.out.WriteString(raw)
			w.copy(": \t\r\n")
			w.value(place+"."+name, name)
			w.copy(", \t\r\n")
		}
		w.out.WriteByte('}')
		w.at++
	case '[':
		w.out.WriteByte('[')
		w.at++
		w.copy(" \t\r\n")
		for w.in[w.at] != ']' {
			w.value(place, field)
			w.copy(", \t\r\n")
		}
		w.out.WriteByte(']')
		w.at++
	case '"':
		switch raw, text := w.text(); {
		case strings.Contains(raw, `\ud`) || strings.Contains(raw, `\u0000`): // no encoder writes these again
			w.out.WriteString(raw)
		case isDocument(text):
			w.out.WriteString(quoted(w.plant.JSON(place, text)))
		case isText(field, text):
			w.out.WriteString(quoted(w.plant(place, text)))
		default:
			w.out.WriteString(raw)
		}
	default:
		from := w.at
		for w.at < len(w.in) && strings.IndexByte(",]} \t\r\n", w.in[w.at]) < 0 {
			w.at++
		}
		w.out.WriteString(w.in[from:w.at])
	}
}

// row is a row with its texts planted. Rows in hex, and what is no JSON, stay.
func (p Planter) row(r Row) Row {
	key, ok := r.Key.(string)
	if !ok || p == nil {
		return r
	}
	if strings.Contains(key, ".dailyStats.") {
		return r
	}
	place, _, _ := strings.Cut(key, ":")
	switch value := r.Value.(type) {
	case string:
		r.Value = p.JSON(place, value)
	case []byte:
		r.Value = []byte(p.JSON(place, string(value)))
	}
	return r
}

func (p Planter) rows(rows iter.Seq[Row]) iter.Seq[Row] {
	if p == nil {
		return rows
	}
	return func(yield func(Row) bool) {
		for r := range rows {
			if !yield(p.row(r)) {
				return
			}
		}
	}
}

// headers plants into the rows of composerHeaders.
func (p Planter) headers(rows []map[string]any) []map[string]any {
	if p == nil {
		return rows
	}
	for _, r := range rows {
		if value, ok := r["value"].(string); ok {
			r["value"] = p.JSON("composerHeaders", value)
		}
	}
	return rows
}

// files plants into the files of usage: into each line of a log, into a page, and into a column that an export has
// besides the known ones.
func (p Planter) files(dir string) error {
	for _, name := range []string{usageExport, usagePage, usageLog} {
		path := filepath.Join(dir, name)
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		out := p.JSON("usage.page", string(text))
		if name != usagePage {
			var lines []string
			for n, line := range strings.Split(string(text), "\n") {
				switch {
				case name == usageLog:
					line = p.JSON("usage.log", line)
				case line == "":
				case n == 0:
					line += ",User"
				default:
					line += `,"` + strings.ReplaceAll(p("usage.export.User", "mira@example.org"), `"`, `""`) + `"`
				}
				lines = append(lines, line)
			}
			out = strings.Join(lines, "\n")
		}
		if err := os.WriteFile(path, []byte(out), 0o666); err != nil {
			return err
		}
	}
	return nil
}
