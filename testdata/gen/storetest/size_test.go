package storetest

import (
	"math"
	"os"
	"testing"
)

// TestSize writes the store of a heavy user and compares its families with a real one. It takes seconds, and
// half a gigabyte of disk, so it is asked for.
func TestSize(t *testing.T) {
	if os.Getenv("STORETEST_SIZE") == "" {
		t.Skip("STORETEST_SIZE is not set")
	}
	p := New(Options{Seed: 1, Messages: 37_000, NoCases: true})
	dir := t.TempDir()
	if err := p.Write(dir); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(storePath(dir, "global"))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d MB, %d conversations", info.Size()>>20, len(p.chats))
	if info.Size() < 270e6 || info.Size() > 360e6 {
		t.Errorf("the store has %d bytes, want about 300 MB", info.Size())
	}
	db := openRead(t, storePath(dir, "global"))
	for _, f := range []struct {
		family      string
		rows, bytes float64
	}{
		{"bubbleId", 35_500, 152e6},
		{"checkpointId", 12_100, 33e6},
		{"composerData", 60, 33e6},
		{"messageRequestContext", 2_800, 28e6},
		{"codeBlockDiff", 4_050, 19e6},
	} {
		var rows, bytes float64
		err := db.QueryRow("SELECT count(*), sum(octet_length(value)) FROM cursorDiskKV WHERE key >= ? AND key < ?",
			f.family+":", f.family+";").Scan(&rows, &bytes)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %.0f rows, %.1f MB", f.family, rows, bytes/1e6)
		if math.Abs(rows-f.rows) > f.rows/10 || math.Abs(bytes-f.bytes) > f.bytes/10 {
			t.Errorf("%s: %.0f rows and %.1f MB, want %.0f and %.1f within a tenth", f.family, rows, bytes/1e6, f.rows,
				f.bytes/1e6)
		}
	}
}
