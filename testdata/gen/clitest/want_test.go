package clitest_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pipeline/testdata/gen/clitest"
)

// of are the rows of a chat, apart from the column with its id.
func of(rows []map[string]string, c *clitest.Chat) (all []map[string]string) {
	for _, row := range rows {
		if row["conversation_id"] == c.ID {
			row = maps.Clone(row)
			delete(row, "conversation_id")
			all = append(all, row)
		}
	}
	return all
}

// show is the value of some columns of rows, a row a line. A column that is not stated is "?".
func show(rows []map[string]string, columns string) string {
	var b strings.Builder
	for _, row := range rows {
		for i, column := range strings.Fields(columns) {
			value, ok := row[column]
			if !ok {
				value = "?"
			}
			if i > 0 {
				b.WriteString(" | ")
			}
			b.WriteString(value)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Columns that the tests below write out.
const (
	conversationColumns = "title mode model created_at updated_at project_source project_path summary status " +
		"completeness store_kind git_branch context_tokens_used started_time_zone"
	messageColumns = "message_id position turn role kind text thinking model request_id created_at " +
		"created_at_source"
	callColumns = "message_id tool_call_id name tool status is_error user_decision exit_code command " +
		"file_path started_at duration_ms result"
)

// TestWantByHand: rows of some cases, worked out by hand.
func TestWantByHand(t *testing.T) {
	t.Parallel()
	h := clitest.Cases()
	w := h.Want()
	for _, test := range []struct{ name, conversation, messages, calls string }{
		{"modern",
			`Work on modern | agent | gpt-5.2 | 1788220799500 | 1788224400000 | cli_meta | /home/u/work/modern | NULL | completed | complete | cli_store | branch-of-modern | 1206 | Europe/Berlin`,
			`user-1788220800000-0 | 0 | 1 | user | text | Fix modern. | NULL | NULL | request-1788220800000-0 | 1788220800000 | graph
user-1788220800000-0/0 | 1 | 1 | assistant | thinking | NULL | What is wrong with modern? | gpt-5.2 | request-1788220800000-0 | 1788220802000 | graph
user-1788220800000-0/1 | 2 | 1 | assistant | text | I look at modern. | NULL | gpt-5.2 | request-1788220800000-0 | 1788220804000 | graph
user-1788220800000-0/2 | 3 | 1 | assistant | tool_call | NULL | NULL | gpt-5.2 | request-1788220800000-0 | 1788220806000 | graph
user-1788220800000-0/3 | 4 | 1 | assistant | tool_call | NULL | NULL | gpt-5.2 | request-1788220800000-0 | 1788220808000 | graph
user-1788220800000-0/4 | 5 | 1 | assistant | text | modern is fixed. | NULL | gpt-5.2 | request-1788220800000-0 | 1788220810000 | graph
user-1788220800000-1 | 6 | 2 | user | text | Is modern done? | NULL | NULL | request-1788220800000-1 | 1788221400000 | graph
user-1788220800000-1/0 | 7 | 2 | assistant | text | Yes, modern is done. | NULL | gpt-5.2 | request-1788220800000-1 | 1788221402000 | graph`,
			`user-1788220800000-0/2 | toolu_modern_1 | Read | read_file | success | false | NULL | NULL | NULL | /home/u/work/modern/a.go | 1788220806000 | 700 | "package a // of toolu_modern_1"
user-1788220800000-0/3 | toolu_modern_2 | Shell | run_terminal_command | success | false | NULL | 0 | go test ./modern | NULL | 1788220808000 | 12 | "Exit code: 0 of toolu_modern_2"`},
		{"shell_turn_first",
			"", `turn0 | 0 | 1 | user | shell | pwd | NULL | NULL | NULL | AT-500 | conversation
U-0 | 1 | 2 | user | text | Fix shell_turn_first. | NULL | NULL | R-0 | AT+0 | graph`, ""},
		{"without_turns",
			"Work on without_turns | agent | gpt-5.2 | AT-500 | NULL | graph | /home/u/work/without_turns | NULL | " +
				"completed | complete | cli_store | NULL | 1213 | NULL",
			`turn0 | 0 | 1 | user | text | Fix without_turns. | NULL | NULL | R-0 | AT+0 | tag
turn0/0 | 1 | 1 | assistant | thinking | NULL | What is wrong with without_turns? | gpt-5.2 | R-0 | AT+0 | previous`,
			`turn0/2 | toolu_without_turns_1 | Read | read_file | NULL | NULL | NULL | NULL | NULL | /home/u/work/without_turns/a.go | NULL | NULL | "package a // of toolu_without_turns_1"`},
		{"running_without_a_turn",
			"Work on running_without_a_turn | agent | gpt-5.2 | AT-500 | AT+3600000 | cli_meta | " +
				"/home/u/work/running_without_a_turn | NULL | in_progress | in_progress | cli_store | " +
				"branch-of-running_without_a_turn | 1222 | Europe/Berlin",
			"pending0 | 0 | 0 | assistant | tool_call | NULL | NULL | NULL | ? | AT-500 | conversation",
			"pending0 | toolu_1 | LS | list_dir | pending | NULL | NULL | NULL | NULL | /w | NULL | NULL | NULL"},
		{"compacted", "Work on compacted | agent | gpt-5.2 | AT-500 | AT+3600000 | cli_meta | /home/u/work/compacted " +
			"| The user wanted a fix. | completed | complete | cli_store | branch-of-compacted | 1209 | Europe/Berlin",
			"", ""},
		{"unnamed", "NULL | agent | gpt-5.2 | AT-500", "", ""},
		{"unnamed_with_a_title", "Title of meta.json | agent | gpt-5.2 | AT-500", "", ""},
		{"without_a_name", "NULL | agent | gpt-5.2 | AT-500", "", ""},
		{"two_titles", "Work on two_titles | agent | gpt-5.2 | AT-500", "", ""},
		{"unknown_folder", "Work on unknown_folder | agent | gpt-5.2 | AT-500 | NULL | NULL | NULL |", "", ""},
		{"odd_folder_of_the_root", "Work on odd_folder_of_the_root | agent | gpt-5.2 | AT-500 | NULL | graph | " +
			"/home/u/50% done/x y/日本 | NULL | completed | complete | cli_store | main |", "", ""},
		{"acp", "Work on acp | agent | gpt-5.2 | AT-500 | NULL | cli_meta | /home/u/work/acp | NULL | completed | " +
			"complete | acp_store |", "", ""},
		{"known_by_md5", "Work on known_by_md5 | agent | gpt-5.2 | AT-500 | NULL | slug | /home/u/work/modern | NULL " +
			"| completed | complete | cli_store | NULL | 1212 | Europe/Berlin", "", ""},
		{"sealed", "Work on sealed | default | gpt-5.2 | AT-500 | AT+3600000 | cli_meta | /home/u/work/sealed | NULL " +
			"| ? | unreadable | cli_store | NULL | NULL | NULL", "", ""},
	} {
		c := h.Chat(test.name)
		began := c.Meta.Created + 500 // by the description of every chat
		begins(t, test.name+", conversation", test.conversation, show(of(w.Conversations, c), conversationColumns),
			began)
		begins(t, test.name+", messages", test.messages, show(of(w.Messages, c), messageColumns), began)
		begins(t, test.name+", calls", test.calls, show(of(w.ToolCalls, c), callColumns), began)
	}
}

// begins compares lines with those that are wanted first. In these, AT+n is a time, and U-n and R-n are ids of prompts
// and requests.
func begins(t *testing.T, what, want, got string, began int64) {
	t.Helper()
	want = regexp.MustCompile(`AT[+-][0-9]+`).ReplaceAllStringFunc(want, func(s string) string {
		n, err := strconv.ParseInt(s[2:], 10, 64)
		must(t, err)
		return strconv.FormatInt(began+n, 10)
	})
	want = strings.NewReplacer("U-", fmt.Sprintf("user-%d-", began), "R-", fmt.Sprintf("request-%d-", began)).
		Replace(want)
	if !strings.HasPrefix(got, want) {
		t.Errorf("%s: want\n%s\ngot\n%s", what, want, got)
	}
}

// outcomeRows are name, variant's path or command, status, is_error, user_decision, exit_code, and the two numbers of
// lines of the case outcomes.
const outcomeRows = `Shell | success | false | NULL | 0 | NULL | NULL
Shell | error | true | NULL | 1 | NULL | NULL
Shell | error | true | NULL | 137 | NULL | NULL
Shell | error | true | NULL | NULL | NULL | NULL
Shell | rejected | NULL | rejected | NULL | NULL | NULL
Shell | error | true | NULL | NULL | NULL | NULL
Shell | denied | NULL | NULL | NULL | NULL | NULL
Write | success | false | NULL | NULL | 2 | 1
ApplyPatch | success | false | NULL | NULL | 3 | ?
MultiStrReplace | error | true | NULL | NULL | NULL | NULL
StrReplace | denied | NULL | NULL | NULL | NULL | NULL
Edit | denied | NULL | NULL | NULL | NULL | NULL
Write | rejected | NULL | rejected | NULL | NULL | NULL
ApplyPatch | error | true | NULL | NULL | NULL | NULL
CallMcpTool | success | false | NULL | NULL | NULL | NULL
mcp_github_search | error | true | NULL | NULL | NULL | NULL
CallMcpTool | rejected | NULL | rejected | NULL | NULL | NULL
mcp_github_search | denied | NULL | NULL | NULL | NULL | NULL
Read | error | true | NULL | NULL | NULL | NULL
`

// TestWantOutcomes: how calls ended, and results of every form.
func TestWantOutcomes(t *testing.T) {
	t.Parallel()
	h := clitest.Cases()
	w := h.Want()
	calls := func(name, columns string) string { return show(of(w.ToolCalls, h.Chat(name)), columns) }
	columns := "name status is_error user_decision exit_code lines_added lines_removed"
	if diff := cmp.Diff(outcomeRows, calls("outcomes", columns)); diff != "" {
		t.Errorf("outcomes: want (-) and got (+) differ:\n%s", diff)
	}
	said := strings.NewReplacer("| false |", "| true |").Replace(outcomeRows)
	if diff := cmp.Diff(said, calls("is_error", columns)); diff != "" {
		t.Errorf("is_error: want (-) and got (+) differ:\n%s", diff)
	}
	results := `"plain text, \"quoted\"" | graph
{"a":[true,null,1.50],"b":1} | graph
{"inner":[1,2]} | graph
[{"text":"one","type":"text"},{"text":"two","type":"text"}] | graph
"{\"cut\":" | graph
? | ?
`
	if diff := cmp.Diff(results, calls("results", "result result_origin")); diff != "" {
		t.Errorf("results: want (-) and got (+) differ:\n%s", diff)
	}
	if got, want := calls("results", "raw_args"),
		`{"path":"/w/a.go","z":1,"a":12345678901234567890,"html":"<b>&</b>"}`+"\n"; !strings.HasPrefix(got, want) {
		t.Errorf("raw_args: %s, want %s", got, want)
	}
	if got := calls("id_with_a_newline", "tool_call_id"); got != "call-1\nfc_1\n" {
		t.Errorf("id %q", got)
	}
}

// TestDistinct: no two cases and no two random homes are the same, and one seed gives one home.
func TestDistinct(t *testing.T) {
	t.Parallel()
	names, ids, graphs := map[string]bool{}, map[string]bool{}, map[string]string{}
	for _, c := range clitest.Cases().Chats {
		if names[c.Name] || ids[c.ID] {
			t.Errorf("two cases are named %s", c.Name)
		}
		names[c.Name], ids[c.ID] = true, true
		shape := shapeOf(t, c)
		if other, ok := graphs[shape]; ok {
			t.Errorf("%s and %s are the same", c.Name, other)
		}
		graphs[shape] = c.Name
	}
	seen := map[string]uint64{}
	for seed := range uint64(10) {
		rows := fmt.Sprint(clitest.Random(seed).Want())
		if rows != fmt.Sprint(clitest.Random(seed).Want()) {
			t.Errorf("the seed %d gives two homes", seed)
		}
		if other, ok := seen[rows]; ok {
			t.Errorf("seeds %d and %d give the same home", seed, other)
		}
		seen[rows] = seed
	}
}

// shapeOf is a chat without its name and its times.
func shapeOf(t *testing.T, c *clitest.Chat) string {
	t.Helper()
	plain := *c
	plain.Keep = false // it is for nights, and changes no file
	b, err := json.Marshal(plain)
	must(t, err)
	began := int64(0)
	if len(c.Graph.Turns) > 0 {
		began = c.Graph.Turns[0].User.TagAt
	}
	shape := strings.NewReplacer(c.Name, "NAME", c.ID, "ID").Replace(string(b))
	shape = regexp.MustCompile(`"(Args|Result)":"[A-Za-z0-9+/=]*"|"Used":[0-9]+|"Tag":"[^"]+"`).
		ReplaceAllString(shape, "")
	return regexp.MustCompile(`[0-9]{13}`).ReplaceAllStringFunc(shape, func(at string) string {
		n, err := strconv.ParseInt(at, 10, 64)
		must(t, err)
		return strconv.FormatInt(n-began, 10)
	})
}
