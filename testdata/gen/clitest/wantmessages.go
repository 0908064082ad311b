package clitest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"pipeline/testdata/gen/graphtest"
)

// teller tells the messages and tool calls of a chat, in order.
type teller struct {
	chat     *Chat
	of       map[string]string // the row of the conversation
	want     *Want
	running  map[string]bool // calls that are pending and steps, by their ids
	position int
	turn     int    // user messages so far
	prompt   string // id of the last user message
	heard    bool   // there was one
	last     string // the last real time, or ""
}

// tell appends the rows of the chat.
func (t *teller) tell() {
	g := t.chat.Graph
	for i, turn := range g.Turns {
		switch {
		case slices.Contains(t.chat.Lost, "turn "+strconv.Itoa(i)):
		case turn.Shell != nil && !g.NoTurns:
			t.shell(i, turn.Shell)
		case turn.Shell == nil:
			t.turnOf(i, turn, g.NoTurns || i < g.LostTurns)
		}
	}
	t.pending()
}

// add appends a message. at is its own time, 0 for none, and source says what recorded it.
func (t *teller) add(at int64, source string, row map[string]string) {
	row["conversation_id"], row["position"], row["turn"], row["origin"] = t.chat.ID, strconv.Itoa(t.position),
		strconv.Itoa(t.turn), "graph"
	t.position++
	if at != 0 {
		t.last = number(at)
	} else {
		source = "previous"
	}
	row["created_at"], row["created_at_source"] = t.last, source
	if t.last == "" {
		row["created_at"], row["created_at_source"] = t.of["created_at"], "conversation"
		if row["created_at"] == Null {
			row["created_at"] = t.of["updated_at"]
		}
		if row["created_at"] == Null {
			row["created_at_source"] = Null
		}
	}
	for _, column := range []string{"text", "thinking", "thinking_duration_ms"} {
		if _, ok := row[column]; !ok {
			row[column] = Null
		}
	}
	t.want.Messages = append(t.want.Messages, row)
}

// shell tells a command that the user typed.
func (t *teller) shell(i int, s *graphtest.Shell) {
	t.turn++
	t.prompt = "turn" + strconv.Itoa(i)
	t.add(0, "", map[string]string{"message_id": t.prompt, "role": "user", "kind": "shell", "text": orNull(s.Command),
		"model": Null, "request_id": Null})
}

// turnOf tells a prompt and what followed. In a turn that is known from prompt messages only, nodes say nothing.
func (t *teller) turnOf(i int, turn graphtest.Turn, fromMessages bool) {
	u := turn.User
	t.prompt = cmp.Or(u.ID, "turn"+strconv.Itoa(i))
	row := map[string]string{"role": "user", "kind": kindOf("text", u.Text), "text": orNull(u.Text), "model": Null,
		"request_id": orNull(turn.Request), "mode": "agent"}
	at, source := u.At, "graph"
	if fromMessages {
		at, row["mode"], t.prompt = 0, Null, "turn"+strconv.Itoa(i)
	}
	row["message_id"] = t.prompt
	if at == 0 && (fromMessages || turn.Request != "" && !t.chat.Graph.NoMessages) {
		at, source = u.TagAt, "tag"
	}
	isTold := t.chat.File != nil && t.chat.File.Subagent && !t.heard // its parent's agent wrote it
	t.heard = true
	row["is_simulated"] = strconv.FormatBool(u.Simulated && !fromMessages || u.Notice || isTold)
	if row["is_simulated"] == "false" {
		t.turn++
	}
	t.add(at, source, row)
	n := 0
	for place, s := range turn.Steps {
		if fromMessages && s.Kind == "tool" && s.Call.Unsaid {
			continue // nothing says that it was
		}
		if !slices.Contains(t.chat.Lost, fmt.Sprintf("step %d.%d", i, place)) {
			t.step(t.prompt+"/"+strconv.Itoa(n), turn, s, fromMessages)
		}
		n++
	}
}

// kindOf is the kind of a message with a text: a blank one is empty.
func kindOf(kind, text string) string {
	if strings.TrimSpace(text) == "" {
		return "empty"
	}
	return kind
}

// step tells a step. Sealed reasoning makes no message, and a bad node none either.
func (t *teller) step(id string, turn graphtest.Turn, s graphtest.Step, fromMessages bool) {
	if s.Kind == "sealed" || s.Kind == "bad" {
		return
	}
	if s.Kind == "beside" || fromMessages {
		s.From, s.To, s.Duration = 0, 0, 0 // not recorded
	}
	row := map[string]string{"message_id": id, "role": "assistant", "request_id": orNull(turn.Request)}
	t.model(row, turn, s, fromMessages)
	switch s.Kind {
	case "thinking":
		row["kind"], row["thinking"], row["thinking_duration_ms"] = kindOf("thinking", s.Text), orNull(s.Text),
			number(s.Duration)
		if s.Duration == 0 && s.From != 0 && s.To != 0 {
			row["thinking_duration_ms"] = "" // nothing says whether the times may stand for it
		}
	case "tool":
		row["kind"] = "tool_call"
	default:
		row["kind"], row["text"] = kindOf("text", s.Text), orNull(s.Text)
	}
	t.add(s.From, "graph", row)
	maps.DeleteFunc(row, func(_, v string) bool { return v == "" })
	if s.Kind == "tool" {
		call := t.call(s, fromMessages)
		call["message_id"] = id
		if t.running[s.Call.ID] {
			delete(call, "status") // the step says nothing of it, and the root that it runs
		}
		t.addCall(call)
	}
}

// model is the model of a step: that of its own message for a tool call, else that of the last message of the request,
// else the one that the turn was sent to.
func (t *teller) model(row map[string]string, turn graphtest.Turn, s graphtest.Step, fromMessages bool) {
	said := turn.Model
	if t.chat.Graph.NoMessages || !spoke(turn) {
		said = ""
	}
	routed := turn.Routed
	if fromMessages {
		routed = ""
	}
	switch {
	case s.Kind == "tool" && (s.Call.Unsaid || said == "") && (said != "" || routed != ""):
		return // the call has no message with a model, and nothing says whether the turn's model stands for it
	case s.Kind == "tool":
		row["model"] = orNull(said)
	case turn.Request == "" && fromMessages && said != "":
		return // the message of the step has a model, and no request
	case turn.Request == "":
		row["model"] = orNull(routed)
	default:
		row["model"] = orNull(cmp.Or(said, routed))
	}
}

// spoke reports whether prompt messages have anything from the model.
func spoke(t graphtest.Turn) bool {
	return slices.ContainsFunc(t.Steps, func(s graphtest.Step) bool {
		return s.Kind != "bad" && (s.Kind != "tool" || !s.Call.Unsaid)
	})
}
