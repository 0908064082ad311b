package pipelines_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pipeline/extract"
	"pipeline/pipelines"
	"pipeline/testdata/gen/usagetest"
)

// usageFixture is a fixture with a folder of usage files.
type usageFixture struct {
	*fixture
	dir string
}

func newUsageFixture(t *testing.T) *usageFixture {
	l := newFixture(t)
	u := &usageFixture{l, filepath.Join(l.dir, "usage")}
	must(t, os.MkdirAll(u.dir, 0o700))
	return u
}

// put writes a file, as it was some time ago.
func (u *usageFixture) put(name string, text []byte) {
	u.t.Helper()
	path, old := filepath.Join(u.dir, name), time.Now().Add(-time.Hour)
	must(u.t, os.WriteFile(path, text, 0o600))
	must(u.t, os.Chtimes(path, old, old))
}

// read runs over the folder.
func (u *usageFixture) read(o *pipelines.Options) {
	o.Usage, o.Missing = extract.FindUsage([]string{u.dir}, "")
}

// sums are what the events that are counted come to, by day and model: tokens, and costs in millionths of a dollar.
func (u *usageFixture) sums() map[string]string {
	u.t.Helper()
	out := map[string]string{}
	for _, row := range u.ask(
		`SELECT strftime(occurred_at, '%Y-%m-%d') || ' ' || model, concat_ws(' ', count(*), coalesce(sum(fresh_input_tokens), 0), coalesce(sum(cache_write_tokens), 0),
		coalesce(sum(cache_read_tokens), 0), coalesce(sum(output_tokens), 0), coalesce(sum(round(cost_cents * 10000)::BIGINT), 0)) FROM usage_events WHERE is_counted GROUP BY 1`) {
		out[row[0]] = row[1]
	}
	return out
}

// toldSums are what the events that files tell come to.
func toldSums(told []usagetest.Told) map[string]string {
	all := map[string][6]int64{}
	for _, e := range told {
		if e.FailedAndFree {
			continue
		}
		key := time.UnixMilli(e.At).UTC().Format("2006-01-02") + " " + e.Model
		sum := all[key]
		sum[0]++
		for i, n := range []int64{e.Fresh, e.Write, e.Read, e.Output, e.Cost} {
			if n != usagetest.None {
				sum[i+1] += n
			}
		}
		all[key] = sum
	}
	out := map[string]string{}
	for key, sum := range all {
		out[key] = fmt.Sprintf("%d %d %d %d %d %d", sum[0], sum[1], sum[2], sum[3], sum[4], sum[5])
	}
	return out
}

// TestUsageExports: exports that overlap give each event once, to the token and the cent, also once the files are gone;
// the same events of the API go before them. A quiet run and a rebuild change nothing.
func TestUsageExports(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			t.Parallel()
			if seed != 1 {
				long(t)
			}
			u := newUsageFixture(t)
			requests := usagetest.Requests(seed, 300)
			cut := func(at int) int { // equal requests stay together: an export has all of a time
				for at < len(requests) && requests[at].At == requests[at-1].At {
					at++
				}
				return at
			}
			from, to := cut(120), cut(200)
			style := usagetest.Style{Generation: "v2", Thousands: true, Dollar: true, Mixed: seed == 1}
			_, all := usagetest.Export(requests, style, seed)
			first, told := usagetest.Export(requests[:to], style, seed)
			u.put("june.csv", first)
			u.run(nil, u.read)
			same(t, "the first export", toldSums(told), u.sums())
			style.Generation, style.Zone, style.Windows, style.BOM, style.Thousands = "v3", 2, true, true, false
			second, _ := usagetest.Export(requests[from:], style, seed)
			u.put("july.csv", second)
			u.run(nil, u.read)
			same(t, "both exports", toldSums(all), u.sums())
			same(t, "loads that read an event first", [][]string{{"1", "2"}},
				u.ask(`SELECT min(load_id), max(load_id) FROM usage_events`))
			must(t, os.Remove(filepath.Join(u.dir, "june.csv")))
			u.run(nil, u.read)
			same(t, "without the first", toldSums(all), u.sums())
			before := u.dump("usage_records", "usage_events", "quarantine", "unknown_fields")
			u.run(nil, u.read)
			same(t, "after a quiet run", before,
				u.dump("usage_records", "usage_events", "quarantine", "unknown_fields"))
			page, inAPI := usagetest.Pages(requests, usagetest.PageStyle{Form: "pages", PageSize: 50})
			u.put("events.json", page)
			u.run(nil, u.read)
			same(t, "with the API's events", toldSums(inAPI), u.sums())
			u.rebuilt()
		})
	}
}

