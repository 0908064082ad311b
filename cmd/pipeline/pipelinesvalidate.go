package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/pipelines/file"
)

func pipelinesValidateCommand() *cli.Command {
	return &cli.Command{
		Name:      "validate",
		Usage:     "check pipelines, and report every error",
		ArgsUsage: "[NAME|FILE...]",
		Description: `Without a name or file it checks every pipeline. It does not check whether the sources that a file names exist: 'pipeline doctor' does.

Examples:
   pipeline pipelines validate
   pipeline pipelines validate mine.yaml work.yaml
   pipeline pipelines validate --json

Exit codes: 0 all are right, 2 one is not.`,
		Flags:        []cli.Flag{jsonFlag()},
		Action:       pipelinesValidateAction,
		BashComplete: pipelineNames,
	}
}

// validated is the result for one pipeline.
type validated struct {
	Name     string         `json:"name"` // the name that was given
	File     *string        `json:"file"` // null: it is shipped with the program
	OK       bool           `json:"ok"`
	Problems []file.Problem `json:"problems"`
	text     string
}

func pipelinesValidateAction(c *cli.Context) error {
	lib, err := library()
	if err != nil {
		return err
	}
	var all []file.Listed
	if c.NArg() == 0 {
		if all, err = lib.List(); err != nil {
			return err
		}
	}
	for _, arg := range c.Args().Slice() {
		p, err := lib.Find(arg)
		all = append(all, file.Listed{Name: arg, Pipeline: p, Err: err})
	}
	out, code := []validated{}, 0
	for _, l := range all {
		v := validate(l)
		if out = append(out, v); !v.OK {
			code = exitUsage
		}
	}
	result := map[string][]validated{"pipelines": out}
	return exits(printed(c, result, func(w io.Writer) { printValidated(w, out) }), code)
}

func validate(l file.Listed) validated {
	v := validated{Name: l.Name, OK: l.Err == nil, Problems: []file.Problem{}}
	var broken *file.Error
	switch {
	case l.Err == nil && !l.Pipeline.Shipped:
		v.File = &l.Pipeline.File
	case errors.As(l.Err, &broken):
		v.File, v.Problems, v.text = &broken.File, broken.Problems, broken.Error()
	case l.Err != nil:
		v.Problems, v.text = []file.Problem{{Message: l.Err.Error()}}, l.Err.Error()
	}
	return v
}

func printValidated(w io.Writer, all []validated) {
	wrong := 0
	for _, v := range all {
		if v.OK {
			fmt.Fprintf(w, "ok: %s\n", term.Printable(v.Name))
			continue
		}
		wrong++
		fmt.Fprintln(w, term.PrintableLines(v.text))
	}
	if wrong > 0 {
		fmt.Fprintf(w, "%d of %s cannot be used\n", wrong, term.Plural(int64(len(all)), "pipeline"))
	}
}
