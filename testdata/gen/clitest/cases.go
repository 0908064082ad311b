package clitest

import (
	"slices"
	"strings"

	"pipeline/testdata/gen/graphtest"
)

// A namedCase changes a chat of today's command line into the shape that it is named for.
type namedCase struct {
	name string
	make func(c *Chat)
}

// Cases is a home with one chat for each named shape.
func Cases() *Home {
	h := &Home{}
	for n, named := range slices.Concat(metaCases, graphCases, damagedCases, toolCases) {
		c := chat(named.name, n)
		named.make(c)
		h.Chats = append(h.Chats, c)
	}
	return h
}

// Chat is the chat of a case.
func (h *Home) Chat(name string) *Chat {
	i := slices.IndexFunc(h.Chats, func(c *Chat) bool { return c.Name == name })
	if i < 0 {
		panic("clitest: there is no chat " + name)
	}
	return h.Chats[i]
}

// metaCases are shapes of what is beside the graph.
var metaCases = []namedCase{
	{"modern", func(c *Chat) { c.Keep = true }},
	{"unnamed", func(c *Chat) { c.Meta.Title = "New Agent" }},
	{"unnamed_with_a_title", func(c *Chat) { c.Meta.Title, c.File.Title = "New Agent", "Title of meta.json" }},
	{"without_a_name", func(c *Chat) { c.Meta.Title = "" }},
	{"two_titles", func(c *Chat) { c.File.Title = "Not this one" }},
	{"plain_meta", func(c *Chat) { c.Meta.Plain = true }},
	{"more_meta_rows", func(c *Chat) {
		c.Meta.OtherRows = [][2]string{{"1", "7b7d"}, {"version", "2"}, {"note", `{"name":"not this one"}`}}
	}},
	{"wal_only", func(c *Chat) { c.WAL = true }},
	{"acp", func(c *Chat) { c.ACP = true; c.File.Title = "Asked by another editor" }},
	{"acp_without_a_file", func(c *Chat) { c.ACP, c.File = true, nil }},
	{"nothing_said", func(c *Chat) { c.NoStore, c.File.Empty, c.Keep = true, true, true }},
	{"no_root_yet", func(c *Chat) { c.NoRoot = true }},
	{"another_agent_id", func(c *Chat) { c.Meta.AgentID = idOf("another") }},
	{"key", func(c *Chat) {
		c.Meta.More = [][2]string{{"blobEncryptionKey", graphtest.Quoted(Secret)}, {"approvalMode", `"allowlist"`}}
	}},
	{"key_in_plain_meta", func(c *Chat) {
		c.Meta.Plain = true
		c.Meta.More = [][2]string{{"isRunEverything", "true"}, {"blobEncryptionKey", graphtest.Quoted(Secret)}}
	}},
	{"subagent", func(c *Chat) {
		c.File.Subagent, c.Meta.More = true,
			[][2]string{{"subagentInfo", `{"parentAgentId":` + graphtest.Quoted(idOf("modern")) + `,"typeName":"explore"}`}}
	}},
	{"resumed_in_the_cloud", func(c *Chat) { c.Meta.More = [][2]string{{"resumeBcId", `"bc-` + idOf("cloud") + `"`}} }},
	{"known_by_md5", func(c *Chat) {
		c.CWD, c.File, c.Graph.Workspaces, c.Graph.Branches, c.Keep = "/home/u/work/modern", nil, nil, nil, true
	}},
	{"unknown_folder", func(c *Chat) { c.File, c.Graph.Workspaces, c.Graph.Branches = nil, nil, nil }},
	{"folder_of_the_root", func(c *Chat) {
		c.File, c.Graph.Workspaces = nil, append(c.Graph.Workspaces, "file:///home/u/elsewhere")
	}},
	{"odd_folder", func(c *Chat) { c.in("/home/u/100% done/a b%20c/Ärger") }},
	{"odd_folder_of_the_root", func(c *Chat) {
		c.in("/home/u/50% done/x y/日本")
		c.File, c.Graph.Workspaces = nil, []string{"file:///home/u/50%25%20done/x%20y/%E6%97%A5%E6%9C%AC"}
	}},
	{"mode_of_meta", func(c *Chat) { c.Graph.Mode, c.Meta.Mode = 0, "auto-run" }},
	{"no_mode_and_no_model", func(c *Chat) { c.Graph.Mode, c.Meta.Mode, c.Meta.Model = 0, "", "" }},
	{"begun_by_meta_json", func(c *Chat) { c.Meta.Created = 0 }},
	{"begun_by_the_root", func(c *Chat) { c.Meta.Created, c.File = 0, nil }},
}

