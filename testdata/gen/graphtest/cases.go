package graphtest

import (
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
)

// A Case is a named shape of a graph.
type Case struct {
	Name  string
	Graph *Graph
}

// Cases are all shapes by name, sound ones first. They are made anew each time, so a test may change them.
func Cases() []Case {
	var all []Case
	for _, named := range slices.Concat(soundCases, toolCases, damagedCases) {
		if named.make != nil {
			all = append(all, Case{named.name, named.make()})
			continue
		}
		c := modern()
		named.change(&c)
		all = append(all, Case{named.name, c.Build()})
	}
	return all
}

// A namedGraph changes the modern conversation into the shape that it is named for, or makes a graph of its own.
type namedGraph struct {
	name   string
	change func(c *Chat)
	make   func() *Graph
}

// base is the time of the first prompt of cases, 2026-09-01 00:00 UTC.
const base = int64(1788220800000)

// prompt is a turn with a prompt.
func prompt(n int, text string, steps ...Step) Turn {
	at := base + int64(n)*600_000
	return Turn{Request: "r" + strconv.Itoa(n), Model: "gpt-5",
		User: User{ID: "m" + strconv.Itoa(n), Text: text, At: at,
			Tag: "Tuesday, Sep 1, 2026, 2:0" + strconv.Itoa(n) + " AM (UTC+2)", TagAt: base + int64(n)*60_000},
		Steps: steps}
}

func says(n int, text string) Step {
	return Step{Kind: "assistant", Text: text, From: base + int64(n)*1000, To: base + int64(n)*1000 + 700}
}

// calls is a step with a call of a tool, whose id is in field 57.
func calls(id, name string, t Tool) Step {
	return Step{Kind: "tool", From: base + 5000, To: base + 5900,
		Call: &Call{ID: id, Name: name, IDIn: "call", Tool: t, Args: `{"path":"/w/a.go","n":12345678901234567890}`,
			Result: Quoted("result of " + id)}}
}

// modern is a conversation as a store of autumn 2026 has it.
func modern() Chat {
	return Chat{Mode: 1, Used: 1200, Max: 200000, Workspaces: []string{"file:///w", "file:///old%20one"},
		StartedAt: base - 500, TimeZone: "Europe/Berlin", Turns: []Turn{
			prompt(0, "Fix <b>it</b>", Step{Kind: "thinking", Text: "Hm.", Duration: 900, From: base + 1,
				To: base + 901}, says(1, "I'll look."), calls("toolu_1", "Read", ReadTool("/w/a.go", "package a")),
				calls("toolu_2", "Shell", ShellTool("toolu_2", "go test", "ok", "", 0)), says(9, "Done.")),
			prompt(1, "And now?", says(20, "Nothing is left.")),
		}}
}

// once is a conversation of one prompt.
func once(text string, steps ...Step) *Graph {
	return Chat{Turns: []Turn{prompt(0, text, steps...)}}.Build()
}

