package shape_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"pipeline/extract"
	"pipeline/pipelines/shape"
	"pipeline/testdata/gen/clitest"
	"pipeline/testdata/gen/storetest"
)

// canaries makes texts that are each said once. They are made of four letters that stand side by side in no word of a
// description: a part of one gives it away, too.
type canaries struct {
	n     int
	known map[string]bool
	fixed map[string]string
}

var part = regexp.MustCompile(`(?i)[xqvz]{2}|777`)

// next is the form of a value that could be one of an enumeration, and that of a name.
func (c *canaries) next() string {
	c.n++
	out := []byte("xqvz")
	for n := c.n; n > 0; n /= 4 {
		out = append(out, "xqvz"[n%4])
	}
	return string(out)
}

// of is always the same for a text, so that rows still refer to each other.
func (c *canaries) of(text string) string {
	if c.fixed[text] == "" {
		c.fixed[text] = c.next()
	}
	return c.fixed[text]
}

// json plants a canary in place of each text, each number that is none of an enumeration, and each name that Cursor
// does not give.
func (c *canaries) json(v any) any {
	switch v := v.(type) {
	case string:
		if inner, ok := decoded(v); ok {
			text, _ := json.Marshal(c.json(inner))
			return string(text)
		}
		return c.next()
	case json.Number:
		if len(v) > 3 {
			return json.Number(fmt.Sprintf("777%d777", 1000+c.n))
		}
	case []any:
		for i := range v {
			v[i] = c.json(v[i])
		}
	case map[string]any:
		out := map[string]any{}
		for name, below := range v {
			if !c.known[name] {
				name = c.next()
			}
			out[name] = c.json(below)
		}
		out[c.next()] = map[string]any{c.of("a map's key"): c.next()}
		return out
	}
	return v
}

func decoded(text string) (v any, ok bool) {
	if text = strings.TrimSpace(text); text == "" || text[0] != '{' && text[0] != '[' {
		return nil, false
	}
	in := json.NewDecoder(strings.NewReader(text))
	in.UseNumber()
	return v, in.Decode(&v) == nil
}

// value is a canary in place of what a cell has.
func (c *canaries) value(v any) any {
	text, isText := v.(string)
	blob, isBlob := v.([]byte)
	switch {
	case isBlob:
		text = string(blob)
	case v == nil:
		return nil
	case !isText:
		return int64(777000777)
	}
	if doc, ok := decoded(text); ok {
		planted, _ := json.Marshal(c.json(doc))
		text = string(planted)
	} else {
		text = c.next()
	}
	if isBlob {
		return []byte(text)
	}
	return text
}

var item = regexp.MustCompile(`^(composer\.|workbench\.panel\.|aiService\.|aiCodeTracking\.dailyStats|glass\.)`)

// key keeps the name of the family.
func (c *canaries) key(table, key string) string {
	if table == "ItemTable" {
		if item.MatchString(key) {
			return key
		}
		return c.next() + "." + c.next()
	}
	parts := strings.Split(key, ":")
	for i := range parts {
		if i > 0 && !(parts[0] == "agentKv" && i == 1) && parts[i] != "metadata" && parts[i] != "cloudAgent" {
			parts[i] = c.of(parts[i])
		}
	}
	if len(parts) == 1 {
		return c.next() + ":" + c.next()
	}
	return strings.Join(parts, ":")
}

// store plants canaries in every cell of a store.
func (c *canaries) store(t *testing.T, path string, more ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	defer db.Close()
	exec := func(text string, args ...any) {
		if _, err := db.Exec(text, args...); err != nil {
			t.Fatalf("%s: %s: %v", path, text, err)
		}
	}
	for _, text := range append(more, "PRAGMA synchronous = OFF", "BEGIN", "CREATE TABLE xqvzx (xqvzq TEXT)",
		"INSERT INTO xqvzx VALUES ('xqvzv')") {
		exec(text)
	}
	for _, table := range column(t, db, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE "+
		"'sqlite_%'") {
		columns := column(t, db, "SELECT name FROM pragma_table_info('"+table+"')")
		for _, rowID := range column(t, db, "SELECT rowid FROM "+table) {
			for _, name := range columns {
				var v any
				if err := db.QueryRow("SELECT "+name+" FROM "+table+" WHERE rowid = ?", rowID).Scan(&v); err != nil {
					t.Fatal(err)
				}
				text, isText := v.(string)
				switch {
				case name == "key" && isText:
					v = c.key(table, text)
				case strings.HasSuffix(name, "Id") && isText, name == "hash":
					v = c.of(fmt.Sprint(v))
				default:
					v = c.value(v)
				}
				exec("UPDATE OR IGNORE "+table+" SET "+name+" = ? WHERE rowid = ?", v, rowID)
			}
		}
	}
	exec("COMMIT")
}

