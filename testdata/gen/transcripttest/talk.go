// Package transcripttest writes transcripts of the agent, and says what a reader must find in them. It shares no code
// with the reader.
package transcripttest

import (
	"fmt"
	"strconv"
	"strings"

	"pipeline/testdata/gen/graphtest"
)

// Talk is what is in a transcript, in order.
type Talk []Item

// Item is a message, or the end of a turn.
type Item struct {
	Role   string   // user, assistant; "" for an end
	Tag    string   // time in the tag of a prompt, as text
	TagAt  int64    // the same in milliseconds
	Around []Around // blocks before the query of a prompt
	Query  bool     // the prompt is in a block
	Notice bool     // the prompt is Cursor's: before it is what ended
	Pieces []Piece  // a user has texts only
	Type   string   // of an end: turn_ended, error
	Status string
	Error  string
}

// Around is a block around a prompt.
type Around struct{ Name, Text string }

// Piece is a part of a message. One of its fields is set.
type Piece struct {
	Text    string
	Marks   int // marks behind the text that stand for thoughts; only JSONL has them
	Thought string
	Call    *Call
	Unknown string // type of a part that no reader knows; only JSONL has them
}

// Call is a call of a tool.
type Call struct {
	ID, Name  string
	Args      []Arg
	Result    string // only text files have it
	HasResult bool
}

// Arg is an argument.
type Arg struct{ Key, Value string }

// object are arguments as JSON.
func object(args []Arg) string {
	var members []string
	for _, a := range args {
		members = append(members, graphtest.Quoted(a.Key)+":"+graphtest.Quoted(a.Value))
	}
	return "{" + strings.Join(members, ",") + "}"
}

// texts are the texts of a message, joined by line ends.
func (it Item) texts() string {
	var all []string
	for _, p := range it.Pieces {
		if p.Text != "" {
			all = append(all, p.Text)
		}
	}
	return strings.Join(all, "\n")
}

// wrapped is a prompt with the blocks around it.
func (it Item) wrapped() string {
	var b strings.Builder
	if it.Tag != "" {
		b.WriteString("<timestamp>" + it.Tag + "</timestamp>\n")
	}
	for _, a := range it.Around {
		b.WriteString("<" + a.Name + ">\n" + a.Text + "\n</" + a.Name + ">\n")
	}
	if it.Notice {
		b.WriteString(graphtest.Notification + "\n")
	}
	if it.Query {
		b.WriteString("<user_query>\n" + it.texts() + "\n</user_query>")
	} else {
		b.WriteString(it.texts())
	}
	return b.String()
}

// JSONL writes lines of JSON.
func (talk Talk) JSONL() []byte {
	var b strings.Builder
	for _, it := range talk {
		switch it.Role {
		case "":
			line := `{"type":` + graphtest.Quoted(it.Type)
			if it.Status != "" {
				line += `,"status":` + graphtest.Quoted(it.Status)
			}
			if it.Error != "" {
				line += `,"error":` + graphtest.Quoted(it.Error)
			}
			b.WriteString(line + "}\n")
		case "user":
			b.WriteString(`{"role":"user","message":{"content":[{"type":"text","text":` + graphtest.Quoted(it.wrapped()) +
				"}]}}\n")
		default:
			var parts []string
			for _, p := range it.Pieces {
				parts = append(parts, p.json())
			}
			b.WriteString(`{"role":` + graphtest.Quoted(it.Role) + `,"message":{"content":[` + strings.Join(parts, ",") + "]}}\n")
		}
	}
	return []byte(b.String())
}

// Array writes an array of JSON. Each call has an element behind its message, with its result or without.
func (talk Talk) Array() []byte {
	var all []string
	for _, it := range talk {
		switch it.Role {
		case "":
		case "user":
			all = append(all, graphtest.Object("role", `"user"`, "text", graphtest.Quoted(it.wrapped())))
		default:
			var calls, results []string
			for _, p := range it.Pieces {
				if c := p.Call; c != nil {
					name := graphtest.Quoted(c.Name)
					calls = append(calls, graphtest.Object("toolName", name, "args", object(c.Args)))
					results = append(results, graphtest.Object("role", `"tool"`, "toolResult",
						graphtest.Object("toolName", name, "result", resultOf(c))))
				}
			}
			text, called := graphtest.Quoted(it.texts()), ""
			if calls != nil {
				called = "[" + strings.Join(calls, ",") + "]"
			}
			all = append(append(all, graphtest.Object("role", graphtest.Quoted(it.Role), "text", text, "thinking",
				graphtest.Optional(it.thoughts()), "toolCalls", called)), results...)
		}
	}
	return []byte("[\n  " + strings.Join(all, ",\n  ") + "\n]\n")
}

// resultOf is a call's result as JSON, "" for none.
func resultOf(c *Call) string {
	if !c.HasResult {
		return ""
	}
	return graphtest.Quoted(c.Result)
}

// thoughts are the thoughts of a message, joined by line ends.
func (it Item) thoughts() string {
	var all []string
	for _, p := range it.Pieces {
		if p.Thought != "" {
			all = append(all, p.Thought)
		}
	}
	return strings.Join(all, "\n")
}

