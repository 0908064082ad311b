package main

import (
	"path/filepath"
	"testing"

	"pipeline/extract"
)

// TestAgents: a run over the store of agents finds every message and the whole result of each call, and reads no stale
// blob; a change adds what it says.
func TestAgents(t *testing.T) {
	long(t)
	t.Parallel()
	b := tinyBench(t)
	dir := filepath.Join(b.dir, "User")
	made, err := b.task(t.Context(), false, "agents", "-dir", dir, "-messages", "1", "-seed", "3")
	if err != nil {
		t.Fatal(err)
	}
	if made.Families["stale blobs"].Rows != agentTurns || made.Families["bubbles"].Rows != 6*agentTurns {
		t.Errorf("made %v", made.Families)
	}
	scratch := t.TempDir()
	run := func() (bytes, messages, whole int64) {
		t.Helper()
		if _, err := b.task(t.Context(), false, "run", "-dir", dir, "-scratch", scratch); err != nil {
			t.Fatal(err)
		}
		ask(t, scratch, `SELECT (SELECT coalesce(sum(bytes_read), 0) FROM key_families WHERE family = '`+
			extract.FamilyNode+`' AND load_id = (SELECT max(load_id) FROM loads)), (SELECT count(*) FROM live_messages),
			(SELECT count(*) FROM live_tool_calls WHERE result_bytes > 3 AND started_at IS NOT NULL)`, &bytes,
			&messages, &whole)
		return bytes, messages, whole
	}
	live := made.Families["blobs of the graph"].Bytes
	if bytes, messages, whole := run(); messages != 6*agentTurns || whole != 3*agentTurns || bytes > live ||
		bytes < live*9/10 {
		t.Errorf("%d of %d bytes of blobs, %d messages, %d whole results", bytes, live, messages, whole)
	}
	if bytes, _, _ := run(); bytes != 0 {
		t.Errorf("a quiet run read %d bytes of blobs", bytes)
	}
	r, err := b.task(t.Context(), false, "change-agents", "-dir", dir, "-seed", "3", "-share", "0.01", "-mark", "2")
	if err != nil || r.Counts["messages"] != 12 || r.Counts["changed"] != 1 {
		t.Errorf("the change says %v, %v", r, err)
	}
}
