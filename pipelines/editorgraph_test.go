package pipelines_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pipeline/pipelines"
	"pipeline/testdata/gen/graphtest"
	"pipeline/testdata/gen/storetest"
)

// joined is a conversation of the editor with bubbles for some of the messages in its graph, and what must become of
// it.
type joined struct {
	r        *rand.Rand
	id       string
	chat     graphtest.Chat
	rows     []storetest.Row
	headers  []map[string]any
	messages []string // id, origin, kind, text or thinking, source of the time
	calls    []string // id of the message, id of the call, result, where it is from, start
}

// newJoined makes a conversation from a seed, with its first turns only, if it has more.
func newJoined(seed uint64, turns int) *joined {
	j := &joined{r: rand.New(rand.NewPCG(seed, 11)), id: fmt.Sprintf("00000000-0000-4000-8000-%012d", seed),
		chat: graphtest.Random(seed)}
	j.chat.LostTurns, j.chat.NoTurns, j.chat.NoMessages, j.chat.Subagents = 0, false, false, nil
	j.chat.Turns = j.chat.Turns[:min(turns, len(j.chat.Turns))]
	j.chat.Archived = min(j.chat.Archived, len(j.chat.Turns))
	for i := range j.chat.Turns {
		j.turn(i, &j.chat.Turns[i])
	}
	g := j.chat.Build()
	composer := map[string]any{"_v": 18, "composerId": j.id, "name": "joined", "createdAt": 1788220000000,
		"fullConversationHeadersOnly": j.headers}
	if seed%3 == 2 {
		name := g.Hash()
		j.rows = append(j.rows, storetest.Row{Key: "agentKv:checkpoint:" + j.id, Value: hex.EncodeToString(name[:])})
		composer["conversationState"] = "~"
	} else {
		composer["conversationState"] = "~" + base64.StdEncoding.EncodeToString(g.Root)
	}
	for name, blob := range g.Blobs {
		var value any = blob
		switch {
		case len(blob) == 0:
			value = []byte{0}
		case seed%3 == 1:
			value = hex.EncodeToString(blob)
		}
		j.rows = append(j.rows, storetest.Row{Key: "agentKv:blob:" + hex.EncodeToString(name[:]), Value: value})
	}
	j.put("composerData:"+j.id, composer)
	return j
}

func (j *joined) put(key string, v any) {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	j.rows = append(j.rows, storetest.Row{Key: key, Value: string(text)})
}

// build adds the chat's graph and the conversation that has it. Of the graph a blob is lost that has a text; "": none.
func (j *joined) build(lost string) {
	g := j.chat.Build()
	for name, blob := range g.Blobs {
		if lost == "" || !strings.Contains(string(blob), lost) {
			j.rows = append(j.rows, storetest.Row{Key: "agentKv:blob:" + hex.EncodeToString(name[:]), Value: blob})
		}
	}
	j.put("composerData:"+j.id, map[string]any{"composerId": j.id, "fullConversationHeadersOnly": j.headers,
		"conversationState": "~" + base64.StdEncoding.EncodeToString(g.Root)})
}

// turn plans the messages of a turn.
func (j *joined) turn(i int, t *graphtest.Turn) {
	prompt := "turn" + strconv.Itoa(i)
	if t.Shell != nil {
		j.messages = append(j.messages, fmt.Sprint(prompt, " graph shell ", t.Shell.Command))
		return
	}
	if t.User.ID != "" {
		prompt = t.User.ID
	}
	if !t.User.Simulated {
		t.User.Text = fmt.Sprintf("Prompt %d: %s", i, t.User.Text)
	}
	body := map[string]any{"type": 1, "text": t.User.Text}
	if j.r.IntN(10) > 0 {
		body["requestId"] = t.Request
	}
	j.message(fmt.Sprintf("b%d", i), prompt, "text", t.User.Text, body, t.User.Simulated)
	for n := range t.Steps {
		s := &t.Steps[n]
		id, graphID := fmt.Sprintf("b%d-%d", i, n), fmt.Sprintf("%s/%d", prompt, n)
		s.Truncated = 0
		switch s.Kind {
		case "sealed":
		case "thinking":
			s.Text = fmt.Sprintf("Thought %d.%d %s", i, n, s.Text)
			j.message(id, graphID, "thinking", s.Text,
				map[string]any{"type": 2, "thinking": map[string]any{"text": s.Text}}, false)
		case "tool":
			j.call(id, graphID, s)
		default:
			s.Text = fmt.Sprintf("Answer %d.%d %s", i, n, s.Text)
			j.message(id, graphID, "text", s.Text, map[string]any{"type": 2, "text": s.Text}, false)
		}
	}
}

