package main

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// TestFigures: the arithmetic of the tables, from figures written by hand.
func TestFigures(t *testing.T) {
	t.Parallel()
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-9 && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("%s is %v, want %v", what, got, want)
		}
	}
	near("the median of three", series{9, 1, 4}.median(), 4)
	near("the median of four", series{9, 1, 4, 2}.median(), 3)
	near("the median of one", series{7}.median(), 7)
	near("the median of none", series{}.median(), math.NaN())
	near("the median of differences", series{10, 30, 20}.minus(series{9, 20, 18}).median(), 2) // 1, 10, 2
	near("the median of sums", series{1, 2, 3}.plus(series{10, 10, 20}).median(), 12)
	near("a ratio", ratio(3, 4), 0.75)
	near("a ratio to nothing", ratio(3, 0), math.NaN())
	near("a ratio to less than nothing", ratio(3, -1), math.NaN())
	near("a slope", slope(1000, 50, 3000, 150), 50) // 100 more for 2,000 more
	near("a slope between equals", slope(1000, 50, 1000, 150), math.NaN())
	order := series{3, 1, 2}
	if order.median(); !slices.Equal(order, series{3, 1, 2}) {
		t.Errorf("the median has sorted the runs: %v", order)
	}
	for _, test := range []struct{ got, want string }{
		{seconds(1.006), "1.01"}, {times(math.NaN()), "-"}, {series{2, 1.5}.spread(), "1.50 to 2.00"},
		{megabytes(152_340_000), "152.3"}, {wholeMegabytes(0), "-"}, {wholeMegabytes(431.7e6), "432"},
		{plural(1, "run"), "1 run"}, {plural(1200, "run"), "1,200 runs"},
	} {
		if test.got != test.want {
			t.Errorf("shown as %q, want %q", test.got, test.want)
		}
	}
}

// TestStageTable: what a stage costs is what is left when the stages before it are taken away.
func TestStageTable(t *testing.T) {
	t.Parallel()
	s := staged{}
	for _, cpu := range []struct {
		name string
		cpu  float64
	}{{"cat", 0.1}, {"scan-sql", 0.5}, {"scan-driver", 0.4}, {"read", 1}, {"parse", 1.5}, {"normalize", 3},
		{"copy", 0.5}} {
		s.add(cpu.name, result{Part: usage{CPU: cpu.cpu, Wall: cpu.cpu}})
	}
	s.add("append", result{Part: usage{CPU: 0.5},
		Phases: map[string]usage{"append": {CPU: 0.5}, "commit": {CPU: 0.25}}})
	s.add("append-all", result{Part: usage{CPU: 1}, Phases: map[string]usage{"append": {CPU: 1}, "commit": {CPU: 0.5}}})
	s.add("run", result{Part: usage{CPU: 8, Wall: 8},
		Phases: map[string]usage{"open": {CPU: 0.25}, "read": {CPU: 4}, "merge": {CPU: 2}, "commit": {CPU: 0.75},
			"publish": {CPU: 1}}})
	want := map[string]string{ // stage and floor: what it costs, and how many times the floor
		"snapshot and read/read the file":                "1.00 10.00",
		"parse and build rows/pass over the JSON":        "2.00 4.00", // 3 - 1, beside 1.5 - 1
		"append/append messages, tool calls":             "1.00 2.00", // 4 - 3
		"append to commit/append and commit every table": "4.00 2.67", // 0.25 + 4 + 2 + 0.75 - 3, beside 1 + 0.5
		"Parquet/COPY of the tables":                     "1.00 2.00",
	}
	for _, row := range stageTable(s).rows {
		key := row[0] + "/" + row[2]
		if have := row[1] + " " + row[4]; want[key] != "" && have != want[key] {
			t.Errorf("%s: %s, want %s", key, have, want[key])
		}
		delete(want, key)
	}
	for key := range want {
		t.Errorf("there is no row %s", key)
	}
	if text := phaseTable(s); !slices.ContainsFunc(text.rows,
		func(r []string) bool { return r[0] == "... append" && r[1] == "1.00" && r[3] == "12 %" }) {
		t.Errorf("appending is 1 of 8 s:\n%s", text.text())
	}
}

