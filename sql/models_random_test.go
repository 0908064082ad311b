package sql

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// The reference below says what the data dictionary says, word by word and conversation by conversation, with no
// thought of speed. TestModelsAgainstReference lets it and the models answer for random warehouses, first whole, then
// after random changes.

const gapMs = 1800000

type refMessage struct {
	at      *int64 // real time in ms
	user    bool
	deleted bool
	calls   int
	turn    int    // how many messages of the user came so far, with this one
	request string // '' for none
}

type refConversation struct {
	source, id       string
	ownProject       string // '' for none
	created, updated *int64
	missing          int // messages that it names and does not have
	deleted          bool
	orphaned         bool
	messages         []refMessage
}

type refClaim struct {
	source, id, by, parent string
	rank                   int
}

type refData struct {
	conversations []*refConversation
	claims        []refClaim
}

func (w *refData) find(source, id string) *refConversation {
	for _, c := range w.conversations {
		if c.source == source && c.id == id {
			return c
		}
	}
	return nil
}

// parent returns whether the conversation is a subagent, and whose. A best-of-N copy is none.
func (w *refData) parent(source, id string) (subagent bool, parent string) {
	if c := w.find(source, id); c != nil && w.bestOf(c) != "" {
		return false, ""
	}
	best := 99
	for _, c := range w.claims {
		if c.source != source || c.id != id || c.rank > 2 {
			continue
		}
		subagent = true
		if c.parent != "" && c.parent != id && (c.rank < best || c.rank == best && c.parent < parent) {
			best, parent = c.rank, c.parent
		}
	}
	return subagent, parent
}

// bestOf returns whose best-of-N copy the conversation is, "" if it is none: somebody lists it, and it or that one is
// marked.
func (w *refData) bestOf(c *refConversation) (parent string) {
	marked := false
	for _, claim := range w.claims {
		if claim.source != c.source || claim.id != c.id || claim.rank < 3 {
			continue
		}
		marked = marked || claim.rank < 5
		if claim.parent != "" && claim.parent != c.id && (parent == "" || claim.parent < parent) {
			parent = claim.parent
		}
	}
	if !marked {
		return ""
	}
	return parent
}

// above returns whose session a conversation has; "" for its own.
func (w *refData) above(c *refConversation) (id string, inherits bool) {
	if subagent, parent := w.parent(c.source, c.id); subagent {
		return parent, true
	}
	parent := w.bestOf(c)
	return parent, parent != ""
}

// begun returns the conversations as they were begun: a best-of-N copy after the one whose prompt it answers, too, one
// without a start last.
func (w *refData) begun() []*refConversation {
	start := func(c *refConversation) int64 {
		if at := c.start(); at != nil {
			return *at
		}
		return 4102444800000
	}
	head := func(c *refConversation) *refConversation {
		if parent := w.find(c.source, w.bestOf(c)); parent != nil {
			return parent
		}
		return c
	}
	list := slices.Clone(w.conversations)
	slices.SortFunc(list, func(a, b *refConversation) int {
		x, y := head(a), head(b)
		copies := cmp.Compare(map[bool]int{true: 1}[w.bestOf(a) != ""], map[bool]int{true: 1}[w.bestOf(b) != ""])
		return cmp.Or(cmp.Compare(start(x), start(y)), strings.Compare(x.id, y.id), copies,
			cmp.Compare(start(a), start(b)), strings.Compare(a.id, b.id))
	})
	return list
}

// asked returns the request of the i-th message: its own, else that of its turn, which is the prompt's if it has one.
func (c *refConversation) asked(i int) string {
	m := c.messages[i]
	if m.request != "" {
		return m.request
	}
	for _, byUser := range []bool{true, false} {
		for _, other := range c.messages {
			if other.turn == m.turn && other.deleted == m.deleted && other.user == byUser && other.request != "" {
				return other.request
			}
		}
	}
	return ""
}