// message plans a message: as a bubble, as a bubble that was lost, or as one that never was.
func (j *joined) message(id, graphID, kind, text string, body map[string]any, never bool) (isBubble bool) {
	switch chance := j.r.IntN(10); {
	case never || chance == 0:
	case chance == 1: // only the header is left
		j.headers = append(j.headers, map[string]any{"bubbleId": id, "type": body["type"]})
	default:
		j.headers = append(j.headers, map[string]any{"bubbleId": id, "type": body["type"]})
		j.put("bubbleId:"+j.id+":"+id, body)
		j.messages = append(j.messages, fmt.Sprint(id, " bubble ", kind, " ", text))
		return true
	}
	j.messages = append(j.messages, fmt.Sprint(graphID, " graph ", kind, " ", text))
	return false
}

// call plans a tool call, whose bubble has no result, a note, or more than the graph.
func (j *joined) call(id, graphID string, s *graphtest.Step) {
	c := s.Call
	c.IDIn, c.Unsaid, c.NoResult = "call", false, false
	c.ID = fmt.Sprint("call ", id)
	call := map[string]any{"tool": 40, "name": "read_file_v2", "toolCallId": c.ID, "status": "completed",
		"params": `{"targetFile":"/w/a.go"}`}
	long, _ := json.Marshal(map[string]any{"contents": fmt.Sprintf("%02000d", 7)})
	bubbles := ""
	switch j.r.IntN(3) {
	case 0:
		call["result"] = `{}`
		c.Result = `{"whole":` + strconv.Itoa(len(id)) + `}`
	case 1:
		call["result"], bubbles = string(long), string(long)
		c.Result = `"short"`
	default:
		c.Result = `"All of ` + id + `"`
	}
	want, from := graphtest.Canonical(c.Result), "graph"
	if j.message(id, graphID, "tool_call", "", map[string]any{"type": 2, "toolFormerData": call}, false) {
		graphID = id
		if bubbles != "" {
			want, from = graphtest.Canonical(bubbles), "bubble"
		}
	}
	start := "NULL"
	if s.From != 0 {
		start = strconv.FormatInt(s.From, 10)
	}
	j.calls = append(j.calls, fmt.Sprint(graphID, " ", c.ID, " ", want, " ", from, " ", start))
}

// TestEditorGraph: bubbles and the graph give each message once, in order, and each tool call with its whole result.
func TestEditorGraph(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	var rows []storetest.Row
	var all []*joined
	for seed := range uint64(60) {
		j := newJoined(seed, 100)
		all, rows = append(all, j), append(rows, j.rows...)
	}
	user := filepath.Join(l.dir, "User")
	must(t, storetest.WriteStore(filepath.Join(user, "globalStorage", "state.vscdb"), rows, storetest.StoreOptions{}))
	if r := l.run(nil, fromUsers(t, user)); len(r.Failures) > 0 {
		t.Errorf("checks: %v", r.Failures)
	}
	wantJoined(t, l, all)
}

// wantJoined compares a warehouse with what must become of some conversations.
func wantJoined(t *testing.T, l *fixture, all []*joined) {
	t.Helper()
	for _, j := range all {
		var got []string
		for _, row := range l.ask(
			`SELECT lpad(CAST(position AS VARCHAR), 6, '0'), message_id, origin, kind, coalesce(text, thinking, '') FROM messages WHERE conversation_id = '` + j.id + `'`) {
			got = append(got, fmt.Sprint(row[1], " ", row[2], " ", row[3], " ", row[4]))
		}
		same(t, j.id+": messages", j.messages, got)
		got = nil
		for _, row := range l.ask(
			`SELECT lpad(CAST(position AS VARCHAR), 6, '0'), message_id, tool_call_id, result, result_origin, coalesce(CAST(epoch_ms(started_at) AS VARCHAR), 'NULL') FROM tool_calls WHERE conversation_id = '` + j.id + `'`) {
			got = append(got, fmt.Sprint(row[1], " ", row[2], " ", graphtest.Canonical(row[3]), " ", row[4], " ",
				row[5]))
		}
		same(t, j.id+": calls", j.calls, got)
		same(t, j.id+": the conversation", [][]string{{"composer", "0"}},
			l.ask(`SELECT store_kind, missing_message_count FROM conversations WHERE conversation_id = '`+j.id+`'`))
	}
}