// soundCases are shapes without damage.
var soundCases = []namedGraph{
	{name: "graph_modern", change: func(*Chat) {}},
	{name: "graph_empty", make: func() *Graph { return Chat{}.Build() }},
	{name: "graph_steps_without_times", change: func(c *Chat) {
		for i := range c.Turns {
			c.Turns[i].User.At = 0
			for j := range c.Turns[i].Steps {
				s := &c.Turns[i].Steps[j]
				s.From, s.To = 0, 0
			}
		}
	}},
	{name: "graph_text_in_a_blob", change: func(c *Chat) {
		c.Turns[0].User.Text, c.Turns[0].User.InBlob = strings.Repeat("A long text.\n", 900)+"End.", true
	}},
	{name: "graph_text_beside_empty_thought", make: func() *Graph {
		return once("hi", Step{Kind: "beside", Text: "I'll run the workspace type check now."})
	}},
	{name: "graph_sealed_reasoning", make: func() *Graph { return once("hi", Step{Kind: "sealed"}, says(1, "Yes.")) }},
	{name: "graph_simulated_prompt", change: func(c *Chat) { c.Turns[1].User.Simulated = true }},
	{name: "graph_notification", change: func(c *Chat) { c.Turns[1].User.Notice = true }},
	{name: "graph_notification_in_messages_only", change: func(c *Chat) {
		c.NoTurns, c.Turns[1].User.Notice = true, true
	}},
	{name: "graph_shell_turn", change: func(c *Chat) {
		c.Turns = append(c.Turns, Turn{Shell: &Shell{Command: "ls -l", Out: "a\nb\n"}},
			Turn{Shell: &Shell{Command: "false", Err: "no", Exit: 1}})
	}},
	{name: "graph_compacted", change: func(c *Chat) { c.Archived, c.Summarized = 1, "The user wanted a fix." }},
	{name: "graph_compacted_in_the_old_field", change: func(c *Chat) {
		c.Archived, c.OldArchive, c.Summarized = 1, true, "The user wanted a fix."
	}},
	{name: "graph_head_in_messages_only", change: func(c *Chat) { c.Archived, c.LostTurns = 1, 1 }},
	{name: "graph_without_turns", change: func(c *Chat) { c.NoTurns = true }},
	{name: "graph_without_turns_or_requests", change: func(c *Chat) {
		c.NoTurns, c.InParts = true, true
		for i := range c.Turns {
			c.Turns[i].Request = ""
		}
	}},
	{name: "graph_without_messages", change: func(c *Chat) { c.NoMessages = true }},
	{name: "graph_message_named_twice", change: func(c *Chat) { c.Twice = true }},
	{name: "graph_model_in_parts", change: func(c *Chat) { c.InParts = true }},
	{name: "graph_openai_messages", change: func(c *Chat) { c.OpenAI = true }},
	{name: "graph_timings", change: func(c *Chat) {
		c.Timings = [][2]int64{{1500, base + 1500}, {700, base + 900_000}}
	}},
	{name: "graph_facts_of_the_root", change: func(c *Chat) {
		c.Parts = []Part{{"system_prompt", "System prompt", 800, 3200}, {"tools", "Tool definitions", 400, 0}}
		c.Todos = []Todo{{"t1", "first", 3, base}, {"t2", "second", 2, 0}}
		c.Summary, c.Plan = "A summary.", "# Plan\n- one"
		c.Branches, c.PlanPaths = [][2]string{{"/w", "main"}}, [][2]string{{"p1", "/home/u/.cursor/plans/x.plan.md"}}
		c.Runs = []Run{{"toolu_9", "a1", "Look", 3, base + 9}, {"toolu_8", "a2", "Try", 1, 0}}
		c.Mode = 3
	}},
	{name: "graph_subagents", change: func(c *Chat) {
		child := modern()
		child.Turns = child.Turns[:1]
		cloud := Chat{Turns: []Turn{prompt(3, "Search.", says(4, "Found."))}}
		c.Turns = append(c.Turns, prompt(2, "Delegate.", calls("toolu_3", "Task", TaskTool("a1"))))
		c.Subagents = []Subagent{{ID: "a1", Model: "fast", CreatedAt: base, Chat: child},
			{ID: "a2", Custom: "reviewer", Cloud: "bc-1", CreatedAt: base + 1, AsBlob: true, Chat: cloud}}
	}},
	{name: "graph_files_with_a_prompt", change: func(c *Chat) {
		c.Turns[0].User.Files = []string{"/w/a.go", "/w/b.go"}
	}},
	{name: "graph_unknown_fields", change: func(c *Chat) { c.Unknown = true }},
	{name: "graph_odd_texts", make: func() *Graph {
		return once("\"quoted\" \\ \u2028 \U0001F600 {\n\tx}", says(1, " \n "),
			says(2, "line\r\nline"))
	}},
}

