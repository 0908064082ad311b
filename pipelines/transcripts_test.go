package pipelines_test

import (
	"encoding/json"
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

	"pipeline/extract"
	"pipeline/load/rawlog"
	"pipeline/pipelines"
	"pipeline/testdata/gen/clitest"
	"pipeline/transform"
)

// spokenHome is the home directory of one user: an editor's folder, and a .cursor.
type spokenHome struct {
	*fixture
	dot string
}

func newSpokenHome(t *testing.T) *spokenHome {
	l := newFixture(t)
	l.user = filepath.Join(l.dir, "home", ".config", "Cursor", "User")
	return &spokenHome{l, filepath.Join(l.dir, "home", ".cursor")}
}

// write makes both agree with a description.
func (s *spokenHome) write(home *clitest.Home) {
	s.t.Helper()
	must(s.t, home.Write(s.dot))
	w := &userDir{rows: map[string]any{}, workspaces: map[string]folder{}}
	for _, id := range slices.Sorted(maps.Keys(home.Editor)) {
		quoted, err := json.Marshal(id)
		must(s.t, err)
		w.rows["composerData:"+id] = `{"_v":13,"composerId":` + string(quoted) +
			`,"name":"In the editor","createdAt":1760000000000,"fullConversationHeadersOnly":[{"bubbleId":"b","type":1}]}`
		w.rows["bubbleId:"+id+":b"] = `{"_v":2,"type":1,"bubbleId":"b","text":"Question"}`
	}
	w.write(s.t, s.user)
}

// both reads the home, whatever the order in which its sources are found.
func (s *spokenHome) both(o *pipelines.Options) {
	found, err := extract.Resolve(filepath.Dir(s.dot), extract.Env{OS: "linux"})
	must(s.t, err)
	slices.Reverse(found)
	o.Sources, o.AcceptDeletes = found, true
}

// TestTranscripts: every row of the transcripts of a home is as the generator says.
func TestTranscripts(t *testing.T) {
	t.Parallel()
	homes := map[string]*clitest.Home{"cases": clitest.Spoken()}
	seeds := uint64(4)
	if testing.Short() {
		seeds = 1
	}
	for seed := range seeds {
		homes[fmt.Sprint("seed ", seed)] = clitest.RandomSpoken(seed)
	}
	for name, home := range homes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSpokenHome(t)
			s.write(home)
			if r := s.run(nil, s.both); r.Status != "ok" {
				t.Errorf("status %s: %v", r.Status, r.Errors())
			}
			wantCLI(t, s.fixture, home)
		})
	}
}

// TestTranscriptNights: after each of ten nights the rows are those that the generator says, and after a rebuild they
// are the same.
func TestTranscriptNights(t *testing.T) {
	long(t)
	t.Parallel()
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 29))
			home, s := clitest.RandomSpoken(seed), newSpokenHome(t)
			for night := range 10 {
				s.write(home)
				s.run(nil, s.both)
				wantCLI(t, s.fixture, home)
				if t.Failed() {
					t.Fatalf("night %d", night)
				}
				home.SpokenNight(r, night)
			}
			tables := append(slices.Clone(contentTables), "conversation_sources", "quarantine")
			s.madeAnewInPlace(tables...)
		})
	}
}

// old makes all files of a home so old that their times tell whether they have changed.
func (s *spokenHome) old() {
	at := time.Now().Add(-time.Hour)
	must(s.t, filepath.WalkDir(s.dot, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Chtimes(path, at, at))
	}))
}

