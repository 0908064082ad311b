package term

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPager: what PAGER names is run, may end early, and is not missed where there is none.
func TestPager(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no sh")
	}
	dir := t.TempDir()
	paged := func(pager string, mark string) (printed, said string) {
		t.Helper()
		t.Setenv("PAGER", pager)
		out, err := os.Create(filepath.Join(dir, "out"))
		if err != nil {
			t.Fatal(err)
		}
		defer out.Close()
		var errs strings.Builder
		lines := func(w io.Writer) error {
			_, err := io.WriteString(w, strings.Repeat("line\n", 100_000))
			return err
		}
		if err := Page(t.Context(), out, &errs, true, mark, lines); err != nil {
			t.Errorf("PAGER=%s: %v", pager, err)
		}
		text, err := os.ReadFile(out.Name())
		if err != nil {
			t.Fatal(err)
		}
		return string(text), errs.String()
	}
	if printed, _ := paged("sed 's/^/paged /'", ""); !strings.HasPrefix(printed, "paged line\npaged line\n") {
		t.Errorf("the pager is not run: %.40q", printed)
	}
	if printed, said := paged("head -n 1", ""); printed != "line\n" || said != "" {
		t.Errorf("a pager that ends early: %.40q %s", printed, said)
	}
	for _, none := range []string{"", "cat", "  "} {
		if printed, said := paged(none, "▶"); len(printed) != 500_000 || said != "" {
			t.Errorf("PAGER=%q: %d bytes, %s", none, len(printed), said)
		}
	}
	if printed, said := paged("no-such-pager-here", ""); len(printed) != 500_000 ||
		!strings.Contains(said, "there is no pager no-such-pager-here") {
		t.Errorf("without the pager: %d bytes, %s", len(printed), said)
	}
}
