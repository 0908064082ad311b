package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A sharedChat is a conversation of a conversations.json, as programs that import ChatGPT's export read it.
type sharedChat struct {
	ID      string                 `json:"conversation_id"`
	SameID  string                 `json:"id"`
	Title   string                 `json:"title"`
	Created *float64               `json:"create_time"`
	Updated *float64               `json:"update_time"`
	Current string                 `json:"current_node"`
	Mapping map[string]*sharedNode `json:"mapping"`
}

type sharedNode struct {
	ID       string   `json:"id"`
	Parent   *string  `json:"parent"`
	Children []string `json:"children"`
	Message  *struct {
		ID     string `json:"id"`
		Author struct {
			Role string  `json:"role"`
			Name *string `json:"name"`
		} `json:"author"`
		Created *float64 `json:"create_time"`
		Content struct {
			Type     string                     `json:"content_type"`
			Parts    []string                   `json:"parts"`
			Thoughts []struct{ Content string } `json:"thoughts"`
		} `json:"content"`
		Status   string `json:"status"`
		EndTurn  *bool  `json:"end_turn"`
		Metadata struct {
			Model string `json:"model_slug"`
		} `json:"metadata"`
	} `json:"message"`
}

// text is what a node says.
func (n *sharedNode) text() string {
	c := n.Message.Content
	for _, thought := range c.Thoughts {
		c.Parts = append(c.Parts, thought.Content)
	}
	return strings.Join(c.Parts, "\n")
}

// sharedChats reads a conversations.json.
func (w *cliTest) sharedChats(text string) (out []*sharedChat) {
	w.t.Helper()
	w.must(json.Unmarshal([]byte(text), &out))
	return out
}

// path is the branch that is shown, from its first message to its last. The whole tree is checked on the way: parents and children agree, and every
// node hangs on the one root, which alone has no message.
func (w *cliTest) path(c *sharedChat) (out []*sharedNode) {
	w.t.Helper()
	roots := 0
	for id, n := range c.Mapping {
		if n.ID != id || n.Message != nil && n.Message.ID != id || (n.Parent == nil) != (n.Message == nil) {
			w.t.Errorf("%s: node %s is %+v", c.ID, id, n)
		}
		if n.Parent == nil {
			roots++
		} else if up := c.Mapping[*n.Parent]; up == nil || !slices.Contains(up.Children, id) {
			w.t.Errorf("%s: the parent of node %s does not know it", c.ID, id)
		}
		for _, child := range n.Children {
			if down := c.Mapping[child]; down == nil || down.Parent == nil || *down.Parent != id {
				w.t.Errorf("%s: child %s of node %s does not know it", c.ID, child, id)
			}
		}
	}
	if roots != 1 || c.SameID != c.ID {
		w.t.Errorf("%s, also %s, has %d roots", c.ID, c.SameID, roots)
	}
	for n := c.Mapping[c.Current]; n != nil && n.Parent != nil; n = c.Mapping[*n.Parent] {
		if out = append(out, n); len(out) > len(c.Mapping) {
			w.t.Fatalf("%s goes in a circle", c.ID)
		}
	}
	slices.Reverse(out)
	return out
}

// inMillis is a time of the file as the warehouse prints epoch_ms.
func inMillis(seconds *float64) string {
	if seconds == nil {
		return ""
	}
	return fmt.Sprint(int64(math.Round(*seconds * 1000)))
}

// What the warehouse has of the conversations that an export without flags holds, and of the messages and thoughts on their active branches.
const (
	sharedFrom = ` FROM live_messages m JOIN message_branches b USING (source_id, conversation_id, message_id) JOIN conversations c USING (source_id, conversation_id)
		WHERE b.branch = 'active' AND m.role <> 'unknown' AND c.status IS DISTINCT FROM 'orphaned' `
	saysText = `(coalesce(trim(m.text, E' \t\r\n'), '') <> '' OR m.error IS NOT NULL OR m.error_code IS NOT NULL
		OR EXISTS (FROM live_tool_calls t WHERE t.source_id = m.source_id AND t.conversation_id = m.conversation_id AND t.message_id = m.message_id))`
	saysThoughts = `coalesce(trim(m.thinking, E' \t\r\n'), '') <> ''`
	sharedQuery  = `SELECT conversation_id, coalesce(any_value(c.display_title), '(no title)'), coalesce(any_value(epoch_ms(coalesce(c.created_at, c.first_message_at)))::VARCHAR, ''), coalesce(any_value(epoch_ms(coalesce(c.last_activity_at, c.updated_at)))::VARCHAR, ''),
		sum(` + saysText + `::INT + (` + saysThoughts + `)::INT)::BIGINT AS nodes, count(*) FILTER (WHERE m.role = 'user' AND ` + saysText + `)` + sharedFrom + `GROUP BY ALL HAVING nodes > 0 ORDER BY ALL`
)

