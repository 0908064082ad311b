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

// Told are the messages that a file tells: of JSONL, or of text in one of its generations (Talk.Text). A file may have
// lines before them.
func (talk Talk) Told(jsonl, alone bool, linesBefore int) (all []Told) {
	line := linesBefore + 1
	for i, it := range talk {
		again := i > 0 && talk[i-1].Role == "" && talk[i-1].Error == it.Error
		switch {
		case it.Role != "":
			all = append(all, it.told(line, jsonl))
		case jsonl && it.Error != "" && !again:
			all = append(all, Told{Line: line, Role: "assistant", Error: it.Error})
		}
		switch {
		case jsonl:
			line++
		case it.Role == "":
		default:
			line += strings.Count(it.body(), "\n") + 2
			if alone {
				line++
			}
		}
	}
	return all
}

func (it Item) told(line int, jsonl bool) Told {
	m := Told{Line: line, Role: it.Role, TagAt: it.TagAt, Text: it.texts(), Notice: it.Notice}
	var thoughts []string
	for _, p := range it.Pieces {
		if p.Thought != "" {
			thoughts = append(thoughts, p.Thought)
		}
		if p.Call == nil {
			continue
		}
		c := *p.Call
		if jsonl {
			c.HasResult, c.Result = false, ""
		} else {
			c.ID = ""
		}
		m.Calls = append(m.Calls, c)
	}
	m.Thinking = strings.Join(thoughts, "\n")
	return m
}

// JSON are the arguments of a call.
func (c Call) JSON() string { return object(c.Args) }
