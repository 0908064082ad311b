package redact_test

import (
	"strings"
	"testing"

	"pipeline/load/redact/redacttest"
)

// TestRedactForms: of each form of the table the secret goes, in a message and in a tool's result.
func TestRedactForms(t *testing.T) {
	t.Parallel()
	missed := map[string]bool{}
	all := redacttest.Forms(3)
	for _, s := range all {
		for _, in := range []string{"alone", "lines", "code", "JSON", "JSON in JSON"} {
			if out := decoded(holds(t, contexts[in](s.Text))); strings.Contains(out, s.Secret) && !missed[s.Kind] {
				missed[s.Kind] = true
				t.Errorf("%s, %s: the secret stays in %.300q", s.Kind, in, out)
			}
		}
	}
	if len(all) < 600 {
		t.Errorf("only %d forms", len(all))
	}
	t.Logf("%d of %d forms pass", len(missed), len(all))
}
