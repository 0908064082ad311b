package pipelines_test

import (
	"database/sql"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"pipeline/pipelines"
)

// change has the engine change the warehouse.
func (l *fixture) change(statement string) {
	l.t.Helper()
	db, err := sql.Open("duckdb", l.warehouse())
	must(l.t, err)
	_, err = db.Exec(statement)
	must(l.t, errors.Join(err, db.Close()))
}

// sharingUserDir has two workspaces' stores that hold only what conversations share: prompts, lists, a secret, a key
// that nobody knows, and a whole conversation of 2024.
func sharingUserDir() *userDir {
	return baseUserDir().
		withFolder("ws1", folder{json: `{"folder":"file:///src/one"}`,
			items: map[string]any{"aiService.prompts": `[{"text":"a prompt","commandType":4}]`,
				"composer.composerData": `{"allComposers":[{"composerId":"beta","name":"Beta of the list"}]}`,
				"secret://x":            "s", "no.such.key": "1"}}).
		withFolder("ws2", folder{json: `{"folder":"file:///src/two"}`,
			items: map[string]any{"aiService.prompts": `no JSON`, "composer.composerData": `{"allComposers":[` +
				`{"composerId":"inline-1","name":"inline","createdAt":1700000000000,"conversation":[{"bubbleId":"i1","type":1,"text":"hello inline"}]}]}`}})
}

// saysOfRuns is what runs say of stores, but for their files' paths.
func (l *fixture) saysOfRuns() map[string][][]string {
	return map[string][][]string{
		"load_stores":  l.ask(`SELECT * EXCLUDE (path) FROM load_stores ORDER BY ALL`),
		"key_families": l.ask(`SELECT * FROM key_families ORDER BY ALL`),
		"loads":        l.ask(`SELECT * EXCLUDE (finished_at) FROM loads ORDER BY ALL`),
	}
}

// TestStoresAsBefore: runs that do not open what is as it was say and write, cell by cell, what runs say and write that
// open every store.
func TestStoresAsBefore(t *testing.T) {
	t.Parallel()
	long(t)
	l := newFixture(t)
	sharingUserDir().write(t, l.user)
	every := l.clone()
	inOne := filepath.Join("workspaceStorage", "ws1", "state.vscdb")
	steps := []struct {
		what   string
		change func()
		option func(*pipelines.Options)
	}{
		{what: "the first run"},
		{what: "nothing"},
		{what: "a conversation that a list names, and another", change: func() {
			l.exec(replaceRowSQL, keyBeta, betaHead+" ")
			l.exec(replaceRowSQL, keyAlpha, `{"composerId":"alpha","name":"Omega"}`)
		}},
		{what: "one workspace's prompts, the other as it was", change: func() {
			l.execIn(inOne,
				`UPDATE ItemTable SET value = '[{"text":"b prompt","commandType":4}]' WHERE key = 'aiService.prompts'`)
		}},
		{what: "a workspace that is another folder; some projects", change: func() {
			must(t, os.WriteFile(filepath.Join(l.user, "workspaceStorage", "ws2", "workspace.json"),
				[]byte(`{"folder":"file:///src/six"}`), 0o600))
		}, option: func(o *pipelines.Options) { o.Projects = []string{"one"} }},
		{what: "a list that cannot be used any more", change: func() {
			l.execIn(inOne, `UPDATE ItemTable SET value = 'no JSON' WHERE key = 'composer.composerData'`)
		}},
		{what: "a conversation of that list, whose last version stands",
			change: func() { l.exec(replaceRowSQL, keyBeta, betaHead+"  ") }},
		{what: "a workspace that is gone", change: func() {
			must(t, os.RemoveAll(filepath.Join(l.user, "workspaceStorage", "ws2")))
		}},
	}
	for i, s := range steps {
		if s.change != nil {
			s.change()
		}
		if i > 0 {
			every.change(
				`UPDATE internal._known_stores SET state = '', compared_at = NULL, transform_version = 0 WHERE store != 'global'`)
		}
		var said []string
		for _, l := range []*fixture{l, every} {
			var options []func(*pipelines.Options)
			if s.option != nil {
				options = append(options, s.option)
			}
			r := l.run(nil, options...)
			r.Warehouse = ""
			text, err := json.MarshalIndent(r, "", " ")
			must(t, err)
			said = append(said, string(text))
		}
		same(t, s.what+": the result", said[1], said[0])
		same(t, s.what+": what is said of stores", every.saysOfRuns(), l.saysOfRuns())
		same(t, s.what+": the tables", every.dump(allTables()...), l.dump(allTables()...))
	}
}

// seenRows are how many rows the last run says that it saw in the workspaces' stores. Where stores were not opened it
// is what the run before said.
func (l *fixture) seenRows() string {
	return l.ask(
		`SELECT string_agg(rows_seen, ' ' ORDER BY store) FROM load_stores WHERE store != 'global' AND load_id = (SELECT max(load_id) FROM load_stores)`)[0][0]
}

// TestStoresNotOpened: which stores a run opens. The warehouse is told of 77 rows in each, so that a store of which a
// run says so was not opened.
func TestStoresNotOpened(t *testing.T) {
	t.Parallel()
	long(t)
	l := newFixture(t)
	l.run(sharingUserDir())
	inOne := filepath.Join("workspaceStorage", "ws1", "state.vscdb")
	backup, err := os.ReadFile(filepath.Join(l.user, inOne))
	must(t, err)
	for _, s := range []struct {
		what   string
		change func()
		option func(*pipelines.Options)
		want   string
	}{
		{what: "nothing", want: "77 77"},
		{what: "a store", change: func() { l.execIn(inOne, `DELETE FROM ItemTable WHERE key = 'no.such.key'`) },
			want: "3 77"},
		{what: "a store whose newer rows are in a -wal", want: "3 77", change: func() {
			l.execIn(inOne, `PRAGMA journal_mode = wal`)
			l.run(nil) // the header of the file names it
			l.change(`UPDATE load_stores SET rows_seen = 77`)
			must(t, os.WriteFile(filepath.Join(l.user, inOne+"-wal"), nil, 0o600))
		}},
		{what: "the -wal is gone, and what was read with it is the last that is known", want: "3 77",
			change: func() { must(t, os.Remove(filepath.Join(l.user, inOne+"-wal"))) }},
		{what: "an earlier state put back", want: "4 77",
			change: func() { must(t, os.WriteFile(filepath.Join(l.user, inOne), backup, 0o600)) }},
		{what: "a row that cannot be used", want: "4 77",
			change: func() {
				l.execIn(inOne, `UPDATE ItemTable SET value = 'no JSON' WHERE key = 'composer.composerData'`)
			}},
		{what: "the warehouse remembers another version of it", want: "4 77"},
		{what: "it is as it was", want: "4 77",
			change: func() { must(t, os.WriteFile(filepath.Join(l.user, inOne), backup, 0o600)) }},
		{what: "a narrowed run", want: "77 77", option: func(o *pipelines.Options) { o.Projects = []string{"one"} }},
		{what: "another version of the tool", want: "4 2",
			option: func(o *pipelines.Options) { o.ToolVersion = "later" }},
		{what: "--full", want: "4 2", option: func(o *pipelines.Options) { full(o); o.ToolVersion = "later" }},
	} {
		l.change(`UPDATE load_stores SET rows_seen = 77`)
		if s.change != nil {
			s.change()
		}
		if s.option == nil {
			s.option = func(*pipelines.Options) {}
		}
		l.run(nil, s.option)
		same(t, s.what, s.want, l.seenRows())
	}
}