// TestLostStore: a chat that loses its store stays as it was while its transcript is there, and its store counts as
// gone; it is what its store says when this is back, deleted when the transcript goes, too, and made of the transcript
// when nothing is known of it any more. A rebuild gives the same after each step.
func TestLostStore(t *testing.T) {
	t.Parallel()
	home, s := clitest.Spoken(), newSpokenHome(t)
	chat := home.Chat("modern")
	var talk *clitest.Transcript
	for _, t := range home.Transcripts {
		if t.Name == "chat" {
			talk = t
		}
	}
	places := "SELECT store_kind, is_primary, message_count, deleted_at FROM conversation_sources WHERE " +
		"conversation_id = '" + chat.ID + "' ORDER BY ALL"
	rows := "SELECT c.format, c.deleted_at, (SELECT count(*) FROM messages m WHERE m.source_id = c.source_id AND " +
		"m.conversation_id = c.conversation_id AND m.deleted_at IS NULL) FROM conversations c WHERE conversation_id " +
		"= '" + chat.ID + "'"
	for n, step := range []struct {
		what         string
		do           func()
		rows, places string
	}{
		{"both", func() {}, "graph NULL 8", "cli_store true 8 NULL; transcript false 6 NULL"},
		{"the store is lost", func() { chat.NoStore = true }, "graph NULL 8",
			"cli_store true 8 " + clock(2) + "; transcript false 6 NULL"},
		{"nothing more happens", func() {}, "graph NULL 8",
			"cli_store true 8 " + clock(2) + "; transcript false 6 NULL"},
		{"the transcript goes on", func() { talk.Talk = append(talk.Talk, talk.Talk[0]) }, "graph NULL 8",
			"cli_store true 8 " + clock(2) + "; transcript false 7 NULL"},
		{"the transcript moves", func() { talk.Layout = "flat" }, "graph NULL 8",
			"cli_store true 8 " + clock(2) + "; transcript false 7 " + clock(5) + "; transcript false 7 NULL"},
		{"the store is back", func() { chat.NoStore = false }, "graph NULL 8",
			"cli_store true 8 NULL; transcript false 7 " + clock(5) + "; transcript false 7 NULL"},
		{"the store is lost again", func() { chat.NoStore = true }, "graph NULL 8",
			"cli_store true 8 " + clock(7) + "; transcript false 7 " + clock(5) + "; transcript false 7 NULL"},
		{"the transcript is lost, too", func() {
			home.Transcripts = slices.DeleteFunc(home.Transcripts,
				func(t *clitest.Transcript) bool { return t == talk })
		},
			"graph " + clock(8) + " 0", "cli_store true 8 " + clock(7) + "; transcript false 7 " + clock(5) +
				"; transcript false 7 " + clock(8)},
		{"the transcript alone is back", func() { home.Transcripts = append(home.Transcripts, talk) },
			"transcript NULL 7", "cli_store true 8 " + clock(7) + "; transcript false 7 " + clock(5) +
				"; transcript true 7 NULL"},
		{"the editor has it", func() { home.Editor[chat.ID] = true }, "transcript " + clock(10) + " 0",
			"cli_store true 8 " + clock(7) + "; transcript false 7 " + clock(5) + "; transcript false 7 NULL"},
	} {
		step.do()
		s.write(home)
		s.run(nil, s.both)
		show := func(query string) (text string) {
			for i, row := range s.ask(query) {
				if i > 0 {
					text += "; "
				}
				text += strings.Join(row, " ")
			}
			return text
		}
		check := func(what string) {
			if got := show(strings.ReplaceAll(rows, "c WHERE", "c WHERE "+cliRows)); got != step.rows {
				t.Errorf("%d: %s%s: rows are %s, want %s", n+1, step.what, what, got, step.rows)
			}
			if got := show(strings.ReplaceAll(places, "WHERE", "WHERE "+cliRows)); got != step.places {
				t.Errorf("%d: %s%s: places are %s, want %s", n+1, step.what, what, got, step.places)
			}
		}
		check("")
		if (n == 4 || n == 9) && !testing.Short() {
			_, err := pipelines.Rebuild(t.Context(), pipelines.Options{Warehouse: s.warehouse(), ToolVersion: "test"},
				false)
			must(t, err)
			check(", rebuilt")
		}
	}
}

