package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"pipeline/load/engine"
	"pipeline/load/push"
)

// fleetMessages and fleetNights are what each machine of a fleet has pushed.
const (
	fleetMessages = 300
	fleetNights   = 3
)

// countByRole is the question that is asked of all machines.
const countByRole = "SELECT role, count(*) AS n FROM messages GROUP BY role ORDER BY role"

// measureFleet has many machines push into one folder, and measures what engines take to read all of it: from the
// objects, and from tables that were made of them.
func (b *bench) measureFleet(ctx context.Context) (err error) {
	dir, err := b.scratch("fleet")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(filepath.Join(b.dir, "run"))) }()
	one, err := b.oneOfFleet(ctx, dir)
	if err != nil {
		return err
	}
	lake := filepath.Join(dir, "lake")
	b.progress("the objects of %d machines", b.fleet)
	made, err := b.task(ctx, false, "fleet", "-dir", one, "-scratch", lake, "-messages", strconv.Itoa(b.fleet))
	if err != nil {
		return err
	}
	t := sheet{title: "A fleet", header: []string{"engine", "what", "wall s", "CPU s", "peak RSS MB"}}
	t.note = fmt.Sprintf("%s of %d nights each, in a folder: %s objects, %s MB, of them %s commits. The CPU time of a "+
		"step is that of the process; its peak of memory is that of all steps.", plural(b.fleet, "machine"),
		fleetNights, count(made.Rows), megabytes(made.Bytes), count(made.Counts["commits"]))
	b.progress("DuckDB reads them")
	r, err := b.task(ctx, false, "read-fleet", "-dir", lake, "-scratch", dir)
	if err != nil {
		return err
	}
	if want := made.Counts["messages"]; r.Counts["objects"] != want || r.Counts["tables"] != want ||
		r.Counts["machines"] != int64(b.fleet) {
		return fmt.Errorf("%d messages of %d machines were made, %d are read from the objects and %d from the tables, "+
			"of %d machines", want, b.fleet, r.Counts["objects"], r.Counts["tables"], r.Counts["machines"])
	}
	for _, step := range fleetSteps {
		t.add("DuckDB", step, seconds(r.Phases[step].Wall), seconds(r.Phases[step].CPU),
			wholeMegabytes(float64(r.Part.RSS)))
	}
	err = b.clickFleet(ctx, &t, lake, dir, made.Counts["messages"])
	b.report.add(t)
	return err
}

// oneOfFleet is a folder with the pushes of one machine, which adds to its history every night.
func (b *bench) oneOfFleet(ctx context.Context, dir string) (lake string, err error) {
	s := store{dir: filepath.Join(dir, "User")}
	lake = filepath.Join(dir, push.Redacted)
	if _, err := b.task(ctx, false, "generate", "-dir", s.dir, "-messages", strconv.Itoa(fleetMessages), "-seed",
		strconv.FormatUint(b.seed, 10)); err != nil {
		return "", err
	}
	p := pushes{runs: kinds{}, said: map[string]push.Result{}}
	for night := range fleetNights {
		if night > 0 {
			if _, err := b.task(ctx, false, "change", "-dir", s.dir, "-share", "0.05", "-mark",
				strconv.Itoa(night)); err != nil {
				return "", err
			}
		}
		if _, err := b.pushLoad(ctx, s, dir); err != nil {
			return "", err
		}
		if err := b.pushOnce(ctx, &p, "a night of one machine", dir, push.Redacted, night); err != nil {
			return "", err
		}
	}
	return lake, nil
}

