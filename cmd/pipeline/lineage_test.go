package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pipeline/load/reader"
	"pipeline/sql/schema"
)

// A lineage is a store and the warehouse that one load after another goes to.
type lineage struct {
	name   string
	wal    bool
	editor string // none, alive, killed
	user   string
	dest   place
	acked  int64 // loads whose run ended well, or that were seen
	last   *state
	loads  map[int64]map[string]int64 // rows of each table after each load
}

// A sayer fails the test; a killer's says also in which round.
type sayer func(format string, args ...any)

// command is a load of a kind.
func (l *lineage) command(kind string, args ...string) *exec.Cmd {
	args, dest := append(args, "--source", "test="+l.user), place{warehouse: l.dest.warehouse}
	switch kind {
	case "full":
		args = append(args, "--full")
	case "parquet":
		dest = l.dest
	}
	return command(dest, args...)
}

// check compares a warehouse with the loads that were acknowledged: it holds whole loads only, all of them.
func (l *lineage) check(t *testing.T, now *state, acknowledged bool, say sayer) {
	t.Helper()
	switch {
	case now.loads != l.acked || now.last != l.acked:
		say("%d loads, the last has number %d; %d were acknowledged", now.loads, now.last, l.acked)
	case l.last != nil && l.last.loads == now.loads:
		if l.last.all != now.all {
			say("rows differ, and there is no new load:\n%s\nwere\n%s", now.all, l.last.all)
		}
		return // its checks have passed
	}
	if l.last, l.loads[now.loads] = now, now.rows; acknowledged {
		return // the run has checked what it changed
	}
	var out strings.Builder
	if code := realMain([]string{"pipeline", "check", "--warehouse", l.dest.warehouse}, &out, &out); code != 0 {
		say("pipeline check: exit code %d: %s", code, out.String())
	}
}

// forget has the next load be the first.
func (l *lineage) forget(t *testing.T) {
	t.Helper()
	must(t, os.RemoveAll(filepath.Dir(l.dest.warehouse)))
	l.acked, l.last, l.loads = 0, nil, map[int64]map[string]int64{}
}

// likeFirst compares the live rows with those of a first load, which a command makes in a folder.
func (l *lineage) likeFirst(t *testing.T, dir string, load func(warehouse string) *exec.Cmd, say sayer) {
	t.Helper()
	fresh := filepath.Join(dir, "w.duckdb")
	if c := start(t, load(fresh)); c.wait() != 0 {
		say("a first load: %s", c.output.String())
	} else if want := look(t, fresh, say); want.live != l.last.live {
		say("the live rows differ from those of a first load:\n%s\nwant\n%s", l.last.live, want.live)
	}
}

// likeRebuilt compares the warehouse with what the raw layer makes of it in a folder. It does not if a load could not
// read a store: such a load takes in what a killed run has left of that store, and a rebuild loads these rows then,
// earlier than the load that could read the store.
func (l *lineage) likeRebuilt(t *testing.T, dir string, say sayer) {
	t.Helper()
	unread, err := reader.Query(t.Context(), l.dest.warehouse, `FROM load_stores WHERE NOT is_complete`)
	if err != nil {
		say("stores that were not read: %v", err)
	} else if len(unread.Rows) > 0 {
		return
	}
	again := filepath.Join(dir, "again.duckdb")
	must(t, os.CopyFS(again+".raw", os.DirFS(l.dest.warehouse+".raw")))
	var out strings.Builder
	if code := realMain([]string{"pipeline", "rebuild", "--warehouse", again}, &out, &out); code != 0 {
		say("pipeline rebuild: exit code %d: %s", code, out.String())
	} else if made := look(t, again, say); made.kept != l.last.kept {
		say("the warehouse made anew from the raw layer differs:\n%s\nwant\n%s%s", made.kept, l.last.kept,
			differences(t, again, l.dest.warehouse, say))
	}
}

// differences tells rows of two warehouses that differ, a few of each table that a rebuild makes as it was, by the
// columns that differ.
func differences(t *testing.T, got, want string, say sayer) string {
	t.Helper()
	const enough = 3
	var out strings.Builder
	for _, table := range schema.Tables() {
		if slices.Contains(ofRuns, table.Name) {
			continue
		}
		rows := [2]map[string]map[string]string{}
		for i, warehouse := range []string{got, want} {
			answer, err := reader.Query(t.Context(), warehouse, "SELECT COLUMNS(*)::VARCHAR FROM "+table.Name)
			if err != nil {
				say("%s of %s: %v", table.Name, warehouse, err)
				return out.String()
			}
			rows[i] = map[string]map[string]string{}
			for _, values := range answer.Rows {
				key, row := "", map[string]string{}
				for j, c := range table.Columns {
					row[c.Name] = reader.Text(values[j])
					if c.Key {
						key += " " + c.Name + "=" + row[c.Name]
					}
				}
				rows[i][key] = row
			}
		}
		told := 0
		for _, key := range slices.Sorted(maps.Keys(rows[0])) {
			for _, c := range table.Columns {
				if a, b := rows[0][key][c.Name], rows[1][key][c.Name]; a != b && told < enough {
					told++
					fmt.Fprintf(&out, "\n%s%s: %s is %q, want %q", table.Name, key, c.Name, a, b)
				}
			}
		}
	}
	return out.String()
}
