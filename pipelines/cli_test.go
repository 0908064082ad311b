package pipelines_test

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"pipeline/extract"
	"pipeline/load/rawlog"
	"pipeline/pipelines"
	"pipeline/sql/schema"
	"pipeline/testdata/gen/clitest"
	"pipeline/testdata/gen/graphtest"
)

// cliSources lets a run read a home of the command line.
func cliSources(t *testing.T, dot string) func(*pipelines.Options) {
	return func(o *pipelines.Options) {
		found, err := extract.Resolve(dot, extract.Env{OS: "linux"})
		must(t, err)
		o.Sources = found
	}
}

// TestCLI: every row of the chats of the command line is as the generator says.
func TestCLI(t *testing.T) {
	t.Parallel()
	homes := map[string]*clitest.Home{"cases": clitest.Cases()}
	seeds := uint64(3)
	if testing.Short() {
		seeds = 1
	}
	for seed := range seeds {
		homes[fmt.Sprint("seed ", seed)] = clitest.Random(seed)
	}
	for name, home := range homes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newFixture(t)
			dot := filepath.Join(l.dir, ".cursor")
			must(t, home.Write(dot))
			if r := l.run(nil, cliSources(t, dot)); len(r.Failures) > 0 {
				t.Errorf("checks: %v", r.Failures)
			}
			wantCLI(t, l, home)
		})
	}
}

// wantCLI compares a warehouse with what the generator says of a home.
func wantCLI(t *testing.T, l *fixture, home *clitest.Home) {
	t.Helper()
	want := home.Want()
	names := map[string]string{}
	for _, c := range home.Chats {
		names[c.ID] = c.Name
	}
	for _, t := range home.Transcripts {
		names[t.ID] += " " + t.Name
	}
	for _, table := range []struct {
		name, key string
		rows      []map[string]string
	}{{"conversations", "conversation_id", want.Conversations},
		{"conversation_sources", "conversation_id || '/' || path", want.Sources},
		{"quarantine", "conversation_id || '/' || key", want.Quarantine},
		{"messages", "conversation_id || '/' || message_id", want.Messages},
		{"tool_calls", "conversation_id || '/' || message_id || '/' || call_index", want.ToolCalls}} {
		got := rowsOf(l, table.name, table.key, table.rows)
		wanted := map[string]map[string]string{}
		for _, row := range table.rows {
			key := row["conversation_id"]
			for _, column := range []string{"path", "key", "message_id", "call_index"} {
				if row[column] != "" {
					key += "/" + row[column]
				}
			}
			wanted[key] = row
		}
		for _, key := range slices.Sorted(maps.Keys(wanted)) {
			id, _, _ := strings.Cut(key, "/")
			row := map[string]string{}
			for column, value := range wanted[key] {
				row[column] = canonicalCell(column, value)
			}
			have := map[string]string{}
			for column := range row {
				have[column] = canonicalCell(column, got[key][column])
			}
			if got[key] == nil {
				t.Errorf("%s %s of %s is missing", table.name, key, names[id])
			} else if diff := cmp.Diff(row, have); diff != "" {
				t.Errorf("%s %s of %s (-want +got):\n%s", table.name, key, names[id], diff)
			}
			delete(got, key)
		}
		for _, key := range slices.Sorted(maps.Keys(got)) {
			id, _, _ := strings.Cut(key, "/")
			t.Errorf("%s has a row more: %s of %s: %v", table.name, key, names[id], got[key])
		}
	}
}

// jsonColumns are compared by value.
var jsonColumns = []string{"params", "result", "extra", "raw_args"}

func canonicalCell(column, value string) string {
	if slices.Contains(jsonColumns, column) && value != clitest.Null {
		return graphtest.Canonical(value)
	}
	return value
}

// cliRows are the rows of homes of the command line.
const cliRows = "source_id IN (SELECT source_id FROM sources WHERE app = 'cursor-cli') AND "

