package transform

import (
	"strings"
	"testing"
	"time"
)

// TestPlanHeadCost: no shape of a head that YAML refuses costs more than its size.
func TestPlanHeadCost(t *testing.T) {
	t.Parallel()
	deep := ""
	for i := 0; len(deep) < maxPlanHead-1000; i++ {
		deep += strings.Repeat(" ", i) + "a:\n"
	}
	begin := time.Now()
	for name, head := range map[string]string{
		"deep": deep + "x: [", "names": strings.Repeat("a: b: c\n", maxPlanHead/8-1),
		"one list": "todos:\n" + strings.Repeat("- a: b: c\n", maxPlanHead/11),
	} {
		parseHead(head)
		if d := time.Since(begin); d > 30*time.Second {
			t.Errorf("%s: it took %s", name, d)
		}
	}
}