// fleet is the task that gives the objects of one machine to many, each under its own name. Rows are objects, Bytes are
// theirs.
func fleet(ctx context.Context, o taskOptions) (r result, err error) {
	db, conn, err := openDuck(ctx, "")
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, conn.Close(), db.Close()) }()
	if _, err := conn.ExecContext(ctx, "SET threads = 1"); err != nil {
		return r, err
	}
	one, err := filepath.Glob(filepath.Join(o.dir, push.Root, "machine=*"))
	if err != nil || len(one) != 1 {
		return r, fmt.Errorf("%s holds %d machines, not one: %w", o.dir, len(one), err)
	}
	r.Counts = map[string]int64{}
	var files []string
	if err := filepath.WalkDir(one[0], func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".parquet") {
			files = append(files, path)
		}
		return err
	}); err != nil {
		return r, err
	}
	ids := rand.New(rand.NewPCG(1, 1))
	for range o.messages {
		machine := fmt.Sprintf("%016x", ids.Uint64())
		for _, file := range files {
			rest, err := filepath.Rel(one[0], file)
			if err != nil {
				return r, err
			}
			to := filepath.Join(o.scratch, push.Root, "machine="+machine, rest)
			if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
				return r, err
			}
			if _, err := conn.ExecContext(ctx,
				fmt.Sprintf("COPY (SELECT * REPLACE (%s AS machine_id) FROM read_parquet(%s, hive_partitioning = "+
					"false)) TO %s (FORMAT parquet, COMPRESSION zstd)", engine.Literal(machine), engine.Literal(file),
					engine.Literal(to))); err != nil {
				return r, err
			}
			info, err := os.Stat(to)
			if err != nil {
				return r, err
			}
			r.Rows, r.Bytes = r.Rows+1, r.Bytes+info.Size()
			if strings.HasPrefix(rest, "commit"+string(filepath.Separator)) {
				r.Counts["commits"]++
			}
		}
	}
	// What one machine has now, in other words than the views have: the newest number of each conversation.
	var messages int64
	err = conn.QueryRowContext(ctx,
		fmt.Sprintf(
			`WITH newest AS (SELECT source_id, conversation_id, max(push_seq) AS push_seq FROM read_parquet(%s, union_by_name = true) GROUP BY ALL)
		SELECT count(*) FROM read_parquet(%s, union_by_name = true) m JOIN newest USING (source_id, conversation_id, push_seq)`, engine.Literal(one[0]+"/push=*/conversations.parquet"), engine.Literal(one[0]+"/push=*/messages.parquet"))).Scan(&messages)
	r.Counts["messages"] = messages * int64(o.messages)
	return r, err
}

// The steps of reading a fleet.
const (
	listFleet   = "list the objects"
	unitsFleet  = "read the commits"
	askFleet    = "count by role, from the objects"
	tableFleet  = "make a table of the messages, once"
	askOfTables = "count by role, from the table"
)

var fleetSteps = []string{listFleet, unitsFleet, askFleet, tableFleet, askOfTables}

// fleetViews are the statements by which DuckDB reads the commits of a folder and the messages. An engine looks at each
// table's files when it makes its view: so only that one is made.
func fleetViews(dir string) (units, view string, err error) {
	views, err := push.Views("duckdb", push.Place{Target: dir})
	if err != nil {
		return "", "", err
	}
	units, views, _ = strings.Cut(views, ";\n")
	i := strings.Index(views, "CREATE OR REPLACE TEMP VIEW \"messages\" ")
	if i < 0 {
		return "", "", errors.New("there is no view of messages")
	}
	view, _, _ = strings.Cut(views[i:], ";\n")
	return units, view, nil
}

// readFleet is the task that reads a fleet's folder by the views that a push prints.
func readFleet(ctx context.Context, o taskOptions) (r result, err error) {
	db, conn, err := openDuck(ctx, filepath.Join(o.scratch, "lake.duckdb"))
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, conn.Close(), db.Close()) }()
	units, view, err := fleetViews(o.dir)
	if err != nil {
		return r, err
	}
	r.Phases, r.Counts = map[string]usage{}, map[string]int64{}
	ask := func(from string) func() error {
		return func() error {
			rows, err := conn.QueryContext(ctx, countByRole)
			if err != nil {
				return err
			}
			defer rows.Close()
			for rows.Next() {
				var role any
				var n int64
				if err := rows.Scan(&role, &n); err != nil {
					return err
				}
				r.Counts[from] += n
			}
			return rows.Err()
		}
	}
	exec := func(statement string) error {
		_, err := conn.ExecContext(ctx, statement)
		return err
	}
	for _, step := range []struct {
		name string
		do   func() error
	}{
		{listFleet, func() error {
			return conn.QueryRowContext(ctx, "SELECT count(*) FROM glob("+
				engine.Literal(o.dir+"/"+push.Root+"/machine=*/push=*/*.parquet")+")").Scan(new(int64))
		}},
		{unitsFleet, func() error { return exec(units) }},
		{askFleet, func() error { return errors.Join(exec(view), ask("objects")()) }},
		{tableFleet, func() error {
			return errors.Join(exec("CREATE TABLE compacted AS FROM messages"), exec("CHECKPOINT"),
				exec("CREATE OR REPLACE TEMP VIEW messages AS FROM compacted"))
		}},
		{askOfTables, ask("tables")},
	} {
		if r.Phases[step.name], err = timed(step.do); err != nil {
			return r, fmt.Errorf("%s: %w", step.name, err)
		}
	}
	var machines int64
	err = conn.QueryRowContext(ctx, "SELECT count(DISTINCT machine_id) FROM messages").Scan(&machines)
	r.Counts["machines"] = machines
	return r, err
}
