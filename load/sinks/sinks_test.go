package sinks_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pipeline/load"
	"pipeline/load/digest"
	"pipeline/load/engine"
	"pipeline/load/inspect"
	"pipeline/load/sinks"
	"pipeline/load/sinktest"
	"pipeline/load/warehouse"
	"pipeline/sql/schema"
)

// TestSinks runs against every sink of the registry: what all of them promise.
func TestSinks(t *testing.T) {
	t.Parallel()
	tests := map[string]func(t *testing.T, c *sinkCase){
		"about": testAbout, "rows": testRows, "another program": testExample, "again": testAgain,
		"next load": testNextLoad, "damage": testDamage, "killed": testKilled, "retired": testRetired,
		"another sink": testOtherSink, "foreign": testForeign, "redacted": testRedacted, "live": testLive,
		"changes": testChanges, "buckets": testBuckets, "unknown mark": testUnknownMark,
	}
	// of what all sinks share: make test asks it of one
	shared := []string{"again", "next load", "another sink", "foreign", "changes", "live", "unknown mark", "retired",
		"killed"}
	for i, s := range sinks.All() {
		for name, test := range tests {
			if testing.Short() && i > 0 && slices.Contains(shared, name) {
				continue
			}
			t.Run(s.About().Name+"/"+name, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				test(t, &sinkCase{t, filepath.Join(dir, "w.duckdb"),
					sinks.Target{Sink: s, Dir: filepath.Join(dir, "cursor-"+s.About().Name)}})
			})
		}
	}
}

// A sinkCase is a warehouse, and a folder that a sink publishes it in.
type sinkCase struct {
	t         *testing.T
	warehouse string
	sinks.Target
}

// loads makes a load of conversations, each with a message of a text and what else is hard to write.
func (c *sinkCase) loads(texts map[string]string) { loads(c.t, c.warehouse, texts) }

func loads(t *testing.T, path string, texts map[string]string) {
	t.Helper()
	const start = schema.Millis(1700000000000)
	sinktest.Load(t, path, start, func(tx *warehouse.Load) {
		for _, conversation := range slices.Sorted(maps.Keys(texts)) {
			// files have the order in which rows were written
			tx.Replace(schema.OwnerNamed("s", "global", conversation))
			if err := tx.Write(rowsOf(conversation, texts[conversation])); err != nil {
				t.Fatal(err)
			}
		}
		err := tx.Source(load.SourceRows{Source: schema.Source{SourceID: "s", FirstSeenAt: start, LastSeenAt: start},
			DailyStats: []schema.DailyEditStats{{SourceID: "s", Date: "2024-02-29", TabSuggestedLines: ptr(int64(4))}}})
		if err != nil {
			t.Fatal(err)
		}
	})
}

func ptr[T any](v T) *T { return &v }

// rowsOf are the rows of a conversation. Its id is the month in which it begins; "never" has no start.
func rowsOf(conversation, text string) *schema.Rows {
	c := schema.Conversation{SourceID: "s", ConversationID: conversation, Format: "rows", Title: &text}
	if at, err := time.Parse("2006-01", conversation); err == nil {
		c.CreatedAt = ptr(schema.Millis(at.UnixMilli() + 1))
	}
	var source *string
	if c.CreatedAt != nil {
		source = ptr("message")
	}
	return &schema.Rows{
		Conversations: []schema.Conversation{c},
		Messages: []schema.Message{
			{SourceID: "s", ConversationID: conversation, MessageID: conversation + "-0", Role: "user",
				Position: ptr(int64(0)), Text: &text, CreatedAt: c.CreatedAt, CreatedAtSource: source,
				Extra: schema.JSON(`{"a": ["<b>", "\"c\"\r\n", null], "d": {"e": 1e3}}`)},
			{SourceID: "s", ConversationID: conversation, MessageID: conversation + "-1", Role: "assistant",
				Position: ptr(int64(1)), InputTokens: ptr(int64(1) << 53), CreatedAt: c.CreatedAt,
				CreatedAtSource: source},
		},
		ToolCalls: []schema.ToolCall{{SourceID: "s", ConversationID: conversation, MessageID: conversation + "-1",
			ToolKind: "shell", Position: ptr(int64(0)), RawArgs: &text, Params: schema.JSON(`[]`)}},
		ModelUsage: []schema.ModelUsage{{SourceID: "s", ConversationID: conversation, Model: "m",
			CostCents: ptr(0.1 + 0.2)}},
	}
}

