package progress

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// screen shows a line on a terminal of so many columns, and what it is told.
func screen(columns int) (*Line, *bytes.Buffer) {
	var out bytes.Buffer
	return &Line{w: &out, width: func() int { return columns }, began: time.Now()}, &out
}

// shown is the last line of a terminal that was sent this.
func shown(t *testing.T, sent string, columns int) string {
	t.Helper()
	var row []rune
	at := 0
	for _, r := range sent {
		switch {
		case r == '\r':
			at = 0
			continue
		case r == '\n':
			row, at = nil, 0
			continue
		case r < ' ' || r > '~':
			t.Fatalf("%q steers the terminal", r)
		}
		if at == columns {
			t.Fatalf("%q is longer than %d columns", sent, columns)
		}
		if at == len(row) {
			row = append(row, ' ')
		}
		row[at] = r
		at++
	}
	return strings.TrimRight(string(row), " ")
}

// TestLine: what is on the screen after each step, whatever was there before.
func TestLine(t *testing.T) {
	t.Parallel()
	l, out := screen(80)
	see := func(want string) {
		t.Helper()
		if got := shown(t, out.String(), 80); got != want {
			t.Errorf("the screen shows %q, want %q", got, want)
		}
	}
	l.draw(time.Second)
	see("") // there is no phase yet
	l.Phase("reading")
	l.draw(300 * time.Millisecond)
	see("| reading  0s")
	l.Count(1234, 4936)
	l.draw(61 * time.Second)
	see("/ reading  [=====               ]  1,234 of 4,936 (25%)  1m1s")
	l.Count(5000, 4936) // more than was expected
	l.draw(61 * time.Second)
	see("- reading  [====================]  4,936 of 4,936 (100%)  1m1s")
	l.Phase("ok")
	l.draw(61 * time.Second)
	see("| ok  1m1s")
	_, _ = l.Write([]byte("warning: amiss\n"))
	see("")
	l.draw(62 * time.Second)
	see("/ ok  1m2s")
	l.Close()
	l.draw(63 * time.Second)
	see("")
	if text := out.String(); !strings.Contains(text, "\rwarning: amiss\n") {
		t.Errorf("the warning does not stand alone: %q", text)
	}
}

// TestLineWidth: the line fits every terminal, also one that becomes narrower.
func TestLineWidth(t *testing.T) {
	t.Parallel()
	for columns, want := range map[int]string{
		120: "| reading conversations  [==========          ]  50 of 100 (50%)  1s",
		60:  "| reading conversations  50 of 100 (50%)  1s", 40: "| reading conversations  1s", 10: "| reading", 1: "",
		0: "",
	} {
		l, out := screen(columns)
		l.Phase("reading conversations")
		l.Count(50, 100)
		l.draw(time.Second)
		if got := shown(t, out.String(), max(0, columns-1)); got != want {
			t.Errorf("%d columns: %q, want %q", columns, got, want)
		}
	}
	l, out := screen(120)
	l.Phase("reading conversations")
	l.Count(50, 100)
	l.draw(time.Second)
	l.width = func() int { return 30 }
	out.Reset()
	l.draw(time.Second)
	l.Close()
	shown(t, out.String(), 29)
}

// TestLineElsewhere: where nobody looks, a phase is a line, and counts are none. A program that reads JSON gets
// nothing.
func TestLineElsewhere(t *testing.T) {
	t.Parallel()
	for _, silent := range []bool{false, true} {
		var out bytes.Buffer
		l := Start(&out, silent)
		l.Phase("reading")
		l.Count(1, 2)
		_, _ = l.Write([]byte("warning: amiss\n"))
		l.Phase("writing")
		l.Close()
		want := "reading\nwarning: amiss\nwriting\n"
		if silent {
			want = "warning: amiss\n"
		}
		if out.String() != want {
			t.Errorf("silent %v: %q, want %q", silent, out.String(), want)
		}
	}
}
