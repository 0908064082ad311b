package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"

	"pipeline/sql"
)

// yearFigures are figures of the invented year, each between two bounds that a developer would believe.
var yearFigures = []struct {
	what, query string
	least, most float64
}{
	{"conversations", "SELECT count(*) FROM live_conversations", 100, 300},
	{"messages", "SELECT count(*) FROM live_messages", 2000, 5000},
	{"titles of odd cases", "SELECT count(*) FROM conversations WHERE title LIKE 'Case %'", 0, 0},
	{"titles that are given twice, of all", "SELECT 1 - count(DISTINCT title) / count(*) FROM live_conversations " +
		"WHERE title IS NOT NULL", 0, 0.15},
	{"projects", "SELECT count(DISTINCT project) FROM live_conversations", 6, 6},
	{"hours of a usual week", "SELECT median(h) FROM (SELECT sum(duration_ms) / 3600000 AS h FROM activity_periods " +
		"GROUP BY date_trunc('week', started_at))", 1.5, 10},
	{"hours of the busiest week", "SELECT max(h) FROM (SELECT sum(duration_ms) / 3600000 AS h FROM activity_periods " +
		"GROUP BY date_trunc('week', started_at))", 5, 20},
	{"weeks without work", "SELECT 53 - count(DISTINCT date_trunc('week', started_at)) FROM activity_periods", 1, 6},
	{"messages at weekends", "SELECT count(*) FILTER (WHERE isodow(created_at) > 5) / count(*) FROM live_messages",
		0.005, 0.08},
	{"calls of tools that fail", "SELECT count(*) FILTER (WHERE is_error) / count(is_error) FROM live_tool_calls", 0.03,
		0.12},
	{"tools that fail", "SELECT count(DISTINCT tool) FROM live_tool_calls WHERE is_error", 4, 12},
	{"edits that are accepted", "SELECT count(*) FILTER (WHERE is_accepted) / count(is_accepted) FROM code_edits " +
		"WHERE deleted_at IS NULL", 0.6, 0.85},
	{"dollars of the year", "SELECT sum(cost_cents) / 100 FROM usage_events WHERE is_counted", 40, 400},
	{"models", "SELECT count(DISTINCT model) FROM live_messages WHERE model IS NOT NULL", 10, 25},
	{"answers with tokens before February 2026",
		"SELECT count(output_tokens) FROM live_messages WHERE role = 'assistant' AND created_at < '2026-02-01'", 100,
		1000},
	{"answers with tokens after it", "SELECT count(output_tokens) FROM live_messages WHERE role = 'assistant' AND " +
		"created_at >= '2026-03-01'", 0, 0},
	{"commits that a conversation led to, of all",
		"SELECT count(DISTINCT l.commit_hash) / (SELECT count(*) FROM commits) FROM conversation_commits l", 0.3, 0.95},
	{"subagents", "SELECT count(*) FROM live_conversations WHERE is_subagent", 5, 60},
	{"conversations in MAX mode", "SELECT count(*) FROM live_conversations WHERE max_mode", 3, 60},
	{"conversations of the command line", "SELECT count(DISTINCT conversation_id) FROM conversation_sources WHERE " +
		"path LIKE '%store.db'", 5, 60},
	{"plans", "SELECT count(*) FROM plans", 5, 60},
	{"servers of MCP", "SELECT count(DISTINCT mcp_server) FROM live_tool_calls WHERE mcp_server IS NOT NULL", 3, 6},
}

// TestDemoYear: what `pipeline demo` writes is a year that a developer would believe, and it has something to say to
// every question.
func TestDemoYear(t *testing.T) {
	long(t)
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	w := newCLITest(t)
	demo := filepath.Join(w.dir, "demo")
	w.does(0, "demo", "--out", demo)
	w.does(0, "run", "--quiet", "--source", demo, "--git", "--usage", filepath.Join(demo, "usage"), "--warehouse",
		w.warehouse)
	warehouse := openWarehouse(t, w.warehouse)
	for _, f := range yearFigures {
		got, err := warehouse.Query(t.Context(), "SELECT CAST(("+f.query+") AS DOUBLE)")
		if err != nil {
			t.Errorf("%s: %v", f.what, err)
			continue
		}
		n, ok := got.Rows[0][0].(float64)
		t.Logf("%s: %.3g", f.what, n)
		if !ok || n < f.least || n > f.most {
			t.Errorf("%s: %v is not between %g and %g", f.what, got.Rows, f.least, f.most)
		}
	}
	for _, answer := range sql.Answers() {
		got, err := warehouse.Query(t.Context(), "SELECT count(*) FROM "+answer.Name)
		if err != nil {
			t.Errorf("%s: %v", answer.Name, err)
			continue
		}
		if fmt.Sprint(got.Rows) == "[[0]]" {
			t.Errorf("%s has no rows", answer.Name)
		}
	}
}
