package pipelines_test

import (
	"fmt"
	"iter"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pipeline/pipelines"
	"pipeline/sql/schema"
)

// A story is what happens to one user directory, run after run, and what the warehouse must say of it. Stories are told
// side by side, each as a source of one warehouse: a run over forty small stores takes little longer than a run over
// one. In run and full a story waits for the run that all have together; then it goes on, in a subtest of its name.
// go test ./pipelines -run TestStories/prompts tells one alone.
type story struct {
	*fixture
	name  string
	book  *storybook
	next  func() (storyRun, bool)
	yield func(storyRun) bool
	wish  storyRun
	said  storyRun // of the next run, see quarantines
	// stores that a run cannot read whole as they are, and conversations that no full run finds in them
	errors int
	hidden int64
	waits  bool  // for the run of its wish
	ran    bool  // that was the last run; or it has not begun
	begun  bool  // it has a user directory
	live   int64 // conversations after its last run
}

// A storyRun is the run that a story waits for, and what that must say of the story.
type storyRun struct {
	full        bool
	dry         bool // a dry run before it must say the same
	want        pipelines.ConversationCount
	quarantined int64
	errors      int    // stores that cannot be read whole
	before      func() // right before it; may be nil
}

// A storybook has the warehouse of some stories.
type storybook struct {
	*fixture
	stories []*story
	dumped  map[string]map[string]cells // by tables, since the last run
	odd     bool                        // stores are damaged: a rebuild does not know all that a load did of them
	anew    bool                        // the warehouse was made anew, before the first full run
	isFull  bool                        // so is the next run
	result  *pipelines.Result           // of the last run
}

// TestStories: each story goes as it says. At the end of all a quiet run changes no row of any table, and a full one
// makes the same rows; no check fails. In make test-all a warehouse that is made anew before the first full run is the
// same.
func TestStories(t *testing.T) {
	concurrent(t)
	b := &storybook{fixture: newFixture(t)}
	for _, some := range []map[string]func(*story){rerunStories(), deletedStories(), listedStories(), keptStories(),
		hexStories(), {
			"unusable-and-new": unusableAndNew, "odd-elements": oddElements, "odd-elements-alone": oddElementsAlone,
			"forked-chat": forkedChat, "removed-folder": removedFolder, "blob-key-secret": blobKeySecret,
			"byte-0": byte0IsRemembered, "new-names": newNames, "new-shared-names": newSharedNames,
			"any-workspace": anyWorkspace, "keys-of-other-bytes": keysOfOtherBytes, "json-values": jsonValues,
			"capitals": capitals, "tasks": tasks, "endings": endings,
		}} {
		b.add(some)
	}
	b.tell(t)
	b.checked("at the end")
}

// add adds stories.
func (b *storybook) add(some map[string]func(*story)) {
	for _, name := range slices.Sorted(maps.Keys(some)) {
		s := &story{fixture: &fixture{dir: b.dir, user: filepath.Join(b.dir, name)}, name: name, book: b, ran: true}
		s.next, _ = iter.Pull(func(yield func(storyRun) bool) {
			s.yield = yield
			some[name](s)
		})
		b.stories = append(b.stories, s)
	}
}

// tell tells all stories, and makes a quiet run and a full one over what they have come to.
func (b *storybook) tell(t *testing.T) {
	for b.goOn(t) {
		b.night()
	}
	before := b.dump(allTables()...)
	r := b.night()
	same(t, "what a quiet run loads", [3]int64{}, [3]int64{r.Messages, r.ToolCalls, r.Quarantined})
	same(t, "the tables after a quiet run", before, b.dump(allTables()...))
	b.isFull = true
	b.night()
	columns := []string{"last_seen_at", "changed_at", "load_id", "last_load_id"}
	same(t, "the tables after a full run", before.drop(columns...), b.dump(allTables()...).drop(columns...))
}