// repeats returns the messages that repeat, and of which conversation each fork is one.
func (w *refData) repeats() (messages []string, forkOf map[*refConversation]string) {
	owner, place, forkOf := map[string]*refConversation{}, map[*refConversation]int{}, map[*refConversation]string{}
	begun := w.begun()
	for i, c := range begun {
		place[c] = i
		if subagent, _ := w.parent(c.source, c.id); subagent || c.deleted || c.orphaned {
			continue
		}
		for _, m := range c.messages {
			if !m.deleted && owner[m.request] == nil {
				owner[m.request] = c
			}
		}
	}
	for _, c := range begun {
		if _, inherits := w.above(c); inherits {
			continue
		}
		for _, deleted := range []bool{false, true} {
			for i, m := range c.messages {
				request := c.asked(i)
				if first := owner[request]; m.deleted == deleted && request != "" && first != nil &&
					place[first] < place[c] {
					messages = append(messages, fmt.Sprintf("%s | m%d", c.id, i))
					if forkOf[c] == "" {
						forkOf[c] = first.id
					}
				}
			}
		}
	}
	slices.Sort(messages)
	return messages, forkOf
}

// project returns the project that a conversation has, itself or from an ancestor.
func (w *refData) project(c *refConversation) string {
	seen := map[string]bool{}
	for c != nil && !seen[c.id] {
		if c.ownProject != "" {
			return c.ownProject
		}
		seen[c.id] = true
		_, parent := w.parent(c.source, c.id)
		c = w.find(c.source, parent)
	}
	return ""
}

func (c *refConversation) start() *int64 {
	if c.created != nil {
		return c.created
	}
	var first *int64
	for _, m := range c.messages {
		if !m.deleted && m.at != nil && (first == nil || *m.at < *first) {
			first = m.at
		}
	}
	if first != nil {
		return first
	}
	return c.updated
}

func (c *refConversation) live() (n int) {
	for _, m := range c.messages {
		if !m.deleted {
			n++
		}
	}
	return n
}

func (c *refConversation) inSessions() bool {
	return !c.deleted && !c.orphaned && (c.live() > 0 || c.missing > 0)
}

func refID(source, project string, ms int64) string {
	return fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%s\x1f%s\x1f%d", source, project, ms)))[:16]
}

// sessions returns the session of each conversation, by the words of the data dictionary.
func (w *refData) sessions() map[*refConversation]string {
	of := map[*refConversation]string{}
	for _, group := range w.groups(func(c *refConversation) bool {
		_, inherits := w.above(c)
		return !inherits && c.inSessions() && c.start() != nil
	}) {
		slices.SortFunc(group, func(a, b *refConversation) int {
			return cmp.Or(cmp.Compare(*a.start(), *b.start()), strings.Compare(a.id, b.id))
		})
		id := ""
		for i, c := range group {
			from, to := *c.start()-gapMs, *c.start()
			within := func(at *int64) bool { return at != nil && *at >= from && *at <= to }
			happened := false
			for _, earlier := range group[:i] {
				happened = happened || within(earlier.start())
				for _, m := range earlier.messages {
					happened = happened || !m.deleted && within(m.at)
				}
			}
			if !happened {
				id = refID(c.source, w.project(c), to)
			}
			of[c] = id
		}
	}
	for _, c := range w.conversations {
		if _, inherits := w.above(c); !inherits || !c.inSessions() {
			continue
		}
		top := c
		for range w.conversations { // no more steps than conversations: a cycle has no top
			if above, inherits := w.above(top); inherits {
				if top = w.find(c.source, above); top == nil {
					break
				}
			}
		}
		if top == nil {
			continue
		}
		if session, ok := of[top]; ok {
			if _, inherits := w.above(top); !inherits {
				of[c] = session
			}
		}
	}
	return of
}

