//go:build unix

package main

import (
	"database/sql"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"pipeline/testdata/gen/clitest"
	"pipeline/testdata/gen/graphtest"
	"pipeline/testdata/gen/night"
	"pipeline/testdata/gen/storetest"
)

// TestKillAgents kills runs over all that agents leave: graphs and cloud agents in the editor's store, chats of the
// command line, transcripts. Each of ten nights changes every kind. A killed run leaves the warehouse as it was or with
// a whole load; the next run gives the live rows of a first load, and a rebuild the same rows again.
func TestKillAgents(t *testing.T) {
	long(t)
	kills := 2 // a night, a sample: make endurance
	if night.On() {
		kills = 20
	}
	a := newAgents(t)
	var met [phases]int
	for night := range 10 {
		say := func(format string, args ...any) {
			t.Helper()
			t.Errorf("night %d: %s", night, fmt.Sprintf(format, args...))
		}
		a.night(night)
		before := files(t, a.dir)
		for range kills {
			met[a.kill(say)]++
		}
		a.peace(say)
		if !maps.Equal(before, files(t, a.dir)) {
			say("a run changed what it read")
		}
		if night == 9 {
			a.likeRebuilt(t, t.TempDir(), say)
		}
		if t.Failed() {
			t.FailNow()
		}
	}
	t.Logf("kills by phase %v: %v; %d loads; live:\n%s", phaseNames, met, a.acked, a.last.live)
	for _, table := range []string{"conversations", "messages", "tool_calls", "conversation_sources"} {
		if a.last.rows[table] < 30 {
			t.Errorf("%s has %d rows: this test proves little", table, a.last.rows[table])
		}
	}
}

// agents is a machine whose agents work each night.
type agents struct {
	lineage
	t             *testing.T
	dir           string
	random        *rand.Rand
	chats, spoken *clitest.Home
	db            *sql.DB
	span          time.Duration // of the shortest undisturbed run
}

func newAgents(t *testing.T) *agents {
	dir := t.TempDir()
	a := &agents{t: t, dir: filepath.Join(dir, "home"), random: rand.New(rand.NewPCG(23, uint64(night.Number()))),
		chats: clitest.Random(23), spoken: clitest.RandomSpoken(23), span: time.Second}
	a.lineage = lineage{dest: place{warehouse: filepath.Join(dir, "dest", "w.duckdb")},
		loads: map[int64]map[string]int64{}}
	a.user = filepath.Join(a.dir, "User")
	path := filepath.Join(a.user, "globalStorage", "state.vscdb")
	a.must(storetest.WriteStore(path, nil, storetest.StoreOptions{}))
	var err error
	a.db, err = sql.Open("sqlite", "file:"+path)
	a.must(err)
	t.Cleanup(func() { a.db.Close() })
	return a
}

func (a *agents) must(err error) {
	a.t.Helper()
	must(a.t, err)
}

// run is a run over everything.
func (a *agents) run(warehouse string) *exec.Cmd {
	return command(place{warehouse: warehouse}, "--quiet", "--accept-deletes", "--source", "editor="+a.user, "--source",
		"chats="+filepath.Join(a.dir, "chats"), "--source", "spoken="+filepath.Join(a.dir, "spoken"))
}

// night has every kind of agent go on.
func (a *agents) night(night int) {
	a.t.Helper()
	if night > 0 {
		a.chats.Night(a.random)
		a.spoken.SpokenNight(a.random, night)
	}
	a.must(a.chats.Write(filepath.Join(a.dir, "chats")))
	a.must(a.spoken.Write(filepath.Join(a.dir, "spoken")))
	for n := range 3 + night {
		chat := graphtest.Random(uint64(n))
		chat.Turns = chat.Turns[:min(1+night, len(chat.Turns))]
		chat.Archived, chat.LostTurns = min(chat.Archived, len(chat.Turns)), min(chat.LostTurns, len(chat.Turns))
		g, id := chat.Build(), fmt.Sprintf("00000000-0000-4000-8000-%012d", n)
		state := "~"
		if name := g.Hash(); n%3 == 2 {
			a.put("agentKv:checkpoint:"+id, hex.EncodeToString(name[:]))
		} else {
			state += base64.StdEncoding.EncodeToString(g.Root)
		}
		a.put("composerData:"+id,
			fmt.Sprintf(
				`{"_v":18,"composerId":%q,"name":"Night %d","createdAt":1788220000000,"fullConversationHeadersOnly":[],"conversationState":%q}`, id, night, state))
		a.blobs(g.Blobs)
	}
	for n, c := range graphtest.CloudCases()[:min(night, 6)] {
		c.Cloud.At += int64(night)
		g := c.Cloud.Build()
		a.put(fmt.Sprintf("bc-%d:cloudAgent:metadata", n), g.Row)
		a.blobs(g.Blobs)
	}
}

func (a *agents) blobs(blobs map[[32]byte][]byte) {
	a.t.Helper()
	for name, blob := range blobs {
		a.put("agentKv:blob:"+hex.EncodeToString(name[:]), blob)
	}
}

// put has the editor write a row, unless it is there.
func (a *agents) put(key string, value any) {
	a.t.Helper()
	_, err := a.db.Exec(
		`INSERT OR REPLACE INTO cursorDiskKV (key, value) SELECT $1, $2 WHERE NOT EXISTS (SELECT 1 FROM cursorDiskKV WHERE key = $1 AND value = $2)`, key, value)
	a.must(err)
}

// kill kills a run somewhere and looks at what it left. It returns how far the run had come.
func (a *agents) kill(say sayer) phase {
	a.t.Helper()
	c := start(a.t, a.run(a.dest.warehouse))
	c.sleep(time.Duration(a.random.Float64() * float64(a.span)))
	_ = c.cmd.Process.Kill() // it may have ended
	if code := c.wait(); code > 0 {
		say("exit code %d before the kill: %s", code, c.output.String())
	}
	if _, err := os.Stat(a.dest.warehouse); os.IsNotExist(err) && a.acked == 0 {
		return c.phase()
	}
	now := look(a.t, a.dest.warehouse, say)
	if now.loads == a.acked+1 {
		a.acked++
	}
	a.check(a.t, now, false, say)
	checkRaw(a.t, a.dest.warehouse, now, false, say)
	return c.phase()
}

// peace has a run end, and compares the warehouse with a first load of the same places.
func (a *agents) peace(say sayer) {
	a.t.Helper()
	c := start(a.t, a.run(a.dest.warehouse))
	if c.wait() != 0 {
		a.t.Fatal(c.output.String())
	}
	a.span = min(a.span, c.timings().whole)
	a.acked++
	a.check(a.t, look(a.t, a.dest.warehouse, say), true, say)
	checkRaw(a.t, a.dest.warehouse, a.last, true, say)
	a.likeFirst(a.t, a.t.TempDir(), a.run, say)
}
