package pipelines_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pipeline/testdata/gen/disagreetest"
)

// toldMessage is a message as the warehouse has it.
type toldMessage struct {
	id, origin, role, kind, words, simulated, listed, at, source, key string
	position                                                          int
}

// toldCall is a tool call as the warehouse has it.
type toldCall struct {
	id, status, command, file, exit, started, duration, hasResult, isError, outcome string
}

// told is a chat as the warehouse has it.
type told struct {
	row      map[string]string // of conversations
	messages []toldMessage     // the live ones, by position
	gone     []toldMessage
	calls    []toldCall
}

var toldColumns = []string{"status", "title", "display_title", "message_count", "user_message_count",
	"missing_message_count", "header_count", "is_subagent", "parent_conversation_id", "best_of_parent_id", "deleted_at"}

// told reads all chats.
func (d *disagreeing) told() map[string]*told {
	d.t.Helper()
	out := map[string]*told{}
	for _, row := range d.cells("SELECT conversation_id, " + strings.Join(toldColumns, ", ") + " FROM conversations") {
		c := &told{row: map[string]string{}}
		for i, column := range toldColumns {
			c.row[column] = row[i+1]
		}
		out[row[0]] = c
	}
	calls := d.toldCalls(out)
	for _, row := range d.cells(
		`SELECT conversation_id, message_id, origin, role, kind, coalesce(nullif(text, ''), nullif(thinking, ''), summary, ''), is_simulated, is_listed,
		epoch_ms(created_at), created_at_source, position, deleted_at IS NULL FROM messages ORDER BY conversation_id, position`) {
		c := out[row[0]]
		if c == nil {
			d.fault("a message without a conversation", row[0], row[1])
			continue
		}
		m := toldMessage{id: row[1], origin: row[2], role: row[3], kind: row[4], words: row[5], simulated: row[6],
			listed: row[7], at: row[8], source: row[9]}
		m.position, _ = strconv.Atoi(row[10])
		call := ""
		if m.kind == "tool_call" {
			call = calls[row[0]+" "+m.id]
		}
		m.key = disagreetest.Key(m.words, call, m.id)
		if row[11] == "true" {
			c.messages = append(c.messages, m)
		} else {
			c.gone = append(c.gone, m)
		}
	}
	return out
}

// toldCalls reads the live calls, and returns the ids of those of each message.
func (d *disagreeing) toldCalls(all map[string]*told) map[string]string {
	d.t.Helper()
	outcome := "'(no column)'"
	if len(d.cells("SELECT 1 FROM duckdb_columns() WHERE table_name = 'tool_calls' AND column_name = 'outcome'")) > 0 {
		outcome = "outcome"
	}
	ids := map[string]string{}
	for _, row := range d.cells(
		`SELECT conversation_id, message_id, tool_call_id, status, command, file_path, exit_code, epoch_ms(started_at), duration_ms,
		result IS NOT NULL, is_error, ` + outcome +
			` FROM tool_calls WHERE deleted_at IS NULL ORDER BY conversation_id, position, call_index`) {
		c := all[row[0]]
		if c == nil {
			d.fault("a call without a conversation", row[0], row[2])
			continue
		}
		ids[row[0]+" "+row[1]] = row[2]
		c.calls = append(c.calls, toldCall{row[2], row[3], row[4], row[5], row[6], row[7], row[8], row[9], row[10],
			row[11]})
	}
	return ids
}

// keys are those of each chat's live messages.
func (d *disagreeing) keys() map[string][]string {
	d.t.Helper()
	out := map[string][]string{}
	for id, c := range d.told() {
		for _, m := range c.messages {
			out[id] = append(out[id], m.key)
		}
	}
	return out
}

// judge holds the warehouse against what it must hold, and against what it held.
func (d *disagreeing) judge(had map[string][]string) {
	d.t.Helper()
	all := d.told()
	only := all[disagreetest.OnlyHead]
	if d.odd && (only == nil || only.row["message_count"] != "0" || only.row["display_title"] != "Only a head" ||
		only.row["deleted_at"] != "NULL") {
		d.fault("a head without a body makes no empty conversation", "", "")
	}
	for _, g := range d.groups {
		for _, w := range g.Want() {
			c := all[w.ID]
			if c == nil {
				if !w.Open {
					d.fault("a chat is lost", w.ID, "")
				}
				continue
			}
			j := judge{d: d, w: w, c: c}
			j.nothingTwice()
			j.nothingLost(had[w.ID])
			if w.Open || w.Kept {
				continue
			}
			j.conversation()
			j.messages()
			j.order()
		}
	}
}