// TestGrowthTables: slopes and growth, from figures written by hand.
func TestGrowthTables(t *testing.T) {
	t.Parallel()
	at := func(scale float64, messages int64, cpu, rss float64) point {
		return point{store: store{scale: scale, bytes: int64(scale * 1e6)}, messages: messages,
			changed: map[string]result{},
			runs:    map[string]*measured{growthFirst: {cpu: series{cpu}, wall: series{cpu}, rss: series{rss}}}}
	}
	points := []point{at(1, 1000, 2, 100e6), at(3, 3000, 4, 110e6), at(10, 10_000, 18, 125e6)}
	got := slopeTable(points).rows
	// 2 s for 2,000 more, 14 s for 7,000 more; 1.8 ms a message instead of 2
	want := []string{growthFirst, "1000.0", "2000.0", "0.90", "1.25"}
	if len(got) != 1 || !slices.Equal(got[0], want) {
		t.Errorf("slopes %v, want %v", got, want)
	}
	rows := growthTable(points, 1).rows
	if len(rows) != 3 || rows[2][len(rows[2])-1] != "1800.0" || rows[2][1] != "10x" {
		t.Errorf("growth %v", rows)
	}
}

// TestAgreement: the report says whether the two have loaded the same.
func TestAgreement(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		ours, beside, peers int64
		want                string
	}{
		{100, 0, 100, "Both loaded 100"}, {100, 7, 93, "same 93 messages"}, {100, 7, 90, "DIFFER by 3"},
		{100, 7, 95, "DIFFER by 2"},
	} {
		if got := agreement(test.ours, test.beside, test.peers); !strings.Contains(got, test.want) {
			t.Errorf("%+v: %s", test, got)
		}
	}
}

// TestDeviations: a family that is too far off is found, in rows as in bytes.
func TestDeviations(t *testing.T) {
	t.Parallel()
	have := map[string]family{}
	for _, w := range wanted {
		have[w.name] = family{int64(w.rows * 2), int64(w.bytes * 2)}
	}
	if off := deviations(have, 2); slices.Max(off) > 0.001 {
		t.Errorf("the store is twice the wanted one, and is off by %v", off)
	}
	few := have[wanted[0].name]
	few.Rows = few.Rows * 8 / 10
	have[wanted[0].name] = few
	if off := deviations(have, 2); math.Abs(off[0]-0.2) > 0.001 || slices.Max(off[1:]) > 0.001 {
		t.Errorf("a fifth of the rows is missing, and it is off by %v", off)
	}
}

// TestReport: text and Markdown show the same table, figures to the right.
func TestReport(t *testing.T) {
	t.Parallel()
	var r report
	r.machine = "2 cores"
	r.note("Load average before: 0.1 0.2 0.3.")
	s := sheet{title: "Runs", note: "One of each.", header: []string{"run", "cores", "CPU s"}}
	s.add("plain", "one", "1.50")
	s.add("free", "all", "-")
	r.add(s)
	for _, want := range []string{"Machine: 2 cores", "Load average before", "One of each.",
		"│ plain │ one   │  1.50 │"} {
		if !strings.Contains(r.text(), want) {
			t.Errorf("the text lacks %q:\n%s", want, r.text())
		}
	}
	for _, want := range []string{"### Runs", "| plain | one | 1.50 |", "--:|"} {
		if !strings.Contains(r.markdown(), want) {
			t.Errorf("the Markdown lacks %q:\n%s", want, r.markdown())
		}
	}
}

// TestPick: a share is rounded, is at least one conversation, and is spread from the small ones to the large.
func TestPick(t *testing.T) {
	t.Parallel()
	var chats []chat
	for i := range int64(62) {
		chats = append(chats, chat{rows: i})
	}
	for _, test := range []struct {
		share float64
		want  []int64
	}{{0, nil}, {0.001, []int64{31}}, {0.01, []int64{31}}, {0.03, []int64{15, 46}},
		{0.10, []int64{5, 15, 25, 36, 46, 56}}} {
		var got []int64
		for _, c := range pick(chats, test.share) {
			got = append(got, c.rows)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%g of 62: %v, want %v", test.share, got, test.want)
		}
	}
	if got := pick(chats, 1); len(got) != 62 {
		t.Errorf("all of 62: %d", len(got))
	}
	if got := pick(nil, 0.5); len(got) != 0 {
		t.Errorf("half of none: %v", got)
	}
}
