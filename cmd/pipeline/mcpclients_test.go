package main

import (
	"bytes"
	stdcmp "cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pipeline/load/reader"
)

// clientPlan is what testdata/mcp/client.py does.
type clientPlan struct {
	Command   []string `json:"command"`
	Mode      string   `json:"mode"`
	Calls     [][]any  `json:"calls"`
	Resources []string `json:"resources"`
	Prompts   [][]any  `json:"prompts"`
	Endless   []any    `json:"endless"`
	Quick     []any    `json:"quick"`
}

// clientAnswer is what came of a call, a resource or a prompt.
type clientAnswer struct {
	Answer *struct {
		Columns    []string
		Rows       [][]any
		Truncated  bool
		NextCursor string `json:"next_cursor"`
		Note       string
	}
	Failed  string   // the tool's error
	Refused int      // the protocol's
	Text    string   // of a resource or a prompt
	Types   []string // of a resource
}

// clientResult is what testdata/mcp/client.py prints.
type clientResult struct {
	Protocol, Server, Instructions string
	Tools                          []struct {
		Name        string
		Annotations map[string]any
		InputSchema struct {
			Properties map[string]struct{ Type any }
		}
	}
	Resources, Templates, Prompts []string
	Calls, Reads, Gets            []clientAnswer
	Afterwards                    clientAnswer
}

// askByPython runs a plan by the client that is written in Python.
func askByPython(t *testing.T, plan clientPlan) (out clientResult) {
	t.Helper()
	python, err := exec.LookPath(stdcmp.Or(os.Getenv("PIPELINE_TEST_PYTHON"), "python3"))
	if err != nil {
		t.Skip("there is no Python:", err)
	}
	text, err := json.Marshal(plan)
	must(t, err)
	cmd := exec.CommandContext(t.Context(), python, filepath.Join("..", "..", "testdata", "mcp", "client.py"))
	var errs strings.Builder
	cmd.Stdin, cmd.Stderr = bytes.NewReader(text), &errs
	printed, err := cmd.Output()
	if exit := new(exec.ExitError); errors.As(err, &exit) && exit.ExitCode() == 3 {
		t.Skipf("this Python has no client of the protocol (pip install mcp): %s", printed)
	}
	if err == nil {
		err = json.Unmarshal(printed, &out)
	}
	if err != nil {
		t.Fatalf("%v: %s", err, errs.String())
	}
	return out
}

// byDuck is the answer of the duckdb command line to a query of the warehouse, as lines of CSV; without it, that of
// pipeline sql.
func byDuck(t *testing.T, warehouse, query string) (rows [][]string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "pipeline", "sql", "--warehouse", warehouse, "--format", "csv", query)
	if _, err := exec.LookPath("duckdb"); err == nil {
		cmd = exec.CommandContext(t.Context(), "duckdb", "-readonly", "-csv", "-nullvalue", "", warehouse, "-c", query)
	}
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v: %s", query, err, errs.String())
	}
	rows, err = csv.NewReader(bytes.NewReader(out)).ReadAll()
	if err != nil || len(rows) == 0 {
		t.Fatalf("%s: %v: %s", query, err, out)
	}
	return rows[1:]
}

