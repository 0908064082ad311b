//go:build unix

package engine_test

import (
	"errors"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pipeline/load/engine"
)

// TestOwnerAdvice: of a warehouse that is another user's it is said whose, and what to do.
func TestOwnerAdvice(t *testing.T) {
	file, owner := filepath.Join(t.TempDir(), "w.duckdb"), "nobody"
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	denied := &fs.PathError{Op: "open", Path: file, Err: fs.ErrPermission}
	if said := engine.Remedy(engine.WithRemedyOf(file, denied)); !strings.Contains(said, "Check the rights") {
		t.Errorf("of a file of one's own: %s", said)
	}
	if nobody, err := user.Lookup(owner); os.Geteuid() == 0 && err == nil {
		id, err := strconv.Atoi(nobody.Uid)
		if err = errors.Join(err, os.Chown(file, id, -1)); err != nil {
			t.Fatal(err)
		}
	} else if file, owner = "/", "root"; os.Geteuid() == 0 {
		t.Skip("there is no user nobody")
	}
	said := engine.Remedy(engine.WithRemedyOf(file, denied))
	for _, part := range []string{"belongs to " + owner + ", and you are ", "sudo chown ", "'" + file + "'*"} {
		if !strings.Contains(said, part) {
			t.Errorf("%q does not say %q", said, part)
		}
	}
	if said := engine.Remedy(engine.WithRemedyOf(file, errors.New("no space left on device"))); strings.Contains(said,
		owner) {
		t.Error(said)
	}
}
