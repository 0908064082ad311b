package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/unicode/norm"

	"pipeline/load/search"
	"pipeline/load/textindex"
	"pipeline/testdata/gen/storetest"
)

// searched asks for words and gives back the messages that were found, sorted.
func (w *cliTest) searched(args ...string) (ids []string) {
	w.t.Helper()
	printed, _ := w.does(0, append([]string{"search", "--warehouse", w.warehouse, "--json", "--limit", "100000"},
		args...)...)
	var found search.Found
	w.must(json.Unmarshal([]byte(printed), &found))
	for _, h := range found.Hits {
		ids = append(ids, h.ConversationID+"/"+h.MessageID)
		if h.FoundIn == "" || len(h.Snippet.Hits) == 0 {
			w.t.Errorf("%q: nothing is marked in %s/%s", args, h.ConversationID, h.MessageID)
		}
	}
	slices.Sort(ids)
	return ids
}

// A scanned message is what a plain scan looks into.
type scanned struct {
	id, role, tools, project string
	fields                   []string // folded
}

var accents = regexp.MustCompile(`[\x{300}-\x{36f}]`)

// plain folds a text in another way than the index does.
func plain(s string) string {
	return accents.ReplaceAllString(strings.ReplaceAll(strings.ToLower(norm.NFKD.String(s)), "ß", "ss"), "")
}

// said are the texts and numbers of a JSON document, by the standard library.
func said(document string) string {
	decoder := json.NewDecoder(strings.NewReader(document))
	decoder.UseNumber()
	var out []string
	var walk func() error
	walk = func() error {
		token, err := decoder.Token()
		if err != nil {
			return err
		}
		switch token := token.(type) {
		case json.Delim:
			for decoder.More() {
				if token == '{' {
					if _, err := decoder.Token(); err != nil {
						return err
					}
				}
				if err := walk(); err != nil {
					return err
				}
			}
			_, err = decoder.Token()
		case json.Number:
			out = append(out, token.String())
		case string:
			if json.Valid([]byte(token)) && strings.ContainsAny(token[:1], "[{") {
				token = said(token)
			}
			out = append(out, token)
		}
		return err
	}
	if err := walk(); err != nil && err != io.EOF {
		return "unreadable: " + err.Error()
	}
	return strings.Join(out, "\n")
}

func (w *cliTest) scan() (out []scanned) {
	w.t.Helper()
	for _, row := range w.ask(
		`SELECT m.conversation_id || '/' || m.message_id, m.role, coalesce(c.project, ''), coalesce(m.text, ''),
			CASE WHEN m.position = 0 THEN coalesce(c.display_title, '') ELSE '' END, coalesce(m.thinking, ''),
			(SELECT coalesce(to_json(list([coalesce(t.tool, ''), coalesce(CAST(t.params AS VARCHAR), 'null'), coalesce(CAST(t.result AS VARCHAR), 'null')] ORDER BY t.call_index)), '[]')
			 FROM tool_calls t WHERE t.source_id = m.source_id AND t.conversation_id = m.conversation_id AND t.message_id = m.message_id)::VARCHAR
		FROM live_messages m JOIN conversations c USING (source_id, conversation_id)`) {
		var calls [][3]string
		w.must(json.Unmarshal([]byte(row[6]), &calls))
		s := scanned{id: row[0], role: row[1], project: row[2]}
		var params, results []string
		for _, c := range calls {
			s.tools += c[0] + " "
			params, results = append(params, said(c[1])), append(results, said(c[2]))
		}
		for _, f := range []string{row[3], row[4], row[5], strings.Join(params, "\n"), strings.Join(results, "\n")} {
			s.fields = append(s.fields, plain(f))
		}
		out = append(out, s)
	}
	return out
}

// patterns are those that has has compiled.
var patterns = map[string]*regexp.Regexp{}

// has reports that a regular expression matches in one of the fields: between words' ends, or with a ~ before it
// anywhere, as in scripts without spaces.
func (s scanned) has(pattern string) bool {
	if patterns[pattern] == nil {
		if anywhere, ok := strings.CutPrefix(pattern, "~"); ok {
			patterns[pattern] = regexp.MustCompile(anywhere)
		} else {
			patterns[pattern] = regexp.MustCompile(`(^|[^\p{L}\p{N}])(` + pattern + `)($|[^\p{L}\p{N}])`)
		}
	}
	return slices.ContainsFunc(s.fields, patterns[pattern].MatchString)
}

