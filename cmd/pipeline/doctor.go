package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/adrg/xdg"
	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/places"
	"pipeline/cmd/pipeline/internal/term"
	"pipeline/extract"
	"pipeline/pipelines"
	"pipeline/pipelines/doctor"
	"pipeline/pipelines/shape"
)

func doctorCommand() *cli.Command {
	return &cli.Command{
		Name:  "doctor",
		Usage: "look for what may prevent a run, and change nothing",
		Description: `Says how each store would be read, whether Cursor is running, whether there is room for private copies, what state the
warehouse is in, and what a run would do. It takes no lock that a load needs, and writes nothing but private temporary files, which it removes.

Each line has a mark: ok; note (good to know, a run works all the same); PROBLEM, with what to do.

Examples:
   pipeline doctor
   pipeline doctor --parquet ~/cursor-parquet  # was the last load published?
   pipeline doctor --no-plan                   # quick: no store's index is read
   pipeline doctor --shape shape.json          # describe the stores for others

--shape prints which families, fields, types and sizes the stores have, and no text, id, path,
name or time that is in them. With FILE it writes the same to a new file, which you can send.

Exit codes: 0 all well, 3 a source is missing or cannot be read, 75 something is in use: a later run will work,
4 any other problem. If several apply, the first counts.`,
		ArgsUsage: "[FILE]",
		Flags: slices.Concat([]cli.Flag{sourceFlag(), userDataDirFlag(), warehouseFlag()},
			folderFlags("look at the publication in `DIR` too"), []cli.Flag{
				&cli.BoolFlag{Name: "no-plan", Usage: "skip the plan of a run, for which the stores' indexes are read"},
				&cli.BoolFlag{Name: "shape", Usage: "print key families, fields, types and sizes of the stores, and " +
					"nothing that is in them; write it to FILE too"},
				jsonFlag(),
			}),
		Action: doctorAction,
	}
}

// diagnosed is what doctor prints as JSON.
type diagnosed struct {
	*doctor.Diagnosis
	Problems int `json:"problems"`
	Notes    int `json:"notes"`
	ExitCode int `json:"exit_code"`
}

func doctorAction(c *cli.Context) error {
	if c.Bool("shape") {
		return doctorShape(c)
	}
	return withoutArguments(examineAction)(c)
}

func examineAction(c *cli.Context) error {
	checkup, err := checkupOf(c)
	if err != nil {
		return err
	}
	d, err := doctor.Examine(c.Context, checkup)
	if err != nil {
		return err
	}
	d.Findings = append(d.Findings, doctor.Finding{Topic: "files", Level: doctor.LevelOK,
		Text: fmt.Sprintf("history in %s, logs in %s, your pipelines in %s; docs/install.md says how to remove them",
			filepath.Join(xdg.DataHome, "pipeline"), filepath.Join(xdg.StateHome, "pipeline"),
			filepath.Join(xdg.ConfigHome, "pipeline"))})
	for _, program := range goneHooks() {
		d.Findings = append(d.Findings, doctor.Finding{Topic: "hooks", Level: doctor.LevelNote,
			Text: fmt.Sprintf("%s calls %s, which is not there: no tokens are written down", hooksFile(), program),
			Remedy: "'pipeline hook install' writes the path of this program; 'pipeline hook remove' takes the call " +
				"out."})
	}
	code := map[doctor.Verdict]int{doctor.VerdictSource: exitSource, doctor.VerdictBusy: exitBusy,
		doctor.VerdictProblem: exitCheck}[d.Verdict]
	out := diagnosed{d, d.Count(doctor.LevelProblem), d.Count(doctor.LevelNote), code}
	return exits(printed(c, out, func(w io.Writer) { printDiagnosis(w, d) }), code)
}