// TestChatGPTOnDemo: what conversations.json holds is what the warehouse says, asked by SQL.
func TestChatGPTOnDemo(t *testing.T) {
	t.Parallel()
	w := demoTest(t)
	printed, said := w.does(0, "export", "conversations", "--format", "chatgpt", "--warehouse", w.warehouse)
	chats := w.sharedChats(printed)
	var got, texts, turns [][]string
	for _, c := range chats {
		path, users := w.path(c), 0
		for i, n := range path {
			m := n.Message
			if m.Author.Role == "user" {
				users++
			}
			if n.text() == "" || m.Status != "finished_successfully" || !slices.Contains([]string{"text", "thoughts"}, m.Content.Type) {
				t.Errorf("%s: node %s says %+v", c.ID, n.ID, m)
			}
			texts = append(texts, []string{c.ID, strings.TrimPrefix(n.ID, "thoughts-"), m.Content.Type, m.Author.Role, inMillis(m.Created), m.Metadata.Model})
			if m.EndTurn != nil && *m.EndTurn {
				turns = append(turns, []string{c.ID, n.ID})
			}
			if (m.EndTurn == nil) != (m.Author.Role == "user") || m.EndTurn != nil && *m.EndTurn != (i == len(path)-1 || path[i+1].Message.Author.Role == "user") {
				t.Errorf("%s: node %s ends a turn: %v", c.ID, n.ID, m.EndTurn)
			}
		}
		got = append(got, []string{c.ID, c.Title, inMillis(c.Created), inMillis(c.Updated), fmt.Sprint(len(path)), fmt.Sprint(users)})
	}
	want := w.ask(sharedQuery)
	slices.SortFunc(got, slices.Compare)
	w.same("conversations", want, got)
	if len(got) < 100 || len(turns) < 100 {
		t.Errorf("%d conversations, %d ends of turns", len(got), len(turns))
	}
	slices.SortFunc(texts, slices.Compare)
	w.same("messages", w.ask(`SELECT conversation_id, message_id, unnest(CASE WHEN `+saysText+` THEN ['text'] ELSE [] END || CASE WHEN `+saysThoughts+` THEN ['thoughts'] ELSE [] END) AS what, m.role, coalesce(epoch_ms(m.created_at)::VARCHAR, ''), coalesce(m.model, '')`+
		sharedFrom+`ORDER BY ALL`), texts)
	left := w.ask(`SELECT count(*) FROM live_messages m JOIN message_branches b USING (source_id, conversation_id, message_id) JOIN conversations c USING (source_id, conversation_id)
		WHERE b.branch = 'active' AND m.role <> 'unknown' AND c.status IS DISTINCT FROM 'orphaned' AND NOT ` + saysText + ` AND NOT ` + saysThoughts)[0][0]
	if want := fmt.Sprintf("0 messages of thinking, 1 message of unknown role, %s messages without a text", left); !strings.Contains(said, want) {
		t.Errorf("%s is not said: %s", want, said)
	}
}

// TestChatGPTTexts: prompts, answers, thinking, calls and their results are whole in it, and what an edited prompt left behind is a branch of its own.
func TestChatGPTTexts(t *testing.T) {
	t.Parallel()
	w := demoTest(t)
	printed, _ := w.does(0, "export", "conversations", "--format", "chatgpt", "--gone", "--all-branches", "--warehouse", w.warehouse)
	says, nodes, left := map[string]string{}, 0, 0
	for _, c := range w.sharedChats(printed) {
		for _, n := range c.Mapping {
			if n.Message != nil {
				says[c.ID+"/"+strings.TrimPrefix(n.ID, "thoughts-")] += n.text() + "\n"
				nodes++
			}
		}
		left += len(c.Mapping) - 1 - len(w.path(c))
	}
	asked := 0
	for _, row := range w.ask(`SELECT conversation_id || '/' || message_id, unnest([text, trim(thinking), error]) AS said FROM messages WHERE role <> 'unknown'
		UNION ALL SELECT conversation_id || '/' || message_id, unnest([CASE WHEN tool = 'mcp' THEN NULL ELSE replace(tool, '_', '\_') END, CASE WHEN contains(command, E'\n') OR length(command) > 200 OR contains(command, '|') THEN NULL ELSE command END, error, result ->> 'contents'])
		FROM tool_calls SEMI JOIN live_messages USING (source_id, conversation_id, message_id)`) {
		if row[1] == "NULL" || strings.TrimSpace(row[1]) == "" {
			continue
		}
		asked++
		if !strings.Contains(says[row[0]], strings.TrimRight(row[1], "\n")) {
			t.Errorf("%s does not say %.300q, but %.900q", row[0], row[1], says[row[0]])
		}
	}
	if asked < 2500 {
		t.Errorf("only %d texts were looked for", asked)
	}
	want := w.ask(`SELECT sum(` + saysText + `::INT + (` + saysThoughts + `)::INT)::BIGINT, sum(` + saysText + `::INT + (` + saysThoughts + `)::INT) FILTER (WHERE branch <> 'active')::BIGINT
		FROM messages m JOIN message_branches USING (source_id, conversation_id, message_id) WHERE m.role <> 'unknown'`)
	w.same("nodes, and those on no active branch", want, [][]string{{fmt.Sprint(nodes), fmt.Sprint(left)}})
}

