package pipelines_test

import (
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"pipeline/load/rawlog"
	"pipeline/pipelines"
	"pipeline/sql/schema"
	"pipeline/testdata/gen/storetest"
)

// A foldKey names a row of the store: a message of a conversation or, without a part, the conversation's own row.
type foldKey struct{ of, part string }

func (k foldKey) String() string { return strings.TrimSpace(k.of + " " + k.part) }

// A foldValue is what a row of the store holds: a text, or something that is no JSON object. Neither: Cursor has
// emptied it.
type foldValue struct{ text, broken string }

// A foldSight is what one run can see of the store.
type foldSight struct {
	rows    map[foldKey]foldValue
	whole   bool            // a row that is not seen is not there
	accepts bool            // --accept-deletes
	asked   map[string]bool // the conversations that a narrowed run asks for; nil: all
}

// A foldRow is what the warehouse must say of a row.
type foldRow struct {
	text    string
	deleted bool
}

// A fold is what the warehouse must say after some runs. All that it knows of them is what docs/reliability.md, What it
// promises, says of one.
type fold map[foldKey]foldRow

// see is one run. If more than half of the conversations are gone or can no longer be read, it does not believe it.
func (f fold) see(s foldSight) {
	gone := map[string]bool{}
	for key, row := range f {
		if !row.deleted {
			gone[key.of] = true
		}
	}
	known, lost := len(gone), 0
	for key, value := range s.rows {
		gone[key.of] = gone[key.of] && value == foldValue{}
	}
	for of, is := range gone {
		if own := (foldKey{of, ""}); is || s.rows[own].broken != "" && f[own].text != "" && !f[own].deleted {
			lost++
		}
	}
	believed := 2*lost <= known || s.accepts
	for _, key := range foldKeys {
		row, had := f[key]
		switch value := s.rows[key]; {
		case s.asked != nil && !s.asked[key.of]:
		case value.text != "":
			f[key] = foldRow{text: value.text}
		case value.broken == "" && had && s.whole && (believed || !gone[key.of]):
			f[key] = foldRow{row.text, true}
		}
	}
}

// says names the rows. A conversation whose own row was never usable is there while one of its messages is.
func (f fold) says() map[string]foldRow {
	out := map[string]foldRow{}
	for key, row := range f {
		out[key.String()] = row
		if f[foldKey{key.of, ""}].text == "" {
			other, seen := out[key.of]
			out[key.of] = foldRow{deleted: row.deleted && (other.deleted || !seen)}
		}
	}
	return out
}

// A foldNight is how the run of a night goes, and what happens to each store before. Exported fields print in words.
type foldNight struct {
	Narrow  string // "", --since or --project
	Accepts bool   // --accept-deletes
	Days    []foldDay
}

type foldDay struct {
	Events []foldEvent
	Store  string  // "", damaged, missing or garbage: what the store's file is during the run
	At     foldKey // a row on the page that is damaged, or the one before it
}

type foldEvent struct {
	Kind string
	Key  foldKey // or the next row to which it can happen
}

// foldKeys are the rows that the store may have, foldKinds the events, as often as they are drawn.
var (
	foldKeys = func() (keys []foldKey) {
		for n := range 16 {
			keys = append(keys, foldKey{fmt.Sprintf("c%d", n/4), []string{"", "b0", "b1", "b2"}[n%4]})
		}
		return keys
	}()
	foldKinds = []string{"new value", "new value", "broken", "broken", "gone", "gone", "emptied", "back", "back",
		"back", "late", "late", "conversation gone", "conversation gone", "conversation emptied", "conversation back"}
)

// from are all rows, this one first.
func (k foldKey) from() []foldKey {
	at := slices.Index(foldKeys, k)
	return slices.Concat(foldKeys[at:], foldKeys[:at])
}