// TestTranscriptsQuiet: a night without changes opens no file, and one with a change in one file opens that one. A file
// that has just been written is read each time.
func TestTranscriptsQuiet(t *testing.T) {
	t.Parallel()
	home, s := clitest.Spoken(), newSpokenHome(t)
	s.write(home)
	s.old()
	s.run(nil, s.both)
	read := func() string {
		return fmt.Sprint(
			s.ask(
				`SELECT rows_read, (SELECT sum(bytes_read) FROM key_families f WHERE f.load_id = s.load_id AND f.source_id = s.source_id)
			FROM load_stores s WHERE store = 'chats' ORDER BY load_id DESC LIMIT 1`))
	}
	if r := s.run(nil, s.both); r.Read != 0 || read() != "[[0 0]]" {
		t.Errorf("a quiet night read %d conversations, rows and bytes %s", r.Read, read())
	}
	talk := home.Transcripts[0]
	talk.Talk = append(talk.Talk, talk.Talk[0])
	must(t, home.Write(s.dot))
	if r := s.run(nil, s.both); r.Read != 1 || r.Conversations.Changed != 1 {
		t.Errorf("a night with one transcript that goes on read %d, changed %d", r.Read, r.Conversations.Changed)
	}
	if r := s.run(nil, s.both); r.Read != 1 || r.Conversations.Changed != 0 {
		t.Errorf("a file that has just been written: %d read, %d changed", r.Read, r.Conversations.Changed)
	}
	s.old()
	s.run(nil, s.both) // the time of that file is another
	home.Editor[talk.ID] = true
	s.write(home)
	if r := s.run(nil, s.both); r.Read != 4 || r.Conversations.Deleted != 1 || r.Conversations.New != 1 {
		// the editor's store is written anew: three
		t.Errorf("a conversation that comes to the editor: %d read, %d deleted, %d new", r.Read,
			r.Conversations.Deleted, r.Conversations.New)
	}
}

// TestTranscriptSecrets: no key in a transcript is in any file that a run leaves.
func TestTranscriptSecrets(t *testing.T) {
	t.Parallel()
	home, s := clitest.Spoken(), newSpokenHome(t)
	s.write(home)
	for name, text := range map[string]string{
		"secret.jsonl": `{"role":"assistant","message":{"content":[{"type":"tool_use","name":"Write","input":{"accessToken":"` + clitest.Secret + `"}}]}}` + "\n" + `{"blobEncryptionKey":"` + clitest.Secret + `"}` + "\n",
		"words.txt":    "user:\nhi\nassistant:\n[Tool call] Write\n  {\"refreshToken\":\"" + clitest.Secret + "\"}\n",
		"cut.jsonl":    `{"role":"user","message":{"content":[{"type":"text","blobEncryptionKey":"` + clitest.Secret,
	} {
		must(t, os.WriteFile(filepath.Join(s.dot, "projects", "home-u-talks-folder", "agent-transcripts", name),
			[]byte(text), 0o600))
	}
	s.run(nil, s.both)
	masked := 0
	for _, row := range rawRows(t, rawlog.Dir(s.warehouse())) {
		if strings.Contains(row.value, clitest.Secret) {
			t.Errorf("the raw layer has a key: %s", shorten(row.value))
		}
		if strings.Contains(row.value, `":"xxxxxx`) {
			masked++
		}
	}
	if masked != 3 {
		t.Errorf("the raw layer has %d transcripts with a key that is masked, of 3", masked)
	}
	for _, table := range allTables() {
		for _, row := range s.ask("FROM " + table) {
			if text := strings.Join(row, " "); strings.Contains(text, clitest.Secret) {
				t.Errorf("%s has a key: %s", table, shorten(text))
			}
		}
	}
}

