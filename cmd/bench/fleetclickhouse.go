package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"pipeline/load/engine"
	"pipeline/load/push"
)

// enginesScript runs SQL in other engines.
const enginesScript = "testdata/lake/engines.py"

// The steps of reading a fleet by ClickHouse. Its tables are those of all rows, and a second load finds nothing new.
const (
	clickTables = "make tables of all rows, once"
	clickAgain  = "bring the tables up to date, nothing new"
)

// clickFleet measures what ClickHouse takes to read a fleet's folder. Without chdb it says so.
func (b *bench) clickFleet(ctx context.Context, t *sheet, lake, dir string, want int64) error {
	if err := exec.CommandContext(ctx, "python3", "-c", "import chdb").Run(); err != nil {
		t.note += " ClickHouse is not measured: python3 has no chdb."
		return nil
	}
	b.progress("ClickHouse reads them")
	place := push.Place{Target: lake}
	views, err := push.Views("clickhouse", place)
	if err != nil {
		return err
	}
	tables, err := push.Tables("clickhouse", "cursor", place)
	if err != nil {
		return err
	}
	units, views, _ := strings.Cut(views, ";\n")
	view := views[max(0, strings.Index(views, "CREATE OR REPLACE VIEW `messages` ")):]
	view, _, _ = strings.Cut(view, ";\n")
	state := filepath.Join(dir, "state")
	for _, session := range []struct {
		setup, query, state string
		steps               [2]string // of the setup and of the query; "": not told
	}{
		{units + ";\n", "SELECT 1", "", [2]string{unitsFleet, ""}},
		{units + ";\n" + view + ";\n", countByRole, "", [2]string{"", askFleet}},
		{tables, strings.Replace(countByRole, "messages", "cursor.messages", 1), state,
			[2]string{clickTables, askOfTables}},
		{tables, strings.Replace(countByRole, "messages", "cursor.messages", 1), state, [2]string{clickAgain, ""}},
	} {
		took, rows, err := clickhouse(ctx, filepath.Join(dir, "session"), session.setup, session.query, session.state)
		if err != nil {
			return err
		}
		if session.query != "SELECT 1" && rows != want {
			return fmt.Errorf("%d messages were made, ClickHouse reads %d", want, rows)
		}
		for i, step := range session.steps {
			if step != "" {
				t.add("ClickHouse", step, seconds(took[i].Wall), seconds(took[i].CPU), "")
			}
		}
	}
	return nil
}

// clickhouse runs statements and a query in a process of ClickHouse. It returns what each took, and the sum of the
// query's column n.
func clickhouse(ctx context.Context, dir, setup, query, state string) (took [2]usage, n int64, err error) {
	queries := filepath.Join(dir, "queries")
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(queries, 0o700)); err != nil {
		return took, 0, err
	}
	statements, times := filepath.Join(dir, "setup.sql"), filepath.Join(dir, "times")
	if err := errors.Join(os.WriteFile(statements, []byte(setup), 0o600),
		os.WriteFile(filepath.Join(queries, "query.sql"), []byte(query), 0o600)); err != nil {
		return took, 0, err
	}
	args := []string{enginesScript, "clickhouse", statements, queries, dir}
	if state != "" {
		args = append(args, state)
	}
	cmd := exec.CommandContext(ctx, "python3", args...)
	cmd.Env = append(os.Environ(), "ENGINES_TIMES="+times)
	if out, err := cmd.CombinedOutput(); err != nil {
		return took, 0, fmt.Errorf("clickhouse: %w: %s", err, out)
	}
	f, err := os.Open(times)
	if err != nil {
		return took, 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var line struct {
			Query     bool
			Wall, CPU float64
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			return took, 0, err
		}
		of := &took[0]
		if line.Query {
			of = &took[1]
		}
		of.Wall, of.CPU = of.Wall+line.Wall, of.CPU+line.CPU
	}
	if query == "SELECT 1" {
		return took, 0, nil
	}
	db, conn, err := openDuck(ctx, "")
	if err != nil {
		return took, 0, err
	}
	defer func() { err = errors.Join(err, conn.Close(), db.Close()) }()
	return took, n, conn.QueryRowContext(ctx,
		"SELECT sum(n)::BIGINT FROM read_parquet("+engine.Literal(filepath.Join(dir, "query.parquet"))+")").Scan(&n)
}
