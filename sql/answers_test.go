package sql

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAnswers asks every answer of a small history: testdata/answers/<name>/given.sql holds rows, want.sql queries of the view with the
// rows that they must return, worked out by hand from the question.
func TestAnswers(t *testing.T) {
	for _, answer := range Answers() {
		t.Run(answer.Name, func(t *testing.T) {
			t.Parallel()
			if answer.Question() == "" || !strings.Contains(answer.Doc, "Coverage:") {
				t.Errorf("its comment begins with no question, or does not say what is known (Coverage: ...):\n%s", answer.Doc)
			}
			dir := filepath.Join("../testdata/answers", answer.Name)
			w := newWarehouse(t)
			if _, err := os.Stat(dir); err != nil {
				t.Fatalf("it has no case: %v", err)
			}
			w.exec(t, readFile(t, filepath.Join(dir, "given.sql")))
			w.everythingChanged(t)
			w.runModels(t)
			w.setZone("UTC")
			w.answers(t, filepath.Join(dir, "want.sql"))
			if comment := w.rows(t, "SELECT comment FROM duckdb_views() WHERE view_name = '"+answer.Name+"'"); len(comment) != 1 || comment[0] == "NULL" {
				t.Errorf("the view has no comment: %v", comment)
			}
		})
	}
}