// groups cuts conversations by source and project.
func (w *refData) groups(keep func(*refConversation) bool) map[string][]*refConversation {
	groups := map[string][]*refConversation{}
	for _, c := range w.conversations {
		if keep(c) {
			key := c.source + "\x1f" + w.project(c)
			groups[key] = append(groups[key], c)
		}
	}
	return groups
}

// periods returns the activity periods as lines.
func (w *refData) periods() []string {
	var list []string
	for key, group := range w.groups(func(c *refConversation) bool { return !c.deleted && !c.orphaned }) {
		type sent struct {
			at int64
			m  refMessage
			c  *refConversation
		}
		var all []sent
		for _, c := range group {
			subagent, _ := w.parent(c.source, c.id)
			for _, m := range c.messages {
				if !m.deleted && m.user && subagent { // its first prompt is its parent's agent's
					m.user, subagent = false, false
				}
				if !m.deleted && m.at != nil {
					all = append(all, sent{*m.at, m, c})
				}
			}
		}
		slices.SortStableFunc(all, func(a, b sent) int { return cmp.Compare(a.at, b.at) })
		source, project, _ := strings.Cut(key, "\x1f")
		for from := 0; from < len(all); {
			to, users, calls := from, 0, 0
			of := map[*refConversation]bool{}
			for to < len(all) && (to == from || all[to].at-all[to-1].at <= gapMs) {
				of[all[to].c] = true
				calls += all[to].m.calls
				if all[to].m.user {
					users++
				}
				to++
			}
			list = append(list, fmt.Sprintf("%s | %d | %d | %d | %d | %d | %d",
				refID(source, project, all[from].at), all[from].at, all[to-1].at, len(of), to-from, users, calls))
			from = to
		}
	}
	slices.Sort(list)
	return list
}

// rows returns what the queries of TestModelsAgainstReference must answer.
func (w *refData) rows() []string {
	var list []string
	sessions := w.sessions()
	or := func(s string) string {
		if s == "" {
			return "NULL"
		}
		return s
	}
	members := map[string][]*refConversation{}
	repeats, forkOf := w.repeats()
	for _, c := range w.conversations {
		subagent, parent := w.parent(c.source, c.id)
		list = append(list, fmt.Sprintf("%s | %s | %v | %s | %s | %s | %d | %s | %s",
			c.source, c.id, subagent, or(parent), or(w.project(c)), or(sessions[c]), c.live(), or(w.bestOf(c)),
			or(forkOf[c])))
		if _, inherits := w.above(c); !inherits && sessions[c] != "" {
			members[sessions[c]] = append(members[sessions[c]], c)
		}
	}
	slices.Sort(list)
	var lines []string
	for id, group := range members {
		first, lastStart, lastMessage, messages := int64(1<<62), int64(0), int64(0), 0
		for _, c := range group {
			first, lastStart, messages = min(first, *c.start()), max(lastStart, *c.start()), messages+c.live()
			for _, m := range c.messages {
				if !m.deleted && m.at != nil {
					lastMessage = max(lastMessage, *m.at)
				}
			}
		}
		end := lastMessage
		if end == 0 {
			end = lastStart
		}
		lines = append(lines, fmt.Sprintf("%s | %d | %d | %d | %d | %d", id, first, end, max(end-first, 0), len(group),
			messages))
	}
	slices.Sort(lines)
	return slices.Concat(list, lines, w.periods(), repeats)
}

var refQueries = []string{
	"SELECT source_id, conversation_id, is_subagent, parent_conversation_id, project_uri, session_id, message_count, " +
		"best_of_parent_id, forked_from FROM conversations ORDER BY 1, 2",
	"SELECT session_id, epoch_ms(started_at), epoch_ms(ended_at), duration_ms, conversation_count, message_count " +
		"FROM sessions ORDER BY 1",
	"SELECT period_id, epoch_ms(started_at), epoch_ms(ended_at), conversation_count, message_count, " +
		"user_message_count, tool_call_count FROM activity_periods ORDER BY 1",
	"SELECT conversation_id, message_id FROM messages WHERE is_repeat ORDER BY 1, 2",
}

