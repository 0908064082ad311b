package pipelines_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"pipeline/pipelines"
	"pipeline/testdata/gen/storetest"
)

// TestMemoryGrows gives the engine far less than it needs: the run ends as one with enough does, and says what it took.
func TestMemoryGrows(t *testing.T) {
	t.Parallel()
	long(t)
	loaded := func(memory int64) (rows [][]string, warnings []string) {
		l := newFixture(t)
		plan := storetest.New(storetest.Options{Seed: 3, Messages: 3000, NoCases: true})
		if err := plan.Write(l.user); err != nil {
			t.Fatal(err)
		}
		var mu sync.Mutex
		r := l.run(nil, func(o *pipelines.Options) {
			o.Memory, o.Publish = memory, parquetIn(filepath.Join(l.dir, "parquet"))
			o.Warn = func(format string, args ...any) {
				mu.Lock()
				defer mu.Unlock()
				warnings = append(warnings, fmt.Sprintf(format, args...))
			}
		})
		if r.Parquet == "" {
			t.Error("no Parquet was published")
		}
		return l.ask(
			`SELECT hash(string_agg(m::VARCHAR, '' ORDER BY m.message_id)) FROM (SELECT * EXCLUDE (source_id) FROM messages) m
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

// TestMemoryGrowsAtCommit: where the engine runs out of memory when it writes what is committed, the next try does not
// write it twice.
func TestMemoryGrowsAtCommit(t *testing.T) {
	t.Parallel()
	long(t)
	l := newFixture(t)
	w := baseUserDir()
	chance := rand.New(rand.NewPCG(1, 2))
	for i := range 30 { // values that no compression makes smaller
		output := make([]byte, 2_500_000)
		for j := range output {
			output[j] = "0123456789abcdefghijklmnopqrstuv"[chance.IntN(32)]
		}
		w.rows[fmt.Sprint("bubbleId:alpha:x",
			i)] = fmt.Sprintf(
			`{"_v":2,"type":2,"toolFormerData":{"tool":15,"name":"run_terminal_cmd","result":"{\"output\":\"%s\"}"}}`,
			output)
	}
	var warned []string
	r := l.run(w, func(o *pipelines.Options) {
		o.Memory, o.Workers = 96<<20, 1
		o.Warn = func(format string, args ...any) { warned = append(warned, fmt.Sprintf(format, args...)) }
	})
	if !strings.Contains(strings.Join(warned, "\n"), "Failed to commit") {
		t.Fatalf("no commit failed for want of memory: %q", warned)
	}
	if len(r.Failures) > 0 {
		t.Errorf("checks failed: %v", r.Failures)
	}
	want := [][]string{{"1", "1", "35", "31"}}
	got := l.ask(
		`SELECT (SELECT count(*) FROM sources), (SELECT count(*) FROM loads), (SELECT count(*) FROM messages), (SELECT count(*) FROM tool_calls)`)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("sources, loads, messages and tool calls: %v, want %v", got, want)
	}
}
