package main

import (
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	"pipeline/testdata/gen/clitest"
)

// TestHomeIsCounted: what a home of the command line has and a run does not read, or does not know, is counted by
// discover, by doctor, by a dry run and by each run.
func TestHomeIsCounted(t *testing.T) {
	t.Parallel()
	w, cases := newCLITest(t), clitest.Cases()
	dot := filepath.Join(w.dir, ".cursor")
	home := &clitest.Home{}
	for _, name := range []string{"modern", "unnamed", "old", "sealed", "acp", "nothing_said", "plain_meta"} {
		home.Chats = append(home.Chats, cases.Chat(name))
	}
	home.Transcripts = clitest.Spoken().Transcripts[:1]
	w.must(home.Write(dot))
	folder := func(name string) string {
		found, err := filepath.Glob(filepath.Join(dot, "chats", "*", cases.Chat(name).ID))
		if err != nil || len(found) != 1 {
			t.Fatal(name, found, err)
		}
		return found[0]
	}
	write := func(text string, parts ...string) {
		path := filepath.Join(parts...)
		w.must(os.MkdirAll(filepath.Dir(path), 0o700))
		w.must(os.WriteFile(path, []byte(text), 0o600))
	}
	write("cipher text, to the eye noise", folder("unnamed"), "store.db")
	write("what a later version keeps", folder("modern"), "store.v2")
	write("{}\n", dot, "projects", "p", "agent-transcripts", "t", "u.jsonl")
	write("SECRET", dot, "cli-config.json")
	write("SECRET", dot, "projects", "p", "terminals", "1.txt")
	db, err := sql.Open("sqlite", filepath.Join(folder("old"), "store.db"))
	w.must(err)
	_, err = db.Exec("PRAGMA user_version = 7")
	w.must(err)
	w.must(db.Close())
	text, err := os.ReadFile(filepath.Join(folder("plain_meta"), "meta.json"))
	w.must(err)
	write(strings.Replace(string(text), `"schemaVersion":1`, `"schemaVersion":9`, 1), folder("plain_meta"), "meta.json")

	left := []string{"1 chat whose store is encrypted, damaged or of another kind",
		"1 folder of a chat without a store", "1 file of an unknown kind beside a chat",
		"1 transcript in an unknown place", "2 chats of a newer version; what is known of it is read"}
	args := []string{"--source", "test=" + dot, "--warehouse", w.warehouse}
	outputs := map[string][]string{"discover": {"6 chats (1 of them started by other editors), 1 transcript"},
		"dry run": {"6 chats, 1 transcript of the command line"},
		"run":     {"6 chats, 1 transcript of the command line", "1 sealed"}}
	printed := map[string]string{}
	printed["discover"], _ = w.does(0, "discover", "--source", dot)
	printed["dry run"], _ = w.runs(3, append([]string{"run", "--dry-run"}, args...)...)
	printed["run"], _ = w.runs(3, append([]string{"run"}, args...)...)
	for name, wanted := range outputs {
		for _, want := range append(wanted, left...) {
			if !strings.Contains(printed[name], want) {
				t.Errorf("%s does not say %q:\n%s", name, want, printed[name])
			}
		}
		if strings.Contains(printed[name], "SECRET") {
			t.Errorf("%s prints what is never read:\n%s", name, printed[name])
		}
	}
	for _, line := range strings.Split(printed["discover"], "\n")[1:] {
		if len(line) > 80 {
			t.Errorf("a line of %d characters: %s", len(line), line)
		}
	}
	var list struct {
		Sources []struct{ Home map[string]int }
	}
	asJSON, _ := w.does(0, "discover", "--source", dot, "--json")
	w.must(json.Unmarshal([]byte(asJSON), &list))
	for name, want := range map[string]int{"chats": 6, "acp_chats": 1, "transcripts": 1, "without_a_store": 1,
		"no_database": 1, "newer": 2, "other_files": 1, "unknown_transcripts": 1} {
		if len(list.Sources) != 1 || list.Sources[0].Home[name] != want {
			t.Errorf("%s is not %d in %s", name, want, asJSON)
		}
	}
	told, _ := w.runs(0, append([]string{"doctor"}, args...)...)
	if !regexp.MustCompile(`note +1 chat has a store that is no SQLite file`).MatchString(told) ||
		!regexp.MustCompile(`note +2 chats are of a newer version`).MatchString(told) {
		t.Error(told)
	}
}
