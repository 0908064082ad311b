package extract

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pipeline/testdata/gen/editortest"
	"pipeline/testdata/gen/night"
)

// TestCommitLatency measures the commits of an editor alone and while its store is read without a pause, in each way
// that reads beside a running editor. No commit may fail; how long they take depends on the machine and is told, not
// judged.
func TestCommitLatency(t *testing.T) {
	long(t)
	size, commits := 4<<20, 100
	if night.On() {
		size, commits = 1<<30, 1000
	}
	table := fmt.Sprintf("%-22s%12s%12s%12s%12s%8s  reads", fmt.Sprintf("%d MB, %d commits", size>>20, commits),
		"median", "with reads", "slowest", "with reads", "ratio")
	for _, w := range []way{
		{name: "rollback, in place", methods: []string{MethodInPlace}},
		{name: "rollback, copy", options: storeOptions{Copy: true}, methods: []string{MethodCopy}},
		{name: "rollback, remote", options: storeOptions{remote: isRemote}, methods: []string{MethodCopy}},
		{name: "WAL, beside", wal: true, methods: []string{MethodInPlace}}, // before the editor runs
		{name: "WAL, copy", wal: true, options: storeOptions{Copy: true}, methods: []string{MethodCopy}},
		{name: "WAL, remote", wal: true, options: storeOptions{remote: isRemote}, methods: []string{MethodCopy}},
	} {
		t.Run(w.name, func(t *testing.T) {
			line := newHome(t, w, size).sideBySide(t, commits)
			t.Log(line)
			table += "\n" + line
		})
	}
	t.Log(table)
}

// sideBySide is a line of the table: an editor without and with reads.
func (h *home) sideBySide(t *testing.T, commits int) string {
	t.Helper()
	slowest, median, _ := h.latency(t, commits, false)
	slowestRead, medianRead, reads := h.latency(t, commits, true)
	h.end(t)
	us := func(d time.Duration) string { return d.Round(10 * time.Microsecond).String() }
	return fmt.Sprintf("%-22s%12s%12s%12s%12s%8.2f  %s", h.name, us(median), us(medianRead), us(slowest),
		us(slowestRead), float64(slowestRead)/float64(slowest), strings.TrimPrefix(fmt.Sprint(reads), "map"))
}

// latency has an editor make some commits, reading all the while or not.
func (h *home) latency(t *testing.T, commits int, read bool) (slowest, median time.Duration, reads map[string]int) {
	t.Helper()
	reads = map[string]int{}
	e := editortest.Start(t, h.path, editortest.Options{WAL: h.wal, Pause: time.Millisecond})
	for reads["whole"]+reads["torn"]+reads["busy"] == 0 || e.Commits() < commits {
		if !read {
			await(t, e, commits)
			break
		}
		reads[h.read(t, func(int) {}).outcome]++
	}
	if err := e.Stop(); err != nil {
		t.Errorf("%s, reading %v: the editor was disturbed: %v", h.name, read, err)
	}
	h.acknowledged = e.Messages()
	slowest, median = e.Latency()
	return slowest, median, reads
}
