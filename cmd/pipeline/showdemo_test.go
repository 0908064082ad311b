package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pipeline/cmd/pipeline/internal/chattest"
	"pipeline/testdata/gen/storetest"
)

// demoTest is the invented history in a warehouse, to be asked as a person would.
func demoTest(t *testing.T) *cliTest {
	w := newCLITest(t)
	w.warehouse = demoWarehouse(t)
	return w
}

// TestExportOnDemo: what each format holds is what the warehouse says, asked by SQL.
func TestExportOnDemo(t *testing.T) {
	w := demoTest(t)
	want := w.ask(
		`SELECT c.conversation_id, c.title, count(*), (SELECT count(*) FROM tool_calls t JOIN messages n USING (source_id, conversation_id, message_id)
			WHERE t.conversation_id = c.conversation_id AND (n.is_listed OR c.header_count = 0))
		FROM conversations c JOIN messages m USING (source_id, conversation_id)
		WHERE c.status IS DISTINCT FROM 'orphaned' AND (m.is_listed OR c.header_count = 0)
		GROUP BY c.source_id, c.conversation_id, c.title, c.header_count ORDER BY 1`)
	printed, _ := w.does(0, "export", "conversations", "--format", "jsonl", "--warehouse", w.warehouse)
	var got [][]string
	for line := range strings.Lines(printed) {
		var c struct {
			Conversation struct {
				ID    string  `json:"conversation_id"`
				Title *string `json:"title"`
			} `json:"conversation"`
			Messages []struct {
				ToolCalls []any `json:"tool_calls"`
			} `json:"messages"`
		}
		w.must(json.Unmarshal([]byte(line), &c))
		calls := 0
		for _, m := range c.Messages {
			calls += len(m.ToolCalls)
		}
		title := "NULL"
		if c.Conversation.Title != nil {
			title = *c.Conversation.Title
		}
		got = append(got, []string{c.Conversation.ID, title, fmt.Sprint(len(c.Messages)), fmt.Sprint(calls)})
	}
	slices.SortFunc(got, slices.Compare)
	w.same("conversations", want, got)

	dir := filepath.Join(w.dir, "chats")
	w.does(0, "export", "conversations", "--format", "markdown", "--out", dir, "--warehouse", w.warehouse)
	before := folder(t, dir)
	if len(before) != len(want) {
		t.Errorf("%d files of %d conversations", len(before), len(want))
	}
	printed, _ = w.does(0, "export", "conversations", "--format", "markdown", "--out", dir, "--warehouse", w.warehouse)
	if !strings.Contains(printed, "0 files written") {
		t.Error("a second export writes again: ", printed)
	}
	w.same("the files of a second export", before, folder(t, dir))
	for name, text := range before {
		if found := chattest.Live(chattest.HTML(t, text)); found != "" ||
			strings.Count("\n"+text, "\n# ") != 1 && !strings.Contains(text, "```") {
			t.Errorf("%s: %q is alive, or there are several titles", name, found)
		}
	}
}

// folder is what the files of a folder hold; nobody else may read them.
func folder(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	entries, err := os.ReadDir(dir)
	must(t, err)
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		must(t, err)
		out[e.Name()] = string(text)
		if info, err := e.Info(); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", e.Name(), info.Mode(), err)
		}
	}
	return out
}

// TestOpenAIOnDemo checks each line by the rules of the chat API.
func TestOpenAIOnDemo(t *testing.T) {
	long(t)
	w := demoTest(t)
	printed, said := w.does(0, "export", "conversations", "--format", "openai", "--warehouse", w.warehouse)
	calls := 0
	for line := range strings.Lines(printed) {
		calls += checkOpenAI(t, line)
	}
	live := w.ask(
		`SELECT count(*) FROM live_tool_calls JOIN message_branches USING (source_id, conversation_id, message_id)
		JOIN live_messages USING (source_id, conversation_id, message_id) WHERE branch = 'active' AND role = 'assistant'`)
	w.same("calls", live[0][0], fmt.Sprint(calls))
	left := w.ask(
		`SELECT count(*) FILTER (WHERE role <> 'unknown' AND kind = 'thinking' AND coalesce(trim(text), '') = ''), count(*) FILTER (WHERE role = 'unknown')
		FROM live_messages JOIN message_branches USING (source_id, conversation_id, message_id) WHERE branch = 'active'`)
	if want := fmt.Sprintf("%s messages of thinking, %s message of unknown role", left[0][0],
		left[0][1]); !strings.Contains(said, want) {
		t.Errorf("%s is not said: %s", want, said)
	}
}