// anyFold draws the nights of some stores.
func anyFold(nights, stores int) *rapid.Generator[[]foldNight] {
	return rapid.Custom(func(t *rapid.T) []foldNight {
		story := []foldNight{{Days: make([]foldDay, stores)}} // the first run sees the stores as they were made
		for range nights - 1 {
			n := foldNight{Narrow: anyOf(t, "", "", "", "", "--since", "--project"),
				Accepts: anyOf(t, true, false, false)}
			for range stores {
				d := foldDay{Store: anyOf(t, "", "", "", "", "", "damaged", "damaged", "missing", "garbage"),
					At: anyOf(t, foldKeys...)}
				for range anyOf(t, 1, 2, 3, 4, 5) {
					d.Events = append(d.Events, foldEvent{anyOf(t, foldKinds...), anyOf(t, foldKeys...)})
				}
				n.Days = append(n.Days, d)
			}
			story = append(story, n)
		}
		return story
	})
}

// anyOf draws one of some, each as often as the others: of numbers rapid prefers the small ones.
func anyOf[T any](t *rapid.T, some ...T) T { return rapid.Permutation(some).Draw(t, "one of them")[0] }

// A foldStore is a store that changes, and what the warehouse must say of it.
type foldStore struct {
	*fixture
	fold    fold
	rows    map[foldKey]foldValue
	usable  map[foldKey]string // the last text that each row had
	serial  int
	damaged bool // in some run
	did     map[string]int
}

// newFoldStore makes a store of three conversations that lack the last of the messages that they name; a fourth one
// comes later, row by row. A workspace's store can always be read, so a run goes on without the other.
func newFoldStore(t *testing.T, user string, did map[string]int) *foldStore {
	s := &foldStore{&fixture{t: t, user: user}, fold{}, map[foldKey]foldValue{}, map[foldKey]string{}, 0, false, did}
	(&userDir{workspaces: map[string]folder{
		"ws0": {json: `{"folder":"file:///src/two"}`, items: map[string]any{"aiService.prompts": `[{"text":"p"}]`}},
		"ws1": {json: `{"folder":"file:///src/one"}`}}}).write(t, s.user)
	for _, key := range foldKeys[:12] {
		if key.part != "b2" {
			s.put(key, foldValue{text: s.next()})
		}
	}
	return s
}

// next is a text that no row had before.
func (s *foldStore) next() string { return fmt.Sprintf("t%03d", s.serial) }

// stored is the row's key in the store.
func (k foldKey) stored() string {
	if k.part == "" {
		return "composerData:" + k.of
	}
	return "bubbleId:" + k.of + ":" + k.part
}

// put writes a row. It gets a rowid that no row had before, so that the next run sees the change. The project of c1 and
// c3 is one, c2 and c3 are a month later than the others.
func (s *foldStore) put(key foldKey, v foldValue) {
	s.rows[key] = v
	c, value := int(key.of[1]-'0'), any(v.broken)
	at := 1760000000000 + int64(c/2)*30*86_400_000
	switch {
	case v.text != "" && key.part == "":
		value = fmt.Sprintf(`{"_v":13,"name":%q,"createdAt":%d,"workspaceIdentifier":{"id":"ws%d"},`+
			`"fullConversationHeadersOnly":[{"bubbleId":"b0"},{"bubbleId":"b1"},{"bubbleId":"b2"}]}`, v.text, at, c%2)
	case v.text != "": // a page has room for two
		value = fmt.Sprintf(`{"_v":2,"type":2,"text":"%s %s","createdAt":%d}`, v.text, strings.Repeat("x", 1800), at)
	case v.broken == "":
		value = []any{nil, []byte{0}}[s.serial%2]
	}
	if v.text != "" {
		s.usable[key] = v.text
	}
	s.serial++
	s.exec(`INSERT OR REPLACE INTO cursorDiskKV (rowid, key, value) VALUES (?, ?, ?)`, s.serial, key.stored(), value)
}

