package clitest

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"pipeline/testdata/gen/graphtest"
	"pipeline/testdata/gen/transcripttest"
)

// sources are the rows of conversation_sources: the place of each chat, and of each transcript.
func (h *Home) sources() (rows []map[string]string) {
	for _, c := range h.Chats {
		if !c.NoStore {
			kind := map[bool]string{true: "acp_store", false: "cli_store"}[c.ACP]
			path := strings.ReplaceAll(c.dir(), `\`, "/") + "/store.db"
			rows = append(rows, map[string]string{"conversation_id": c.ID, "store_kind": kind, "path": path,
				"is_primary": "true"})
		}
	}
	for _, t := range h.Transcripts {
		messages := t.told()
		calls := 0
		for _, m := range messages {
			calls += len(m.Calls)
		}
		rows = append(rows, map[string]string{"conversation_id": t.ID, "store_kind": "transcript", "path": t.path(),
			"is_primary": strconv.FormatBool(h.first(t)), "message_count": strconv.Itoa(len(messages)),
			"tool_call_count": strconv.Itoa(calls)})
	}
	return rows
}

// told are the messages of the file.
func (t *Transcript) told() []transcripttest.Told {
	return t.Talk.Told(t.Form, len(t.Bad))
}

// hasStore reports whether a store of the home has a conversation.
func (h *Home) hasStore(id string) bool {
	return h.Editor[id] || slices.ContainsFunc(h.Chats, func(c *Chat) bool { return c.ID == id && !c.NoStore })
}

// richness has the forms that say more than text, and how much.
var richness = map[string]int{"array": 1, "jsonl": 2}

// first reports whether a transcript is a conversation: no store has it, and of several files it is the first: JSONL
// before an array before text, then the largest, then by path.
func (h *Home) first(t *Transcript) bool {
	if h.hasStore(t.ID) {
		return false
	}
	return !slices.ContainsFunc(h.Transcripts, func(o *Transcript) bool {
		if o.ID != t.ID || o == t {
			return false
		}
		if a, b := richness[o.Form], richness[t.Form]; a != b {
			return a > b
		}
		return cmp.Or(cmp.Compare(len(t.text()), len(o.text())), strings.Compare(o.path(), t.path())) < 0
	})
}

// tellTranscripts appends the rows of transcripts that no store has.
func (h *Home) tellTranscripts(w *Want) {
	for _, t := range h.Transcripts {
		if !h.first(t) {
			continue
		}
		row := t.conversation(h)
		w.Conversations = append(w.Conversations, row)
		last, turn, heard := "", 0, false
		for i, m := range t.told() {
			asked := m.Role == "user" && !m.Notice
			if told := asked && !heard && row["is_subagent"] == "true"; told { // its parent's agent wrote the first
				asked, heard = false, true
			}
			if asked {
				turn++
			}
			message := map[string]string{"conversation_id": t.ID, "message_id": "#" + strconv.Itoa(m.Line),
				"position": strconv.Itoa(i), "turn": strconv.Itoa(turn), "role": m.Role, "kind": kindOfTold(m),
				"text": shown(m.Text), "thinking": shown(m.Thinking), "error": orNull(m.Error), "origin": "transcript",
				"model": Null, "request_id": Null, "thinking_duration_ms": Null, "created_at": last,
				"created_at_source": "previous"}
			switch {
			case m.TagAt != 0:
				last = number(m.TagAt)
				message["created_at"], message["created_at_source"] = last, "tag"
			case last == "" && row["created_at"] != Null:
				message["created_at"], message["created_at_source"] = row["created_at"], "conversation"
			case last == "":
				message["created_at"], message["created_at_source"] = Null, Null
			}
			w.Messages = append(w.Messages, message)
			for n, c := range m.Calls {
				w.ToolCalls = append(w.ToolCalls, t.callRow(message["message_id"], n, c))
			}
		}
		for i, line := range t.Bad {
			w.bad(t, i+1, line)
		}
		if t.Cut {
			w.bad(t, 1+strings.Count(string(t.text()), "\n"), cutLine)
		}
	}
}

// bad is a line in quarantine.
func (w *Want) bad(t *Transcript, line int, text string) {
	w.Quarantine = append(w.Quarantine, map[string]string{"conversation_id": t.ID, "reason": "bad_line",
		"key": t.path() + "#" + strconv.Itoa(line), "head": shown(text)})
}

// shown is a text as a warehouse has it.
func shown(s string) string { return orNull(strings.ReplaceAll(s, "\x00", "\u2400")) }

// conversation is the row of a transcript.
func (t *Transcript) conversation(h *Home) map[string]string {
	row := map[string]string{"conversation_id": t.ID, "title": Null, "mode": Null, "model": Null, "created_at": Null,
		"updated_at": Null, "root_blob": Null, "started_time_zone": Null, "store_kind": "transcript",
		"format": "transcript", "completeness": "lossy", "summary": Null, "context_tokens_used": Null,
		"context_token_limit": Null, "status": Null, "project_path": Null, "project_uri": Null, "project_source": Null,
		"git_branch": Null, "is_subagent": "false", "parent_conversation_id": Null}
	for _, it := range t.Talk {
		if it.TagAt != 0 && row["created_at"] == Null {
			row["created_at"] = number(it.TagAt)
		}
		if it.Role == "" && it.Status != "" && t.Form == "jsonl" {
			row["status"] = it.Status
		}
	}
	if row["status"] == "success" {
		row["status"] = "completed"
	}
	for _, cwd := range h.known() {
		if slugOf(cwd) == slugOf(t.CWD) {
			row["project_path"], row["project_uri"], row["project_source"] = cwd, "file://"+cwd, "slug"
		}
	}
	for _, o := range h.Transcripts {
		if o.ID == t.ID && o.Parent != "" {
			row["is_subagent"], row["parent_conversation_id"] = "true", o.Parent
		}
	}
	if row["project_path"] == Null && row["is_subagent"] == "true" {
		h.inherit(row)
	}
	return row
}

// inherit gives a subagent the project of its parent.
func (h *Home) inherit(row map[string]string) {
	of := Null
	for _, c := range h.Chats {
		if c.ID == row["parent_conversation_id"] && !c.NoStore {
			of = c.conversation(h.known())["project_path"]
		}
	}
	for _, t := range h.Transcripts {
		if t.ID == row["parent_conversation_id"] && h.first(t) {
			of = t.conversation(h)["project_path"]
		}
	}
	if of != Null {
		row["project_path"], row["project_uri"], row["project_source"] = of, "file://"+of, "parent"
	}
}

// kindOfTold is the kind of a message.
func kindOfTold(m transcripttest.Told) string {
	switch {
	case len(m.Calls) > 0:
		return "tool_call"
	case m.Error != "":
		return "error"
	case strings.TrimSpace(m.Text) != "":
		return "text"
	case m.Thinking != "":
		return "thinking"
	}
	return "empty"
}

// callRow is the row of a call.
func (t *Transcript) callRow(message string, n int, c transcripttest.Call) map[string]string {
	row := map[string]string{"conversation_id": t.ID, "message_id": message, "call_index": strconv.Itoa(n),
		"tool_call_id": orNull(c.ID), "name": c.Name, "tool": toolOf(c.Name), "params": Null, "raw_args": Null,
		"result": Null, "result_origin": Null, "status": Null, "is_error": Null, "user_decision": Null,
		"exit_code": Null, "started_at": Null, "duration_ms": Null, "command": Null, "file_path": Null,
		"lines_added": Null, "lines_removed": Null, "subagent_id": Null}
	if richness[t.Form] > 0 || len(c.Args) > 0 {
		row["raw_args"] = c.JSON()
	}
	for _, a := range c.Args {
		switch a.Key {
		case "path":
			row["file_path"] = shown(a.Value)
		case "command":
			row["command"] = shown(a.Value)
		}
	}
	if c.HasResult {
		row["result"], row["result_origin"] = graphtest.Quoted(strings.ReplaceAll(c.Result, "\x00", "\u2400")),
			"transcript"
	}
	return row
}