func checkupOf(c *cli.Context) (checkup doctor.Checkup, err error) {
	run, err := flagsOf(c, false)
	if err != nil {
		return checkup, err
	}
	checkup.Options, checkup.NoPlan = run.Options, c.Bool("no-plan")
	if len(run.Sources) == 0 {
		var missed error
		if checkup.Sources, checkup.Looked, missed = extract.Discover(env(run)); missed != nil {
			checkup.NotFound = []error{missed}
		}
		return checkup, nil
	}
	for _, arg := range run.Sources { // a missing source is a finding, and the others are still looked at
		found, err := extract.Resolve(arg, env(run))
		if err != nil {
			checkup.NotFound = append(checkup.NotFound, err)
		}
		checkup.Sources = append(checkup.Sources, found...)
	}
	if err := extract.CheckDistinct(checkup.Sources); err != nil {
		return checkup, usage("%s", err)
	}
	return checkup, nil
}

// Line widths. On a terminal long lines are folded, but not within a word, so that a path can be pasted. Elsewhere
// lines are not folded.
const (
	markMargin = len("warehouse  ")
	textMargin = markMargin + len("PROBLEM  ")
	lineWidth  = 98
)

func printDiagnosis(w io.Writer, d *doctor.Diagnosis) {
	width, topic := math.MaxInt, ""
	if term.IsTerminal(w) {
		width = min(lineWidth, cmp.Or(term.Width(w), lineWidth))
	}
	for _, f := range d.Findings {
		name := ""
		if f.Topic != topic {
			topic, name = f.Topic, f.Topic
		}
		mark := string(f.Level)
		if f.Level == doctor.LevelProblem {
			mark = strings.ToUpper(mark)
		}
		folded(w, fmt.Sprintf("%-*s%-*s", markMargin, name, textMargin-markMargin, mark), f.Text, width)
		if f.Remedy != "" {
			folded(w, strings.Repeat(" ", textMargin)+"-> ", f.Remedy, width)
		}
	}
	fmt.Fprintln(w)
	first, notes := d.First(), ""
	if n := d.Count(doctor.LevelNote); n > 0 {
		notes = ", " + term.Plural(n, "note")
	}
	if first == nil {
		fmt.Fprintf(w, "all well%s\n", notes)
		return
	}
	fmt.Fprintf(w, "%s%s; the first thing to do:\n", term.Plural(d.Count(doctor.LevelProblem), "problem"), notes)
	what := first.Remedy
	if what == "" {
		what = first.Text
	}
	folded(w, "  ", what, width)
}

// folded prints a text after a lead. Further lines are indented to align with it.
func folded(w io.Writer, lead, text string, width int) {
	line, margin := lead, strings.Repeat(" ", len(lead))
	begun := false
	for _, word := range strings.Split(term.Printable(text), " ") {
		if begun && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			fmt.Fprintln(w, line)
			line, begun = margin, false
		}
		if begun {
			line += " "
		}
		line += word
		begun = true
	}
	fmt.Fprintln(w, line)
}

// doctorShape prints a description of the stores, and writes what it has printed to the file that is named.
func doctorShape(c *cli.Context) error {
	run, err := flagsOf(c, false)
	if err != nil {
		return err
	}
	checkup, err := checkupOf(c)
	if err != nil {
		return err
	}
	if len(checkup.NotFound) > 0 {
		return &pipelines.SourceError{Failures: checkup.NotFound}
	}
	path := c.Args().First()
	if path != "" {
		if err := places.Check(path, "FILE", places.ForbiddenFolders(env(run), checkup.Sources,
			run.Options.Warehouse)); err != nil {
			return err
		}
	}
	described, err := shape.Of(c.Context, checkup.Sources)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if err := term.PrintJSON(&text, described); err != nil {
		return err
	}
	if _, err := c.App.Writer.Write(text.Bytes()); err != nil || path == "" {
		return err
	}
	return writeNew(path, text.Bytes())
}

// writeNew writes a file that only its owner can read. A file that is there stays: it may be anything.
func writeNew(path string, text []byte) (err error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return usage("%s exists; name a file that does not", path)
	}
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		err = errors.Join(err, os.Remove(path))
	}
	return err
}