// TestUsageTurns: what hooks and the command line tell belongs to the turn of its request, and is counted once beside
// an export of the same turns; an export that comes first is counted until then.
func TestUsageTurns(t *testing.T) {
	t.Parallel()
	u := newUsageFixture(t)
	turns := usagetest.Turns(5, 30)
	w := &userDir{rows: map[string]any{}, workspaces: map[string]folder{}}
	headers := map[string]string{}
	for i, turn := range turns {
		at := func(before int64) string {
			return time.UnixMilli(turn.At - before).UTC().Format("2006-01-02T15:04:05.000Z")
		}
		w.rows[fmt.Sprintf("bubbleId:%s:p%d", turn.Conversation,
			i)] = fmt.Sprintf(`{"_v":3,"type":1,"bubbleId":"p%d","text":"Do it","requestId":%q,"createdAt":%q}`, i,
			turn.ID, at(900))
		w.rows[fmt.Sprintf("bubbleId:%s:a%d", turn.Conversation,
			i)] = fmt.Sprintf(
			`{"_v":3,"type":2,"bubbleId":"a%d","text":"Done","modelInfo":{"modelName":%q},"createdAt":%q}`, i,
			turn.Model, at(100))
		headers[turn.Conversation] += fmt.Sprintf(`,{"bubbleId":"p%d","type":1},{"bubbleId":"a%d","type":2}`, i, i)
	}
	for id, list := range headers {
		w.rows["composerData:"+id] = fmt.Sprintf(
			`{"_v":13,"composerId":%q,"name":"Work","createdAt":1780000000000,"fullConversationHeadersOnly":[%s]}`, id,
			list[1:])
	}
	var requests []usagetest.Request
	for _, turn := range turns {
		requests = append(requests, usagetest.Request{At: turn.At, Model: turn.Model, Kind: usagetest.Kinds[0],
			Tokens: true, Fresh: turn.Fresh, Write: turn.Write, Read: turn.Read, Output: turn.Output})
	}
	export, exported := usagetest.Export(requests, usagetest.Style{Generation: "v3"}, 1)
	u.put("usage.csv", export)
	u.run(w, u.read)
	same(t, "the export alone", toldSums(exported), u.sums())
	byTime := wantByTime(turns)
	same(t, "its turns", byTime,
		u.ask(
			`SELECT epoch_ms(occurred_at), coalesce(conversation_id, ''), coalesce(message_id, ''), join_method FROM usage_events ORDER BY occurred_at`))
	log, told := usagetest.Hooks(turns[:20], "payload")
	u.put("hooks.jsonl", log)
	printed, more := usagetest.Printed(turns[20:], false)
	u.put("stream.jsonl", printed)
	r := u.run(nil, u.read)
	want := map[string][]string{}
	for _, e := range slices.Concat(told, more) {
		i := slices.IndexFunc(turns, func(turn usagetest.Turn) bool { return turn.ID == e.Request })
		want[e.Request] = []string{e.Request, e.Conversation, fmt.Sprintf("p%d", i), "id", "true"}
	}
	var rows [][]string
	for _, id := range slices.Sorted(maps.Keys(want)) {
		rows = append(rows, want[id])
	}
	same(t, "turns of hooks and streams", rows,
		u.ask(
			`SELECT request_id, conversation_id, message_id, join_method, is_counted FROM usage_events WHERE origin <> 'csv' ORDER BY 1`))
	var counted [][]string
	for i, row := range byTime {
		if row[3] == "none" || want[turns[i].ID] == nil {
			counted = append(counted, row[:1])
		}
	}
	same(t, "the export where no hook tells of the turn", counted,
		u.ask(
			`SELECT epoch_ms(occurred_at) FROM usage_events WHERE origin = 'csv' AND is_counted ORDER BY occurred_at`))
	if c := r.Totals.Usage; c.Events != int64(30+len(rows)) || c.Counted != int64(len(counted)+len(rows)) ||
		c.ByID != int64(len(rows)) || c.ByTime+c.Unassigned != 30 {
		t.Errorf("the run says %+v", c)
	}
	u.rebuilt()
}