var functionNames = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// checkOpenAI checks a line by the rules of the chat API, and returns how many calls it has.
func checkOpenAI(t *testing.T, line string) (calls int) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(line))
	d.DisallowUnknownFields()
	var c struct {
		Messages []struct {
			Role       string  `json:"role"`
			Name       string  `json:"name"`
			Content    *string `json:"content"`
			ToolCallID string  `json:"tool_call_id"`
			ToolCalls  []struct {
				ID, Type string
				Function struct{ Name, Arguments string }
			} `json:"tool_calls"`
		} `json:"messages"`
	}
	if err := d.Decode(&c); err != nil || len(c.Messages) == 0 {
		t.Fatalf("%.200s: %v", line, err)
	}
	open, used := map[string]bool{}, map[string]bool{}
	for i, m := range c.Messages {
		if m.Role != "tool" && len(open) > 0 {
			t.Fatalf("message %d: calls %v are not answered before it\n%.500s", i, open, line)
		}
		if m.Name != "" && (m.Role != "user" || m.Name != "program") {
			t.Fatalf("message %d of role %s has the name %q", i, m.Role, m.Name)
		}
		switch m.Role {
		case "user":
			if m.Content == nil || *m.Content == "" || m.ToolCalls != nil {
				t.Fatalf("message %d of a user: %+v", i, m)
			}
		case "assistant":
			if m.Content == nil && len(m.ToolCalls) == 0 {
				t.Fatalf("message %d of the assistant says nothing", i)
			}
			for _, call := range m.ToolCalls {
				var object map[string]any
				if err := json.Unmarshal([]byte(call.Function.Arguments), &object); err != nil ||
					call.Type != "function" || !functionNames.MatchString(call.Function.Name) || used[call.ID] ||
					call.ID == "" {
					t.Fatalf("message %d: call %+v: %v", i, call, err)
				}
				open[call.ID], used[call.ID] = true, true
				calls++
			}
		case "tool":
			if !open[m.ToolCallID] || m.Content == nil {
				t.Fatalf("message %d answers no call right before it: %+v", i, m)
			}
			delete(open, m.ToolCallID)
		default:
			t.Fatalf("message %d: role %s", i, m.Role)
		}
	}
	if len(open) > 0 {
		t.Fatalf("calls %v are not answered\n%.500s", open, line)
	}
	return calls
}

// TestHostileConversation: titles, ids and texts that would steer a terminal, leave a folder, or break a document.
func TestHostileConversation(t *testing.T) {
	w := newCLITest(t)
	titles := []string{"../../etc/passwd", "CON", strings.Repeat("👩‍👩‍👧", 30), "\x1b]0;x\x07\u202eevil",
		"<script>alert(1)</script>", ""}
	var rows []storetest.Row
	for i, title := range titles {
		id := fmt.Sprintf("hostile/../%d", i)
		head, _ := json.Marshal(map[string]any{"composerId": id, "name": title, "createdAt": 1760000000000,
			"fullConversationHeadersOnly": []any{map[string]any{"bubbleId": "m"}}})
		body, _ := json.Marshal(map[string]any{"type": 1, "text": "\x1b[2J</details><script>\n```\nopen \u202e"})
		rows = append(rows, storetest.Row{Key: "composerData:" + id, Value: string(head)},
			storetest.Row{Key: "bubbleId:" + id + ":m", Value: string(body)})
	}
	w.store(rows, storetest.StoreOptions{})
	w.run(0)
	inner := filepath.Join(w.dir, "a", "b", "chats")
	for _, format := range []string{"markdown", "html", "jsonl", "openai"} {
		w.does(0, "export", "conversations", "--format", format, "--out", inner, "--warehouse", w.warehouse)
	}
	files := folder(t, inner)
	w.same("files", 4*len(titles), len(files))
	for name, text := range files {
		if !chattest.IsFileName(name) {
			t.Errorf("a file is named %q", name)
		}
		if found := chattest.Live(chattest.HTML(t, text)); strings.HasSuffix(name, ".md") && found != "" {
			t.Errorf("%s: %s is alive:\n%s", name, found, text)
		}
	}
	for _, dir := range []string{filepath.Join(w.dir, "a"), filepath.Join(w.dir, "a", "b")} {
		entries, err := os.ReadDir(dir)
		if err != nil || len(entries) != 1 {
			t.Errorf("%s holds %v: %v", dir, entries, err)
		}
	}
	for i := range titles {
		printed, said := w.does(0, "show", fmt.Sprintf("hostile/../%d", i), "--warehouse", w.warehouse)
		if strings.ContainsAny(printed+said, "\x1b\x07\u202e") || !strings.Contains(printed, "␛[2J") {
			t.Errorf("it steers the terminal, or is not shown: %q", printed)
		}
	}
	printed, said := w.does(2, "show", "hostile", "--warehouse", w.warehouse)
	if strings.ContainsAny(printed+said, "\x1b\x07\u202e") ||
		!strings.Contains(said, "matches the beginning of the ids of 6 conversations") {
		t.Error(printed, said)
	}
}