// goOn has each story that saw its run ask, and go on to its next one. It reports whether one waits.
func (b *storybook) goOn(t *testing.T) (waits bool) {
	for _, s := range b.stories {
		if s.ran {
			s.waits, s.ran = false, false
			t.Run(fmt.Sprintf("%s/run %d", s.name, b.runs), func(t *testing.T) {
				s.fixture.t, s.begun = t, true
				s.wish, s.waits = s.next()
			})
		}
		waits = waits || s.waits
	}
	return waits
}

// night is a run, which is a full one if no story waits for another. Stories that do not wait for it stay as they are.
func (b *storybook) night() *pipelines.Result {
	some := func(is func(*story) bool) bool { return slices.ContainsFunc(b.stories, is) }
	full := b.isFull || some(func(s *story) bool { return s.waits }) &&
		!some(func(s *story) bool { return s.waits && !s.wish.full })
	if full && !b.anew && !testing.Short() {
		if b.anew = true; b.odd {
			b.tablesAnew([]string{"messages", "conversations"}, "changed_at")
		} else {
			b.madeAnew()
		}
	}
	var want, dry storyRun
	counted := map[string]pipelines.ConversationCount{}
	users, dryUsers := map[string]string{}, map[string]string{}
	for _, s := range b.stories {
		if !s.begun {
			continue
		}
		users[s.name] = s.user
		here := storyRun{want: pipelines.ConversationCount{Unchanged: s.live}, errors: s.errors}
		if full {
			here.want = pipelines.ConversationCount{Changed: s.live - s.hidden, Unchanged: s.hidden}
		}
		now := here
		if s.ran = s.waits && s.wish.full == full; s.ran {
			here = s.wish
		}
		if s.ran && here.dry {
			dryUsers[s.name], now = s.user, here
		}
		dry.add(now)
		counted[s.name] = here.want
		s.live = here.want.New + here.want.Changed + here.want.Unchanged
		want.add(here)
	}
	if len(dryUsers) > 0 {
		said, err := pipelines.DryRun(b.t.Context(),
			b.options(func(o *pipelines.Options) { o.Sources = sources(b.t, dryUsers) }))
		must(b.t, err)
		b.runs--
		same(b.t, clock(b.runs+1)+": what a dry run says", dry.want, said.Conversations)
	}
	for _, s := range b.stories {
		if s.ran && s.wish.before != nil {
			s.wish.before()
		}
	}
	b.dumped = map[string]map[string]cells{}
	r := b.run(nil, func(o *pipelines.Options) { o.Sources, o.Full = sources(b.t, users), full })
	b.result = r
	same(b.t, clock(b.runs)+": what the run says", want.want, r.Conversations)
	same(b.t, clock(b.runs)+": the rows in quarantine that it adds", want.quarantined, r.Quarantined)
	same(b.t, clock(b.runs)+": stores that it cannot read", want.errors, len(r.Errors()))
	if b.t.Failed() {
		b.blame(counted)
	}
	same(b.t, clock(b.runs)+": its totals", b.ask(`SELECT count(*), (SELECT count(*) FROM live_messages)
		FROM live_conversations`), [][]string{{fmt.Sprint(r.Totals.Conversations + r.Totals.Empty), fmt.Sprint(r.Totals.Messages)}})
	return r
}

// blame logs the stories of which the rows tell something else than they have said.
func (b *storybook) blame(said map[string]pipelines.ConversationCount) {
	for _, row := range b.ask(fmt.Sprintf(
		`SELECT source_id, count(*) FILTER (first_seen_at = t) AS new,
			count(*) FILTER (changed_at = t AND first_seen_at < t AND deleted_at IS NULL) AS changed,
			count(*) FILTER (deleted_at = t) AS deleted, count(*) FILTER (changed_at < t AND deleted_at IS NULL) AS unchanged
		FROM conversations, (SELECT TIMESTAMPTZ '%s' AS t) GROUP BY source_id`, clock(b.runs))) {
		c := said[row[0]]
		if got := strings.Join(row[1:], " "); got != fmt.Sprint(c.New, c.Changed, c.Deleted, c.Unchanged) {
			b.t.Logf("%s says %+v, and its rows new, changed, deleted, unchanged: %s", row[0], c, got)
		}
	}
	for _, row := range b.ask(fmt.Sprintf(`SELECT source_id, count(*) FROM quarantine WHERE load_id = %d GROUP BY ALL`,
		b.runs)) {
		b.t.Log("in quarantine: ", row)
	}
}