// calls are how many calls a message has.
func (it Item) calls() (n int) {
	for _, p := range it.Pieces {
		if p.Call != nil {
			n++
		}
	}
	return n
}

func (p Piece) json() string {
	switch {
	case p.Thought != "":
		return `{"type":"thinking","thinking":` + graphtest.Quoted(p.Thought) + "}"
	case p.Unknown != "":
		return `{"type":` + graphtest.Quoted(p.Unknown) + `,"data":"x"}`
	case p.Call != nil:
		out := `{"type":"tool_use","name":` + graphtest.Quoted(p.Call.Name) + `,"input":` + object(p.Call.Args)
		if p.Call.ID != "" {
			out += `,"id":` + graphtest.Quoted(p.Call.ID)
		}
		return out + "}"
	}
	return `{"type":"text","text":` + graphtest.Quoted(p.Text+strings.Repeat("\n\n[REDACTED]", p.Marks)) + "}"
}

// Text writes a text file, in the generation in which the speaker's word is alone on its line, or in the one in which
// the text begins behind it.
func (talk Talk) Text(alone bool) []byte {
	var b strings.Builder
	for _, it := range talk {
		if it.Role == "" {
			continue
		}
		word := map[string]string{"user": "user: ", "assistant": "A: "}[it.Role]
		if alone {
			word = it.Role + ":\n"
		}
		b.WriteString(word + it.body() + "\n\n")
	}
	return []byte(b.String())
}

// body is a message of a text file. Results follow the calls that are next to each other.
func (it Item) body() string {
	if it.Role == "user" {
		return it.wrapped()
	}
	var out, results []string
	for _, p := range it.Pieces {
		if p.Call == nil {
			out = append(out, results...)
			results = nil
		}
		switch {
		case p.Thought != "":
			out = append(out, "[Thinking] "+p.Thought)
		case p.Call != nil:
			block := "[Tool call] " + p.Call.Name
			for _, a := range p.Call.Args {
				block += "\n" + indented(a.Key+"="+a.Value)
			}
			out = append(out, block)
			if p.Call.HasResult {
				results = append(results, "[Tool result] "+p.Call.Name+"\n"+indented(p.Call.Result)+"\n")
			}
		case p.Text != "":
			out = append(out, p.Text)
		}
	}
	return strings.Join(append(out, results...), "\n")
}

// indented is a text with two spaces before each line that is not empty.
func indented(s string) string {
	return strings.ReplaceAll("  "+strings.ReplaceAll(s, "\n", "\n  "), "  \n", "\n")
}

// Want is what a reader must find in the file that JSONL writes.
func (talk Talk) Want() []string {
	var all, ends []string
	unknown := map[string]int{}
	var types []string
	for i, it := range talk {
		if it.Role == "" {
			ends = append(ends, fmt.Sprintf("end %d status=%q error=%q", i+1, it.Status, it.Error))
			continue
		}
		all = append(all, it.want(i+1, lines)...)
		for _, p := range it.Pieces {
			if p.Unknown != "" {
				if unknown[p.Unknown] == 0 {
					types = append(types, p.Unknown)
				}
				unknown[p.Unknown]++
			}
		}
	}
	all = append(all, ends...)
	for _, name := range types {
		all = append(all, "unknown part."+name+" "+strconv.Itoa(unknown[name]))
	}
	return all
}

// WantText is what a reader must find in the file that Text writes.
func (talk Talk) WantText(alone bool) (all []string) {
	line := 1
	for _, it := range talk {
		if it.Role == "" {
			continue
		}
		all = append(all, it.want(line, text)...)
		line += strings.Count(it.body(), "\n") + 2
		if alone {
			line++
		}
	}
	return all
}

// WantArray is what a reader must find in the file that Array writes.
func (talk Talk) WantArray() (all []string) {
	number, results := 1, 0
	for _, it := range talk {
		if it.Role == "" {
			continue
		}
		all = append(all, it.want(number, array)...)
		number += 1 + it.calls()
		results += it.calls()
	}
	if results > 0 {
		all = append(all, fmt.Sprint("only results ", results))
	}
	return all
}

// form is how a talk is written.
type form int

const (
	lines form = iota
	text
	array
)

// want are the lines for a message.
func (it Item) want(line int, form form) []string {
	head := fmt.Sprintf("#%d %s text=%q", line, it.Role, it.texts())
	if it.Tag != "" {
		head += fmt.Sprintf(" at=%d", it.TagAt)
	}
	if it.Notice {
		head += " notice"
	}
	var calls []string
	for _, p := range it.Pieces {
		if p.Call == nil {
			continue
		}
		call := "call " + p.Call.Name
		if form == lines && p.Call.ID != "" {
			call += fmt.Sprintf(" id=%q", p.Call.ID)
		}
		if form != text || len(p.Call.Args) > 0 {
			call += " args=" + object(p.Call.Args)
		}
		if form != lines && p.Call.HasResult {
			call += fmt.Sprintf(" result=%q", p.Call.Result)
		}
		calls = append(calls, call)
	}
	if thoughts := it.thoughts(); thoughts != "" {
		head += fmt.Sprintf(" thinking=%q", thoughts)
	}
	return append([]string{head}, calls...)
}
