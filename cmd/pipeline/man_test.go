package main

import (
	"bytes"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

// helped is a flag in what --help prints of a command.
var helped = regexp.MustCompile(`(?m)^   (--[a-z-]+)`)

// TestManPage: every command is in the manual page, with every flag that its --help has and what it says of it, and the
// programs that read such pages have nothing to say against it.
func TestManPage(t *testing.T) {
	t.Parallel()
	ask := func(args ...string) string {
		var out, errs bytes.Buffer
		if code := realMain(append([]string{"pipeline"}, args...), &out, &errs); code != 0 {
			t.Fatal(args, code, errs.String())
		}
		return out.String()
	}
	page := ask("man")
	sections := map[string]string{}
	for _, s := range strings.Split(page, "\n.SS ")[1:] {
		title, body, _ := strings.Cut(s, "\n")
		sections[title] = body
	}
	flags := 0
	var look func(path []string, c *cli.Command)
	look = func(path []string, c *cli.Command) {
		if c.Hidden { // nobody is meant to call it
			return
		}
		path = append(path, c.Name)
		body, found := sections["pipeline "+strings.Join(path, " ")]
		if !found {
			t.Errorf("%v is not in the page", path)
		}
		for _, m := range helped.FindAllStringSubmatch(ask(append(path, "--help")...), -1) {
			if m[1] == "--help" {
				continue
			}
			flags++
			if !strings.Contains(body, "\n   "+strings.ReplaceAll(m[1], "-", `\-`)) &&
				!strings.Contains(body, "\n   "+m[1]) {
				t.Errorf("%v: %s is not in the page", path, m[1])
			}
		}
		for _, sub := range c.Subcommands {
			look(path, sub)
		}
	}
	for _, c := range newApp(nil, nil).Commands {
		look(nil, c)
	}
	if flags < 50 {
		t.Errorf("only %d flags were looked for", flags)
	}
	for _, variable := range []string{`\fBPIPELINE_WAREHOUSE\fP`, `\fBCURSOR_USER_DATA_DIR\fP`} {
		if !strings.Contains(page, variable) {
			t.Errorf("%s is not in the page", variable)
		}
	}
	readByPrograms(t, page)
}

// readByPrograms has the page read by what is there of the programs for it.
func readByPrograms(t *testing.T, page string) {
	t.Helper()
	found := 0
	for _, reader := range [][]string{{"groff", "-man", "-Tutf8", "-ww", "-z"},
		{"mandoc", "-T", "lint", "-W", "warning"}} {
		program, err := exec.LookPath(reader[0])
		if err != nil {
			continue
		}
		found++
		cmd := exec.Command(program, reader[1:]...)
		cmd.Stdin = strings.NewReader(page)
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%.2000s", reader[0], err, out)
		}
	}
	if found == 0 {
		t.Skip("neither groff nor mandoc is here: nobody reads the page")
	}
}