// hard are texts that a form of files can get wrong.
func hard() map[string]string {
	long := strings.Repeat(`a "long", line`+"\n", 200_000) // 3 MB
	out := map[string]string{"never": "", "2024-12": long, "2025-01": long, "2025-02": long + "."}
	for i, text := range []string{"", "a,b", `"`, `""`, `a "quoted" word`, "a\nb", "a\r\nb", "\r", "\n", " lead",
		"trail ", "\t", "NULL", `\N`, "null", "'", ";", "a;b", "=1+1", "é ☃ 𝄞", "\u2028", "\ufeffbom", "#", "\\", `\"`,
		"'=1", "''+1", "'plain", "@x", "-x", "＝1"} {
		out[fmt.Sprintf("%d-%02d", 2001+i, i%12+1)] = text
	}
	return out
}

func (c *sinkCase) publish(loadID int64) *sinks.Published {
	c.t.Helper()
	p, err := c.Target.Publish(c.t.Context(), c.warehouse, options())
	if err != nil {
		c.t.Fatal(err)
	}
	if p.LoadID != loadID {
		c.t.Fatalf("load %d was published, want %d", p.LoadID, loadID)
	}
	return p
}

func options() sinks.Options { return sinks.Options{ToolVersion: "test", Now: time.Now()} }

// damages are what verify finds of the publication; the rows of these tests keep no promise of the warehouse.
func (c *sinkCase) damages() (out []string) {
	c.t.Helper()
	v, err := inspect.Verify(c.t.Context(), c.warehouse, c.Target)
	if err != nil {
		c.t.Fatal(err)
	}
	if p := v.Publications(); len(p) != 1 || p[0].Sink != c.Sink.About().Name || p[0].Files == 0 {
		c.t.Errorf("verify looked at %+v", p)
	}
	for _, d := range v.Damages {
		if strings.Contains(d.Where, c.Dir) {
			out = append(out, d.Where+": "+d.Problem)
			want := "--" + c.Sink.About().Name + " " + c.Dir
			if d.Repair != "pipeline run "+want && d.Repair != "pipeline run --full "+want &&
				d.Repair != "move the file away" {
				c.t.Errorf("the repair of %s is %q, want %q", d.Where, d.Repair, want)
			}
		}
	}
	return out
}

func (c *sinkCase) sound() {
	c.t.Helper()
	if found := c.damages(); found != nil {
		c.t.Errorf("damages: %q", found)
	}
}

// folders are the names in the folder but that of its lock.
func (c *sinkCase) folders() (out []string) {
	c.t.Helper()
	entries, err := os.ReadDir(c.Dir)
	if err != nil {
		c.t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != ".pipeline-lock" {
			out = append(out, e.Name())
		}
	}
	return out
}

func (c *sinkCase) wantFolders(want ...string) {
	c.t.Helper()
	if got := c.folders(); !slices.Equal(got, want) {
		c.t.Errorf("folders: %v, want %v", got, want)
	}
}

// path is that of a table's month in a publication.
func (c *sinkCase) path(publication, table, month string) string {
	return filepath.Join(c.Dir, publication, table, "month="+month, "part-0"+c.Sink.About().Extension)
}

