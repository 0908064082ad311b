package main

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"pipeline/load"
	"pipeline/load/reader"
	"pipeline/load/warehouse"
	"pipeline/pipelines"
	"pipeline/pipelines/file"
	"pipeline/sql/schema"
)

// This file declares the flags with which commands choose conversations and messages of the warehouse.

func projectFlag() cli.Flag {
	return &cli.StringFlag{Name: "project", Usage: "only conversations of `PROJECT`: its URI, path or name, or a glob"}
}

// timeFlags choose what is of a time.
func timeFlags(what string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "since", Usage: "only " + what + " at or after `TIME`: 7d, 36h, yesterday, 2026-03-01, " +
			"RFC 3339"},
		&cli.StringFlag{Name: "until", Usage: "only " + what + " before `TIME`"},
	}
}

// filterFlags choose conversations.
func filterFlags() []cli.Flag {
	return append([]cli.Flag{
		projectFlag(),
		&cli.StringFlag{Name: "since", Usage: "only conversations with activity at or after `TIME`: 7d, 36h, " +
			"yesterday, 2026-03-01, RFC 3339"},
		&cli.StringFlag{Name: "until", Usage: "only conversations whose last activity is before `TIME`"},
	}, ofMessageFlags()...)
}

// messageFilterFlags choose messages.
func messageFilterFlags() []cli.Flag {
	return slices.Concat([]cli.Flag{projectFlag()}, timeFlags("messages"), ofMessageFlags())
}

func ofMessageFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "role", Usage: "only with a message of `ROLE`: " + strings.Join(messageRoles(), ", ")},
		&cli.StringFlag{Name: "tool", Usage: "only with a call of `TOOL`, by its stable name or the stored one"},
		&cli.StringFlag{Name: "kind", Usage: "only with a message of `KIND`: " + strings.Join(messageKinds(), ", ")},
	}
}

// messageRoles and messageKinds are the values of the columns role and kind in the table messages.
func messageRoles() []string { return []string{"user", "assistant", "unknown"} }
func messageKinds() []string { return []string{"text", "thinking", "tool_call", "error", "empty"} }

// knowsProjects can list the projects of a warehouse.
type knowsProjects interface {
	Projects(context.Context) ([]load.Project, error)
}

// filterOf reads filterFlags. It needs the warehouse to find projects.
func filterOf(c *cli.Context, warehouse string, w knowsProjects) (f reader.Filter, err error) {
	if f.ProjectURIs, err = projectOf(c, w); err != nil {
		return f, err
	}
	if f.Since, err = timeOf(c, warehouse, "since"); err != nil {
		return f, err
	}
	if f.Until, err = timeOf(c, warehouse, "until"); err != nil {
		return f, err
	}
	if f.Since != nil && f.Until != nil && *f.Since >= *f.Until {
		return f, usage("--since must be before --until")
	}
	f.Role, f.Kind, f.Tool = c.String("role"), c.String("kind"), c.String("tool")
	for name, known := range map[string][]string{"role": messageRoles(), "kind": messageKinds()} {
		if given := c.String(name); given != "" && !slices.Contains(known, given) {
			return f, usage("there is no %s %q: write %s", name, given, strings.Join(known, ", "))
		}
	}
	return f, nil
}

// projectOf returns the projects that --project selects, by the same rules as in 'pipeline run'; nil without the flag.
func projectOf(c *cli.Context, w knowsProjects) ([]string, error) {
	wanted := c.String("project")
	if wanted == "" {
		return nil, nil
	}
	projects, err := w.Projects(c.Context)
	if err != nil {
		return nil, err
	}
	return pipelines.ProjectsNamed(wanted, projects)
}

// timeOf parses a flag with a time; nil without it.
func timeOf(c *cli.Context, warehouse, name string) (*schema.Millis, error) {
	text := c.String(name)
	if text == "" && c.IsSet(name) {
		return nil, usage("--%s needs a time: 7d, yesterday, 2026-03-01", name)
	}
	return timeAt(c.Context, warehouse, name, text)
}

// timeAt parses the text of a flag as a time; nil without a text.
func timeAt(ctx context.Context, path, flag, text string) (*schema.Millis, error) {
	if text == "" {
		return nil, nil
	}
	last, err := warehouse.LastGood(ctx, path, text == "last-run")
	if err != nil {
		return nil, err
	}
	t, err := file.ParseTime(text, time.Now(), last)
	if err != nil {
		return nil, usage("--%s: %s", flag, err)
	}
	ms := schema.Millis(t.UnixMilli())
	return &ms, nil
}
