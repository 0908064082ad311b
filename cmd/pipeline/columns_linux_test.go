package main

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"pipeline/testdata/gen/storetest"
)

// onTerminal is what a command prints on a terminal of some columns, without colours and what is drawn over.
func (w *cliTest) onTerminal(columns int, args ...string) string {
	w.t.Helper()
	p := newPTY(w.t, uint16(columns))
	cmd := exec.Command("pipeline", args...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = w.dir, p.program, p.program, p.program
	cmd.Env = append(os.Environ(), "TERM=xterm", "CI=true", "LC_ALL=C.UTF-8")
	w.must(cmd.Run())
	w.must(p.program.Close())
	<-p.read // it ends when nobody has the terminal any more
	return strings.ReplaceAll(regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(p.text(), ""), "\r\n", "\n")
}

// TestColumns: on a terminal of 80 columns no word is broken at its edge: lines are no wider, but for one long
// word, and for a command to paste.
func TestColumns(t *testing.T) {
	w := newCLITest(t)
	const others = " matches match message messages; the best 1 2: a b no project user assistant · … lamp"
	long := strings.Repeat("the lamp beside the window is switched off by nobody ", 8)
	w.store(append(talk("a", long, "lamp "+long), talk("b", "lamp")...), storetest.StoreOptions{})
	w.run(0)
	w.run(0, "--full")
	for _, args := range [][]string{{"status"}, {"doctor", "--source", w.user}, {"search", "lamp", "window"}} {
		printed := w.onTerminal(80, append(args, "--warehouse", w.warehouse)...)
		if strings.Count(printed, "\n") < 5 {
			t.Errorf("%s prints only %q", args[0], printed)
		}
		for line := range strings.Lines(printed) {
			line = strings.TrimRight(line, " \n")
			words := strings.Fields(line)
			if utf8.RuneCountInString(line) > 80 && len(words[len(words)-1]) < 40 &&
				!strings.HasPrefix(line, "  pipeline show ") {
				t.Errorf("%s: a line of %d: %s", args[0], utf8.RuneCountInString(line), line)
			}
			if args[0] == "search" && len(words) > 0 && !strings.Contains(line, "pipeline") &&
				!strings.Contains(long+others, strings.Trim(words[len(words)-1], ":")) {
				t.Errorf("a word is cut: %s", line)
			}
		}
	}
}
