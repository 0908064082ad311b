package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// taskOptions are what a task is told.
type taskOptions struct {
	dir       string // a Cursor user directory
	scratch   string // an empty folder to write to
	warehouse string
	file      string // a Parquet file
	messages  int
	seed      uint64
	skew      float64
	share     float64
	mark      int
}

// tasks are what this program does in processes of its own: one piece of work each, which says what it has done.
var tasks = map[string]func(context.Context, taskOptions) (result, error){
	"generate": func(_ context.Context, o taskOptions) (result, error) { return result{}, generate(o) },
	"families": families,
	"change":   change,
	"rename":   rename, "write": write, "work": work, "spread": spread,
	"real":   real,
	"agents": agents, "change-agents": changeAgents,
	"fleet": fleet, "read-fleet": readFleet,
	"count":   countMessages,
	"answers": answersTask,

	"read": asRun(readStage), "normalize": asRun(normalizeStage), "run": runStage,

	"cat": catFloor, "scan-sql": asRun(scanSQLFloor), "scan-driver": asRun(scanDriverFloor), "parse": asRun(parseFloor),
	"append": asRun(appendFloor), "append-all": asRun(appendAllFloor), "copy": copyFloor,
}

// childMain does one task and prints its result.
func childMain(ctx context.Context, args []string, stdout io.Writer) error {
	var o taskOptions
	f := flag.NewFlagSet("task", flag.ContinueOnError)
	f.StringVar(&o.dir, "dir", "", "user directory")
	f.StringVar(&o.scratch, "scratch", "", "folder to write to")
	f.StringVar(&o.warehouse, "warehouse", "", "warehouse")
	f.StringVar(&o.file, "file", "", "Parquet file")
	f.IntVar(&o.messages, "messages", 0, "messages to generate")
	f.Uint64Var(&o.seed, "seed", 0, "seed of what is generated")
	f.Float64Var(&o.skew, "skew", 0, "how much conversations differ in size")
	f.Float64Var(&o.share, "share", 0, "share of conversations to change")
	f.IntVar(&o.mark, "mark", 0, "what the changed texts say")
	if len(args) == 0 {
		return fmt.Errorf("name a task: %s", strings.Join(slices.Sorted(maps.Keys(tasks)), ", "))
	}
	do, ok := tasks[args[0]]
	if !ok {
		return fmt.Errorf("there is no task %q; the tasks are %s", args[0],
			strings.Join(slices.Sorted(maps.Keys(tasks)), ", "))
	}
	if err := f.Parse(args[1:]); err != nil {
		return err
	}
	r, err := do(ctx, o)
	if err != nil {
		return fmt.Errorf("task %s: %w", args[0], err)
	}
	return json.NewEncoder(stdout).Encode(r)
}
