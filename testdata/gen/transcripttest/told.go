package transcripttest

import "strings"

// Told is a message as a file tells it.
type Told struct {
	Line           int
	Role           string
	TagAt          int64 // 0 for none
	Text, Thinking string
	Notice         bool   // Cursor wrote it
	Error          string // that ended a turn, or that a turn met
	Calls          []Call // of JSONL without results, of text without ids
}

// Told are the messages that a file tells, whose form is jsonl, alone or inline (Talk.Text), or array. A file may have
// lines before them.
func (talk Talk) Told(form string, linesBefore int) (all []Told) {
	line := linesBefore + 1
	for i, it := range talk {
		again := i > 0 && talk[i-1].Role == "" && talk[i-1].Error == it.Error
		switch {
		case it.Role != "":
			all = append(all, it.told(line, form))
		case form == "jsonl" && it.Error != "" && !again:
			all = append(all, Told{Line: line, Role: "assistant", Error: it.Error})
		}
		switch {
		case form == "jsonl":
			line++
		case it.Role == "":
		case form == "array":
			line += 1 + it.calls()
		default:
			line += strings.Count(it.body(), "\n") + 2
			if form == "alone" {
				line++
			}
		}
	}
	return all
}

func (it Item) told(line int, form string) Told {
	m := Told{Line: line, Role: it.Role, TagAt: it.TagAt, Text: it.texts(), Thinking: it.thoughts(), Notice: it.Notice}
	for _, p := range it.Pieces {
		if p.Call == nil {
			continue
		}
		c := *p.Call
		if form == "jsonl" {
			c.HasResult, c.Result = false, ""
		} else {
			c.ID = ""
		}
		m.Calls = append(m.Calls, c)
	}
	return m
}

// JSON are the arguments of a call.
func (c Call) JSON() string { return object(c.Args) }
