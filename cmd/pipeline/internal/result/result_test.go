package result

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jedib0t/go-pretty/v6/text"

	"pipeline/load/reader"
)

// TestTableFits: at any width a table is no wider, whatever its cells hold; numbers and times stay whole, and columns
// that are left out are counted.
func TestTableFits(t *testing.T) {
	columns := []reader.Column{{Name: "id", Text: true}, {Name: "a_long_name_of_a_count", Numeric: true},
		{Name: "seen_at"}, {Name: "text", Text: true}, {Name: "json", JSON: true}, {Name: "n", Numeric: true}}
	rows := [][]any{
		{"d70f5723-351b-4342-aa79-31d47de16645", int64(1234567890), "2026-01-23 21:37:22.186Z",
			strings.Repeat("日付の表示 ", 40), `{"a":"` + strings.Repeat("x", 90) + `"}`, int64(7)},
		{"👩‍👩‍👧‍👦 é", nil, nil, "\x1b[31m" + strings.Repeat("a\n", 200), nil, int64(-1)},
	}
	for _, width := range []int{60, 80, 100, 120, 200, 1000} {
		var out strings.Builder
		p := &tablePrinter{w: &out, fit: width}
		if err := p.begin(columns); err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			if err := p.row(row); err != nil {
				t.Fatal(err)
			}
		}
		if err := p.end(5); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		footer := lines[len(lines)-1]
		for _, line := range lines[:len(lines)-1] {
			if n := text.StringWidthWithoutEscSequences(line); n > width ||
				n != text.StringWidthWithoutEscSequences(lines[0]) {
				t.Errorf("at %d: a line takes %d:\n%s", width, n, out.String())
				break
			}
		}
		left := 6
		if _, counted, found := strings.Cut(footer, "6 columns, "); found {
			if _, err := fmt.Sscan(counted, &left); err != nil {
				t.Error(err)
			}
		}
		for i, whole := range []string{"1234567890", "2026-01-23 21:37:22.186Z", "7 │"} {
			if left == 6 && !strings.Contains(out.String(), whole) {
				t.Errorf("at %d: value %d is cut:\n%s", width, i, out.String())
			}
		}
		if wide := width >= 80; !strings.HasPrefix(footer, "(5 rows, 2 shown; ") || wide != (left == 6) {
			t.Errorf("at %d the footer is %s", width, footer)
		}
	}
}

// TestChosen: columns without a value go first, then the last ones, and the first stays.
func TestChosen(t *testing.T) {
	least := []int{5, 5, 5, 5, 5, 5}
	rows := [][]string{{"a", "1", "NULL", "2", "NULL", "3"}, {"NULL", "1", "NULL", "NULL", "NULL", "NULL"}}
	for width, want := range map[int][]int{49: {0, 1, 2, 3, 4, 5}, 48: {0, 1, 2, 3, 5}, 40: {0, 1, 3, 5},
		33: {0, 1, 3, 5}, 32: {0, 1, 3, -1}, 28: {0, 1, -1}, 20: {0, -1}, 1: {0, -1}} {
		if got := (&tablePrinter{fit: width, rows: rows}).chosen(least); !slices.Equal(got, want) {
			t.Errorf("at %d: %v, want %v", width, got, want)
		}
	}
}

// TestWrapped: a column's name is broken at its underscores, and where it has none anywhere.
func TestWrapped(t *testing.T) {
	for name, want := range map[string]string{"failure_rate": "failure_\nrate", "a_b_c_longer_x": "a_b_c_\nlonger_x",
		"conversation_id": "conversa\ntion_id", "count(*) FILTER": "count(*)\nFILTER", "short": "short"} {
		if got := wrapped(name, 8); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestHarmless: what begins a formula in a spreadsheet gets a quote before it, and nothing else does.
func TestHarmless(t *testing.T) {
	for _, formula := range []string{"=1", "+1", "-1", "@a", "\t=1", "\r=1", "\n=1", "＝1", "＋1", "－1", "＠a"} {
		if got := csvCell(harmless(formula)); got != `"'`+formula+`"` {
			t.Errorf("%q is written %q", formula, got)
		}
	}
	for _, plain := range []string{"a", "1", "a=1", "#x", "é", "\xff"} {
		if got := csvCell(harmless(plain)); got != plain {
			t.Errorf("%q is written %q", plain, got)
		}
	}
}

// TestOnTerminal: there, the formats for programs do not steer it either, and JSON stays the same JSON.
func TestOnTerminal(t *testing.T) {
	const evil = "\x1b[2J\x7f\u009b31m\u202e\U000e0041 \u200dé"
	for format, want := range map[string]string{
		CSV:   "t\n␛[2J\ufffd\ufffd31m\ufffd\ufffd \u200dé\n",
		Lines: `{"t":"\u001b[2J\u007f\u009b31m\u202e\udb40\udc41 ` + "\u200dé\"}\n",
		JSON:  "[\n  {\n    \"t\": \"" + `\u001b[2J\u007f\u009b31m\u202e\udb40\udc41 ` + "\u200dé\"\n  }\n]\n",
	} {
		var out strings.Builder
		p := (&Writer{Format: format, Terminal: true}).printer(&out, Caption{})
		for _, err := range []error{p.begin([]reader.Column{{Name: "t", Text: true}}), p.row([]any{evil}), p.end(1)} {
			if err != nil {
				t.Error(err)
			}
		}
		if out.String() != want {
			t.Errorf("%s: %q, want %q", format, out.String(), want)
		}
	}
}

// TestTableLines: lines of a table are signs of ASCII on a terminal whose locale has no others, and elsewhere never.
func TestTableLines(t *testing.T) {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		t.Setenv(name, "")
	}
	draw := func(terminal bool) string {
		var out strings.Builder
		p := (&Writer{Format: Table, Terminal: terminal}).printer(&out, Caption{})
		if err := errors.Join(p.begin([]reader.Column{{Name: "a"}}), p.row([]any{"x"}), p.end(1)); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	const lines, signs = "┌───┐\n│ a │\n├───┤\n│ x │\n└───┘\n(1 row)\n", "+---+\n| a |\n+---+\n| x |\n+---+\n(1 row)\n"
	for _, test := range []struct{ name, locale, want string }{{"LANG", "C", signs}, {"LANG", "en_GB.UTF-8", lines},
		{"LC_ALL", "POSIX", signs}, {"LC_ALL", "C.UTF-8", lines}, {"LC_ALL", "", lines}} {
		t.Setenv(test.name, test.locale)
		if got := draw(true); got != test.want {
			t.Errorf("%s=%s: %s", test.name, test.locale, got)
		}
		if got := draw(false); got != lines {
			t.Errorf("%s=%s, to a file: %s", test.name, test.locale, got)
		}
	}
}
