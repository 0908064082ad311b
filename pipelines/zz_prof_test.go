package pipelines_test

import (
	"os"
	"testing"
)

func TestProf(t *testing.T) {
	src := os.Getenv("PROF_STORE")
	if src == "" {
		t.Skip("profiling only")
	}
	mustRun(t, options(t, t.TempDir(), src))
}