// TestEditorGraphNights: conversations that grow turn by turn are as at once, a quiet night reads no blob, a night with
// one change only the blobs of that conversation, and after a rebuild the rows are the same.
func TestEditorGraphNights(t *testing.T) {
	long(t)
	t.Parallel()
	l := newFixture(t)
	write := func(all []*joined) {
		store := filepath.Join(l.user, "globalStorage", "state.vscdb")
		if _, err := os.Stat(store); err != nil {
			must(t, storetest.WriteStore(store, nil, storetest.StoreOptions{}))
		}
		for _, j := range all {
			for _, row := range j.rows {
				if key := row.Key.(string); strings.HasPrefix(key, "agentKv:blob:") {
					l.exec(`INSERT OR IGNORE INTO cursorDiskKV (key, value) VALUES (?, ?)`, key, row.Value)
				} else {
					l.exec(replaceRowSQL, key, row.Value)
				}
			}
		}
	}
	blobs := func() int64 {
		n, err := strconv.ParseInt(
			l.ask(
				`SELECT coalesce(sum(bytes_read), 0)::BIGINT FROM key_families WHERE family = 'agentKv:blob' AND load_id = (SELECT max(load_id) FROM loads)`)[0][0], 10, 64)
		must(t, err)
		return n
	}
	var all []*joined
	for night := range 4 {
		all = nil
		for seed := range uint64(6) {
			all = append(all, newJoined(seed, 2*night+1))
		}
		write(all)
		if r := l.run(nil, fromUsers(t, l.user)); len(r.Failures) > 0 {
			t.Fatalf("night %d: checks: %v", night, r.Failures)
		}
		wantJoined(t, l, all)
		if blobs() == 0 {
			t.Errorf("night %d read no blob", night)
		}
	}
	l.run(nil, fromUsers(t, l.user))
	same(t, "bytes of blobs that a quiet night reads", int64(0), blobs())
	l.madeAnewInPlace(contentTables...)
}

// writeGlobal writes the global store of a user directory anew.
func writeGlobal(t *testing.T, user string, rows []storetest.Row) {
	t.Helper()
	path := filepath.Join(user, "globalStorage", "state.vscdb")
	must(t, os.RemoveAll(path))
	must(t, storetest.WriteStore(path, rows, storetest.StoreOptions{}))
}

// TestEditorGraphInLittleMemory: bubbles that are not held are joined with the graph like those that are.
func TestEditorGraphInLittleMemory(t *testing.T) {
	t.Parallel()
	var rows []storetest.Row
	for seed := range uint64(12) {
		rows = append(rows, newJoined(seed, 100).rows...)
	}
	tables := map[int64]cells{}
	for _, held := range []int64{0, 300} {
		l := newFixture(t)
		user := filepath.Join(l.dir, "User")
		writeGlobal(t, user, rows)
		l.run(nil, fromUsers(t, user), func(o *pipelines.Options) { o.Hold(held) })
		tables[held] = l.dumpSources(contentTables...)["User"]
	}
	same(t, "the rows", tables[0], tables[300])
}

