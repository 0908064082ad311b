package pipelines_test

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"pipeline/extract/storetest"
	"pipeline/pipelines"
)

// TestMemoryGrows gives the engine far less than it needs: the run ends as one with enough does, and says what it took.
func TestMemoryGrows(t *testing.T) {
	t.Parallel()
	loaded := func(memory int64) (rows [][]string, warnings []string) {
		l := newLab(t)
		plan := storetest.New(storetest.Options{Seed: 3, Messages: 3000, NoCases: true})
		if err := plan.Write(l.user); err != nil {
			t.Fatal(err)
		}
		var mu sync.Mutex
		r := l.run(nil, func(o *pipelines.Options) {
			o.Memory, o.Parquet = memory, filepath.Join(l.dir, "parquet")
			o.Warn = func(format string, args ...any) {
				mu.Lock()
				defer mu.Unlock()
				warnings = append(warnings, fmt.Sprintf(format, args...))
			}
		})
		if r.Parquet == "" {
			t.Error("no Parquet was published")
		}
		return l.ask(`SELECT hash(string_agg(m::VARCHAR, '' ORDER BY m.message_id)) FROM (SELECT * EXCLUDE (source_id) FROM messages) m
			UNION ALL SELECT count(*) FROM tool_calls UNION ALL SELECT count(*) FROM checkpoints`), warnings
	}
	want, none := loaded(0)
	if len(none) > 0 {
		t.Errorf("warnings with the usual memory: %q", none)
	}
	got, warned := loaded(16 << 20)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("rows %v, want %v", got, want)
	}
	if len(warned) == 0 || !strings.Contains(warned[0], "more memory than its share of --memory") {
		t.Errorf("warnings %q", warned)
	}
}
