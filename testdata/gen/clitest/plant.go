package clitest

import (
	"pipeline/testdata/gen/graphtest"
)

// Plant changes every text of the home: what people, models and programs wrote, titles, paths and names of branches.
// plant is given each with its place, such as graph.prompt; what it says is written instead. A call becomes one of a
// shell, with the texts in its command, what it printed and what it printed of errors.
func (h *Home) Plant(plant func(place, text string) string) {
	for _, c := range h.Chats {
		c.plant(plant)
	}
	for _, t := range h.Transcripts {
		for i := range t.Talk {
			item := &t.Talk[i]
			item.Error = planted(plant, "transcript.error", item.Error)
			for j := range item.Around {
				item.Around[j].Text = planted(plant, "transcript.around", item.Around[j].Text)
			}
			for j := range item.Pieces {
				p := &item.Pieces[j]
				p.Text, p.Thought = planted(plant, "transcript.text", p.Text),
					planted(plant, "transcript.thought", p.Thought)
				if p.Call != nil {
					p.Call.Result = planted(plant, "transcript.result", p.Call.Result)
					for k := range p.Call.Args {
						p.Call.Args[k].Value = planted(plant, "transcript.argument", p.Call.Args[k].Value)
					}
				}
			}
		}
	}
}

// planted leaves alone what is not there.
func planted(plant func(place, text string) string, place, text string) string {
	if text == "" {
		return ""
	}
	return plant(place, text)
}

func (c *Chat) plant(plant func(place, text string) string) {
	in := func(place string, text *string) { *text = planted(plant, place, *text) }
	in("meta.title", &c.Meta.Title)
	if c.File != nil {
		in("file.title", &c.File.Title)
	}
	g := &c.Graph
	in("graph.summary", &g.Summary)
	in("graph.plan", &g.Plan)
	in("graph.summarized", &g.Summarized)
	for i := range g.Todos {
		in("graph.todo", &g.Todos[i].Text)
	}
	for i := range g.Branches {
		in("graph.branch", &g.Branches[i][1])
	}
	for i := range g.PlanPaths {
		in("graph.plan path", &g.PlanPaths[i][1])
	}
	for i := range g.Parts {
		in("graph.part", &g.Parts[i].Label)
	}
	for i := range g.Runs {
		in("graph.run", &g.Runs[i].Title)
	}
	for i := range g.Turns {
		t := &g.Turns[i]
		in("graph.prompt", &t.User.Text)
		if t.Shell != nil {
			in("graph.shell.command", &t.Shell.Command)
			in("graph.shell.out", &t.Shell.Out)
			in("graph.shell.err", &t.Shell.Err)
		}
		for j := range t.Steps {
			s := &t.Steps[j]
			if s.Kind == "assistant" || s.Kind == "thinking" || s.Kind == "beside" {
				in("graph."+s.Kind, &s.Text)
			}
			if s.Call != nil && s.Call.Tool.Exit != nil {
				command, out := plant("graph.call.command", "make"), plant("graph.call.out", "made")
				s.Call.Tool = graphtest.ShellTool(s.Call.ID, command, out, plant("graph.call.err", "warned"),
					*s.Call.Tool.Exit)
				s.Call.Args, s.Call.Result = graphtest.Object("command", graphtest.Quoted(command)),
					graphtest.Quoted(out)
			}
		}
	}
}
