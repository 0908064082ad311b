package schema

import (
	"regexp"
	"slices"
)

// Disclosure says what a column tells of a person's work, for those who pass rows on.
type Disclosure int

const (
	// Texts are what people, models and programs have written, paths and addresses. A column that is not declared as anything else is one.
	Texts Disclosure = iota
	// Figures are numbers, times and ids.
	Figures
	// Words are those of which the format has a list: models, tools, statuses. A store may have anything there; IsWord says whether it is one.
	Words
	// Projects are names and places of projects.
	Projects
)

// ids are columns of text that have ids and hashes, in whatever table they are.
var ids = []string{
	"source_id", "conversation_id", "message_id", "session_id", "period_id", "workspace_id", "event_id", "request_id", "usage_id", "context_session_id", "checkpoint_id", "cloud_agent_id",
	"parent_conversation_id", "forked_from", "best_of_parent_id", "primary_source_id", "primary_conversation_id", "commit_source_id", "subagent_id", "subagent_tool_call_id", "tool_call_id", "prompt_id",
	"repository_id", "commit_hash", "parents", "code_hash", "root_blob", "diff_id", "person",
}

// wordLists are columns of text whose values are of a list, in whatever table they are. Some of these lists are Cursor's, and the warehouse has what Cursor wrote.
var wordLists = []string{
	"os", "app", "mode", "status", "model", "price_model", "thinking_level", "project_source", "format", "format_version", "store_kind", "completeness", "agent_backend",
	"role", "kind", "kind_raw", "created_at_source", "origin", "method", "join_method", "error_code", "tool", "tool_kind", "mcp_server_source", "user_decision", "outcome", "result_origin", "language", "command_type", "type",
	"store", "family", "list", "tool_version", "file_extension",
}

// projects are columns that name a project, in whatever table they are.
var projects = []string{"project", "project_uri", "project_path"}

// texts are the others. A column that is in none of the lists is a text, too; a test says that it is to be put into one.
var texts = []string{
	"user_dir", "host", "uri", "plan_id", "todo_id", "subagent_type", "title", "display_title", "subtitle", "started_time_zone", "plan_paths", "git_branch", "kept_from", "worktree_path", "branches", "branch", "draft_text", "summary", "text", "thinking", "error", "extra", "path", "old_path",
	"name", "mcp_server", "mcp_tool", "params", "raw_args", "result", "additional_data", "file_path", "command", "detail", "files", "edit_id", "keyed_by", "part", "label", "file", "file_name", "read_as",
	"repository_path", "prefix", "author_name", "author_email", "committer_name", "committer_email", "subject", "body", "message", "tldr", "overview", "bullets", "content",
	"alias_of", "alias_project", "alias_path", "new_project_uri", "new_project", "new_project_path",
}

// private are tables about this machine's files: nobody else has a use for them.
var private = []string{"quarantine", "raw_files", "key_families", "load_stores"}

// IsShared reports whether a table's rows may be passed on to other machines.
func (t Table) IsShared() bool { return t.Scope != Internal && !slices.Contains(private, t.Name) }

// Discloses says what a column tells.
func (c Column) Discloses() Disclosure {
	switch {
	case c.Type != "VARCHAR" && c.Type != "JSON" && c.Type != "BLOB", slices.Contains(ids, c.Name):
		return Figures
	case slices.Contains(wordLists, c.Name):
		return Words
	case slices.Contains(projects, c.Name):
		return Projects
	}
	return Texts
}

// word is what a word of a list looks like; a kind of usage has up to four with capitals, such as Errored, No Charge.
var word = regexp.MustCompile(`^[A-Za-z0-9_.(][A-Za-z0-9_.:+/()\[\]*-]{0,63}(,? ([A-Z][A-Za-z-]{1,15}|in)){0,3}$`)

// ownTool begins the name of a tool that a user's own server has: it names the server.
var ownTool = regexp.MustCompile(`^(?i)mcp[_-]`)

// IsWord reports whether a value of a column of Words is one, and no text.
func IsWord(value string) bool {
	return value == "" || word.MatchString(value) && !ownTool.MatchString(value)
}