func testAbout(t *testing.T, c *sinkCase) {
	about := c.Sink.About()
	if sinks.Named(about.Name) != c.Sink || about.Title == "" || about.For == "" || about.Example == "" ||
		!strings.HasPrefix(about.Extension, ".") || strings.ToLower(about.Name) != about.Name {
		t.Errorf("%+v", about)
	}
	for _, other := range sinks.All() {
		if other != c.Sink && (other.About().Name == about.Name || other.About().Extension == about.Extension) {
			t.Errorf("%s and %s share a name, or the extension of their files", other.About().Title, about.Title)
		}
	}
}

// Every table is published, with every cell as the warehouse has it.
func testRows(t *testing.T, c *sinkCase) {
	c.loads(hard())
	p := c.publish(1)
	warehouse, files := &digest.Reader{Warehouse: c.warehouse}, &digest.Reader{}
	defer func() {
		if err := errors.Join(warehouse.Close(), files.Close()); err != nil {
			t.Error(err)
		}
	}()
	for _, table := range schema.Tables() {
		if table.Scope == schema.Internal {
			continue
		}
		one, err := filepath.Glob(filepath.Join(p.Folder, table.Name+c.Sink.About().Extension))
		months, err2 := filepath.Glob(filepath.Join(p.Folder, table.Name, "month=*", "part-0"+c.Sink.About().Extension))
		if err = errors.Join(err, err2); err != nil || len(one)+len(months) == 0 || len(one) > 0 && len(months) > 0 {
			t.Errorf("%s has %d files, and %d of months: %v", table.Name, len(one), len(months), err)
			continue
		}
		want, err := warehouse.Read(t.Context(), table, table.Name)
		if err != nil {
			t.Fatal(err)
		}
		from, err := c.Sink.Scan(table.Published(), append(one, months...))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := files.Read(t.Context(), table, from); err != nil || got != want {
			t.Errorf("%s: %+v, %v, and the warehouse has %+v", table.Name, got, err, want)
		}
	}
	c.sound()
	if current := c.Current(t.Context(), c.warehouse); current.Err != nil || !current.IsLatest {
		t.Errorf("current: %+v", current)
	}
}

// The line that the help shows reads the messages of a month, by a program that shares no code with this one.
func testExample(t *testing.T, c *sinkCase) {
	if _, err := exec.LookPath("duckdb"); err != nil {
		t.Skip("there is no duckdb to read it")
	}
	c.loads(map[string]string{"2025-03": "found", "2025-04": "another month"})
	c.publish(1)
	cmd := exec.Command("sh", "-c", c.Sink.About().Example)
	cmd.Env = append(os.Environ(), "HOME="+filepath.Dir(c.Dir))
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "found") || strings.Contains(string(out), "another month") {
		t.Errorf("%s: %v\n%s", c.Sink.About().Example, err, out)
	}
}

func testAgain(t *testing.T, c *sinkCase) {
	c.loads(map[string]string{"2025-03": "x"})
	if p := c.publish(1); p.Unchanged || p.Written != p.Files || p.Files == 0 || p.Bytes == 0 {
		t.Errorf("the first publication: %+v", p)
	}
	if p := c.publish(1); !p.Unchanged || p.Written != 0 {
		t.Errorf("publishing again: %+v", p)
	}
	c.wantFolders("current", "v-00000001")
	newer := options()
	newer.ToolVersion = "newer"
	if p, err := c.Target.Publish(t.Context(), c.warehouse, newer); err != nil ||
		p.Written == 0 && c.Sink.About().Name == "parquet" {
		// whose files name the version
		t.Errorf("another version: %+v, %v", p, err)
	}
}