// add adds what a run says of another story.
func (r *storyRun) add(other storyRun) {
	r.want.New, r.want.Changed = r.want.New+other.want.New, r.want.Changed+other.want.Changed
	r.want.Deleted, r.want.Unchanged = r.want.Deleted+other.want.Deleted, r.want.Unchanged+other.want.Unchanged
	r.quarantined, r.errors = r.quarantined+other.quarantined, r.errors+other.errors
}

// run makes the user directory (nil: it stays as it is), and waits for the next run.
func (s *story) run(w *userDir, want pipelines.ConversationCount) { s.await(w, storyRun{want: want}) }

// full is run for a full run.
func (s *story) full(w *userDir, want pipelines.ConversationCount) {
	s.await(w, storyRun{full: true, want: want})
}

func (s *story) await(w *userDir, wish storyRun) {
	s.t.Helper()
	if w != nil {
		w.write(s.t, s.user)
	}
	wish.quarantined, wish.errors = s.said.quarantined, s.errors
	s.said = storyRun{}
	s.yield(wish)
}

// quarantines says how many rows the next run adds to the quarantine.
func (s *story) quarantines(n int64) { s.said.quarantined = n }

// unreadable says how many stores cannot be read whole from now on, and of how many conversations none of their rows.
func (s *story) unreadable(stores int, hidden int64) { s.errors, s.hidden = stores, hidden }

// clock is the time of the last run.
func (s *story) clock() string { return clock(s.book.runs) }

// dump is fixture.dump of this story.
func (s *story) dump(tables ...string) cells {
	s.t.Helper()
	key := strings.Join(tables, " ")
	if s.book.dumped[key] == nil {
		s.book.dumped[key] = s.book.dumpSources(tables...)
	}
	return s.book.dumped[key][s.name]
}

// newFields and newFamilies are those that the last run has found in this story's stores.
func (s *story) newFields() []pipelines.NewField {
	return slices.DeleteFunc(slices.Clone(s.book.result.NewFields),
		func(f pipelines.NewField) bool { return f.SourceID != s.name })
}

func (s *story) newFamilies() []pipelines.NewFamily {
	return slices.DeleteFunc(slices.Clone(s.book.result.NewFamilies),
		func(f pipelines.NewFamily) bool { return f.SourceID != s.name })
}

// raw is fixture.raw of this story.
func (s *story) raw() []rawRow {
	return slices.DeleteFunc(s.book.raw(), func(r rawRow) bool { return r["source_id"] != s.name })
}

// relation is a word of a query that may name a table or a view.
var relation = regexp.MustCompile(`(internal\.)?\b[a-z_]+\b`)

// ask asks of the rows of this story alone: each table and view that has a source is its part of that source.
func (s *story) ask(query string) [][]string {
	s.t.Helper()
	var parts []string
	for _, word := range relation.FindAllString(query, -1) {
		name := strings.TrimPrefix(word, "internal.")
		table, known := schema.Lookup(strings.TrimPrefix(name, "live_"))
		part := fmt.Sprintf("%s AS (FROM %s.%s WHERE source_id = '%s')", name, table.Schema(), name, s.name)
		if known && table.Has("source_id") && !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	return s.book.ask("WITH " + strings.Join(parts, ", ") + " " + strings.ReplaceAll(query, "internal.", ""))
}
