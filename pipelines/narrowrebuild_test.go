package pipelines_test

import (
	"testing"

	"pipeline/pipelines"
	"pipeline/sql/schema"
)

// TestNarrowedRebuild: a rebuild gives what runs for some projects, or up to some time, and then for all have given.
func TestNarrowedRebuild(t *testing.T) {
	t.Parallel()
	for name, narrowed := range map[string]func(*pipelines.Options){
		"project": func(o *pipelines.Options) { o.Projects = []string{"one"} },
		"until":   func(o *pipelines.Options) { o.Until = new(schema.Millis) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name != "project" {
				long(t)
			}
			l := newFixture(t)
			w := sharingUserDir()
			l.run(w, narrowed)
			l.run(w)
			l.madeAnew()
		})
	}
}
