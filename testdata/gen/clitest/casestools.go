package clitest

import (
	"fmt"
	"strconv"

	"pipeline/testdata/gen/graphtest"
)

// said are the names that prompt messages have for variants, by their numbers.
var said = map[int][]string{
	1: {"Shell"}, 3: {"Delete"}, 4: {"Glob"}, 5: {"Grep", "rg"}, 8: {"Read", "ReadFile"}, 9: {"TodoWrite"},
	12: {"StrReplace", "Edit", "Write", "ApplyPatch", "MultiStrReplace"}, 13: {"LS"}, 14: {"ReadLints"},
	15: {"CallMcpTool", "mcp_github_search"}, 16: {"SemanticSearch"}, 17: {"CreatePlan"}, 18: {"WebSearch"},
	19: {"Task", "Subagent"}, 23: {"AskQuestion"}, 25: {"SwitchMode"}, 37: {"WebFetch"}, 42: {"AwaitShell"},
}

// nameOf is the n-th of the names of a variant.
func nameOf(t graphtest.Tool, n int) string {
	if names := said[t.Number]; names != nil {
		return names[n%len(names)]
	}
	return t.Name
}

// everyTool has a call of each variant, and of each name.
func everyTool(prefix string) (all []graphtest.Step) {
	for _, t := range graphtest.EveryTool() {
		for n := range max(1, len(said[t.Number])) {
			id := fmt.Sprintf("%s_%d", prefix, len(all))
			all = append(all, calls(id, nameOf(t, n), t, `{"note":`+graphtest.Quoted(id)+`}`, graphtest.Quoted("result of "+id)))
		}
	}
	return all
}

// only gives a chat one turn with these steps.
func (c *Chat) only(steps ...graphtest.Step) {
	t := c.Graph.Turns[0]
	t.Steps = steps
	c.Graph.Turns = []graphtest.Turn{within(t)}
}

// outcomes are calls that ended in every way, each with a name.
func outcomes() []graphtest.Step {
	shell, edit, mcp := graphtest.ShellTool("", "rm x", "", "", 0), graphtest.EditTool("/w/a", 2, 1),
		graphtest.MCPTool("", false)
	var all []graphtest.Step
	for i, t := range []graphtest.Tool{
		shell, graphtest.ShellTool("", "false", "", "no", 1), graphtest.ShellTool("", "kill", "", "", 137),
		graphtest.Ended(shell, "error", 3, 1, "command"), graphtest.Ended(shell, "rejected", 4, 3, "reason"),
		graphtest.Ended(shell, "error", 5, 3, "reason"), graphtest.Ended(shell, "denied", 7, 3, "reason"), edit,
		graphtest.EditTool("/w/a", 3, 0), graphtest.Ended(edit, "error", 2, 1, "path"),
		graphtest.Ended(edit, "denied", 3, 1, "path"), graphtest.Ended(edit, "denied", 4, 2, "error"),
		graphtest.Ended(edit, "rejected", 6, 1, "path"), graphtest.Ended(edit, "error", 7, 2, "error"), mcp,
		graphtest.MCPTool("", true), graphtest.Ended(mcp, "rejected", 3, 1, "reason"),
		graphtest.Ended(mcp, "denied", 4, 1, "error"),
		graphtest.Ended(graphtest.ReadTool("/w/a", ""), "error", 2, 1, "error"),
	} {
		id := fmt.Sprintf("call_%d", i)
		all = append(all, calls(id, nameOf(t, i), t, `{"note":`+graphtest.Quoted(id)+`}`, graphtest.Quoted("result of "+id)))
	}
	return all
}

// toolCases are shapes of tool calls.
var toolCases = []namedCase{
	{"every_tool", func(c *Chat) { c.only(everyTool("every")...) }},
	{"every_tool_without_messages", func(c *Chat) { c.only(everyTool("bare")...); c.Graph.NoMessages = true }},
	{"tools_in_messages_only", func(c *Chat) {
		failed := runs("toolu_m2", "false", 1)
		failed.Call.IsError = true
		open := reads("toolu_m3", "/w/c.go")
		open.Call.NoResult = true
		c.only(reads("toolu_m1", "/w/a.go"), open, failed, says("That was all."))
		c.Graph.NoTurns = true
	}},
	{"told_in_messages_only", func(c *Chat) {
		kinds := []string{"success", "failure", "error", "rejected", "permissionDenied"}
		var steps []graphtest.Step
		for i, kind := range kinds {
			s := runs("toolu_told"+strconv.Itoa(i), "make "+kind, 0)
			s.Call.Told = graphtest.Told{Kind: kind, Exit: 2, Took: 42}
			steps = append(steps, s)
		}
		c.only(steps...)
		c.Graph.NoTurns = true
	}},
	{"outcomes", func(c *Chat) { c.only(outcomes()...) }},
	{"outcomes_without_messages", func(c *Chat) { c.only(outcomes()...); c.Graph.NoMessages = true }},
	{"is_error", func(c *Chat) {
		steps := outcomes()
		for i := range steps {
			steps[i].Call.IsError = true
		}
		c.only(steps...)
	}},
	{"id_with_a_newline", func(c *Chat) { c.only(reads("call-1\nfc_1", "/w/a.go"), says("Read.")) }},
	{"results", func(c *Chat) {
		read := graphtest.ReadTool("/w/a.go", "package a")
		args := `{ "path": "/w/a.go", "z": 1, "a": 12345678901234567890, "html": "<b>&</b>" }`
		c.only(calls("r1", "Read", read, args, `"plain text, \"quoted\""`),
			calls("r2", "Read", read, args, `{"b":1,"a":[true,null,1.50]}`),
			calls("r3", "Read", read, args, `"{\"inner\":[1,2]}"`),
			calls("r4", "Read", read, args, `[{"type":"text","text":"one"},{"type":"text","text":"two"}]`),
			calls("r5", "Read", read, args, `"{\"cut\":"`), calls("r6", "Read", read, args, `""`))
	}},
	{"unsaid_calls", func(c *Chat) {
		s, other := runs("toolu_unsaid", "make", 2), reads("toolu_said", "/w/b.go")
		s.Call.Unsaid = true
		c.only(s, other)
	}},
	{"truncated_steps", func(c *Chat) {
		one, two := reads("toolu_t1", "/w/a.go"), reads("toolu_t2", "/w/b.go")
		one.Truncated, two.Truncated = 1, 3
		c.only(one, two)
	}},
	{"tools_have_changed", func(c *Chat) {
		c.only(calls("n1", "BrandNewTool", graphtest.PlainTool(99, "99"), `{"x":1}`, `"new"`))
	}},
}