// rowsOf reads the columns that some rows state, of the live rows of a table, by their key.
func rowsOf(l *fixture, table, key string, like []map[string]string) map[string]map[string]string {
	l.t.Helper()
	stated := map[string]bool{}
	for _, row := range like {
		for column := range row {
			stated[column] = true
		}
	}
	columns := slices.Sorted(maps.Keys(stated))
	var list []string
	for _, column := range columns {
		expression := column
		if strings.HasSuffix(column, "_at") {
			expression = "epoch_ms(" + column + ")"
		}
		list = append(list, "coalesce(CAST("+expression+" AS VARCHAR), 'NULL')")
	}
	live := "deleted_at IS NULL"
	if table == "quarantine" {
		live = "resolved_load_id IS NULL AND reason = 'bad_line'"
	}
	live = cliRows + live
	rows := l.ask("SELECT " + key + ", " + strings.Join(list, ", ") + " FROM " + table + " WHERE " + live)
	out := map[string]map[string]string{}
	for _, row := range rows {
		cells := map[string]string{}
		for i, column := range columns {
			cells[column] = row[i+1]
		}
		out[row[0]] = cells
	}
	return out
}

// TestCLINights: after each of ten nights the rows are those that the generator says, and after a rebuild they are the
// same.
func TestCLINights(t *testing.T) {
	t.Parallel()
	seeds, nights := uint64(3), 10
	if testing.Short() {
		seeds, nights = 1, 4
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 23))
			home, l := clitest.Random(seed), newFixture(t)
			dot := filepath.Join(l.dir, ".cursor")
			for night := range nights {
				must(t, home.Write(dot))
				result := l.run(nil, cliSources(t, dot))
				if len(result.Failures) > 0 {
					t.Fatalf("night %d: checks: %v", night, result.Failures)
				}
				wantCLI(t, l, home)
				if t.Failed() {
					t.Fatalf("night %d", night)
				}
				home.Night(r)
			}
			l.madeAnewInPlace(contentTables...)
		})
	}
}

// TestCLIQuiet: a night without changes opens no chat, and one with a change in one chat opens that one.
func TestCLIQuiet(t *testing.T) {
	t.Parallel()
	home, l := clitest.Cases(), newFixture(t)
	dot := filepath.Join(l.dir, ".cursor")
	must(t, home.Write(dot))
	old := time.Now().Add(-time.Hour)
	must(t, filepath.WalkDir(dot, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Chtimes(path, old, old))
	}))
	from := cliSources(t, dot)
	l.run(nil, from)
	read := func() string {
		return fmt.Sprint(
			l.ask(`SELECT rows_read, (SELECT sum(bytes_read) FROM key_families f WHERE f.load_id = s.load_id)
			FROM load_stores s WHERE store = 'chats' ORDER BY load_id DESC LIMIT 1`))
	}
	quiet := l.run(nil, from)
	if quiet.Read != 0 || read() != "[[0 0]]" {
		t.Errorf("a quiet night read %d chats, rows and bytes %s", quiet.Read, read())
	}
	l.run(nil, from, func(o *pipelines.Options) { o.Since = new(schema.Millis) })
	if read() != "[[0 0]]" {
		t.Errorf("a quiet night with --since read rows and bytes %s", read())
	}
	home.Chat("modern").Meta.Title = "Another title"
	must(t, home.Write(dot))
	if r := l.run(nil, from); r.Read != 1 || r.Conversations.Changed != 1 {
		t.Errorf("a night with one renamed chat read %d, changed %d", r.Read, r.Conversations.Changed)
	}
}