// in moves a chat to another working directory.
func (c *Chat) in(cwd string) {
	c.CWD, c.File.CWD, c.Graph.Branches = cwd, cwd, [][2]string{{cwd, "main"}}
	c.Graph.Workspaces = []string{uriOf(cwd)}
}

// untimed takes out of a chat what stores before 2026 did not record: times of prompts and steps, and of the
// conversation.
func (c *Chat) untimed() {
	g := &c.Graph
	g.StartedAt, g.TimeZone, g.Branches = 0, "", nil
	for i := range g.Turns {
		g.Turns[i].User.At = 0
	}
	c.each(func(s *graphtest.Step) { s.From, s.To = 0, 0 })
}

// graphCases are shapes of graphs.
var graphCases = []namedCase{
	{"old", func(c *Chat) {
		c.untimed()
		c.File, c.Graph.Turns[0].Steps[2].Call.IDIn, c.Graph.Turns[0].Steps[3].Call.IDIn = nil, "none", "args"
	}},
	{"old_without_any_time", func(c *Chat) {
		c.untimed()
		c.File, c.Meta.Created = nil, 0
		for i := range c.Graph.Turns {
			c.Graph.Turns[i].User.Tag, c.Graph.Turns[i].User.TagAt = "", 0
		}
	}},
	{"tags_only", func(c *Chat) {
		c.untimed()
		u := &c.Graph.Turns[1].User
		u.Tag = tag(u.TagAt, -4)
	}},
	{"updated_only", func(c *Chat) {
		c.untimed()
		c.Meta.Created, c.File.Created = 0, 0
		c.Graph.Turns[0].User.Tag, c.Graph.Turns[0].User.TagAt = "", 0
	}},
	{"without_turns", func(c *Chat) { c.untimed(); c.File, c.Graph.NoTurns = nil, true }},
	{"head_in_messages", func(c *Chat) {
		c.Graph.LostTurns, c.Graph.Archived, c.Graph.Summarized = 1, 1, "The head was archived."
	}},
	{"without_messages", func(c *Chat) { c.Graph.NoMessages = true }},
	{"without_ids", func(c *Chat) { c.Graph.Turns[0].User.ID, c.Graph.Turns[1].User.ID = "", "" }},
	{"routed", func(c *Chat) { c.Graph.NoMessages, c.Graph.Turns[1].Routed = true, "GPT-5.2 High" }},
	{"without_a_request", func(c *Chat) { c.Graph.Turns[1].Request, c.Graph.Turns[1].Routed = "", "Composer 2" }},
	{"two_models", func(c *Chat) { c.Graph.Turns[1].Model = "claude-opus-5" }},
	{"openai_messages", func(c *Chat) { c.Graph.OpenAI = true }},
	{"message_twice", func(c *Chat) { c.Graph.Twice = true }},
	{"unknown_fields", func(c *Chat) { c.Graph.Unknown = true }},
	{"running", func(c *Chat) {
		c.Graph.Pending = []string{
			`{"role":"assistant","content":[{"type":"tool-call","toolCallId":"toolu_7","toolName":"Grep","args":{"pattern":"x","path":"/w"}},` +
				`{"type":"tool-call","toolCallId":"toolu_8","toolName":"mcp_github_search","args":{"q":"y"}}],"providerOptions":{"cursor":{"modelName":"gpt-5.2"}}}`,
		}
	}},
	{"running_step", func(c *Chat) {
		c.unfinished("toolu_running_step_9")
		c.Graph.Pending = []string{
			`{"role":"assistant","content":[{"type":"tool-call","toolCallId":"toolu_running_step_9","toolName":"Shell","args":{"command":"sleep 100"}}]}`,
		}
	}},
	{"running_without_a_turn", func(c *Chat) {
		c.Graph.Turns, c.Graph.Pending = nil,
			[]string{
				`{"role":"assistant","content":[{"type":"tool-call","toolCallId":"toolu_1","toolName":"LS","args":{"path":"/w"}}]}`,
			}
	}},
	{"unfinished", func(c *Chat) { c.unfinished("toolu_unfinished_9") }},
	{"interrupted_before", func(c *Chat) {
		s := &c.Graph.Turns[0].Steps[2]
		s.Call.NoResult, s.To = true, 0 // a later call has ended
	}},
	{"compacted", func(c *Chat) {
		c.Graph.Archived, c.Graph.Summarized, c.Graph.Summary = 1, "The user wanted a fix.", "Not this one."
	}},
	{"compacted_long_ago", func(c *Chat) {
		c.Graph.Archived, c.Graph.OldArchive, c.Graph.Summarized = 1, true, "The user wanted a fix, in the old field."
	}},
	{"summary_of_the_root", func(c *Chat) { c.Graph.Summary = "A summary in a blob of its own." }},
	{"shell_turns", func(c *Chat) {
		c.Graph.Turns = slices.Insert(c.Graph.Turns, 1,
			graphtest.Turn{Shell: &graphtest.Shell{Command: "ls -l", Out: "a\nb\n"}},
			graphtest.Turn{Shell: &graphtest.Shell{Command: "false", Err: "no", Exit: 1}})
	}},
	{"shell_turn_first", func(c *Chat) {
		c.Graph.Turns = slices.Insert(c.Graph.Turns, 0,
			graphtest.Turn{Shell: &graphtest.Shell{Command: "pwd", Out: "/w\n"}})
	}},
	{"simulated_prompt", func(c *Chat) {
		c.Graph.Turns = append(c.Graph.Turns,
			within(turn(c.Graph.StartedAt+300, 4, "A subagent has ended.", says("I read its report."))))
		c.Graph.Turns[1].User.Simulated = true
	}},
	{"notification", func(c *Chat) {
		c.Graph.Turns = append(c.Graph.Turns,
			within(turn(c.Graph.StartedAt+300, 4, "Tell the user.", says("The tests pass."))))
		c.Graph.Turns[1].User.Notice = true
	}},
	{"empty_thinking", func(c *Chat) {
		c.Graph.Turns[1].Steps = slices.Insert(c.Graph.Turns[1].Steps, 0,
			graphtest.Step{Kind: "sealed", Text: "c2VhbGVk"})
	}},
	{"text_beside_an_empty_thought", func(c *Chat) {
		c.Graph.Turns[1].Steps[0] = graphtest.Step{Kind: "beside", Text: "I'll run the workspace type check now."}
	}},
	{"blank_text", func(c *Chat) { c.Graph.Turns[1].Steps = append(c.Graph.Turns[1].Steps, says(" \n ")) }},
	{"no_steps", func(c *Chat) { c.Graph.Turns[1].Steps = nil }},
	{"no_turn_yet", func(c *Chat) { c.Graph.Turns = nil }},
	{"odd_texts", func(c *Chat) {
		c.Graph.Turns[1].User.Text = "\"quoted\" \\ \u2028 \U0001F600 {\n\tx} <b>it</b> </user_query"
		c.Graph.Turns[1].Steps[0].Text = "line\r\nline; NULL; 日本語"
		c.Meta.Title = `Ärger "mit" \ 日本語`
	}},
	{"long_prompt", func(c *Chat) {
		c.Graph.Turns[0].User.Text, c.Graph.Turns[0].User.InBlob = strings.Repeat("A long text.\n", 900)+"End of it.",
			true
	}},
	{"facts_of_the_root", func(c *Chat) {
		g, at := &c.Graph, c.Graph.StartedAt
		g.Mode, g.Plan, g.PlanPaths = 3, "# Plan\n- one", [][2]string{{"p1", "/home/u/.cursor/plans/x.plan.md"}}
		g.Parts = []graphtest.Part{{ID: "system_prompt", Label: "System prompt", Tokens: 800, Chars: 3200},
			{ID: "tools", Label: "Tool definitions", Tokens: 400}}
		g.Todos = []graphtest.Todo{{ID: "t1", Text: "first", State: 3, At: at}, {ID: "t2", Text: "second", State: 2}}
		g.Timings = [][2]int64{{1500, at + 1500}, {700, at + 10*minute}}
		g.Branches = append([][2]string{{"/home/u/another", "not-this-one"}}, g.Branches...)
		g.Turns[0].User.Files = []string{"/w/a.go", "/w/b.go"}
	}},
}

// unfinished gives a chat a last call that has no result.
func (c *Chat) unfinished(id string) {
	last := &c.Graph.Turns[len(c.Graph.Turns)-1]
	last.Steps = append(last.Steps, runs(id, "sleep 100", 0))
	*last = within(*last)
	s := &last.Steps[len(last.Steps)-1]
	s.Call.NoResult, s.To = true, 0
}
