package yeartest

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"pipeline/testdata/gen/clitest"
	"pipeline/testdata/gen/graphtest"
	"pipeline/testdata/gen/storetest"
)

// Home are the conversations of the command line as clitest describes them.
func Home(y *storetest.Year) *clitest.Home {
	h := &clitest.Home{}
	for _, t := range y.Talks {
		h.Chats = append(h.Chats, chat(t))
	}
	return h
}

// chat is one conversation. Its working directory is in meta.json alone, and files are named from there: so the
// projects can be moved without a change of the graph, whose parts are named by hashes of what is in them. The command
// line calls Auto so.
func chat(t storetest.Talk) *clitest.Chat {
	if t.Model == "default" {
		t.Model = "auto"
	}
	began, last := t.Turns[0].At, t.Turns[len(t.Turns)-1]
	ended := last.At
	if n := len(last.Steps); n > 0 {
		ended = last.Steps[n-1].At
	}
	c := &clitest.Chat{Name: t.Title, ID: t.ID, CWD: t.Folder,
		Graph: graphtest.Chat{Mode: 1, Max: 200_000, StartedAt: began - 300, TimeZone: "Europe/Berlin"},
		Meta:  clitest.Meta{Title: t.Title, Created: began - 500, Mode: "default", Model: t.Model},
		File:  &clitest.File{CWD: t.Folder, Created: began - 400, Updated: ended},
	}
	for _, turn := range t.Turns {
		g := graphtest.Turn{Request: turn.Request, Model: t.Model,
			User: graphtest.User{ID: turn.ID, Text: turn.Text, At: turn.At, Tag: tag(turn.At),
				TagAt: turn.At / 60_000 * 60_000}}
		for _, s := range turn.Steps {
			if step, ok := stepOf(s); ok {
				g.Steps = append(g.Steps, step)
			}
			c.Graph.Used += int64(len(s.Text)) + 400
		}
		c.Graph.Turns = append(c.Graph.Turns, g)
	}
	c.Graph.Used = min(c.Graph.Used+14_000, c.Graph.Max)
	return c
}

// tag is the text of the tag <timestamp>, as a clock shows it that is an hour from UTC.
func tag(at int64) string {
	return time.UnixMilli(at).In(time.FixedZone("", 3600)).Format("Monday, Jan 2, 2006, 3:04 PM") + " (UTC+1)"
}

// stepOf is a step of the agent. The command line has other names for some tools: those are left out.
func stepOf(s storetest.TalkStep) (graphtest.Step, bool) {
	from, id := s.At-700, strings.ReplaceAll(s.Call, "\n", "_")
	called := func(name string, t graphtest.Tool, args ...string) (graphtest.Step, bool) {
		members := map[string]string{}
		for i := 0; i < len(args); i += 2 {
			members[args[i]] = args[i+1]
		}
		return graphtest.Step{Kind: "tool", From: from, To: s.At,
			Call: &graphtest.Call{ID: id, Name: name, IDIn: "call", Tool: t, Args: text(members),
				Result: text(s.Text)}}, true
	}
	switch s.Kind {
	case "assistant":
		return graphtest.Step{Kind: s.Kind, Text: s.Text, From: from, To: s.At}, true
	case "thinking":
		return graphtest.Step{Kind: s.Kind, Text: s.Text, Duration: 700, From: from, To: s.At}, true
	case "read":
		return called("Read", graphtest.ReadTool(s.Path, s.Text), "path", s.Path)
	case "edit":
		return called("StrReplace", graphtest.EditTool(s.Path, s.Added, s.Removed), "path", s.Path)
	case "shell":
		return called("Shell", graphtest.ShellTool(id, s.Command, s.Text, "", s.Exit), "command", s.Command)
	}
	return graphtest.Step{}, false
}

// text is a value as JSON.
func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("yeartest: %v", err))
	}
	return string(b)
}
