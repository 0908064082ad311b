package clitest

import (
	"fmt"
	"strconv"
	"time"

	"pipeline/testdata/gen/graphtest"
)

// base is the time at which the first chat of a home begins, 2026-09-01 00:00 UTC.
const base = int64(1788220800000)

const (
	second = int64(1000)
	minute = 60 * second
	hour   = 60 * minute
)

// tag is the text of the tag <timestamp> for a time, as a clock shows it that is so many hours from UTC.
func tag(at int64, hoursFromUTC int) string {
	zone := time.FixedZone("", hoursFromUTC*3600)
	return time.UnixMilli(at).In(zone).Format("Monday, Jan 2, 2006, 3:04 PM") + fmt.Sprintf(" (UTC%+d)", hoursFromUTC)
}

// turn is the n-th turn of a chat that began at a time. Its prompt is at the full minute.
func turn(began int64, n int, prompt string, steps ...graphtest.Step) graphtest.Turn {
	at := began + int64(n)*10*minute
	return graphtest.Turn{Request: fmt.Sprintf("request-%d-%d", began, n), Model: "gpt-5.2",
		User: graphtest.User{ID: fmt.Sprintf("user-%d-%d", began, n), Text: prompt, At: at, Tag: tag(at, 2),
			TagAt: at},
		Steps: steps}
}

// within gives the steps of a turn their times: one after the other from the second after the prompt.
func within(t graphtest.Turn) graphtest.Turn {
	for i := range t.Steps {
		s := &t.Steps[i]
		s.From = t.User.At + int64(i+1)*2*second
		s.To = s.From + 700
	}
	return t
}

func says(text string) graphtest.Step { return graphtest.Step{Kind: "assistant", Text: text} }

func thinks(text string, ms int64) graphtest.Step {
	return graphtest.Step{Kind: "thinking", Text: text, Duration: ms}
}

// calls is a step with a call. Arguments and result are those of its prompt message, as JSON.
func calls(id, name string, t graphtest.Tool, args, result string) graphtest.Step {
	return graphtest.Step{Kind: "tool", Call: &graphtest.Call{ID: id, Name: name, IDIn: "call", Tool: t, Args: args,
		Result: result}}
}

// reads is a call that reads a file.
func reads(id, path string) graphtest.Step {
	return calls(id, "Read", graphtest.ReadTool(path, "package a"), `{"path":`+graphtest.Quoted(path)+`}`,
		graphtest.Quoted("package a // of "+id))
}

// runs is a shell command.
func runs(id, command string, exit int64) graphtest.Step {
	s := calls(id, "Shell", graphtest.ShellTool(id, command, "out of "+id, "", exit),
		`{"command":`+graphtest.Quoted(command)+`,"description":"try"}`, graphtest.Quoted("Exit code: "+strconv.FormatInt(exit, 10)+" of "+id))
	return s
}

// chat is a chat of today's command line, with two turns.
func chat(name string, n int) *Chat {
	began, cwd := base+int64(n)*24*hour, "/home/u/work/"+name
	id := func(call string) string { return "toolu_" + name + "_" + call }
	return &Chat{Name: name, ID: idOf(name), CWD: cwd,
		Graph: graphtest.Chat{Mode: 1, Used: 1200 + int64(len(name)), Max: 200000,
			Workspaces: []string{"file://" + cwd}, StartedAt: began - 300, TimeZone: "Europe/Berlin",
			Branches: [][2]string{{cwd, "branch-of-" + name}}, Turns: []graphtest.Turn{
				within(turn(began, 0, "Fix "+name+".", thinks("What is wrong with "+name+"?", 900),
					says("I look at "+name+"."), reads(id("1"), cwd+"/a.go"), runs(id("2"), "go test ./"+name, 0),
					says(name+" is fixed."))),
				within(turn(began, 1, "Is "+name+" done?", says("Yes, "+name+" is done."))),
			}},
		Meta: Meta{Title: "Work on " + name, Created: began - 500, Mode: "default", Model: "gpt-5.2"},
		File: &File{CWD: cwd, Created: began - 400, Updated: began + hour},
	}
}

// each changes every step of a chat.
func (c *Chat) each(change func(*graphtest.Step)) {
	for i := range c.Graph.Turns {
		for j := range c.Graph.Turns[i].Steps {
			change(&c.Graph.Turns[i].Steps[j])
		}
	}
}