// judge compares one chat.
type judge struct {
	d *disagreeing
	w disagreetest.Want
	c *told
}

func (j *judge) fault(kind, format string, args ...any) {
	j.d.fault(kind, j.w.ID, fmt.Sprintf(format, args...))
}

// is compares a value with what is wanted; "" is not decided by any rule.
func (j *judge) is(kind, where, want, got string) {
	if want != "" && want != got {
		j.fault(kind, "%s: want %q, got %q", where, want, got)
	}
}

// nothingTwice: each message is there as often as it was said.
func (j *judge) nothingTwice() {
	said, rows := map[string]int{}, map[string]bool{}
	for _, m := range j.w.Messages {
		said[m.Key]++
		rows[m.Key] = rows[m.Key] || m.Origin == "bubble"
	}
	for _, m := range j.c.messages {
		said[m.key]--
	}
	for key, n := range said {
		switch {
		case n > 0 && !j.w.Open && (!j.w.Kept || rows[key]):
			j.fault("a message is lost", "%d times %q", n, key)
		case n < 0 && slices.ContainsFunc(j.w.Messages, func(m disagreetest.Message) bool { return m.Key == key }):
			j.fault("a message is there twice", "%d times too many %q", -n, key)
		case n < 0 && !j.w.Open && !j.w.Kept:
			for _, m := range j.c.messages {
				if m.key == key {
					j.fault("a message that nobody said", "%d times %q, id %s, %s, kind %s", -n, key, m.id, m.origin,
						m.kind)
					break
				}
			}
		}
	}
	calls := map[string]int{}
	for _, call := range j.c.calls {
		if calls[call.id]++; calls[call.id] == 2 {
			j.fault("a call is there twice", "%q", call.id)
		}
	}
}

// nothingLost: what was there once is still there, live or as deleted.
func (j *judge) nothingLost(had []string) {
	have := map[string]bool{}
	for _, m := range slices.Concat(j.c.messages, j.c.gone) {
		have[m.key] = true
		have["said "+strings.TrimSpace(m.words)], have["id "+m.id] = true, true
	}
	for _, key := range had {
		if !have[key] && !strings.HasPrefix(key, "call ") {
			j.fault("a message of an earlier load is lost", "%q", key)
		}
	}
}

func (j *judge) conversation() {
	w, row := j.w, j.c.row
	orphaned := strconv.FormatBool(row["status"] == "orphaned")
	j.is("orphan", "status orphaned", strconv.FormatBool(w.Orphan), orphaned)
	j.is("message_count", "message_count", strconv.Itoa(len(w.Messages)), row["message_count"])
	j.is("header_count", "header_count", w.HeaderCount, row["header_count"])
	if n, err := strconv.Atoi(row["missing_message_count"]); err != nil || n < w.Missing[0] || n > w.Missing[1] {
		j.fault("missing_message_count", "want %v, got %s", w.Missing, row["missing_message_count"])
	}
	j.is("is_subagent", "is_subagent", w.IsSubagent, row["is_subagent"])
	j.is("parent_conversation_id", "parent", w.Parent, row["parent_conversation_id"])
	j.is("best_of_parent_id", "parent of a try", w.Best, row["best_of_parent_id"])
	j.title()
}

// title: a chat without a name has that of its first prompt that a person typed.
func (j *judge) title() {
	want := j.w.Title
	if want == disagreetest.FirstPrompt {
		if want = ""; j.w.IsSubagent == "true" {
			return // it may come from a prompt that the program wrote
		}
		for _, m := range j.c.messages {
			if m.role == "user" && j.wanted(m).Simulated == "" {
				want = ""
				break // nothing says whether a person typed it
			}
			if m.role == "user" && j.wanted(m).Simulated == "false" && m.words != "" {
				want, _, _ = strings.Cut(m.words, "\n")
				want = string([]rune(want)[:min(80, len([]rune(want)))])
				break
			}
		}
	}
	j.is("display_title", "display_title", want, j.c.row["display_title"])
}

// wanted is what is wanted of a message that the warehouse has; nothing, if several say the same and none has its id.
func (j *judge) wanted(m toldMessage) disagreetest.Message {
	var equal []disagreetest.Message
	for _, w := range j.w.Messages {
		if w.Key == m.key {
			equal = append(equal, w)
		}
	}
	if len(equal) == 1 {
		return equal[0]
	}
	if i := slices.IndexFunc(equal, func(w disagreetest.Message) bool { return w.ID == m.id }); i >= 0 {
		return equal[i]
	}
	return disagreetest.Message{Role: m.role}
}