// wantByTime are the events of an export of all turns, in their order, with the turn that each belongs to: its time
// must be in turns of one conversation alone. A turn is there from its prompt, 900 ms before, to a minute after its
// answer, 100 ms before.
func wantByTime(turns []usagetest.Turn) (rows [][]string) {
	for _, e := range turns {
		row := []string{strconv.FormatInt(e.At, 10), "", "", "none"}
		conversations := map[string]bool{}
		for i, turn := range turns {
			if e.Model == turn.Model && e.At >= turn.At-900 && e.At <= turn.At-100+60_000 {
				conversations[turn.Conversation] = true
				row[1], row[2], row[3] = turn.Conversation, fmt.Sprintf("p%d", i), "time"
			}
		}
		if len(conversations) > 1 {
			row = []string{row[0], "", "", "none"}
		}
		rows = append(rows, row)
	}
	return rows
}

// TestUsageUnread: what cannot be read is in quarantine with its file and line, and without its text; a column that
// nobody knows is named; an unknown file stops nothing.
func TestUsageUnread(t *testing.T) {
	t.Parallel()
	u := newUsageFixture(t)
	u.put("odd.csv",
		[]byte("Date,Model,Kind,Colour,Input (w/ Cache Write),Input (w/o Cache Write),Cache Read,Output Tokens,Total "+
			"Tokens,Cost\n"+
			"2026-06-01T00:00:00.000Z,m,Included,red,1,2,3,4,10,$0.10\nnever,m,Included,red,1,2,3,4,10,-\n"+
			"2026-06-01T00:00:01.000Z,m,Included,red,1,2,3,lots,10,-\n"))
	u.put("notes.txt", []byte("ann@example.com wrote this\n"))
	u.run(nil, u.read)
	same(t, "quarantine", [][]string{{"notes.txt#1", "unknown_form", "NULL"}, {"odd.csv#3 date", "bad_date", "NULL"},
		{"odd.csv#4 output tokens", "bad_number", "NULL"}},
		u.ask(`SELECT key, reason, head FROM quarantine ORDER BY 1`))
	same(t, "unknown fields", [][]string{{"usage.file", "$.column.Colour", "1"}},
		u.ask(`SELECT family, path, rows FROM unknown_fields`))
	same(t, "events", [][]string{{"1", "4"}},
		u.ask(`SELECT count(*) FILTER (WHERE output_tokens IS NOT NULL), sum(output_tokens) FROM usage_events`))
	for path, want := range map[string]string{"~/usage/*.csv": "[odd.csv]", "~/usage": "[notes.txt odd.csv]",
		"~/usage/odd.csv": "[odd.csv]", "~/usage/no.csv": "[]", "~/usage/*.no": "[]"} {
		var names []string
		found, failed := extract.FindUsage([]string{path, path}, filepath.Dir(u.dir))
		for _, f := range found {
			names = append(names, f.Names...)
		}
		if fmt.Sprint(names) != want || (len(failed) == 0) != (want != "[]") {
			t.Errorf("%s: %v, %v", path, names, failed)
		}
	}
	bad := "Date,Model,Kind,Input (w/ Cache Write),Input (w/o Cache Write),Cache Read,Output Tokens,Total " +
		"Tokens,Cost\n" + strings.Repeat("never,m,Included,1,2,3,4,10,-\n", 1234)
	u.put("odd.csv", []byte(bad+`2026-06-01T00:00:00.000Z,m,Included,1,2,3,4,10,-`+"\n"))
	must(t, os.Remove(filepath.Join(u.dir, "notes.txt")))
	u.put("page.json", []byte(`{"usageEvents":[{"timestamp":"never"},{"timestamp":"ever"}]}`))
	r := mustRun(t, u.options(u.read, func(o *pipelines.Options) {
		_, o.Missing = extract.FindUsage([]string{filepath.Join(u.dir, "*.nothing")}, "")
	}))
	if len(r.Errors()) != 1 || r.Status != "partial" || r.Totals.Usage.Counted != 2 || len(r.Failures) > 0 {
		t.Errorf("a path that leads nowhere: %v, %s, %+v, %v", r.Errors(), r.Status, r.Totals.Usage, r.Failures)
	}
	same(t, "many lines", [][]string{{"1001", "1"}},
		u.ask(
			`SELECT count(*), count(*) FILTER (WHERE key = 'odd.csv and 234 lines more') FROM quarantine WHERE resolved_load_id IS NULL AND starts_with(key, 'odd.csv')`))
	same(t, "one line", [][]string{{"page.json#1"}},
		u.ask(`SELECT key FROM quarantine WHERE resolved_load_id IS NULL AND starts_with(key, 'page.json')`))
}
