package main

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"pipeline/load/reader"
	"pipeline/load/redact"
	"pipeline/load/tool/sqlrows"
)

// This file takes secrets out of what leaves the warehouse for other people.

// redactFlag is the flag of commands that write texts. done is what they do with them.
func redactFlag(done string) cli.Flag {
	return &cli.BoolFlag{Name: "redact", Usage: done +
		" texts without secrets and home folders: [redacted:RULE] and ~ stand for them"}
}

// peopleOf are the people whose home folders a warehouse knows: in the places of its sources, projects and stores; and
// who runs the program.
func peopleOf(ctx context.Context, r *reader.Reader) (*redact.People, error) {
	var places []string
	err := sqlrows.Each(ctx, r.Conn(),
		`SELECT DISTINCT place FROM (SELECT user_dir AS place FROM sources UNION ALL SELECT path FROM load_stores UNION ALL SELECT project_uri FROM conversations
		UNION ALL SELECT project_path FROM conversations UNION ALL SELECT uri FROM workspaces UNION ALL SELECT repository_path FROM repositories) WHERE place IS NOT NULL ORDER BY place`, func(rows *sql.Rows) error {
			var place string
			err := rows.Scan(&place)
			places = append(places, place)
			return err
		})
	return redact.NewPeople(places, ownHomes()...), err
}

// ownHomes are the home of who runs the program, and where it really is.
func ownHomes() (homes []string) {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil
	}
	homes = append(homes, home)
	if real, err := filepath.EvalSymlinks(home); err == nil {
		homes = append(homes, real)
	}
	return homes
}

// peopleIn are those of a warehouse that is not open.
func peopleIn(ctx context.Context, warehouse string) (_ *redact.People, err error) {
	r, err := reader.Open(ctx, warehouse)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	return peopleOf(ctx, r)
}