// What has not changed is linked, what has is written, and readers of the publication before keep it.
func testNextLoad(t *testing.T, c *sinkCase) {
	c.loads(map[string]string{"2025-03": "x", "2025-04": "x", "never": "x"})
	c.publish(1)
	before, err := os.ReadFile(c.path("v-00000001", "messages", "2025-04"))
	if err != nil {
		t.Fatal(err)
	}
	c.loads(map[string]string{"2025-04": "y"})
	if p := c.publish(2); p.Written == p.Files || p.Written == 0 {
		t.Errorf("%+v", p)
	}
	for month, linked := range map[string]bool{"2025-03": true, "2025-04": false, "unknown": true} {
		one, err := os.Stat(c.path("v-00000001", "messages", month))
		other, err2 := os.Stat(c.path("current", "messages", month))
		if err = errors.Join(err, err2); err != nil || os.SameFile(one, other) != linked {
			t.Errorf("messages of %s: %v; linked is wanted %t", month, err, linked)
		}
	}
	if after, err := os.ReadFile(c.path("v-00000001", "messages", "2025-04")); err != nil ||
		string(after) != string(before) {
		t.Errorf("the first publication was changed: %v", err)
	}
	c.wantFolders("current", "v-00000001", "v-00000002")
	c.sound()
}

// Without secrets: what takes them out changes texts and no figures, and other rules write other files.
func testRedacted(t *testing.T, c *sinkCase) {
	c.loads(map[string]string{"2025-03": "x7"})
	told := map[string]bool{}
	var lock sync.Mutex
	c.Redaction = &sinks.Redaction{Version: 1, Text: func(text, column string) string {
		lock.Lock()
		defer lock.Unlock()
		told[column] = true
		return strings.ReplaceAll(text, "x7", "-")
	}}
	p := c.publish(1)
	for _, column := range []string{"messages.text", "messages.extra", "conversations.title", "tool_calls.raw_args"} {
		if !told[column] {
			t.Errorf("no text of %s was looked at", column)
		}
	}
	if told["messages.message_id"] || told["quarantine.detail"] {
		t.Errorf("these were looked at: %v", told)
	}
	table, _ := schema.Lookup("messages")
	from, err := c.Sink.Scan(table.Published(), []string{c.path("current", "messages", "2025-03")})
	if err != nil {
		t.Fatal(err)
	}
	db, conn, err := engine.Open(t.Context(), "", false)
	if err != nil {
		t.Fatal(err)
	}
	var texts, extra string
	if err := errors.Join(conn.QueryRowContext(t.Context(), "SELECT string_agg(text), min(extra) FROM "+from).
		Scan(&texts, &extra), conn.Close(), db.Close()); err != nil || texts != "-" ||
		!strings.HasPrefix(extra, `{"a": ["<b>"`) {
		t.Errorf("the text is %q, the document %q: %v", texts, extra, err)
	}
	list, err := os.ReadFile(filepath.Join(p.Folder, "_manifest.json"))
	if err != nil || strings.Contains(string(list), "x7") {
		t.Errorf("the list: %v\n%s", err, list)
	}
	if again := c.publish(1); !again.Unchanged {
		t.Errorf("publishing again: %+v", again)
	}
	c.Redaction.Version = 2
	if again := c.publish(1); again.Written != again.Files {
		t.Errorf("other rules: %+v", again)
	}
	c.sound()
	c.Redaction = nil
	if _, err := c.Publish(t.Context(), c.warehouse, options()); err == nil ||
		!strings.Contains(err.Error(), "--redact") {
		t.Errorf("beside it is published what has secrets: %v", err)
	}
}

