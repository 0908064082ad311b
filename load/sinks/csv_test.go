package sinks_test

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"pipeline/load/sinks"
)

// csvCase is a published warehouse of hard texts.
func csvCase(t *testing.T, texts map[string]string) *sinkCase {
	t.Helper()
	dir := t.TempDir()
	c := &sinkCase{t, filepath.Join(dir, "w.duckdb"),
		sinks.Target{Sink: sinks.Named("csv"), Dir: filepath.Join(dir, "csv")}}
	c.loads(texts)
	c.publish(1)
	return c
}

// messagesOf reads a month's messages: what is in each column, row by row.
func messagesOf(t *testing.T, month string, rows [][]string) []map[string]string {
	t.Helper()
	var out []map[string]string
	for i, row := range rows {
		if len(row) != len(rows[0]) {
			t.Fatalf("messages of %s: row %d has %d cells, the line of names %d", month, i, len(row), len(rows[0]))
		}
		cells := map[string]string{}
		for j, name := range rows[0] {
			cells[name] = row[j]
		}
		out = append(out, cells)
	}
	return out[1:]
}

// wantMessages compares the two messages of a conversation with what rowsOf made.
func wantMessages(t *testing.T, month, text string, got []map[string]string) {
	t.Helper()
	if len(got) != 2 {
		t.Errorf("%s has %d messages, want 2", month, len(got))
		return
	}
	for column, want := range map[string]string{"text": text, "message_id": month + "-0", "position": "0",
		"extra": `{"a": ["<b>", "\"c\"\r\n", null], "d": {"e": 1e3}}`, "input_tokens": "", "source_id": "s"} {
		if got[0][column] != want {
			t.Errorf("%s: %s is %.80q, want %.80q", month, column, got[0][column], want)
		}
	}
	if got[1]["text"] != "" || got[1]["input_tokens"] != "9007199254740992" {
		t.Errorf("%s: the second message is %q", month, got[1])
	}
}

// TestCSVReaders: programs that share no code with the engine read each text as it was written.
func TestCSVReaders(t *testing.T) {
	t.Parallel()
	texts := hard()
	delete(texts, "never")
	c := csvCase(t, texts)
	python := map[string][][]string{}
	if _, err := exec.LookPath("python3"); err == nil {
		const script = `import csv, glob, json, os, sys
csv.field_size_limit(1 << 30)
print(json.dumps({p.split("month=")[1].split("/")[0]: list(csv.reader(open(p, newline="", encoding="utf-8"), strict=True)) for p in glob.glob(os.path.join(sys.argv[1], "messages/*/*.csv"))}))`
		out, err := exec.Command("python3", "-c", script, filepath.Join(c.Dir, "current")).Output()
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(out, &python); err != nil {
			t.Fatal(err)
		}
		if len(python) != len(texts) {
			t.Errorf("Python reads %d months, want %d", len(python), len(texts))
		}
	}
	for month, text := range texts {
		file, err := os.Open(c.path("current", "messages", month))
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(file).ReadAll()
		if err := file.Close(); err != nil {
			t.Error(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		text = guarded(text)
		// Go's reader gives a line feed for both
		wantMessages(t, month, strings.ReplaceAll(text, "\r\n", "\n"), messagesOf(t, month, rows))
		if rows := python[month]; rows != nil {
			wantMessages(t, month, text, messagesOf(t, month, rows))
		}
	}
}

// guarded is how a text is written that a spreadsheet would take for a formula, or that begins so behind quotes.
func guarded(text string) string {
	if first, _ := utf8.DecodeRuneInString(strings.TrimLeft(text, "'")); strings.ContainsRune("=+-@\t\r\n＝＋－＠", first) {
		return "'" + text
	}
	return text
}

// TestCSVForm: RFC 4180, a line of names, CRLF, no value is an empty cell and an empty text "", times are ISO 8601 in
// UTC.
func TestCSVForm(t *testing.T) {
	t.Parallel()
	c := csvCase(t, map[string]string{"2025-03": "", "2025-04": "a,b"})
	text, err := os.ReadFile(filepath.Join(c.Dir, "current", "conversations.csv"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\r\n")
	if len(lines) != 4 || lines[3] != "" || !strings.HasPrefix(lines[0], "source_id,conversation_id,") ||
		strings.Contains(strings.Join(lines, ""), "\n") {
		t.Fatalf("%q", lines)
	}
	for i, want := range []string{`^s,2025-03,"",,`, `^s,2025-04,"a,b",,`} {
		line := lines[i+1]
		if !regexp.MustCompile(want).MatchString(line) ||
			!regexp.MustCompile(`,2025-0[34]-01T00:00:00\.001000Z,`).MatchString(line) {
			t.Errorf("line %d is %s, want %s, and the time of its start", i+1, line, want)
		}
	}
}