// found is the message that the warehouse has for one that is wanted, if both are the only ones of their key.
func (j *judge) found(w disagreetest.Message) (found *toldMessage) {
	n := 0
	for _, other := range j.w.Messages {
		if other.Key == w.Key {
			n++
		}
	}
	for i := range j.c.messages {
		if j.c.messages[i].key == w.Key {
			n++
			found = &j.c.messages[i]
		}
	}
	if n != 2 {
		return nil
	}
	return found
}

func (j *judge) messages() {
	typed, decided, firstUser := 0, true, true
	for _, m := range j.c.messages {
		if m.simulated == "NULL" {
			j.fault("is_simulated is NULL", "%s, %s", m.id, m.role)
		}
		w := j.wanted(m)
		if m.role == "user" && firstUser {
			firstUser = false
			if j.w.IsSubagent == "true" {
				w.Simulated = "true"
			}
		}
		if w.Role == "user" {
			switch w.Simulated {
			case "":
				decided = false
			case "false":
				typed++
			}
		}
		if w.Simulated == "true" {
			j.is("is_simulated of what the program wrote", m.id, "true", m.simulated)
		} else if m.simulated != "NULL" {
			j.is("is_simulated of what a person typed", m.id, w.Simulated, m.simulated)
		}
	}
	if decided {
		j.is("user_message_count", "prompts that a person typed", strconv.Itoa(typed), j.c.row["user_message_count"])
	}
	row := ""
	for i, m := range j.c.messages {
		if m.origin == "bubble" {
			row = m.listed
			continue
		}
		beside := row
		for _, after := range j.c.messages[i:] {
			if beside == "" && after.origin == "bubble" {
				beside = after.listed
			}
		}
		if beside == "" {
			beside = "true"
		}
		j.is("is_listed of a message of the graph", m.id+", as the row beside it", beside, m.listed)
	}
	for _, w := range j.w.Messages {
		if m := j.found(w); m != nil {
			j.message(w, *m)
		}
	}
}

func (j *judge) message(w disagreetest.Message, m toldMessage) {
	at := fmt.Sprintf("%q", w.Key)
	j.is("message_id", at, w.ID, m.id)
	j.is("origin", at, w.Origin, m.origin)
	j.is("role", at, w.Role, m.role)
	j.is("kind", at, w.Kind, m.kind)
	j.is("is_listed", at, w.Listed, m.listed)
	j.is("created_at_source", at, w.Source, m.source)
	if w.Source == m.source {
		j.is("created_at", at, w.At, m.at)
	}
	if m.source == "NULL" && !j.w.Orphan {
		j.fault("created_at is NULL", "%s", at)
	}
	if w.Call == nil {
		return
	}
	i := slices.IndexFunc(j.c.calls, func(c toldCall) bool { return c.id == w.Call.ID })
	if i < 0 {
		j.fault("a call is lost", "%s", w.Call.Said)
		return
	}
	j.call(*w.Call, j.c.calls[i])
}

func (j *judge) call(w disagreetest.Call, c toldCall) {
	at := w.Said
	if !slices.Contains(w.Errors, c.isError) {
		j.fault("is_error", "%s: want %v (%v), got %s", at, w.Errors, w.Outcomes, c.isError)
	}
	if c.outcome != "(no column)" && !slices.Contains(w.Outcomes, c.outcome) {
		j.fault("outcome", "%s: want %v, got %s", at, w.Outcomes, c.outcome)
	}
	j.is("status", at, w.Status, c.status)
	j.is("command", at, w.Command, c.command)
	j.is("file_path", at, w.File, c.file)
	j.is("exit_code", at, w.ExitCode, c.exit)
	j.is("started_at", at, w.Started, c.started)
	j.is("duration_ms", at, w.Duration, c.duration)
	j.is("result", at+" is there", w.HasResult, c.hasResult)
}

// order: messages have the order that their places give them.
func (j *judge) order() {
	positions := map[string]int{}
	for _, m := range j.c.messages {
		positions[m.key] = m.position
	}
	for _, keys := range j.w.Order {
		last := ""
		for _, key := range keys {
			if _, ok := positions[key]; !ok {
				continue
			}
			if last != "" && positions[key] < positions[last] {
				j.fault("order", "%q (%d) before %q (%d)", key, positions[key], last, positions[last])
				break
			}
			last = key
		}
	}
}
