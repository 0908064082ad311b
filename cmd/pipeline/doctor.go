package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/adrg/xdg"
	"github.com/urfave/cli/v2"

	"pipeline/extract"
	"pipeline/pipelines/doctor"
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