// randomTime is near enough to others that windows meet, and often just at, or just past, their edges.
func randomTime(r *rand.Rand) *int64 {
	if r.IntN(6) == 0 {
		return nil
	}
	at := int64(1741597200000) + int64(r.IntN(60))*600000 + int64(r.IntN(3)-1)
	return &at
}

func randomConversation(r *rand.Rand, source, id string) *refConversation {
	c := &refConversation{source: source, id: id, created: randomTime(r), updated: randomTime(r),
		missing: r.IntN(2), deleted: r.IntN(10) == 0, orphaned: r.IntN(12) == 0}
	c.ownProject = []string{"", "", "p", "q"}[r.IntN(4)]
	turn := 0
	for range r.IntN(5) {
		m := refMessage{at: randomTime(r), user: r.IntN(2) == 0, deleted: c.deleted || r.IntN(8) == 0}
		if !m.deleted {
			m.calls = r.IntN(2)
		}
		if m.user {
			turn++
		}
		m.turn, m.request = turn, []string{"", "", "r1", "r2", "r3", "r4", "r5"}[r.IntN(7)]
		c.messages = append(c.messages, m)
	}
	return c
}

func randomClaims(r *rand.Rand, w *refData, by *refConversation) {
	w.claims = slices.DeleteFunc(w.claims, func(c refClaim) bool { return c.source == by.source && c.by == by.id })
	if r.IntN(4) == 0 {
		w.claims = append(w.claims, refClaim{by.source, by.id, by.id, fmt.Sprint("c", r.IntN(20)), r.IntN(2)})
	}
	if r.IntN(4) == 0 {
		w.claims = append(w.claims, refClaim{by.source, fmt.Sprint("c", r.IntN(14)), by.id, by.id, 2})
	}
}

// randomCopies are claims about best-of-N copies.
func randomCopies(r *rand.Rand, w *refData, by *refConversation) {
	if r.IntN(4) == 0 {
		w.claims = append(w.claims, refClaim{by.source, by.id, by.id,
			[]string{"", by.id, fmt.Sprint("c", r.IntN(20))}[r.IntN(3)], 3})
	}
	if child := fmt.Sprint("c", r.IntN(14)); r.IntN(3) == 0 && child != by.id {
		w.claims = append(w.claims, refClaim{by.source, child, by.id, by.id, 4 + r.IntN(2)})
	}
}

// text returns SQL text that writes the conversation as a loader would: anew, knowing nothing of what models set.
func (c *refConversation) text(b *strings.Builder) {
	millis := func(ms *int64) string {
		if ms == nil {
			return "NULL"
		}
		return fmt.Sprintf("to_timestamp(%d / 1000)", *ms)
	}
	null := func(set bool, s string) string {
		if set {
			return s
		}
		return "NULL"
	}
	key := fmt.Sprintf("source_id = '%s' AND conversation_id = '%s'", c.source, c.id)
	for _, table := range []string{"conversations", "messages", "tool_calls"} {
		fmt.Fprintf(b, "DELETE FROM %s WHERE %s;\n", table, key)
	}
	own := c.ownProject != ""
	fmt.Fprintf(b,
		`INSERT INTO conversations (source_id, conversation_id, project_uri, project, project_source, created_at, updated_at, missing_message_count, status, deleted_at)
		VALUES ('%s', '%s', %s, %s, %s, %s, %s, %d, %s, %s);`+"\n", c.source, c.id,
		null(own, "'"+c.ownProject+"'"), null(own, "'"+c.ownProject+"'"), null(own, "'composer'"),
		millis(c.created), millis(c.updated), c.missing, null(c.orphaned, "'orphaned'"),
		null(c.deleted, "'2026-01-01 00:00:00+00'"))
	for i, m := range c.messages {
		fmt.Fprintf(b, "INSERT INTO messages (source_id, conversation_id, message_id, position, turn, role, "+
			"request_id, created_at, created_at_source, deleted_at) VALUES ('%s', '%s', 'm%d', %s, %d, '%s', %s, %s, "+
			"%s, %s);\n",
			c.source, c.id, i, null(!m.deleted, fmt.Sprint(i)), m.turn,
			map[bool]string{true: "user", false: "assistant"}[m.user], null(m.request != "", "'"+m.request+"'"),
			millis(m.at), null(m.at != nil, "'header'"), null(m.deleted, "'2026-01-01 00:00:00+00'"))
		for n := range m.calls {
			fmt.Fprintf(b, "INSERT INTO tool_calls (source_id, conversation_id, message_id, call_index) VALUES ('%s', "+
				"'%s', 'm%d', %d);\n", c.source, c.id, i, n)
		}
	}
}

