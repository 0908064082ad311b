package file_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pipeline/pipelines/file"
)

// TestPipelineKeysDoc keeps the table of docs/pipelines.md what the declaration says.
func TestPipelineKeysDoc(t *testing.T) {
	t.Parallel()
	path := filepath.Join("..", "..", "docs", "pipelines.md")
	doc := string(contents(t, path))
	_, table, _ := strings.Cut(doc, "| --- | --- |\n")
	table, _, _ = strings.Cut(table, "\n\n")
	var want []string
	for _, k := range file.Settings() {
		if k.Key == "" {
			continue
		}
		example := ""
		if k.Example != "" {
			example = fmt.Sprintf(" For example `%s`.", k.Example)
		}
		want = append(want, fmt.Sprintf("| `%s` | %s%s |", k.Key, k.Help(), example))
	}
	if *update {
		if err := os.WriteFile(path, []byte(strings.Replace(doc, table, strings.Join(want, "\n"), 1)),
			0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, strings.Split(table, "\n")); diff != "" {
		t.Errorf("%s differs; look at it and run go test ./pipelines/file -run TestPipelineKeysDoc -update (-want "+
			"+got):\n%s", path, diff)
	}
}
