package main

import (
	"github.com/urfave/cli/v2"

	"pipeline/load/redact"
)

// This file takes secrets out of what leaves the warehouse for other people.

// redactFlag is the flag of commands that write texts. done is what they do with them.
func redactFlag(done string) cli.Flag {
	return &cli.BoolFlag{Name: "redact", Usage: done + " texts without secrets and home folders: [redacted:RULE] and ~ stand for them"}
}

// redactText is a text of a column without secrets.
func redactText(text, _ string) string { return redact.Text(text) }