// toolCases are shapes of tool calls.
var toolCases = []namedGraph{
	{name: "graph_every_tool", make: func() *Graph {
		var steps []Step
		for i, t := range append(EveryTool(), PlainTool(81, "81"), PlainTool(2047, "2047")) {
			id := "call_" + strconv.Itoa(i)
			steps = append(steps, calls(id, "Tool"+strconv.Itoa(i), t))
		}
		c := Chat{Turns: []Turn{prompt(0, "Do everything.", steps...)}}
		c.want = []string{"unknown tool_call.2047 1", "unknown tool_call.81 1"}
		return c.Build()
	}},
	{name: "graph_every_tool_without_messages", make: func() *Graph {
		var steps []Step
		for i, t := range EveryTool() {
			steps = append(steps, calls("call_"+strconv.Itoa(i), "", t))
		}
		return Chat{NoMessages: true, Turns: []Turn{prompt(0, "Do everything.", steps...)}}.Build()
	}},
	{name: "graph_outcomes", make: func() *Graph {
		shell, edit := ShellTool("", "rm x", "", "", 0), EditTool("/w/a", 0, 0)
		tools := []Tool{ShellTool("", "false", "", "no", 1), Ended(shell, "error", 3, 1, "command"),
			Ended(shell, "rejected", 4, 3, "reason"), Ended(shell, "error", 5, 3, "reason"),
			Ended(shell, "denied", 7, 3, "reason"), EditTool("/w/a", 3, 0), Ended(edit, "error", 2, 1, "path"),
			Ended(edit, "denied", 3, 1, "path"), Ended(edit, "denied", 4, 2, "error"),
			Ended(edit, "rejected", 6, 1, "path"), Ended(edit, "error", 7, 2, "error"), MCPTool("", true),
			Ended(MCPTool("", false), "rejected", 3, 1, "reason"), Ended(MCPTool("", false), "denied", 4, 1, "error"),
			Ended(ReadTool("/w/a", ""), "error", 2, 1, "error")}
		var steps []Step
		for i, t := range tools {
			steps = append(steps, calls("call_"+strconv.Itoa(i), "X", t))
		}
		return once("Try.", steps...)
	}},
	{name: "graph_id_in_the_arguments", make: func() *Graph {
		steps := []Step{calls("toolu_1", "Shell", ShellTool("toolu_1", "ls", "a", "", 0)),
			calls("toolu_2", "github-search", MCPTool("toolu_2", false))}
		for i := range steps {
			steps[i].From, steps[i].To, steps[i].Call.IDIn = 0, 0, "args"
		}
		return once("List.", steps...)
	}},
	{name: "graph_calls_in_order", make: func() *Graph {
		steps := []Step{calls("toolu_1", "Read", ReadTool("/w/a", "x")), says(2, "More."),
			calls("toolu_2", "Read", ReadTool("/w/b", "y"))}
		steps[0].Call.IDIn, steps[2].Call.IDIn = "none", "none"
		return once("Read.", steps...)
	}},
	{name: "graph_call_id_with_a_newline", make: func() *Graph {
		return once("Read.", calls("call-1\nfc_1", "Read", ReadTool("/w/a", "x")))
	}},
	{name: "graph_call_id_in_two_spellings", make: func() *Graph {
		half := calls("call-1\nfc_1", "Read", ReadTool("/w/a", "x"))
		escaped := calls("call-2\nfc_2", "Read", ReadTool("/w/b", "y"))
		half.Call.SaidID, escaped.Call.SaidID = "call-1", `call-2\nfc_2`
		return once("Read.", half, escaped)
	}},
	{name: "graph_result_of_parts", make: func() *Graph {
		s := calls("toolu_1", "Read", ReadTool("/w/a", "x"))
		s.Call.Result, s.Call.IsError = `[{"type":"text","text":"one"},{"type":"text","text":"two"}]`, true
		return once("Read.", s)
	}},
	{name: "graph_result_told", make: func() *Graph {
		kinds := []string{"success", "failure", "error", "rejected", "permissionDenied"}
		steps := make([]Step, len(kinds))
		for i, kind := range kinds {
			steps[i] = calls("toolu_"+kind, "Shell", PlainTool(1, "shell"))
			steps[i].Call.Told = Told{kind, 2, 42}
		}
		return Chat{NoTurns: true, Turns: []Turn{prompt(0, "Run.", steps...)}}.Build()
	}},
	{name: "graph_truncated_step", make: func() *Graph {
		one, two := calls("toolu_1", "Read", ReadTool("/w/a", "x")), calls("toolu_2", "Read", ReadTool("/w/b", "y"))
		one.Truncated, two.Truncated = 1, 3
		return once("Read.", one, two)
	}},
	{name: "graph_unfinished_call", make: func() *Graph {
		s := calls("toolu_1", "Shell", ShellTool("toolu_1", "sleep 100", "", "", 0))
		s.Call.NoResult, s.To = true, 0
		return once("Wait.", s)
	}},
	{name: "graph_pending_calls", change: func(c *Chat) {
		c.Pending = []string{
			`{"role":"assistant","content":[{"type":"tool-call","toolCallId":"toolu_7","toolName":"Grep","args":{"pattern":"x"}}],"providerOptions":{"cursor":{"modelName":"gpt-5"}}}`,
			`{"type":"tool-call","toolCallId":"toolu_8","toolName":"LS","args":{}}`,
		}
		c.want = []string{
			`pending tool id="toolu_7" name=Grep variant=/0 args={"pattern":"x"} argsfrom=message model=gpt-5 at=- pending=true`,
			`pending tool id="toolu_8" name=LS variant=/0 args={} argsfrom=message at=- pending=true`,
		}
	}},
}

// EveryTool has each variant once.
func EveryTool() []Tool {
	all := append([]Tool{ShellTool("", "go vet", "", "", 0), ReadTool("/w/a", "text\n\x1b[1m"),
		readBlobTool("/w/b", "A long text.\nEnd."), EditTool("/w/a", 2, 1), MCPTool("", false), TaskTool("agent-1")},
		namedTools()...)
	for number := range 81 {
		if name, ok := variantNames[number]; ok {
			all = append(all, PlainTool(number, name))
		}
	}
	return all
}

// problem is the line of a problem.
func problem(reason, node string, blob [32]byte) string {
	return "problem " + reason + " " + node + " " + hex.EncodeToString(blob[:])
}