// What somebody changed is found, never taken over, and made anew.
func testDamage(t *testing.T, c *sinkCase) {
	if testing.Short() {
		t.Skip("it is long: make test-all runs it")
	}
	c.loads(map[string]string{"2025-03": "x", "2025-04": "x"})
	c.publish(1)
	extension := c.Sink.About().Extension
	for name, alter := range map[string]func(path string) error{
		"removed":      os.Remove,
		"another size": func(path string) error { return os.WriteFile(path, []byte("x"), 0o600) },
		"a byte": func(path string) error {
			b, err := os.ReadFile(path)
			b[len(b)/2] ^= 1
			return errors.Join(err, os.Remove(path), os.WriteFile(path, b, 0o600))
		},
		"an unlisted file": func(path string) error {
			folder := filepath.Join(path, "..", "..", "month=2030-01")
			return errors.Join(os.Mkdir(folder, 0o700),
				os.WriteFile(filepath.Join(folder, "part-0"+extension), nil, 0o600))
		},
	} {
		if err := alter(c.path("v-00000001", "messages", "2025-03")); err != nil {
			t.Fatal(err)
		}
		if len(c.damages()) == 0 {
			t.Errorf("%s: verify finds nothing", name)
		}
		if p := c.publish(1); p.Unchanged {
			t.Errorf("%s: the altered publication is taken for whole", name)
		}
		c.sound()
	}
	// a file of other rows, as it was written: the list says that all is well, and the rows do not
	other := &sinkCase{t, c.warehouse + "2", sinks.Target{Sink: c.Sink, Dir: c.Dir + "-2"}}
	other.loads(map[string]string{"2025-03": "y", "2025-04": "x"})
	other.publish(1)
	if found := (&sinkCase{t, c.warehouse, other.Target}).damages(); !slices.ContainsFunc(found,
		func(d string) bool { return strings.Contains(d, "table messages") && strings.Contains(d, "other rows") }) {
		t.Errorf("other rows are not found: %q", found)
	}
}

// What a killed publication left is swept, and nothing else.
func testKilled(t *testing.T, c *sinkCase) {
	c.loads(map[string]string{"2025-03": "x"})
	for _, left := range []string{".pipeline-tmp-123", "my notes"} {
		if err := os.MkdirAll(filepath.Join(c.Dir, left), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("v-00000001", filepath.Join(c.Dir, ".current-v-00000001")); err != nil {
		t.Fatal(err)
	}
	c.publish(1)
	c.wantFolders("current", "my notes", "v-00000001")
}

// Older publications go when they have not been current for long enough, but for one that somebody put a file into.
func testRetired(t *testing.T, c *sinkCase) {
	c.loads(map[string]string{"2025-03": "1"})
	c.publish(1)
	c.loads(map[string]string{"2025-03": "2"})
	c.publish(2)
	if err := os.WriteFile(filepath.Join(c.Dir, "v-00000001", "messages", "mine"+c.Sink.About().Extension),
		[]byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	c.loads(map[string]string{"2025-03": "3"})
	c.publish(3)
	c.wantFolders("current", "v-00000001", "v-00000002", "v-00000003")
	c.Keep = -1
	if p := c.publish(3); p.Removed != 1 {
		t.Errorf("%+v", p)
	}
	c.wantFolders("current", "v-00000001", "v-00000003")
}

// Two sinks do not share a folder: the second would lead the first one's readers away.
func testOtherSink(t *testing.T, c *sinkCase) {
	c.loads(map[string]string{"2025-03": "x"})
	c.publish(1)
	for _, s := range sinks.All() {
		if s == c.Sink {
			continue
		}
		_, err := sinks.Target{Sink: s, Dir: c.Dir}.Publish(t.Context(), c.warehouse, options())
		if err == nil || !strings.Contains(err.Error(), "name another folder for the "+s.About().Title) {
			t.Errorf("%s: %v", s.About().Title, err)
		}
	}
	c.wantFolders("current", "v-00000001")
	c.sound()
}

// What is not ours is never replaced.
func testForeign(t *testing.T, c *sinkCase) {
	c.loads(map[string]string{"2025-03": "x"})
	if err := errors.Join(os.MkdirAll(filepath.Join(c.Dir, "current"), 0o700),
		os.WriteFile(filepath.Join(c.Dir, "current", "mine"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Target.Publish(t.Context(), c.warehouse, options()); err == nil ||
		!strings.Contains(err.Error(), "is not ours") {
		t.Errorf("a folder named current: %v", err)
	}
	if err := os.Rename(filepath.Join(c.Dir, "current"), filepath.Join(c.Dir, "v-00000001")); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Target.Publish(t.Context(), c.warehouse, options()); err == nil ||
		!strings.Contains(err.Error(), "mine, which is not ours") {
		t.Errorf("a folder named as the publication: %v", err)
	}
	c.wantFolders("v-00000001")
}