// TestSearch compares what search finds with a plain scan of the warehouse, in several scripts. Where few texts have
// the words, it may find more.
func TestSearch(t *testing.T) {
	w := &cliTest{t: t, dir: t.TempDir(), warehouse: demoWarehouse(t)}
	all := w.scan()
	for i, test := range []struct {
		args []string
		want func(s scanned) bool
	}{
		{[]string{"migration"}, func(s scanned) bool { return s.has("migration") }},
		{[]string{"the", "test"}, func(s scanned) bool { return s.has("the") && s.has("test") }},
		{[]string{"the"}, func(s scanned) bool { return s.has("the") }},
		{[]string{`"write the migration"`}, func(s scanned) bool {
			return s.has(`write[^\p{L}\p{N}]+the[^\p{L}\p{N}]+migration`)
		}},
		{[]string{"web/components/Chart.tsx"},
			func(s scanned) bool { return s.has(`web[^\p{L}\p{N}]+components[^\p{L}\p{N}]+chart[^\p{L}\p{N}]+tsx`) }},
		{[]string{"SessionStore"}, func(s scanned) bool { return s.has("sessionstore") }},
		{[]string{"session*"}, func(s scanned) bool { return s.has(`session[\p{L}\p{N}]*`) }},
		{[]string{"error -test"}, func(s scanned) bool { return s.has("error") && !s.has("test") }},
		{[]string{"error OR fehler OR größe"},
			func(s scanned) bool { return s.has("error") || s.has("fehler") || s.has("grosse") }},
		{[]string{"GRÖSSE"}, func(s scanned) bool { return s.has("grosse") }},
		{[]string{"тест"}, func(s scanned) bool { return s.has("тест") }},
		{[]string{"ОБНОВЛЕН"}, func(s scanned) bool { return s.has("обновлен") }},
		{[]string{"προβλημα"}, func(s scanned) bool { return s.has("προβλημα") }},
		{[]string{"الفراغات"}, func(s scanned) bool { return s.has("الفراغات") }},
		{[]string{"テスト"}, func(s scanned) bool { return s.has("~テスト") }},
		{[]string{"調べる"}, func(s scanned) bool { return s.has("~" + norm.NFKD.String("調べる")) }},
		{[]string{"测试"}, func(s scanned) bool { return s.has("~测试") }},
		{[]string{"원인 OR 함수"}, func(s scanned) bool {
			return s.has("~"+norm.NFKD.String("원인")) || s.has("~"+norm.NFKD.String("함수"))
		}},
		{[]string{"פעמים"}, func(s scanned) bool { return s.has("פעמים") }},
		{[]string{"🎉"}, func(s scanned) bool { return s.has("~🎉") }},
		{[]string{"✅", "go"}, func(s scanned) bool { return s.has("~✅") && s.has("go") }},
		{[]string{"1"}, func(s scanned) bool { return s.has("1") }},
		{[]string{"the", "--role", "user"}, func(s scanned) bool { return s.has("the") && s.role == "user" }},
		{[]string{"go", "--tool", "read_file"},
			func(s scanned) bool { return s.has("go") && strings.Contains(" "+s.tools, " read_file ") }},
		{[]string{"the", "--project", "tide-*"},
			func(s scanned) bool { return s.has("the") && strings.HasPrefix(s.project, "tide-") }},
		{[]string{"the", "--in", "thinking"},
			func(s scanned) bool { return scanned{fields: s.fields[2:3]}.has("the") }},
		{[]string{"ok", "--in", "params", "--in", "result"},
			func(s scanned) bool { return scanned{fields: s.fields[3:]}.has("ok") }},
	} {
		if testing.Short() && i%3 > 0 {
			continue // make test-all asks all
		}
		var want []string
		inTexts := 0
		for _, s := range all {
			if test.want(s) {
				want = append(want, s.id)
			}
			if said := s; test.want(s) {
				said.fields = s.fields[:3]
				if test.want(said) {
					inTexts++
				}
			}
		}
		slices.Sort(want)
		got := w.searched(test.args...)
		if inTexts < textindex.Few { // then there may be messages with other forms of the words
			got = slices.DeleteFunc(got, func(id string) bool { return !slices.Contains(want, id) })
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %.1500s", test.args, diff)
		}
		if len(want) == 0 {
			t.Errorf("%q: nothing in the demo matches", test.args)
		}
	}
}

