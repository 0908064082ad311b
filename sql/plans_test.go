package sql

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pipeline/load/tool/sqlrows"
)

// TestPlans: no model, view or check, and no statement (TestStatements), has a join that is a loop over all pairs of
// rows. The engine makes one of a semi, anti or left join if a condition has columns of one side alone, and perhaps of
// an inner join if two tables are compared that only a third one joins.
func TestPlans(t *testing.T) {
	t.Parallel()
	w := soundWarehouse(t)
	w.everythingChanged(t)
	for _, model := range Models() {
		w.execPlanned(t, model.Name, model.SQL)
	}
	for _, check := range Checks() {
		w.planned(t, check.Name, check.SQL)
	}
	views, err := sqlrows.All[string](context.Background(), w.conn,
		"SELECT schema_name || '.' || view_name FROM duckdb_views() WHERE NOT internal")
	if err != nil || len(views) < 100 {
		t.Fatalf("%d views: %v", len(views), err)
	}
	for _, view := range views {
		w.planned(t, view, "FROM "+view)
	}
}

// TestWindows: rows of a window are counted by count(CASE WHEN .. THEN 1 END): for a count(*) with a filter, the engine
// reads the whole window anew for each row.
func TestWindows(t *testing.T) {
	t.Parallel()
	filtered := regexp.MustCompile(`count\(\*\) FILTER \(([^()]|\([^()]*\))*\)\s+OVER`)
	paths, err := filepath.Glob("*/*.sql")
	if err != nil || len(paths) < 100 {
		t.Fatalf("%d files: %v", len(paths), err)
	}
	for _, path := range paths {
		if found := filtered.FindString(readFile(t, path)); found != "" {
			t.Errorf("%s: %s", path, found)
		}
	}
}

var comments, planned = regexp.MustCompile(`(?m)^--.*$`),
	regexp.MustCompile(`^(SELECT|WITH|FROM|INSERT|UPDATE|DELETE|CREATE.* TABLE) `)

// execPlanned executes statements, and looks at the plan of each.
func (w *warehouse) execPlanned(t *testing.T, name, statements string) {
	t.Helper()
	for part := range strings.SplitSeq(comments.ReplaceAllString(statements, ""), ";\n") {
		part = strings.TrimSpace(part)
		if planned.MatchString(part) {
			w.planned(t, name, part)
		}
		if part != "" {
			w.exec(t, part)
		}
	}
}

// fewPairs are joins without an equality that may stay, of one row, or of the names of models.
var fewPairs = regexp.MustCompile(`SUBQUERY|starts_with\(lower\(model\)|first_seen_at = started_at`)

// planStep is a step of the engine's plan.
type planStep struct {
	Name     string
	Info     map[string]any `json:"extra_info"`
	Children []planStep
}

// planned fails the test if the engine would do a join as a loop.
func (w *warehouse) planned(t *testing.T, name, query string) {
	t.Helper()
	plans, err := sqlrows.All[struct{ kind, plan string }](context.Background(), w.conn, "EXPLAIN (FORMAT json) "+query)
	var steps []planStep
	if err == nil {
		err = json.Unmarshal([]byte(plans[0].plan), &steps)
	}
	if err != nil || len(steps) == 0 {
		t.Fatalf("%s: %v\n%s", name, err, query)
	}
	for len(steps) > 0 {
		joined := fmt.Sprint(steps[0].Info["Condition"])
		if steps[0].Name == "BLOCKWISE_NL_JOIN" && !fewPairs.MatchString(joined) {
			t.Errorf("%s has a join that is a loop over all pairs: %s", name, joined)
		}
		steps = append(steps[1:], steps[0].Children...)
	}
}
