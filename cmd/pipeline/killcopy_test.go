//go:build unix

package main

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pipeline/testdata/gen/editortest"
	"pipeline/testdata/gen/night"
	"pipeline/testdata/gen/storetest"
)

// TestKillCopy kills runs while they read private copies of a store that holds login secrets: a copy that a -wal has to
// be taken into, which has a name until that is done, and one of a store that an editor writes to. The first is gone
// with the next start, the others with their process.
func TestKillCopy(t *testing.T) {
	long(t)
	kills := 4 // a sample: make endurance
	if night.On() {
		kills = 100
	}
	t.Run("with a -wal", func(t *testing.T) {
		k := newCopyKiller(t, storetest.StoreOptions{WAL: true, WALRows: talk("b", "of the -wal")})
		for range kills {
			k.kill("run", "--quiet", "--full", "--source", "test="+k.w.user, "--warehouse", k.w.warehouse)
		}
		if k.named == 0 {
			t.Error("no run was killed while its copy had a name: this test proves nothing")
		}
		k.clean()
		t.Logf("%d kills, %d of them while there was a copy; %d copies found by name", kills, k.met, k.named)
	})
	t.Run("beside an editor", func(t *testing.T) {
		k := newCopyKiller(t, storetest.StoreOptions{})
		editor := editortest.Start(t, k.w.global(), editortest.Options{Pause: time.Millisecond, Ballast: 4096})
		for range kills {
			k.kill("run", "--quiet", "--full", "--source", "test="+k.w.user, "--warehouse", k.w.warehouse)
		}
		// An editor whose disk lets it wait in a commit looks like one that crashed: its journal is copied too, and
		// such a copy has a name.
		if k.named > max(1, kills/20) {
			t.Errorf("%d copies of the store outlived their runs", k.named)
		}
		if err := editor.Stop(); err != nil {
			t.Errorf("the editor was disturbed: %v", err)
		}
		k.clean()
		t.Logf("%d kills, %d of them while there was a private folder; %d copies found by name", kills, k.met, k.named)
	})
}

const copySecret = "CANARYc0pyQ9"

// copyKiller kills runs over a store with secrets.
type copyKiller struct {
	t          *testing.T
	w          *cliTest
	temp       string
	random     *rand.Rand
	met, named int // kills while there was a private folder; such as left a copy of the secrets in it
}

func newCopyKiller(t *testing.T, o storetest.StoreOptions) *copyKiller {
	k := &copyKiller{t: t, w: newCLITest(t), random: rand.New(rand.NewPCG(39, uint64(night.Number())))}
	k.temp = filepath.Join(k.w.dir, "temp")
	k.w.must(os.Mkdir(k.temp, 0o700))
	t.Setenv("TMPDIR", k.temp)
	t.Setenv("XDG_CACHE_HOME", filepath.Join(k.temp, "cache"))
	rows := append(talk("a", "what people wrote"),
		storetest.Row{Table: storetest.ItemTable, Key: "cursorAuth/accessToken", Value: copySecret},
		storetest.Row{Table: storetest.ItemTable, Key: "secret://x", Value: copySecret})
	for i := range 64 { // so that a copy takes a while
		rows = append(rows, storetest.Row{Key: "agentKv:blob:" + string(rune('a'+i)), Value: make([]byte, 256<<10)})
	}
	if o.WAL {
		o.WALRows = append(o.WALRows, rows...)
	}
	k.w.store(rows, o)
	return k
}

// folders are the private folders that there are.
func (k *copyKiller) folders() []string {
	var all []string
	for _, parent := range []string{k.temp, filepath.Join(k.temp, "cache", "pipeline")} {
		found, err := filepath.Glob(filepath.Join(parent, "pipeline-snapshot-*"))
		k.w.must(err)
		all = append(all, found...)
	}
	return all
}

// kill starts a run, which must sweep what the one before left, and kills it once it has a private folder, or ends
// without.
func (k *copyKiller) kill(args ...string) {
	k.t.Helper()
	before := k.folders()
	c := start(k.t, exec.Command("pipeline", args...))
	for until := time.Now().Add(patience); time.Now().Before(until); {
		if now := k.folders(); len(now) > 0 && strings.Join(now, " ") != strings.Join(before, " ") {
			k.met++
			c.sleep(time.Duration(k.random.Float64() * float64(60*time.Millisecond)))
			break
		}
		select {
		case <-c.ended:
			return
		case <-time.After(100 * time.Microsecond):
		}
	}
	_ = c.cmd.Process.Kill()
	c.wait()
	now := k.folders()
	for _, folder := range before {
		for _, left := range now {
			if folder == left {
				k.t.Errorf("the start after a kill left %s", folder)
			}
		}
	}
	if holdsText(k.w, k.temp, copySecret) {
		k.named++
	}
	if holdsText(k.w, k.w.dir, copySecret) && !holdsText(k.w, k.temp, copySecret) {
		k.t.Error("a killed run left a secret beside its copy")
	}
}

// clean starts one more command: after it nothing is left.
func (k *copyKiller) clean() {
	k.t.Helper()
	k.w.run(0)
	if left := k.folders(); len(left) > 0 {
		k.t.Errorf("left: %v", left)
	}
	if holdsText(k.w, k.w.dir, copySecret) {
		k.t.Error("a secret is left")
	}
}
