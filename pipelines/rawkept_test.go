package pipelines_test

import (
	"database/sql"
	"encoding/hex"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// maskedRows are rows with a secret at §, and what the layer must hold of them: x in its place, as long, and no other
// byte changed.
var maskedRows = map[string][2]string{
	"composerData:m1": {`{ "blobEncryptionKey" : "§" ,"z":1.0}`, `{ "blobEncryptionKey" : "§" ,"z":1.0}`},
	"composerData:m2": {`{"speculativeSummarizationEncryptionKey":"§\"q\\","z":"\u00e9"`,
		`{"speculativeSummarizationEncryptionKey":"§xxxxx","z":"\u00e9"`},
	"composerData:m3": {`{"blobEncryptionKey":"§`, `{"blobEncryptionKey":"§`},
	"composerData:m4": {`[{"a":{"blobEncryptionKey":"§"}},"\ud83d"]` + "\xff",
		`[{"a":{"blobEncryptionKey":"§"}},"\ud83d"]` + "\xff"},
	"bubbleId:alpha:m5": {`{"p":"{\"blobEncryptionKey\": \"§\",\"accessToken\":\"open\"}"}`,
		`{"p":"{\"blobEncryptionKey\": \"§\",\"accessToken\":\"open\"}"}`},
	"bubbleId:alpha:m6": {`{"p":"{\"q\":\"{\\\"blobEncryptionKey\\\":\\\"§\\\",\\\"z\\\":1}\"}"}`,
		`{"p":"{\"q\":\"{\\\"blobEncryptionKey\\\":\\\"§\\\",\\\"z\\\":1}\"}"}`},
	"bubbleId:alpha:m7": {`{"my_refreshToken":"§","note":"refreshToken: open"}`,
		`{"my_refreshToken":"§","note":"refreshToken: open"}`},
	"bubbleId:bad":         {`{"accessToken":"§"}`, `{"accessToken":"§"}`},
	"composer.content.m8":  {`key = {"blobEncryptionKey":"§"}` + "\r\n", `key = {"blobEncryptionKey":"§"}` + "\r\n"},
	"ofsContent:m9":        {"\x00\xfe" + `"blobEncryptionKey":"§"`, "\x00\xfe" + `"blobEncryptionKey":"§"`},
	"ofsContent:m10":       {`{"AccessToken":"§"}`, `{"AccessToken":"§"}`},
	"composer.content.m11": {`{"blobEncryptionKey":"§"}`, `{"blobEncryptionKey":"§"}`},
}

// TestRawSecrets: no secret is in the layer, each is masked at its length, and no other byte is another.
func TestRawSecrets(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	w, canaries := secretUserDir(t)
	const secret = "CANARYmaskq7Xw3kP"
	want := map[string]string{}
	for key, m := range maskedRows {
		for form, encode := range map[string]func(string) string{"": func(s string) string { return s },
			"l": func(s string) string { return hex.EncodeToString([]byte(s)) },
			"u": func(s string) string { return strings.ToUpper(hex.EncodeToString([]byte(s))) }} {
			w.rows[key+form] = []byte(encode(strings.Replace(m[0], "§", secret, 1)))
			want["global "+key+form] = encode(strings.Replace(m[1], "§", strings.Repeat("x", len(secret)), 1))
		}
	}
	for _, key := range []string{"cursorAuth/accessToken", "secret://x", "mcpOAuth.y"} {
		// names of settings, in the other table
		w.rows[key] = secret
	}
	w.write(t, l.user)
	canaries = append(canaries, secret)
	for _, c := range canaries {
		if len(search(t, l.user, c)) == 0 {
			t.Errorf("the search does not find %s in the source", c)
		}
	}
	l.run(nil)
	rows := l.raw()
	for _, r := range rows {
		for column, v := range r {
			for _, c := range canaries {
				if s, ok := v.(string); ok && holds([]byte(s), c) {
					t.Errorf("%s is in %s of %s", c, column, r.row())
				}
			}
		}
		if value, ok := want[r.row()]; ok {
			same(t, r.row(), value, r.text("value"))
			same(t, r.row()+": its size", int64(len(value)), r["value_bytes"].(int64))
			delete(want, r.row())
		}
	}
	same(t, "the rows that the layer lacks", []string(nil), slices.Collect(maps.Keys(want)))
	l.adds("the masked rows are the same ones", nil, nil, full)
}

// changeInPlace are ways to change a value that no rowid shows.
var changeInPlace = map[string]func(l *fixture, key, value string){
	"UPDATE": func(l *fixture, key, value string) {
		l.exec(`UPDATE cursorDiskKV SET value = ? WHERE key = ?`, value, key)
	},
	"upsert": func(l *fixture, key, value string) {
		l.exec(
			`INSERT INTO cursorDiskKV (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`, key, value)
	},
	"DELETE and INSERT of the newest": func(l *fixture, key, value string) {
		l.exec(`DELETE FROM cursorDiskKV WHERE key = ?`, key)
		l.exec(`INSERT INTO cursorDiskKV (key, value) VALUES (?, ?)`, key, value)
	},
}

// TestRawInPlace: what keeps its rowid and its size is found by the run that follows the last full comparison by 20
// hours, or at once with --full, and then kept once. What has another size is found at once.
func TestRawInPlace(t *testing.T) {
	concurrent(t)
	t.Parallel()
	long(t)
	for how, change := range changeInPlace {
		for _, key := range []string{"bubbleId:alpha:zz", "ofsContent:zz", "composer.content.zz"} {
			t.Run(how+" "+key, func(t *testing.T) {
				t.Parallel()
				l := newFixture(t)
				baseUserDir().write(t, l.user)
				value := func(n int) string { return fmt.Sprintf(`{"type":2,"text":"%d"}`, n) }
				l.exec(replaceRowSQL, key, value(1))
				rowID := l.rowID(key)
				l.run(nil, hours(1))
				change(l, key, value(2))
				same(t, "the rowid", rowID, l.rowID(key))
				l.adds("a plain run", nil, nil, hours(20))
				l.adds("a run 20 hours after the last full comparison", stories{"global " + key: {"text " + value(2)}},
					nil, hours(21))
				l.adds("a plain run after it", nil, nil, hours(22))
				change(l, key, value(20))
				l.adds("another size", stories{"global " + key: {"text " + value(20)}}, nil, hours(23))
				l.adds("a plain run after that", nil, nil, hours(24))
				change(l, key, value(3))
				l.adds("--full", stories{"global " + key: {"text " + value(3)}}, nil, hours(25), full)
				change(l, key, value(1))
				l.adds("--full, and the first is back", stories{"global " + key: {"back: text " + value(1)}}, nil,
					hours(26), full)
				l.adds("a plain run at last", nil, nil, hours(27))
			})
		}
	}
}

func (l *fixture) rowID(key string) string {
	l.t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(l.user, "globalStorage", "state.vscdb"))
	must(l.t, err)
	defer func() { must(l.t, db.Close()) }()
	var id string
	must(l.t, db.QueryRow(`SELECT rowid FROM cursorDiskKV WHERE key = ?`, key).Scan(&id))
	return id
}

