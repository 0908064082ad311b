package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pipeline/testdata/gen/shapetest"
	"pipeline/testdata/gen/storetest"
)

// TestShapeLoads: a store that is made out of a description loads, and its run names the same new fields and counts the
// same families as a run over the first store.
func TestShapeLoads(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := filepath.Join(dir, "User")
	rows := []storetest.Row{{Key: "composerData:c", Value: `{"_v":99,"composerId":"c","status":"resting"}`}}
	for i := range 60 {
		text := fmt.Sprintf(
			`{"_v":9,"bubbleId":"b%d","type":2,"text":"word %d","brandNew":{"acme":null},"toolFormerData":{"status":"resting","tool":77,"newer":[]}}`, i, i)
		rows = append(rows, storetest.Row{Key: fmt.Sprintf("bubbleId:c:b%d", i), Value: text},
			storetest.Row{Key: fmt.Sprintf("brandNewFamily:%d", i), Value: []byte(`[1]`)})
	}
	must(t, storetest.WriteStore(filepath.Join(first, "globalStorage", "state.vscdb"), rows,
		storetest.StoreOptions{}))
	file := filepath.Join(dir, "shape.json")
	examine(t, 0, "--source", first, "--shape", file)
	made, err := shapetest.Write(file, filepath.Join(dir, "made"))
	must(t, err)
	var found []string
	for i, user := range []string{first, made[0]} {
		warehouse := filepath.Join(dir, fmt.Sprintf("w%d.duckdb", i))
		succeeds(t, exec.Command("pipeline", "run", "--quiet", "--source", user, "--warehouse", warehouse))
		const query = `SELECT family, path, type, rows FROM unknown_fields UNION ALL SELECT family, handling, NULL, rows FROM key_families ORDER BY ALL`
		out, err := exec.Command("pipeline", "sql", "--format", "csv", "--warehouse", warehouse, query).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		found = append(found, string(out))
	}
	if found[0] != found[1] || !strings.Contains(found[0], "bubbleId,$.brandNew,object,60") ||
		!strings.Contains(found[0], "bubbleId,$.toolFormerData.newer,array,60") ||
		!strings.Contains(found[0], "brandNewFamily") {
		t.Errorf("of the first\n%s\nof the one made\n%s", found[0], found[1])
	}
}
