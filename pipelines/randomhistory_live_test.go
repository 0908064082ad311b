package pipelines_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// records are rows by table and key: "messages[alpha a2]" -> "text" -> "An answer".
type records map[string]map[string]string

func (c cells) records() records {
	out := records{}
	for cell, v := range c {
		at := strings.LastIndex(cell, "].") + 1
		if out[cell[:at]] == nil {
			out[cell[:at]] = map[string]string{}
		}
		out[cell[:at]][cell[at+1:]] = v
	}
	return out
}

// inherited are the columns of a subagent, and of its messages, that follow from its parent.
var inherited = []string{"project_uri", "project", "project_path", "project_source", "is_subagent",
	"parent_conversation_id", "session_id", "user_message_count", "is_simulated", "turn"}

// keptColumns are those that stay where no place names what they say any more, by the names in kept_from.
var keptColumns = map[string][]string{"title": {"title", "display_title"}, "mode": {"mode"},
	"git_branch": {"git_branch"},
	"project":    {"project_uri", "project", "project_path", "project_source", "workspace_id", "worktree_path"}}

// liveTables are compared with those of a first load.
var liveTables = []string{"conversations", "messages", "tool_calls", "attachments", "checkpoints", "code_edits",
	"code_diffs", "model_usage", "context_parts", "workspaces", "prompts", "sessions", "activity_periods"}

// sameLive compares the live rows with those of a first load of the same store. The warehouse remembers what the store
// no longer says: what a deleted conversation was, while messages of it or a head in a list are left, whose subagents
// the subagents of a deleted conversation are, and what a place said of a conversation that no longer does.
func sameLive(t *testing.T, state, first cells) {
	t.Helper()
	have, want, known := state.records(), first.records(), state.records()
	apart := map[string]bool{} // subagents of deleted parents
	for more := true; more; {
		more = false
		for key, claim := range have {
			if !strings.HasPrefix(key, "_subagent_claims[") || apart[claim["conversation_id"]] {
				continue
			}
			for _, other := range []string{claim["claimed_by"], claim["parent_conversation_id"]} {
				if c := have["conversations["+other+"]"]; apart[other] || c != nil && c["deleted_at"] != "NULL" {
					apart[claim["conversation_id"]], more = true, true
				}
			}
		}
	}
	groups := map[string]bool{} // their projects
	for id := range apart {
		for _, rows := range []records{have, want} {
			if c := rows["conversations["+id+"]"]; c != nil {
				groups[c["project_uri"]] = true
			}
		}
	}
	for key, row := range have {
		other := want[key]
		if !strings.HasPrefix(key, "conversations[") || other == nil || row["kept_from"] == other["kept_from"] {
			continue
		}
		for name, columns := range keptColumns {
			if !strings.Contains(row["kept_from"], `"`+name+`"`) {
				continue
			}
			if name == "project" {
				groups[row["project_uri"]], groups[other["project_uri"]] = true, true
			}
			for _, r := range []map[string]string{row, other} {
				maps.DeleteFunc(r, func(c string, _ string) bool {
					return slices.Contains(columns, c) || c == "kept_from" || c == "session_id"
				})
			}
		}
	}
	for _, rows := range []records{have, want} {
		for _, key := range slices.Collect(maps.Keys(rows)) {
			table, _, _ := strings.Cut(key, "[")
			row := rows[key]
			conversation := known["conversations["+row["conversation_id"]+"]"]
			message := known["messages["+row["conversation_id"]+" "+row["message_id"]+"]"]
			drop := !slices.Contains(liveTables, table) || row["deleted_at"] != "" && row["deleted_at"] != "NULL"
			switch table {
			case "conversations": // an orphan that had a row of its own is deleted here
				drop = drop || row["status"] == "orphaned" && conversation["status"] == "orphaned" &&
					conversation["deleted_at"] != "NULL"
				drop = drop || row["completeness"] == "partial" && row["message_count"] == "0" && conversation != nil &&
					conversation["deleted_at"] != "NULL"
				if groups[row["project_uri"]] {
					delete(row, "session_id")
				}
			case "attachments":
				drop = drop || row["message_id"] == "NULL" && conversation["deleted_at"] != "NULL" ||
					row["message_id"] != "NULL" && message["deleted_at"] != "NULL"
			case "code_diffs": // named by an edit that is no longer there
				if row["keyed_by"] == "" {
					delete(row, "conversation_id")
				}
			case "sessions", "activity_periods":
				drop = drop || groups[row["project_uri"]]
			}
			if apart[row["conversation_id"]] {
				maps.DeleteFunc(row, func(column, _ string) bool { return slices.Contains(inherited, column) })
			}
			if drop {
				delete(rows, key)
			}
		}
	}
	same(t, "the live rows (a first load, these runs)", want, have)
}