// TestEditorGraphSameIDs: a prompt that is a bubble under its own id is one message, wherever the bubble is.
func TestEditorGraphSameIDs(t *testing.T) {
	t.Parallel()
	said := func(id, request, text, answer string) graphtest.Turn {
		return graphtest.Turn{Request: request, User: graphtest.User{ID: id, Text: text},
			Steps: []graphtest.Step{{Kind: "assistant", Text: answer}}}
	}
	for name, c := range map[string]struct {
		headers []string
		types   map[string]int
		want    string
	}{
		"unlisted": {[]string{"b2"}, map[string]int{"b1": 1, "b2": 1},
			"[[0 b1 bubble] [1 b1/0 graph] [2 b2 bubble] [3 b2/0 graph]]"},
		"another order": {[]string{"b2", "b1"}, map[string]int{"b1": 1, "b2": 1},
			"[[0 b2 bubble] [1 b2/0 graph] [2 b1 bubble] [3 b1/0 graph]]"},
		"not the user's": {[]string{"b1", "b2"}, map[string]int{"b1": 2, "b2": 1},
			"[[0 b1~2 graph] [1 b1/0 graph] [2 b1 bubble] [3 b2 bubble] [4 b2/0 graph]]"},
	} {
		l := newFixture(t)
		j := &joined{id: "00000000-0000-4000-8000-000000000001",
			chat: graphtest.Chat{Turns: []graphtest.Turn{said("b1", "r1", "First prompt", "A."),
				said("b2", "r2", "Second prompt", "B.")}}}
		for i, id := range []string{"b1", "b2"} {
			j.put("bubbleId:"+j.id+":"+id, map[string]any{"type": c.types[id], "text": j.chat.Turns[i].User.Text,
				"requestId": j.chat.Turns[i].Request})
		}
		for _, id := range c.headers {
			j.headers = append(j.headers, map[string]any{"bubbleId": id, "type": c.types[id]})
		}
		j.build("")
		user := filepath.Join(l.dir, "User")
		writeGlobal(t, user, j.rows)
		l.run(nil, fromUsers(t, user))
		same(t, name, c.want, fmt.Sprint(l.ask(`SELECT position, message_id, origin FROM messages`)))
	}
}

// TestEditorGraphNotice: the bubble of a notice is its message in the graph, which need not say that Cursor wrote it.
func TestEditorGraphNotice(t *testing.T) {
	t.Parallel()
	for _, simulated := range []bool{false, true} {
		l := newFixture(t)
		j := &joined{id: "00000000-0000-4000-8000-000000000001", chat: graphtest.Chat{NoMessages: true}}
		for i, text := range []string{"Run the tests", graphtest.Notification + "\n<user_query>Tell me.</user_query>"} {
			id, request := fmt.Sprint("b", i), fmt.Sprint("r", i)
			j.chat.Turns = append(j.chat.Turns, graphtest.Turn{Request: request,
				User:  graphtest.User{ID: fmt.Sprint("n", i), Text: "Said otherwise", Simulated: simulated && i == 1},
				Steps: []graphtest.Step{{Kind: "assistant", Text: fmt.Sprint("Answer ", i)}}})
			j.headers = append(j.headers, map[string]any{"bubbleId": id, "type": 1})
			j.put("bubbleId:"+j.id+":"+id, map[string]any{"type": 1, "text": text, "requestId": request})
		}
		j.build("")
		user := filepath.Join(l.dir, "User")
		writeGlobal(t, user, j.rows)
		l.run(nil, fromUsers(t, user), func(o *pipelines.Options) { o.Hold(0) })
		same(t, "messages", "[[0 b0 bubble false] [1 n0/0 graph false] [2 b1 bubble true] [3 n1/0 graph false]]",
			fmt.Sprint(l.ask(`SELECT position, message_id, origin, is_simulated FROM messages`)))
	}
}

// TestEditorGraphCleaned: what Cursor or a person removes of the graph stays as it was loaded, also when its
// conversation changes, and in a rebuild.
func TestEditorGraphCleaned(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	var rows []storetest.Row
	for seed := range uint64(6) {
		rows = append(rows, newJoined(seed, 100).rows...)
	}
	must(t, storetest.WriteStore(filepath.Join(l.user, "globalStorage", "state.vscdb"), rows, storetest.StoreOptions{}))
	l.run(nil, fromUsers(t, l.user))
	before := l.dumpSources("messages", "tool_calls")
	l.exec(`DELETE FROM cursorDiskKV WHERE key LIKE 'agentKv:blob:%'`)
	l.exec(`UPDATE cursorDiskKV SET value = replace(value, '"name":"joined"', '"name":"cleaned"') WHERE key LIKE 'composerData:%'`)
	r := l.run(nil, fromUsers(t, l.user), full)
	same(t, "titles", [][]string{{"cleaned", "6"}}, l.ask(`SELECT title, count(*) FROM conversations GROUP BY ALL`))
	same(t, "failures", 0, len(r.Failures))
	for name, rows := range l.dumpSources("messages", "tool_calls") {
		same(t, name, before[name], rows)
	}
	l.madeAnewInPlace("messages", "tool_calls")
}
