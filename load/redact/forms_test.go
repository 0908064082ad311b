package redact_test

import (
	"strings"
	"testing"

	"pipeline/load/redact"
	"pipeline/load/redact/redacttest"
)

// TestRedactForms: of each form of the table the secret goes, in a message and in a tool's result.
func TestRedactForms(t *testing.T) {
	t.Parallel()
	missed := map[string]bool{}
	all := redacttest.Forms(3)
	for _, s := range all {
		for _, in := range []string{"alone", "lines", "JSON", "JSON in JSON"} {
			text := contexts[in](s.Text)
			out := decoded(holds(t, text))
			if strings.Contains(out, s.Secret) && !missed[s.Kind] {
				missed[s.Kind] = true
				t.Errorf("%s, %s: %q", s.Kind, in, out)
			}
		}
	}
	t.Logf("%d of %d forms pass", len(missed), len(all))
	_ = redact.Version
}
