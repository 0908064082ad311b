package warehouse_test

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"pipeline/load"
	"pipeline/load/engine"
	"pipeline/load/reader"
	"pipeline/load/sinktest"
	"pipeline/load/warehouse"
	"pipeline/sql/schema"
)

// Another process is the test binary itself, told by its environment what to do.
const (
	helperTask = "LOAD_TEST_TASK"
	helperPath = "LOAD_TEST_PATH"
)

func TestMain(m *testing.M) {
	if task := os.Getenv(helperTask); task != "" {
		os.Exit(help(task, os.Getenv(helperPath)))
	}
	os.Exit(m.Run())
}

// help does a task, says on stdout how it went, and waits until stdin ends.
func help(task, path string) int {
	ctx := context.Background()
	var err error
	switch task {
	case "read":
		_, err = reader.Open(ctx, path)
	case "open":
		_, err = warehouse.Open(ctx, path)
	case "commit": // but not fold it in
		var w *warehouse.Warehouse
		var tx *warehouse.Load
		if w, err = warehouse.Open(ctx, path); err == nil {
			if tx, err = beginLoad(ctx, w); err == nil {
				err = warehouse.CommitOnly(ctx, tx,
					load.Run{Load: schema.Load{LoadID: tx.ID(), StartedAt: loadStart, Status: "ok", Mode: "run",
						SchemaVersion: schema.Version}})
			}
		}
	case "own": // a database of somebody else's, with a log
		var db *sql.DB
		if db, err = sql.Open("duckdb", path); err == nil {
			_, err = db.Exec(`CREATE TABLE own AS SELECT 1 AS one`)
		}
	case "load": // up to the commit, with more rows than the engine holds in memory
		var w *warehouse.Warehouse
		if w, err = warehouse.Open(ctx, path); err == nil {
			_, err = beginLoad(ctx, w)
		}
		if err == nil {
			s := w.Session()
			err = errors.Join(s.Exec(ctx, engine.SetMemory(32<<20)),
				s.Exec(ctx, `CREATE TEMP TABLE large AS SELECT i AS row, hash(i) AS value FROM range(10_000_000) t(i)`))
		}
	}
	switch {
	case errors.Is(err, engine.ErrBusy):
		fmt.Println("busy")
	case err != nil:
		fmt.Println(err)
	default:
		fmt.Println("ready")
	}
	_, _ = io.Copy(io.Discard, os.Stdin)
	return 0
}

// beginLoad begins a load and takes it up to its commit.
func beginLoad(ctx context.Context, w *warehouse.Warehouse) (*warehouse.Load, error) {
	state, err := w.State(ctx)
	if err != nil {
		return nil, err
	}
	id := state.LastLoadID + 1
	tx, err := w.Begin(ctx, load.Settings{LoadID: id, StartedAt: loadStart, SessionGapMs: 1000})
	if err != nil {
		return nil, err
	}
	err = tx.Source(load.SourceRows{Source: schema.Source{SourceID: "s", UserDir: fmt.Sprint("/user/", id),
		FirstSeenAt: loadStart, LastSeenAt: loadStart}})
	if err != nil {
		return nil, err
	}
	_, err = tx.Finish(ctx)
	return tx, err
}

const loadStart = schema.Millis(1700000000000)

// process is another process in the middle of its task.
type process struct {
	said string // what it said when it had come there
	stop func() // lets it end in peace
	kill func() // SIGKILL
}

// other starts another process and waits until it has done its task. It holds what it opened until it is stopped or
// killed.
func other(t *testing.T, task, path string) process {
	t.Helper()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary)
	cmd.Env = append(os.Environ(), helperTask+"="+task, helperPath+"="+path)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := false
	end := func(how func() error) func() {
		return func() {
			if ended {
				return
			}
			ended = true
			_ = how()
			_ = cmd.Wait()
		}
	}
	p := process{stop: end(in.Close), kill: end(cmd.Process.Kill)}
	t.Cleanup(p.kill)
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("%s in another process: %v", task, err)
	}
	p.said = strings.TrimSpace(line)
	return p
}

// mustLoad runs a load to its end and closes the warehouse.
func mustLoad(t *testing.T, path string, fill func(tx *warehouse.Load)) {
	t.Helper()
	sinktest.Load(t, path, loadStart, fill)
}

func ptr[T any](v T) *T { return &v }

// long leaves a test that takes some seconds of CPU to make test-all: make test runs with -short.
func long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it is long: make test-all runs it")
	}
}