// TestTranscriptUnusable: a file of which no line can be read is named, the rest is read, and what is known of it
// stays, until it can be read again.
func TestTranscriptUnusable(t *testing.T) {
	t.Parallel()
	home, s := clitest.Spoken(), newSpokenHome(t)
	s.write(home)
	paths, err := filepath.Glob(filepath.Join(s.dot, "projects", "*", "agent-transcripts", "*", "*.jsonl"))
	must(t, err)
	paths = slices.DeleteFunc(paths, func(path string) bool { // of a conversation without messages nothing stays
		text, err := os.ReadFile(path)
		line, _, _ := strings.Cut(string(text), "\n")
		return err != nil || !json.Valid([]byte(line))
	})
	s.run(nil, s.both)
	places := append(slices.Clone(contentTables), "conversation_sources")
	dump := func(tables ...string) map[string]cells {
		all := s.dumpSources(tables...)
		for _, rows := range all {
			// it was seen to change
			maps.DeleteFunc(rows, func(name string, _ string) bool { return strings.HasSuffix(name, ".changed_at") })
		}
		return all
	}
	before, beforePlaces := dump(contentTables...), dump(places...)
	spoil := map[string]func(text []byte) []byte{
		"empty": func([]byte) []byte { return nil },
		"zeros": func(text []byte) []byte { return make([]byte, len(text)) }, "UTF-16": func(text []byte) []byte {
			return []byte("\xff\xfe" + strings.Join(strings.Split(string(text), ""), "\x00"))
		},
		"an array": func(text []byte) []byte {
			return []byte("[" + strings.ReplaceAll(strings.TrimSpace(string(text)), "\n", ",") + "]")
		},
		"too large": nil,
	}
	for name, change := range spoil {
		if testing.Short() && name != "UTF-16" {
			continue // make test-all takes all
		}
		whole := map[string][]byte{}
		for _, path := range paths {
			if whole[path], err = os.ReadFile(path); err != nil {
				t.Fatal(err)
			}
			if change == nil {
				must(t, os.Truncate(path, extract.MaxValueBytes+1))
			} else {
				must(t, os.WriteFile(path, change(whole[path]), 0o600))
			}
		}
		s.run(nil, s.both)
		same(t, name, before, dump(contentTables...))
		if got := s.ask("SELECT key FROM quarantine WHERE key LIKE 'projects/%.jsonl'"); len(got) < len(paths)-2 {
			t.Errorf("%s: %d of %d files are in quarantine", name, len(got), len(paths))
		}
		for path, text := range whole {
			must(t, os.WriteFile(path, text, 0o600))
		}
		s.run(nil, s.both)
		same(t, name+", mended", beforePlaces, dump(places...))
	}
}

// TestSlugNames: the names that the model finds projects by are those that slugsOf makes, for every path.
func TestSlugNames(t *testing.T) {
	t.Parallel()
	paths := []string{"/home/u/my own_app", "/", "//srv//x", "C:\\Users\\ann\\w", "d:/1/Backend", "/Users/zoë/日本",
		"/home/u/.dot.file", "/home/u/a-b--c", "/-x-", `\\server\share\x`, "/mnt/c/Users/w",
		"/" + strings.Repeat("long_er/", 12) + "end"}
	home, s := &clitest.Home{}, newSpokenHome(t)
	w := &userDir{rows: map[string]any{}, workspaces: map[string]folder{}}
	want := map[string]string{}
	for i, path := range paths {
		uri, ok := transform.ParseProjectURI(path)
		if !ok {
			t.Fatalf("%s is no project", path)
		}
		id := fmt.Sprintf("composer-%d", i)
		w.rows["composerData:"+id] = fmt.Sprintf(
			`{"_v":13,"composerId":%q,"createdAt":1760000000000,"workspaceIdentifier":{"id":"w","uri":{"external":%q}},"fullConversationHeadersOnly":[]}`, id, uri.URI)
		for j, slug := range slugsOf(path) {
			t := &clitest.Transcript{Name: slug, ID: fmt.Sprintf("talk-%d-%d", i, j), Layout: "flat", Form: "jsonl",
				Slug: slug}
			home.Transcripts = append(home.Transcripts, t)
			want[t.ID] = uri.Path
		}
	}
	s.write(home)
	w.write(t, s.user)
	s.run(nil, s.both)
	for _, row := range s.ask("SELECT conversation_id, project_path FROM conversations WHERE format = 'transcript'") {
		if row[1] != want[row[0]] {
			t.Errorf("%s is of %s, want %s", row[0], row[1], want[row[0]])
		}
		delete(want, row[0])
	}
	if len(want) > 0 {
		t.Errorf("missing: %v", want)
	}
}
