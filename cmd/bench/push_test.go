package main

import (
	"os/exec"
	"path/filepath"
	"testing"

	"pipeline/load/push"
)

// TestPushes: the machine of a fleet pushes every night, and the objects of many machines hold as many times what its
// warehouse holds.
func TestPushes(t *testing.T) {
	long(t)
	t.Parallel()
	b := tinyBench(t)
	b.pipeline = filepath.Join(t.TempDir(), "pipeline")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", b.pipeline, "pipeline/cmd/pipeline").
		CombinedOutput(); err != nil {
		t.Fatalf("build the program: %v\n%s", err, out)
	}
	p, err := b.pushAt(t.Context(), 0.01)
	if err != nil {
		t.Fatal(err)
	}
	if full, metadata := p.said[pushFirst(push.Full)],
		p.said[pushFirst(push.Metadata)]; full.Bytes <= metadata.Bytes || full.Rows["messages"] != int(p.messages) ||
		metadata.Rows["messages"] != int(p.messages) {
		t.Errorf("of %d messages: full %+v, metadata %+v", p.messages, full, metadata)
	}
	dir := t.TempDir()
	one, err := b.oneOfFleet(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	lake := filepath.Join(dir, "lake")
	made, err := b.task(t.Context(), false, "fleet", "-dir", one, "-scratch", lake, "-messages", "3")
	if err != nil {
		t.Fatal(err)
	}
	var messages int64
	ask(t, dir, `SELECT count(*) FROM messages`, &messages)
	read, err := b.task(t.Context(), false, "read-fleet", "-dir", lake, "-scratch", dir)
	if err != nil || messages == 0 || read.Counts["objects"] != 3*messages || read.Counts["tables"] != 3*messages ||
		read.Counts["machines"] != 3 || made.Counts["messages"] != 3*messages ||
		made.Counts["commits"] != 3*fleetNights {
		t.Errorf("a machine has %d messages; made %v, read %v, %v", messages, made.Counts, read.Counts, err)
	}
}