// happen lets an event happen to a row, or to those of its conversation, and reports whether it can.
func (s *foldStore) happen(kind string, key foldKey) (did bool) {
	value, stored := s.rows[key]
	last := s.usable[key]
	each, all := strings.CutPrefix(kind, "conversation ")
	switch {
	case all:
		for _, of := range foldKeys {
			did = of.of == key.of && s.happen(each, of) || did
		}
		return did
	case kind == "new value" && stored, kind == "late" && !stored && last == "":
		s.put(key, foldValue{text: s.next()})
	case kind == "broken" && stored:
		s.put(key, foldValue{broken: []string{`{"_v":2,"text":"`, `[]`, `7`}[s.serial%3]})
	case kind == "emptied" && value != foldValue{}:
		s.put(key, foldValue{})
	case kind == "back" && value.text == "" && last != "":
		s.put(key, foldValue{text: last})
	case kind == "gone" && stored:
		s.exec(`DELETE FROM cursorDiskKV WHERE key = ?`, key.stored())
		delete(s.rows, key)
	default:
		return false
	}
	return true
}

// live lets a day happen. It says what the next run can see, and how the store's file is sound again afterwards.
func (s *foldStore) live(d foldDay) (sight foldSight, mend func()) {
	for _, e := range d.Events {
		if slices.ContainsFunc(e.Key.from(), func(key foldKey) bool { return s.happen(e.Kind, key) }) {
			s.did[e.Kind]++
		}
	}
	s.exec(`VACUUM`) // no page has rests of earlier values
	s.did["store "+d.Store]++
	sight = foldSight{rows: maps.Clone(s.rows), whole: d.Store == ""}
	file := globalFile(s.fixture)
	sound, err := os.ReadFile(file)
	must(s.t, err)
	mend = func() { must(s.t, os.WriteFile(file, sound, 0o600)) }
	switch d.Store {
	case "missing":
		sight.rows = nil
		must(s.t, os.Rename(file, file+".away"))
		mend = func() { must(s.t, os.Rename(file+".away", file)) }
	case "garbage":
		sight.rows = nil
		must(s.t, storetest.WriteNotADatabase(file))
	case "damaged":
		if at := slices.IndexFunc(d.At.from(), func(key foldKey) bool { return s.rows[key].text != "" }); at >= 0 {
			overwritePage(s.t, file, `"`+s.rows[d.At.from()[at]].text)
			sight.rows, s.damaged = s.readable(), true
		}
		sight.whole = len(sight.rows) == len(s.rows) // nothing was to be damaged
	}
	return sight, mend
}

// readable are the rows whose values SQLite itself can read.
func (s *foldStore) readable() map[foldKey]foldValue {
	db, err := sql.Open("sqlite", "file:"+globalFile(s.fixture)+"?mode=ro&immutable=1")
	must(s.t, err)
	defer db.Close()
	out := maps.Clone(s.rows)
	for key := range s.rows {
		var value sql.NullString
		if db.QueryRow(`SELECT value FROM cursorDiskKV WHERE key = ?`, key.stored()).Scan(&value) != nil {
			delete(out, key)
			s.did["row on a damaged page"]++
		}
	}
	return out
}

// narrowed has a run ask for some of the conversations of which it sees a row: those of which a row that can be used
// says the time, or of which this or an earlier run has seen the project.
func (s *foldSight) narrowed(narrow string, f fold) {
	if narrow == "" {
		return
	}
	s.asked = map[string]bool{}
	for key, value := range s.rows {
		own := foldKey{key.of, ""}
		if narrow == "--since" && key.of >= "c2" && value.text != "" || narrow == "--project" &&
			(key.of == "c1" || key.of == "c3") && value != (foldValue{}) && s.rows[own].text+f[own].text != "" {
			s.asked[key.of] = true
		}
	}
}

// foldOptions are those of a run.
func foldOptions(n foldNight, o *pipelines.Options) {
	o.AcceptDeletes = n.Accepts
	since := schema.Millis(1761000000000)
	switch n.Narrow {
	case "--since":
		o.Since = &since
	case "--project":
		o.Projects = []string{"one"}
	}
}