// TestSearchHint: if nothing is found, a word of the search is suggested with a star, unless it has one.
func TestSearchHint(t *testing.T) {
	w := &cliTest{t: t, dir: t.TempDir(), warehouse: demoWarehouse(t)}
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"xyzzy"}, "xyzzy*"},
		{[]string{"xyzzy plugh"}, "xyzzy*"},
		{[]string{"xyzzy*"}, ""},
		{[]string{"xyzzy*", "plugh"}, "plugh*"},
		{[]string{`"xyzzy of plugh"`}, ""},
		{[]string{`"xyzzy plugh"`, "OR", "plover"}, "plover*"},
	} {
		want := "nothing found\n"
		if test.want != "" {
			want = "nothing found; a star finds words with that beginning: pipeline search '" + test.want +
				"' --warehouse " + w.warehouse + "\n"
		}
		if _, said := w.does(0, append([]string{"search", "--warehouse", w.warehouse}, test.args...)...); said != want {
			t.Errorf("%q: %q", test.args, said)
		}
	}
}

// TestSearchFollows: what a load changes, search finds changed, whatever became of the index meanwhile.
func TestSearchFollows(t *testing.T) {
	long(t)
	w := newCLITest(t)
	var rows []storetest.Row
	for i := range 40 {
		rows = append(rows, talk(fmt.Sprintf("c%02d", i), fmt.Sprintf("apple number %d", i), "pear")...)
	}
	w.store(rows, storetest.StoreOptions{})
	w.run(0)
	want := func(n int, word string) {
		t.Helper()
		if got := w.searched(word); len(got) != n {
			t.Errorf("%s: %d messages, want %d: %q", word, len(got), n, got)
		}
	}
	if printed, _ := w.run(0, "--json"); strings.Contains(printed, "search_index") {
		t.Error("a run makes an index that nobody asked for")
	}
	want(40, "apple")
	before, err := os.ReadFile(w.warehouse)
	w.must(err)
	then, err := os.Stat(w.warehouse)
	w.must(err)
	w.exec(`UPDATE cursorDiskKV SET value = replace(value, 'apple', 'plum') WHERE key LIKE 'bubbleId:c0%'`,
		`DELETE FROM cursorDiskKV WHERE key LIKE '%:c11%'`)
	if printed, _ := w.run(0, "--json", "--full"); !strings.Contains(printed, `"search_index"`) {
		t.Errorf("the run leaves the index behind: %s", printed)
	}
	w.does(0, "search", "--warehouse", w.warehouse, "apple")
	want(29, "apple")
	want(10, "plum")
	after, err := os.ReadFile(w.warehouse)
	w.must(err)

	w.must(os.WriteFile(w.warehouse, before, 0o600)) // from a backup, which keeps times
	w.must(os.Chtimes(w.warehouse, then.ModTime(), then.ModTime()))
	want(40, "apple")
	want(40, "apple")
	w.must(os.WriteFile(w.warehouse, after, 0o600))
	want(29, "apple")

	w.must(os.Remove(w.warehouse + ".search"))
	want(29, "apple")
	w.must(os.WriteFile(w.warehouse+".search", []byte("damaged"), 0o600))
	want(29, "apple")
	w.does(0, "rebuild", "--warehouse", w.warehouse)
	want(29, "apple")
	if got := w.searched("apple", "--deleted"); len(got) != 30 {
		t.Errorf("--deleted: %d messages, want 30", len(got))
	}
	if _, heard := w.does(0, "search", "--warehouse", w.warehouse, "number 11"); !strings.Contains(heard,
		"with --deleted 1 message matches") {
		t.Errorf("said: %s", heard)
	}
}

// TestSearchKilled: an index whose making was killed is made, or brought up to date, by the next search.
func TestSearchKilled(t *testing.T) {
	long(t)
	w := &cliTest{t: t, dir: t.TempDir(), warehouse: demoWarehouse(t)}
	want := w.searched("the")
	w.must(os.Remove(w.warehouse + ".search"))
	killed := 0
	for i := range 12 {
		cmd := exec.Command("pipeline", "search", "--warehouse", w.warehouse, "the")
		w.must(cmd.Start())
		// the first ones are killed early, however fast the machine
		time.Sleep(time.Duration(rand.IntN(100*(i+1))) * time.Millisecond)
		_ = cmd.Process.Kill() // it may have ended
		if cmd.Wait() != nil {
			killed++
		}
		if rand.IntN(3) == 0 {
			_ = os.Remove(w.warehouse + ".search") // its journal stays
		}
	}
	if killed == 0 {
		t.Error("no search was killed while it ran")
	}
	if diff := cmp.Diff(want, w.searched("the")); diff != "" || len(want) == 0 {
		t.Errorf("%.1000s", diff)
	}
}
