package file_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"pipeline/pipelines/file"
)

// TestPipelineKeysDoc keeps the table of docs/pipelines.md what the declaration says.
func TestPipelineKeysDoc(t *testing.T) {
	t.Parallel()
	doc := string(contents(t, filepath.Join("..", "..", "docs", "pipelines.md")))
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
	if table != strings.Join(want, "\n") {
		t.Errorf("the table should be:\n%s", strings.Join(want, "\n"))
	}
}