// TestChatGPTFile: a folder gets one file that is whole, also when nothing is in it any more, and it is written again only where it differs.
func TestChatGPTFile(t *testing.T) {
	t.Parallel()
	w := demoTest(t)
	dir := filepath.Join(w.dir, "out")
	for _, test := range []struct {
		args []string
		said string
		has  int
	}{
		{[]string{"--conversation", "ca5e0116", "--conversation", "ca5e0117"}, "1 file written", 2},
		{[]string{"--conversation", "ca5e0116", "--conversation", "ca5e0117"}, "0 files written to " + dir + ", 1 unchanged", 2},
		{[]string{"--since", "2030-01-01"}, "1 file written", 0},
	} {
		printed, _ := w.does(0, append([]string{"export", "conversations", "--format", "chatgpt", "--out", dir, "--warehouse", w.warehouse}, test.args...)...)
		files := folder(t, dir)
		if !strings.Contains(printed, test.said) || len(files) != 1 || len(w.sharedChats(files["conversations.json"])) != test.has {
			t.Errorf("%v: %s; %d files, in conversations.json %d bytes", test.args, printed, len(files), len(files["conversations.json"]))
		}
	}
}

// TestAgentsView: agentsview imports conversations.json with all its conversations: their titles, times and messages are those of the warehouse.
func TestAgentsView(t *testing.T) {
	t.Parallel()
	long(t)
	program, err := exec.LookPath("agentsview")
	if err != nil {
		t.Skip("agentsview is not installed here: pip install agentsview==0.46.1")
	}
	w := demoTest(t)
	dir, data := filepath.Join(w.dir, "out"), filepath.Join(w.dir, "data")
	w.does(0, "export", "conversations", "--format", "chatgpt", "--out", dir, "--warehouse", w.warehouse)
	imports := func() string {
		cmd := exec.CommandContext(t.Context(), program, "import", "--type", "chatgpt", dir)
		cmd.Env = append(os.Environ(), "HOME="+w.dir, "AGENTSVIEW_DATA_DIR="+data, "AGENTSVIEW_NO_DAEMON=1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return string(out)
	}
	want := w.ask(sharedQuery)
	if said := imports(); !strings.Contains(said, fmt.Sprintf("Done: %d processed (%d new)", len(want), len(want))) {
		t.Errorf("it says %s", said)
	}
	if said := imports(); !strings.Contains(said, fmt.Sprintf("%d skipped", len(want))) {
		t.Errorf("of the same again it says %s", said)
	}
	db, err := sql.Open("sqlite", "file:"+filepath.Join(data, "sessions.db")+"?mode=ro")
	w.must(err)
	defer db.Close()
	ask := func(query string) (out [][]string) {
		rows, err := db.QueryContext(t.Context(), query)
		w.must(err)
		defer rows.Close()
		names, err := rows.Columns()
		w.must(err)
		for rows.Next() {
			cells, refs := make([]sql.NullString, len(names)), make([]any, len(names))
			row := make([]string, len(names))
			for i := range cells {
				refs[i] = &cells[i]
			}
			w.must(rows.Scan(refs...))
			for i := range cells {
				row[i] = cells[i].String
			}
			out = append(out, row)
		}
		w.must(rows.Err())
		slices.SortFunc(out, slices.Compare)
		return out
	}
	const millis = `CAST(round((julianday(%s) - 2440587.5) * 86400000) AS INTEGER)`
	w.same("conversations", want, ask(fmt.Sprintf(`SELECT substr(s.id, 9), s.session_name, `+millis+`, `+millis+`, count(*), sum(m.role = 'user')
		FROM sessions s JOIN messages m ON m.session_id = s.id WHERE s.agent = 'chatgpt' AND s.message_count = (SELECT count(*) FROM messages n WHERE n.session_id = s.id) GROUP BY s.id`, "s.started_at", "s.ended_at")))
	const plain = ` AND NOT regexp_matches(m.text, '[❝❞❛❜“”‘’–—…]')` // it writes these another way
	prompts := w.ask(`SELECT conversation_id, m.text` + sharedFrom + `AND m.role = 'user' AND m.kind = 'text'` + plain + ` ORDER BY ALL`)
	if got := ask(`SELECT substr(session_id, 9), content FROM messages WHERE role = 'user'`); len(prompts) < 200 {
		t.Errorf("only %d prompts", len(prompts))
	} else {
		for _, prompt := range prompts {
			if !slices.ContainsFunc(got, func(row []string) bool { return slices.Equal(row, prompt) }) {
				t.Errorf("it has no prompt %q", prompt)
			}
		}
	}
	thoughts := w.ask(`SELECT count(*)` + sharedFrom + `AND ` + saysThoughts)
	w.same("thinking", thoughts, ask(`SELECT count(*) FROM messages WHERE has_thinking AND content LIKE '[Thinking]%'`))
}