// told are some columns of an answer, as text.
func (a clientAnswer) told(t *testing.T, columns ...string) (rows [][]string) {
	t.Helper()
	if a.Answer == nil {
		t.Fatalf("there is no answer: %+v", a)
	}
	for _, cells := range a.Answer.Rows {
		var row []string
		for _, column := range columns {
			at := slices.Index(a.Answer.Columns, column)
			if at < 0 {
				t.Fatalf("there is no column %s: %v", column, a.Answer.Columns)
			}
			switch v := cells[at].(type) {
			case nil:
				row = append(row, "")
			case float64:
				row = append(row, fmt.Sprintf("%.15g", v))
			default:
				row = append(row, fmt.Sprint(v))
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// endless is a query that does not end in the time of any question.
const endless = "SELECT sum(hash(a.range + b.range)) FROM range(1000000) a, range(1000000) b"

// demoFacts are ids of the invented history that questions need, by the duckdb command line.
type demoFacts struct{ chat, message, words string }

func factsOf(t *testing.T, warehouse string) (f demoFacts) {
	t.Helper()
	rows := byDuck(t, warehouse,
		`SELECT m.conversation_id, m.message_id, regexp_extract(m.text, '[[:alpha:]]{8,}') AS word FROM live_messages m SEMI JOIN live_conversations c USING (source_id, conversation_id)
		WHERE m.role = 'user' AND word <> '' AND NOT EXISTS (FROM conversation_copies k WHERE k.conversation_id = m.conversation_id) ORDER BY length(m.text) DESC, m.message_id LIMIT 1`)
	return demoFacts{rows[0][0], rows[0][1], rows[0][2]}
}

// TestMCPClients: the client that is written in Python gets from the program what the duckdb command line finds in the
// warehouse. It speaks the protocol with a handshake, and the one without.
func TestMCPClients(t *testing.T) {
	long(t)
	warehouse := demoWarehouse(t)
	for _, mode := range []string{"legacy", "auto"} {
		t.Run(mode, func(t *testing.T) {
			f := factsOf(t, warehouse)
			out := askByPython(t, clientPlan{
				Command: []string{"pipeline", "mcp", "--warehouse", warehouse}, Mode: mode,
				Calls: [][]any{
					{"list_conversations", arguments{"limit": 100}}, {"get_conversation", arguments{"id": f.chat}},
					{"list_messages", arguments{"conversation_id": f.chat, "limit": 20}},
					{"get_message", arguments{"conversation_id": f.chat, "message_id": f.message}},
					{"search", arguments{"words": f.words, "role": "user", "in": "text", "limit": 50}}, {"query",
						arguments{"sql": "SELECT tool, count(*) AS calls FROM live_tool_calls GROUP BY ALL ORDER BY " +
							"ALL"}},
					// nothing is found
					{"list_conversations", arguments{"query": "xyzzyplugh"}},
					{"list_messages", arguments{"conversation_id": f.chat, "kind": "xyzzyplugh"}},
					{"search", arguments{"words": "xyzzyplugh"}},
					{"query", arguments{"sql": "SELECT 1 AS one WHERE false"}},
					// the tool says what is wrong
					{"get_conversation", arguments{"id": "xyzzyplugh"}},
					{"get_message", arguments{"conversation_id": f.chat, "message_id": "xyzzyplugh"}},
					{"list_conversations", arguments{"project": "xyzzyplugh"}},
					{"list_conversations", arguments{"since": "xyzzyplugh"}}, {"query", arguments{"sql": "SELEC"}},
					{"query", arguments{"sql": "DROP TABLE messages"}},
					{"query", arguments{"sql": "SELECT 1", "cursor": "xyzzyplugh"}}, {"query", arguments{}},
					{"query", arguments{"sql": 7}}, {"query", arguments{"sql": "SELECT 1", "limit": 201}},
					{"search", arguments{"words": f.words, "xyzzyplugh": 1}},
					{"list_messages", arguments{"conversation_id": f.chat, "role": "xyzzyplugh"}},
					// there is no such tool
					{"xyzzyplugh", arguments{}},
				},
				Resources: []string{"pipeline://schema", "pipeline://answers", "pipeline://schema/messages",
					"pipeline://conversation/" + f.chat, "pipeline://schema/xyzzyplugh",
					"pipeline://conversation/xyzzyplugh", "pipeline://xyzzyplugh"},
				Prompts: [][]any{{"standup", arguments{}}, {"standup", arguments{"since": "3d"}},
					{"what_did_i_decide", arguments{"topic": "tides"}}, {"failing_tools", arguments{}},
					{"what_did_i_decide", arguments{}}, {"xyzzyplugh", arguments{}}},
				Endless: []any{"query", arguments{"sql": endless}},
				Quick:   []any{"query", arguments{"sql": "SELECT count(*) AS n FROM messages"}},
			})
			out.lists(t)
			out.answers(t, warehouse, f)
			out.others(t, warehouse, f)
		})
	}
}

// lists checks what there is to ask.
func (r clientResult) lists(t *testing.T) {
	t.Helper()
	var tools []string
	for _, tool := range r.Tools {
		tools = append(tools, tool.Name)
		if tool.Annotations["readOnlyHint"] != true || tool.Annotations["openWorldHint"] != false {
			t.Errorf("%s has the annotations %v", tool.Name, tool.Annotations)
		}
		for name, p := range tool.InputSchema.Properties {
			if _, ok := p.Type.(string); !ok { // some models' vendors refuse a list of types
				t.Errorf("%s: %s is of type %v", tool.Name, name, p.Type)
			}
		}
	}
	for what, lists := range map[string][2]string{
		"tools": {"get_conversation get_message list_conversations list_messages query search",
			strings.Join(tools, " ")},
		"resources": {"pipeline://answers pipeline://schema", strings.Join(r.Resources, " ")},
		"templates": {"pipeline://conversation/{id} pipeline://schema/{table}", strings.Join(r.Templates, " ")},
		"prompts":   {"failing_tools standup what_did_i_decide", strings.Join(r.Prompts, " ")},
	} {
		if lists[0] != lists[1] {
			t.Errorf("%s: %s, want %s", what, lists[1], lists[0])
		}
	}
	if r.Server != "pipeline" || !strings.Contains(r.Instructions, "never instructions") {
		t.Errorf("%s says %q", r.Server, r.Instructions)
	}
}

// answers checks what tools answer.
func (r clientResult) answers(t *testing.T, warehouse string, f demoFacts) {
	t.Helper()
	of := " WHERE conversation_id = '" + f.chat + "' "
	wants := []struct {
		columns []string
		query   string
	}{
		{[]string{"conversation_id", "title", "message_count", "project"},
			`SELECT conversation_id, display_title, message_count, project FROM live_conversations WHERE message_count > 0 OR missing_message_count > 0 ORDER BY last_activity_at DESC NULLS LAST, source_id, conversation_id LIMIT 100`},
		{[]string{"conversation_id", "project_path", "tool_call_count", "failed_tool_calls", "lines_added"},
			`SELECT conversation_id, project_path, tool_call_count, (SELECT count(*) FROM live_tool_calls` + of +
				`AND is_error), lines_added FROM live_conversations` + of},
		{[]string{"message_id", "position", "role", "kind"},
			`SELECT message_id, position, role, kind FROM live_messages` + of + `ORDER BY position LIMIT 20`},
		{[]string{"text"}, `SELECT text FROM live_messages` + of + `AND message_id = '` + f.message + `'`},
		{[]string{"message_id"},
			`SELECT message_id FROM live_messages WHERE role = 'user' AND regexp_matches(text, '(?i)\b` + f.words +
				`\b')`},
		{[]string{"tool", "calls"}, `SELECT tool, count(*) FROM live_tool_calls GROUP BY ALL ORDER BY ALL`},
	}
	for i, want := range wants {
		got, expected := r.Calls[i].told(t, want.columns...), byDuck(t, warehouse, want.query)
		if want.columns[0] == "message_id" && len(want.columns) == 1 { // in the order of the search
			slices.SortFunc(got, slices.Compare)
			slices.SortFunc(expected, slices.Compare)
		}
		if diff := cmp.Diff(expected, got); diff != "" || len(expected) == 0 {
			t.Errorf("call %d: (-want +got):\n%.2000s", i, diff)
		}
	}
	for i, call := range r.Calls[len(wants):] {
		switch got := call; {
		case i < 4: // nothing is found
			if got.Answer == nil || got.Answer.Rows == nil || len(got.Answer.Rows) > 0 ||
				len(got.Answer.Columns) == 0 || got.Answer.Truncated {
				t.Errorf("call %d of nothing: %+v", i, got)
			}
		case i < 16:
			if got.Failed == "" {
				t.Errorf("call %d does not fail: %+v", i, got)
			}
		case got.Refused != invalidParams:
			t.Errorf("call %d is not refused: %+v", i, got)
		}
	}
}

// invalidParams is the code of JSON-RPC for a request whose parameters name what is not there, or lack something.
const invalidParams = -32602

// others checks resources, prompts, and what is asked after a call that was cancelled.
func (r clientResult) others(t *testing.T, warehouse string, f demoFacts) {
	t.Helper()
	said := byDuck(t, warehouse, "SELECT text FROM live_messages WHERE conversation_id = '"+f.chat+
		"' AND message_id = '"+f.message+"'")[0][0]
	line, _, _ := strings.Cut(said, "\n")
	for i, want := range []string{"| live_conversations |",
		"- answers.tool_failures, in short answers.tool_failures_short: ", "| text | VARCHAR |", line} {
		if got := r.Reads[i]; !strings.Contains(got.Text, want) || fmt.Sprint(got.Types) != "[text/markdown]" {
			t.Errorf("resource %d lacks %q: %.300s", i, want, got.Text)
		}
	}
	for i, want := range []string{"since yesterday", "since 3d", `"tides"`, "live_tool_calls"} {
		if got := r.Gets[i].Text; !strings.Contains(got, want) {
			t.Errorf("prompt %d lacks %q: %s", i, want, got)
		}
	}
	for i, got := range slices.Concat(r.Reads[4:], r.Gets[4:]) {
		if got.Refused != invalidParams && got.Refused != noResource {
			t.Errorf("request %d for what is not there: %+v", i, got)
		}
	}
	if got, want := r.Afterwards.told(t, "n"),
		byDuck(t, warehouse, "SELECT count(*) FROM messages"); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("after a call that was cancelled: %v, want %v", got, want)
	}
}

// noResource is the code of the protocol for a resource that is not there; its newest version has invalidParams.
const noResource = -32002

// TestMCPInspector: the inspector of the protocol, whose results are what it prints, gets what the warehouse has.
func TestMCPInspector(t *testing.T) {
	long(t)
	if _, err := exec.LookPath("mcp-inspector"); err != nil {
		t.Skip("there is no mcp-inspector (npm install @modelcontextprotocol/inspector): ", err)
	}
	warehouse := demoWarehouse(t)
	inspect := func(arguments ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "mcp-inspector",
			append([]string{"--cli", "pipeline", "mcp", "--warehouse", warehouse, "--method"}, arguments...)...)
		var errs strings.Builder
		cmd.Stderr = &errs
		out, err := cmd.Output()
		if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
			// it ends with a code of its own if a tool has refused
			t.Fatalf("%q: %v: %s", arguments, err, errs.String())
		}
		return string(out) + errs.String()
	}
	count, err := reader.Query(t.Context(), warehouse, "SELECT count(*) FROM messages")
	must(t, err)
	for _, c := range []struct{ want, arguments string }{
		{`"name": "list_conversations"`, "tools/list"},
		{`"uri": "pipeline://schema"`, "resources/list"},
		{`"uriTemplate": "pipeline://conversation/{id}"`, "resources/templates/list"},
		{"| live_conversations |", "resources/read --uri pipeline://schema"},
		{`"name": "standup"`, "prompts/list"},
		{"since 3d", "prompts/get --prompt-name standup --prompt-args since=3d"},
		{"isError", "tools/call --tool-name get_conversation --tool-arg id=xyzzyplugh"},
		{`"rows": []`, "tools/call --tool-name search --tool-arg words=xyzzyplugh"},
	} {
		if got := inspect(strings.Fields(c.arguments)...); !strings.Contains(got, c.want) {
			t.Errorf("%s lacks %q: %.500s", c.arguments, c.want, got)
		}
	}
	var answered struct{ StructuredContent struct{ Rows [][]any } }
	if err := json.Unmarshal([]byte(inspect("tools/call", "--tool-name", "query", "--tool-arg",
		"sql=SELECT count(*) FROM messages")), &answered); err != nil ||
		fmt.Sprint(answered.StructuredContent.Rows) != fmt.Sprint(count.Rows) {
		t.Errorf("messages: %v, want %v (%v)", answered.StructuredContent.Rows, count.Rows, err)
	}
}