func (w *refData) claimsText(b *strings.Builder) {
	b.WriteString("DELETE FROM _subagent_claims;\n")
	for _, c := range w.claims {
		parent := "NULL"
		if c.parent != "" {
			parent = "'" + c.parent + "'"
		}
		fmt.Fprintf(b, "INSERT INTO _subagent_claims (source_id, conversation_id, claimed_by, rank, "+
			"parent_conversation_id) VALUES ('%s', '%s', '%s', %d, %s);\n",
			c.source, c.id, c.by, c.rank, parent)
	}
}

func TestModelsAgainstReference(t *testing.T) {
	t.Parallel()
	worlds := 5
	if testing.Short() {
		worlds = 2
	}
	w := newWarehouse(t)
	sum := func(ref *refData, what string) {
		t.Helper()
		var got []string
		for _, q := range refQueries {
			got = append(got, w.rows(t, q)...)
		}
		if diff := gocmp.Diff(ref.rows(), got); diff != "" {
			t.Fatalf("%s: (-reference +models)\n%s", what, diff)
		}
		w.modelChecksPass(t)
	}
	for seed := range worlds {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		ref := &refData{}
		var b strings.Builder
		b.WriteString("DELETE FROM conversations; DELETE FROM messages; DELETE FROM tool_calls; DELETE FROM " +
			"sessions; DELETE FROM activity_periods;\n")
		for i := range 14 {
			c := randomConversation(r, []string{"s1", "s1", "s2"}[r.IntN(3)], fmt.Sprint("c", i))
			ref.conversations = append(ref.conversations, c)
			c.text(&b)
		}
		for _, c := range ref.conversations {
			randomClaims(r, ref, c)
			randomCopies(r, ref, c)
		}
		ref.claimsText(&b)
		w.nothingChanged(t)
		w.exec(t, "BEGIN;"+b.String()+"COMMIT")
		w.everythingChanged(t)
		w.runModels(t)
		sum(ref, fmt.Sprintf("data %d", seed))
		for step := range 5 {
			w.nothingChanged(t)
			b.Reset()
			for range 1 + r.IntN(2) {
				i := r.IntN(len(ref.conversations))
				old := ref.conversations[i]
				fmt.Fprintf(&b, `INSERT INTO _changed VALUES ('%[1]s', '%[2]s');
					INSERT INTO _changed_groups SELECT source_id, project_uri FROM conversations WHERE source_id = '%[1]s' AND conversation_id = '%[2]s';`+"\n",
					old.source, old.id)
				ref.conversations[i] = randomConversation(r, old.source, old.id)
				ref.conversations[i].text(&b)
				randomClaims(r, ref, old)
				randomCopies(r, ref, old)
			}
			ref.claimsText(&b)
			w.exec(t, "BEGIN;"+b.String()+"COMMIT")
			w.runModels(t)
			sum(ref, fmt.Sprintf("data %d, change %d", seed, step))
		}
	}
}
