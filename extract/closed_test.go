package extract

import (
	"bytes"
	"os"
	"testing"
)

// openClosed opens the source of a fixture, whose store w is closed again before Open returns.
func (l *workspaceFixture) openClosed() Snapshot {
	l.Helper()
	sources, err := Resolve(l.user, Env{OS: "linux", Home: l.user})
	l.must(err)
	snapshot, err := sources[0].Open(l.Context(), OpenOptions{})
	l.must(err)
	l.Cleanup(func() { _ = snapshot.Close() })
	return snapshot
}

// TestClosedStoreIsReadOnce: the index of a store that is closed at once is checked while it is open.
func TestClosedStoreIsReadOnce(t *testing.T) {
	l := newWorkspaceFixture(t)
	snapshot := l.openClosed()
	l.must(os.Remove(l.store("w")))
	for range 2 {
		if err := snapshot.CheckIndex(t.Context(), "workspace/w"); err != nil {
			t.Errorf("the store is opened again: %v", err)
		}
	}
}

// TestClosedStoreWithDamagedIndex: one whose index names another key than the table is still told.
func TestClosedStoreWithDamagedIndex(t *testing.T) {
	l := newWorkspaceFixture(t)
	const key = "aiService.prompts"
	b, damaged := mustRead(t, l.store("w")), 0
	for at := 0; ; at += len(key) {
		i := bytes.Index(b[at:], []byte(key))
		if i < 0 {
			break
		}
		if at += i; b[at+len(key)] != '[' { // in the index the rowid follows, in the table the value
			b[at+len(key)-1] ^= 2
			damaged++
		}
	}
	mustWrite(t, l.store("w"), b)
	if err := l.openClosed().CheckIndex(t.Context(), "workspace/w"); damaged != 1 || !IsDamage(err) {
		t.Errorf("%d keys were changed, and CheckIndex says %v", damaged, err)
	}
}
