package main

import (
	"embed"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"pipeline/pipelines"
)

// jsonForms are JSON schemas of what commands print with --json: a file for each command, and error.json for failures.
//
//go:embed jsonschema/*.json
var jsonForms embed.FS

// formNames names the commands that print in the form of others.
var formNames = map[string]string{"rebuild": "run"}

// jsonForm is the JSON schema of what a command prints with --json. The commands below export that publish share one.
func jsonForm(app *cli.App, words []string) ([]byte, error) {
	name := strings.Join(words, "-")
	if other, ok := formNames[name]; ok {
		name = other
	}
	form, err := jsonForms.ReadFile("jsonschema/" + name + ".json")
	if err == nil {
		return form, nil
	}
	var known []string
	for command, path := range commandsOf(app.Commands, nil) {
		if !hasFlag(command, "json") {
			continue
		}
		if slices.Equal(path, words) && len(words) == 2 {
			return jsonForms.ReadFile("jsonschema/" + words[0] + ".json")
		}
		known = append(known, strings.Join(path, " "))
	}
	given := strings.Join(words, " ")
	return nil, usage("there is no command %q that prints JSON%s", given,
		pipelines.DidYouMean(given, append(known, "error")))
}

// commandsOf are the commands that help lists, and those below them, with their names.
func commandsOf(commands []*cli.Command, above []string) func(yield func(*cli.Command, []string) bool) {
	return func(yield func(*cli.Command, []string) bool) {
		for _, c := range commands {
			if c.Hidden {
				continue
			}
			path := append(slices.Clone(above), c.Name)
			if !yield(c, path) {
				return
			}
			for sub, subPath := range commandsOf(c.Subcommands, path) {
				if !yield(sub, subPath) {
					return
				}
			}
		}
	}
}