// TestRawFamilies: which rows are kept that no table is built from, and that leaving some out is not their end.
func TestRawFamilies(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	plain := map[string]any{"composer.content.c1": "file one", "ofsContent:o1": []byte("\xfffile two"),
		"ofsContent:o2": nil}
	rest := map[string]any{"agentKv:blob:b1": "blob", "agentKv:artifact:c": "point", "inlineDiff:d": "diff",
		"composerVirtualRowHeights:h": "1", "nobody knows": "it"}
	w := baseUserDir()
	maps.Copy(w.rows, plain)
	maps.Copy(w.rows, rest)
	w.write(t, l.user)
	l.run(nil)
	kept := func() (keys []string) {
		for row := range l.stories(0) {
			if key := strings.TrimPrefix(row, "global "); !strings.Contains(key, "alpha") &&
				!strings.Contains(key, "beta") && !strings.Contains(key, "gamma") &&
				!strings.HasPrefix(key, "workspace/") {
				keys = append(keys, key)
			}
		}
		slices.Sort(keys)
		return keys
	}
	same(t, "what is kept by default", slices.Sorted(maps.Keys(plain)), kept())
	same(t, "a file", []string{"blob \xfffile two"}, l.stories(0)["global ofsContent:o1"])
	same(t, "a row that is NULL", []string{"null "}, l.stories(0)["global ofsContent:o2"])
	l.exec(`DELETE FROM cursorDiskKV WHERE key LIKE 'agentKv:%' OR key = 'inlineDiff:d'`)
	l.exec(replaceRowSQL, "agentKv:blob:b2", "new")
	l.adds("nobody looks at the others", nil, nil)
	l.exec(`DELETE FROM cursorDiskKV WHERE key LIKE 'ofsContent:%'`)
	l.adds("a family is gone", stories{"global ofsContent:o1": {"gone"}, "global ofsContent:o2": {"gone"}}, nil)
	l.adds("and stays so", nil, nil)
	l.exec(replaceRowSQL, "ofsContent:o1", []byte("\xfffile two"))
	l.adds("one row is back", stories{"global ofsContent:o1": {"back: blob \xfffile two"}}, nil)
	l.exec(replaceRowSQL, "composer.content.c1", "file 1")
	l.adds("a new version", stories{"global composer.content.c1": {"text file 1"}}, nil)
	l.rebuilt()
}

