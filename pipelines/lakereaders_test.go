package pipelines_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pipeline/load/engine"
	"pipeline/load/push"
)

// restless is a machine that goes back and forth between two states, in which the same conversations have more and
// fewer messages.
type restless struct {
	t      *testing.T
	dir    string
	pushes atomic.Int64
	want   string // the conversations, and how many have another number of messages than they say: none
}

// restlessConversations are the machine's conversations, besides the three of baseUserDir.
const restlessConversations = 20

func newRestless(t *testing.T) *restless {
	t.Helper()
	m := &restless{t: t, dir: t.TempDir(), want: fmt.Sprint(restlessConversations+3, " 0")}
	l, other := newFixture(t), newFixture(t)
	w := baseUserDir()
	for i := range restlessConversations {
		w = w.with(fmt.Sprintf("composerData:c%d", i),
			fmt.Sprintf(`{"_v":13,"composerId":"c%d","name":"C","createdAt":1760000000000}`, i),
			fmt.Sprintf("bubbleId:c%d:m1", i), `{"_v":2,"type":1,"text":"One","createdAt":"2025-10-09T08:54:20Z"}`)
	}
	l.run(w)
	l.push(l.pushOptions(storeIn(t, m.dir)))
	text, err := os.ReadFile(l.warehouse())
	must(t, err)
	must(t, os.WriteFile(other.warehouse(), text, 0o600))
	for i := range restlessConversations {
		w = w.with(fmt.Sprintf("bubbleId:c%d:m2", i),
			`{"_v":2,"type":2,"text":"Two","createdAt":"2025-10-09T08:55:20Z"}`)
	}
	l.run(w)
	ends, ended := make(chan bool), make(chan error)
	go func() {
		var err error
		for states := []*fixture{l, other}; err == nil; states[0], states[1] = states[1], states[0] {
			select {
			case <-ends:
				ended <- nil
				return
			default:
			}
			o := states[0].pushOptions(storeIn(t, m.dir))
			o.Force = true // an older state over a newer one
			if _, err = push.Push(context.Background(), o); err == nil {
				m.pushes.Add(1)
			}
		}
		<-ends
		ended <- err
	}()
	t.Cleanup(func() { close(ends); must(t, <-ended) })
	return m
}

// pushed waits for n pushes more.
func (m *restless) pushed(n int64) {
	m.t.Helper()
	for until, deadline := m.pushes.Load()+n,
		time.Now().Add(time.Minute); m.pushes.Load() < until; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			m.t.Fatal("nothing is pushed any more")
		}
	}
}

// countedSQL is the number of conversations, and of those that say another number of messages than are read.
const countedSQL = `SELECT count(*) AS conversations, count(CASE WHEN said <> found THEN 1 END) AS wrong FROM (
	SELECT c.conversation_id, c.message_count AS said, count(m.message_id) AS found FROM conversations c LEFT JOIN messages m ON m.conversation_id = c.conversation_id GROUP BY c.conversation_id, c.message_count)`

// TestReadersBesidePushes: whoever reads by the views while a machine pushes lacks no conversation and no message. Who
// lists the data first, and reads the commits later, does: so the test can see it.
func TestReadersBesidePushes(t *testing.T) {
	long(t)
	t.Parallel()
	m := newRestless(t)
	views, err := push.Views("duckdb", push.Place{Target: m.dir})
	must(t, err)
	db, conn, err := engine.Open(t.Context(), filepath.Join(t.TempDir(), "reader.duckdb"), false)
	must(t, err)
	t.Cleanup(func() { _ = conn.Close(); _ = db.Close() })
	read := func(views string) string {
		t.Helper()
		_, err := conn.ExecContext(t.Context(), views)
		must(t, err)
		var all, wrong int
		must(t, conn.QueryRowContext(t.Context(), countedSQL).Scan(&all, &wrong))
		return fmt.Sprint(all, " ", wrong)
	}
	reads, before := 0, m.pushes.Load()
	for ; reads < 40 || m.pushes.Load() < before+6; reads++ {
		if got := read(views); got != m.want {
			t.Fatalf("read %d: conversations and wrong ones: %s, want %s", reads, got, m.want)
		}
	}
	t.Logf("DuckDB: %d reads beside %d pushes", reads, m.pushes.Load()-before)
	const controls = 5
	for range controls {
		if got := read(m.listed(views)); got == m.want {
			t.Error("with the data listed first all is there: the test sees nothing")
		}
	}
	t.Logf("DuckDB, the data first: %d reads, each lacks conversations", controls)
	t.Run("clickhouse", func(t *testing.T) {
		views, err := push.Views("clickhouse", push.Place{Target: m.dir})
		must(t, err)
		const reads = 10
		before := m.pushes.Load()
		out := inEngine(t, "clickhouse", "CREATE TABLE _counted (conversations Int64, wrong Int64) ENGINE = Memory;\n"+
			strings.Repeat(views+"INSERT INTO _counted "+countedSQL+";\n", reads),
			map[string]string{"counted": "SELECT * FROM _counted"}, "")
		t.Logf("ClickHouse: %d reads beside %d pushes", reads, m.pushes.Load()-before)
		rows, err := conn.QueryContext(t.Context(),
			"SELECT concat(conversations, ' ', wrong) FROM read_parquet("+
				engine.Literal(filepath.Join(out, "counted.parquet"))+")")
		must(t, err)
		defer func() { must(t, rows.Close()) }()
		n := 0
		for ; rows.Next(); n++ {
			var got string
			must(t, rows.Scan(&got))
			same(t, "conversations and wrong ones", m.want, got)
		}
		same(t, "reads", reads, n)
	})
}

// listed is the views of a reader that lists the data, and reads the commits only after two pushes.
func (m *restless) listed(views string) string {
	m.t.Helper()
	for _, table := range []string{"conversations", "messages"} {
		files, err := filepath.Glob(filepath.Join(m.dir, push.Root, "machine=*", "push=*", table+".parquet"))
		must(m.t, err)
		for i, file := range files {
			files[i] = engine.Literal(file)
		}
		views = regexp.MustCompile("'[^']*/push=[^']*/"+table+"\\.parquet'").
			ReplaceAllLiteralString(views, "["+strings.Join(files, ", ")+"]")
	}
	m.pushed(2) // the objects of the second were certainly not there
	return views
}
