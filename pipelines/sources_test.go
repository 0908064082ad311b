package pipelines_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pipeline/pipelines"
)

// TestSourcesOfOneName: two folders never have one name in a warehouse. Otherwise one of them would not be read, and
// nobody would know.
func TestSourcesOfOneName(t *testing.T) {
	l := newFixture(t)
	one, two := filepath.Join(l.dir, "one"), filepath.Join(l.dir, "two")
	for _, user := range []string{one, two} {
		baseUserDir().write(t, user)
	}
	named := func(args ...string) func(*pipelines.Options) {
		return func(o *pipelines.Options) { o.Sources = resolve(t, args...) }
	}
	refused := func(args ...string) {
		t.Helper()
		o := l.options(named(args...))
		for name, run := range map[string]func(context.Context, pipelines.Options) (*pipelines.Result,
			error){"run": pipelines.Run, "dry run": pipelines.DryRun} {
			_, err := run(context.Background(), o)
			var usage *pipelines.UsageError
			if !errors.As(err, &usage) || !strings.Contains(err.Error(), one) || !strings.Contains(err.Error(), two) ||
				!strings.Contains(err.Error(), "both named a:") {
				t.Errorf("%s of %v: %v", name, args, err)
			}
		}
	}
	refused("a="+one, "a="+two)
	if _, err := os.Stat(l.warehouse()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("there is a warehouse: %v", err)
	}
	l.run(nil, named("a="+one, "a="+one))
	refused(one, "a="+two) // the warehouse knows the first one as a
	l.run(nil, named(one, "b="+two))
	if got := fmt.Sprint(l.ask("SELECT source_id FROM sources ORDER BY source_id")); got != "[[a] [b]]" {
		t.Errorf("the sources are %v, want a and b", got)
	}
}