// playFold plays a story: each store is a source of the one warehouse. It says which store differs first, and where.
func playFold(t *testing.T, story []foldNight, did map[string]int) (which int, diff string) {
	l := newFixture(t)
	users, stores := map[string]string{}, []*foldStore{}
	for i := range story[0].Days {
		name := fmt.Sprint("s", i)
		users[name] = filepath.Join(l.dir, name)
		stores = append(stores, newFoldStore(t, users[name], did))
	}
	for night, n := range story {
		sights, asked := make([]foldSight, len(stores)), n.Narrow != "--project"
		var mend []func()
		for i, s := range stores {
			sight, m := s.live(n.Days[i])
			sight.accepts = n.Accepts
			sight.narrowed(n.Narrow, s.fold)
			sights[i], mend, asked = sight, append(mend, m), asked || len(sight.asked) > 0
		}
		r, err := pipelines.Run(t.Context(), l.options(func(o *pipelines.Options) { o.Sources = sources(t, users) },
			func(o *pipelines.Options) { foldOptions(n, o) }))
		for _, m := range mend {
			m()
		}
		if usage := new(pipelines.UsageError); asked || !errors.As(err, &usage) {
			must(t, err) // else no conversation is of the project
			did["doubts"] += len(r.Failures)
		}
		did["run "+n.Narrow]++
		said := l.saidOfRows()
		for i, s := range stores {
			s.fold.see(sights[i])
			diff := cmp.Diff(s.fold.says(), said[fmt.Sprint("s", i)], cmp.AllowUnexported(foldRow{}))
			if diff != "" {
				return i, fmt.Sprintf("after night %d (-model +warehouse):\n%s", night, diff)
			}
		}
	}
	again := l.clone()
	must(t, os.CopyFS(rawlog.Dir(again.warehouse()), os.DirFS(rawlog.Dir(l.warehouse()))))
	_, err := pipelines.Rebuild(t.Context(), pipelines.Options{Warehouse: again.warehouse(), ToolVersion: "test"},
		false)
	must(t, err)
	before, after := l.dumpSources("messages", "conversations"), again.dumpSources("messages", "conversations")
	for i, s := range stores {
		but := []string{}
		if s.damaged { // what cannot be read is in no raw layer, though a load may have found it changed
			but = append(but, "changed_at")
		}
		name := fmt.Sprint("s", i)
		if diff := cmp.Diff(before[name].drop(but...), after[name].drop(but...)); diff != "" {
			return i, "after a rebuild (-before +after):\n" + diff
		}
	}
	return 0, ""
}

// saidOfRows is what the warehouse says of each source.
func (l *fixture) saidOfRows() map[string]map[string]foldRow {
	out := map[string]map[string]foldRow{}
	for _, row := range l.ask(
		`SELECT source_id, trim(conversation_id || ' ' || part), split_part(coalesce(text, ''), ' ', 1),
		deleted_at IS NOT NULL
		FROM (SELECT source_id, conversation_id, '' AS part, title AS text, deleted_at FROM conversations
		UNION ALL SELECT source_id, conversation_id, message_id, text, deleted_at FROM messages)`) {
		if out[row[0]] == nil {
			out[row[0]] = map[string]foldRow{}
		}
		out[row[0]][row[1]] = foldRow{row[2], row[3] == "true"}
	}
	return out
}

// TestFoldProperty: whatever happens to the rows and to their store night after night, the warehouse says of each row
// what a model of forty lines says, and a rebuild gives the same rows. A story is repeated by its number:
// go test ./pipelines -run 'TestFoldProperty/^7$'
func TestFoldProperty(t *testing.T) {
	t.Parallel()
	stories, nights, least := 18, 8, 10
	if testing.Short() {
		stories, nights, least = 1, 5, 0
	}
	const stores = 5 // a run over five takes little longer than over one
	did := map[string]int{}
	for seed := range stories {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			story := anyFold(nights, stores).Example(seed)
			if which, diff := playFold(t, story, did); diff != "" {
				for i, n := range story {
					n.Days = n.Days[which : which+1]
					t.Logf("night %d: %+v", i, n)
				}
				t.Error(diff)
			}
		})
	}
	for _, kind := range slices.Sorted(maps.Keys(did)) {
		t.Logf("%-22s %d", kind, did[kind])
		if did[kind] < least && did["store "] > 0 && !t.Failed() {
			t.Errorf("%s: only %d times", kind, did[kind])
		}
	}
}
