package main

import (
	"github.com/urfave/cli/v2"

	"pipeline/pipelines/file"
)

// pipelinesCommand is the group of commands about pipeline files.
func pipelinesCommand() *cli.Command {
	return &cli.Command{
		Name:  "pipelines",
		Usage: "list, show and check runs that are described in YAML files",
		Description: `A pipeline is a YAML file that says what 'pipeline run NAME' does. Some are shipped; yours are NAME.yaml in the folder that
'pipeline pipelines list' names, or any file, by its path. A file of yours replaces a shipped one of the same name.

Examples:
   pipeline pipelines list
   pipeline pipelines show nightly --yaml > mine.yaml  # a file to start from
   pipeline pipelines validate mine.yaml
   pipeline run mine.yaml --dry-run`,
		Subcommands: []*cli.Command{pipelinesListCommand(), pipelinesShowCommand(), pipelinesValidateCommand(),
			pipelinesSchemaCommand()},
		Action: wantsSubcommand("say what to do: pipelines list, show, validate or schema",
			"pipelines takes list, show, validate or schema, not %q"),
	}
}

func pipelinesSchemaCommand() *cli.Command {
	return &cli.Command{
		Name:      "schema",
		Usage:     "print the JSON schema of the files, for editors",
		ArgsUsage: " ",
		Description: `An editor with a YAML language server then completes keys and explains them. Name the schema in the first line of a pipeline:
   # yaml-language-server: $schema=pipeline.schema.json

Examples:
   pipeline pipelines schema > pipeline.schema.json
   pipeline pipelines schema | jq -r '.properties | keys[]'  # the keys`,
		Action: func(c *cli.Context) error {
			schema, err := file.Schema()
			if err != nil {
				return err
			}
			_, err = c.App.Writer.Write(schema)
			return err
		},
	}
}