func column(t *testing.T, db *sql.DB, text string) (out []string) {
	t.Helper()
	rows, err := db.Query(text)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}

// knownNames are the names of the two lists that say which fields are Cursor's.
func knownNames(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, file := range []string{"fields.txt", "fields_read.txt"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "transform", file))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if _, list, ok := strings.Cut(line, ":"); ok && line[0] != '#' {
				for _, name := range strings.Fields(list) {
					names[name] = true
				}
			}
		}
	}
	return names
}

// canaryHome is a home in which everything that is anybody's is a canary: paths, folders, ids, keys, texts, numbers,
// names of tables, columns, fields and map keys.
func canaryHome(t *testing.T) (sources []extract.Source, ids []string) {
	t.Helper()
	c := &canaries{known: knownNames(t), fixed: map[string]string{}}
	home := filepath.Join(t.TempDir(), c.next())
	user := filepath.Join(home, ".config", "Cursor", "User")
	must(t, storetest.New(storetest.Options{Seed: 5, Messages: 200}).Write(user))
	c.store(t, filepath.Join(user, "globalStorage", "state.vscdb"))
	folders, err := filepath.Glob(filepath.Join(user, "workspaceStorage", "*"))
	must(t, err)
	for _, folder := range folders {
		if path := filepath.Join(folder, "state.vscdb"); exists(path) {
			c.store(t, path)
		}
		if text, err := os.ReadFile(filepath.Join(folder, "workspace.json")); err == nil {
			must(t, os.WriteFile(filepath.Join(folder, "workspace.json"), []byte(c.value(string(text)).(string)),
				0o600))
		}
		must(t, os.Rename(folder, filepath.Join(filepath.Dir(folder), c.next())))
	}
	tracking := filepath.Join(home, ".cursor", "ai-tracking", "ai-code-tracking.db")
	must(t, os.MkdirAll(filepath.Dir(tracking), 0o700))
	must(t, storetest.WriteSummaries(tracking, storetest.Summaries(c.next())))
	c.store(t, tracking, "CREATE TABLE IF NOT EXISTS ai_code_hashes (hash TEXT PRIMARY KEY, source TEXT, fileName "+
		"TEXT, xqvzc TEXT)",
		"INSERT INTO ai_code_hashes (hash, source, fileName) VALUES ('a', 'b', 'c')")
	for _, commands := range []*clitest.Home{clitest.Cases(), clitest.Spoken()} {
		commands.Plant(func(string, string) string { return c.next() })
		dir := filepath.Join(home, c.next(), ".cursor")
		must(t, commands.Write(dir))
		found, err := extract.Resolve(dir, extract.Env{})
		must(t, err)
		sources = append(sources, found...)
		stores, err := filepath.Glob(filepath.Join(dir, "*", "*", "*"))
		must(t, err)
		for _, store := range stores {
			ids = append(ids, strings.TrimSuffix(filepath.Base(store), ".jsonl"))
		}
	}
	found, err := extract.Resolve(user, extract.Env{})
	must(t, err)
	return append(sources, found...), ids
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestShapeHasNoCanary: nothing of a home's texts, ids, paths, names, numbers and times is in its description.
func TestShapeHasNoCanary(t *testing.T) {
	t.Parallel()
	sources, ids := canaryHome(t)
	described, err := shape.Of(context.Background(), sources)
	must(t, err)
	text, err := json.MarshalIndent(described, "", " ")
	must(t, err)
	if found := part.FindAllString(string(text), 20); found != nil {
		t.Errorf("it says %q\n%s", found, text)
	}
	for _, id := range ids {
		if len(id) > 12 && strings.Contains(string(text), id) {
			t.Errorf("it says the id %s", id)
		}
	}
	seen := map[string]int64{}
	for _, s := range described.Sources {
		for _, f := range s.Families {
			seen[f.Store+" "+f.Family] += f.Rows
		}
	}
	for _, want := range []string{"global bubbleId", "global composerData", "global composerHeaders",
		"global ofsContent", "global (unknown)", "global (other settings)", "workspace composer.composerData",
		"workspace workspace.json", "tracking ai-tracking.conversation_summaries",
		"tracking ai-tracking.ai_code_hashes", "chat cli.meta", "chat cli.meta.json", "chat cli.blob",
		"transcript transcript.file"} {
		if seen[want] == 0 {
			t.Errorf("no row of %s was described: %v", want, seen)
		}
	}
	t.Log(len(text), "bytes", seen)
}