// TestRawManyKept: rows are compared some thousand at a time; ends at the edges of such a page are noticed, once.
func TestRawManyKept(t *testing.T) {
	long(t)
	t.Parallel()
	l := newFixture(t)
	baseUserDir().write(t, l.user)
	l.exec(`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 8191) INSERT INTO cursorDiskKV SELECT printf('ofsContent:%05d', i), 'v' || i FROM n`)
	l.run(nil)
	same(t, "the rows", 8192+len(baseUserDir().rows)+1, len(l.stories(0)))
	want := stories{}
	for _, i := range []int{0, 4095, 4096, 8191} {
		l.exec(`DELETE FROM cursorDiskKV WHERE key = ?`, fmt.Sprintf("ofsContent:%05d", i))
		want[fmt.Sprintf("global ofsContent:%05d", i)] = []string{"gone"}
	}
	l.adds("the edges are gone", want, nil)
	l.adds("quiet", nil, nil)
	l.exec(`DELETE FROM cursorDiskKV WHERE key = 'ofsContent:00001'`)
	l.adds("one more", stories{"global ofsContent:00001": {"gone"}}, nil)
}

// TestRawRenumbered: rows that get other rowids, as by a dump or a VACUUM, are read once more, and no more often.
func TestRawRenumbered(t *testing.T) {
	long(t)
	t.Parallel()
	l := newFixture(t)
	w := baseUserDir().with("0 first", "x")
	const n = 20
	for i := range n {
		w.rows[fmt.Sprintf("ofsContent:%02d", i)] = "ten bytes!"
	}
	read := func() string {
		l.t.Helper()
		return l.ask(
			`SELECT coalesce(sum(bytes_read), 0)::BIGINT FROM key_families WHERE family = 'ofsContent' AND load_id = (SELECT max(load_id) FROM loads)`)[0][0]
	}
	l.run(w)
	same(t, "the bytes of a first load", "200", read())
	l.run(nil)
	same(t, "the bytes of a quiet run", "0", read())
	// SQLite's own VACUUM keeps the rowids of a table with an index, today.
	for _, by := range []int{1000, -900} {
		l.exec(`UPDATE cursorDiskKV SET rowid = rowid + ?`, by)
		l.adds("other rowids", nil, nil)
		same(t, "the bytes with other rowids", "200", read())
		for range 2 {
			l.adds("a later run", nil, nil)
			same(t, "the bytes of a later run", "0", read())
		}
	}
	l.exec(replaceRowSQL, "ofsContent:05", "changed")
	l.adds("one is changed", stories{"global ofsContent:05": {"text changed"}}, nil)
	same(t, "the bytes of one change", "7", read())
	l.exec(replaceRowSQL, "ofsContent:05", "ten bytes!")
	l.adds("and changed back", stories{"global ofsContent:05": {"back: text ten bytes!"}}, nil)
	l.exec(replaceRowSQL, "ofsContent:05", "ten bytes!")
	l.adds("and written again", nil, nil)
	same(t, "the bytes of a rewrite", "10", read())
	l.run(nil)
	same(t, "the bytes after a rewrite", "0", read())
}