// TestCLISecrets: no key of a chat is in any file that a run leaves.
func TestCLISecrets(t *testing.T) {
	t.Parallel()
	home, l := clitest.Cases(), newFixture(t)
	dot := filepath.Join(l.dir, ".cursor")
	must(t, home.Write(dot))
	l.run(nil, cliSources(t, dot))
	masked := 0
	secrets := []string{clitest.Secret, hex.EncodeToString([]byte(clitest.Secret))}
	hides := func(where, text string) {
		for _, secret := range secrets {
			if strings.Contains(text, secret) {
				t.Errorf("%s has a key: %s", where, shorten(text))
			}
		}
	}
	for _, row := range rawRows(t, rawlog.Dir(l.warehouse())) {
		hides("the raw layer", row.value)
		if strings.Contains(row.value, "blobEncryptionKey") && strings.Contains(row.value, "xxxxxx") ||
			strings.Contains(row.value, hex.EncodeToString([]byte("xxxxxxxx"))) {
			masked++
		}
	}
	if masked < 2 {
		t.Errorf("the raw layer has %d rows with a key that is masked, of two forms", masked)
	}
	for _, table := range allTables() {
		for _, row := range l.ask("FROM " + table) {
			hides(table, strings.Join(row, " "))
		}
	}
}

// TestCLIDamaged: a chat whose store cannot be read stays as it is, and the others are read.
func TestCLIDamaged(t *testing.T) {
	t.Parallel()
	home, l := clitest.Random(4), newFixture(t)
	dot := filepath.Join(l.dir, ".cursor")
	must(t, home.Write(dot))
	from := cliSources(t, dot)
	l.run(nil, from)
	before := l.dumpSources(contentTables...)
	broken := home.Chats[0]
	stores, err := filepath.Glob(filepath.Join(dot, "*", "*", broken.ID, "store.db"))
	must(t, err)
	if len(stores) != 1 {
		t.Fatal(stores)
	}
	must(t, os.WriteFile(stores[0], []byte("this is no database, though it was one"), 0o600))
	for what, narrow := range map[string]func(*pipelines.Options){
		"all of it":     func(*pipelines.Options) {},
		"since":         func(o *pipelines.Options) { o.Since = new(schema.Millis) },
		"of a project":  func(o *pipelines.Options) { o.Projects = []string{"*"} },
		"once more all": func(o *pipelines.Options) { o.Full = true },
	} {
		if testing.Short() && what == "since" {
			continue // as a narrowed run, the one of a project stands for it
		}
		result := l.run(nil, from, narrow)
		if result.Status != "partial" || len(result.Errors()) != 1 ||
			!strings.Contains(result.Errors()[0].Error(), broken.ID) {
			t.Errorf("%s: status %s, errors %v", what, result.Status, result.Errors())
		}
	}
	drop := []string{"changed_at"} // --full
	for name, rows := range l.dumpSources(contentTables...) {
		same(t, name, before[name].drop(drop...), rows.drop(drop...))
	}
}

// TestCLIFolderAway: chats whose folder lies on a disk that is not there stay as they are.
func TestCLIFolderAway(t *testing.T) {
	t.Parallel()
	home, l := clitest.Random(4), newFixture(t)
	dot := filepath.Join(l.dir, ".cursor")
	must(t, home.Write(dot))
	folders, err := filepath.Glob(filepath.Join(dot, "chats", "*"))
	must(t, err)
	disk := filepath.Join(l.dir, "disk")
	must(t, os.Rename(folders[0], disk))
	must(t, os.Symlink(disk, folders[0]))
	from := cliSources(t, dot)
	l.run(nil, from)
	before := l.dumpSources(contentTables...)
	must(t, os.Rename(disk, disk+".off"))
	if result := l.run(nil, from); result.Status != "partial" || len(result.Errors()) != 1 {
		t.Errorf("status %s, errors %v", result.Status, result.Errors())
	}
	for name, rows := range l.dumpSources(contentTables...) {
		same(t, name, before[name], rows)
	}
	must(t, os.Rename(disk+".off", disk))
	if result := l.run(nil, from); result.Status != "ok" {
		t.Errorf("status %s when it is there again", result.Status)
	}
}
