package graph

import "google.golang.org/protobuf/encoding/protowire"

// This file says which tools there are, and what the fields of their messages mean.

// Outcomes of calls.
const (
	success  = "success"
	failure  = "error"
	rejected = "rejected"
	denied   = "denied"
)

// A tool is a variant of ToolCall. Every variant but the truncated one has arguments in field 1 and a result in
// field 2. A result has one field, whose number is the outcome: 1 is success, and any other is an error, unless
// outcomes say otherwise.
type tool struct {
	name     string
	args     []spec                      // nil: names of fields are not known
	results  map[protowire.Number][]spec // of the message in each field of the result; nil: names are not known
	outcomes map[protowire.Number]string // "" is no outcome
}

// Variants whose messages name blobs.
const (
	readCall      = 8  // the content of a file
	truncatedCall = 34 // the original step
)

// Specifications that several tools share.
var (
	pathText  = spec{num: 1, name: "path"}
	errorText = []spec{{num: 1, name: "error"}}
	pathError = []spec{{num: 1, name: "path"}, {num: 2, name: "error"}, {num: 3, name: "is_readonly", kind: flag},
		{num: 5, name: "model_visible_error"}}
	onlyID    = func(num protowire.Number) spec { return spec{num: num, name: "tool_call_id", kind: callID} }
	todoItems = spec{num: 1, name: "todos", kind: object, many: true,
		fields: []spec{{num: 1, name: "id"}, {num: 2, name: "content"}, {num: 3, name: "status", kind: number},
			{num: 4, name: "created_at", kind: number}, {num: 5, name: "updated_at", kind: number},
			{num: 6, name: "dependencies", many: true}}}
	shellEnd = []spec{{num: 1, name: "command"}, {num: 2, name: "working_directory"},
		{num: 3, name: "exit_code", kind: number, always: true}, {num: 4, name: "signal"}, {num: 5, name: "stdout"},
		{num: 6, name: "stderr"}, {num: 7, name: "execution_time_ms", kind: number}, {num: 8, kind: ignored},
		{num: 9, kind: ignored}, {num: 10, name: "output"}, {num: 11, kind: ignored}, {num: 12, kind: ignored},
		{num: 13, kind: ignored}, {num: 14, kind: ignored}, {num: 15, kind: ignored}, {num: 16, kind: ignored},
		{num: 17, kind: ignored}}
	shellNot = []spec{{num: 1, name: "command"}, {num: 2, name: "working_directory"}, {num: 3, name: "reason"},
		{num: 4, name: "is_readonly", kind: flag}}
	found = spec{num: 1, name: "references", kind: object, many: true,
		fields: []spec{{num: 1, name: "title"}, {num: 2, name: "url"}, {num: 3, name: "text"},
			{num: 4, name: "published_date"}}}
	fetched = tool{name: "fetch", args: []spec{{num: 1, name: "url"}, onlyID(2)}, results: map[protowire.Number][]spec{
		1: {{num: 1, name: "url"}, {num: 2, name: "content"}, {num: 3, name: "status_code", kind: number},
			{num: 4, name: "content_type"}}, 2: {{num: 1, name: "url"}, {num: 2, name: "error"}}}}
	thirdRejects = map[protowire.Number]string{3: rejected}
)

// ignore are specifications of fields that are known and not read.
func ignore(nums ...protowire.Number) (all []spec) {
	for _, n := range nums {
		all = append(all, spec{num: n, kind: ignored})
	}
	return all
}

// tools are the variants by their field numbers. For many only the name is known, or the name and where the id is.
var tools = map[protowire.Number]tool{
	1: {"shell",
		append([]spec{{num: 1, name: "command"}, {num: 2, name: "working_directory"},
			{num: 3, name: "timeout", kind: number}, onlyID(4), {num: 11, name: "is_background", kind: flag},
			{num: 15, name: "description"}}, ignore(5, 6, 7, 8, 9, 10, 12, 13, 14, 16, 17, 18, 19, 20, 21)...),
		map[protowire.Number][]spec{1: shellEnd, 2: shellEnd,
			3: {{num: 1, name: "command"}, {num: 2, name: "working_directory"},
				{num: 3, name: "timeout_ms", kind: number}}, 4: shellNot, 5: shellNot, 7: shellNot},
		map[protowire.Number]string{4: rejected, 7: denied}},
	3: {"delete", []spec{pathText, onlyID(2)}, map[protowire.Number][]spec{
		1: {pathText, {num: 2, name: "deleted_file"}, {num: 3, name: "file_size", kind: number},
			{num: 4, name: "prev_content"}}, 7: pathError},
		map[protowire.Number]string{4: denied, 6: rejected}},
	4: {name: "glob"},
	5: {"grep",
		append([]spec{{num: 1, name: "pattern"}, {num: 2, name: "path"}, {num: 3, name: "glob"},
			{num: 4, name: "output_mode"}, {num: 5, name: "context_before", kind: number},
			{num: 6, name: "context_after", kind: number}, {num: 7, name: "context", kind: number},
			{num: 8, name: "case_insensitive", kind: flag}, {num: 9, name: "type"},
			{num: 10, name: "head_limit", kind: number}, {num: 11, name: "multiline", kind: flag}, onlyID(14),
			{num: 16, name: "offset", kind: number}},
			ignore(12, 13, 15)...), map[protowire.Number][]spec{2: errorText}, nil},
	readCall: {"read", []spec{pathText, {num: 2, name: "offset", kind: number}, {num: 3, name: "limit", kind: number}},
		map[protowire.Number][]spec{
			1: append([]spec{{num: 1, name: "content"}, {num: 10, name: "content", kind: ref},
				{num: 4, name: "total_lines", kind: number}, {num: 5, name: "file_size", kind: number},
				{num: 7, name: "path"}}, ignore(2, 3, 6, 8, 9)...),
			2: errorText}, nil},
	9: {"update_todos", []spec{todoItems, {num: 2, name: "merge", kind: flag}},
		map[protowire.Number][]spec{1: {todoItems, {num: 2, name: "total_count", kind: number},
			{num: 3, name: "was_merge", kind: flag}}, 2: errorText}, nil},
	10: {"read_todos", []spec{{num: 1, name: "status_filter", kind: number, many: true},
		{num: 2, name: "id_filter", many: true}},
		map[protowire.Number][]spec{1: {todoItems, {num: 2, name: "total_count", kind: number}}, 2: errorText}, nil},
	12: {"edit", []spec{pathText, {num: 6, name: "content"}}, map[protowire.Number][]spec{
		1: {pathText, {num: 3, name: "lines_added", kind: number}, {num: 4, name: "lines_removed", kind: number},
			{num: 5, name: "diff"}, {num: 6, name: "before"}, {num: 7, name: "after"}, {num: 8, name: "message"}},
		2: pathError, 3: pathError, 4: pathError, 6: pathError, 7: pathError},
		map[protowire.Number]string{3: denied, 4: denied, 6: rejected}},
	13: {"ls", append([]spec{pathText, {num: 2, name: "ignore", many: true}, onlyID(3)}, ignore(4, 5)...),
		map[protowire.Number][]spec{2: pathError, 3: pathError}, thirdRejects},
	14: {"read_lints", []spec{{num: 1, name: "paths", many: true}}, map[protowire.Number][]spec{2: errorText}, nil},
	15: {"mcp",
		append([]spec{{num: 1, name: "name"}, {num: 2, name: "args", kind: entries}, onlyID(3),
			{num: 4, name: "provider"}, {num: 5, name: "tool"}, {num: 9, name: "server"}}, ignore(6, 7, 8)...),
		map[protowire.Number][]spec{1: {{num: 1, name: "contents", kind: object, many: true,
			fields: []spec{{num: 1, name: "text", kind: object,
				fields: []spec{{num: 1, name: "text"}, {num: 2, kind: ignored}}},
				{num: 2, name: "image", kind: object,
					fields: []spec{{num: 1, kind: ignored}, {num: 2, name: "mime_type"}}}}},
			{num: 2, name: "is_error", kind: flag}},
			2: append([]spec{{num: 2, kind: ignored}}, errorText...),
			3: {{num: 1, name: "reason"}, {num: 2, name: "is_readonly", kind: flag}},
			4: {{num: 1, name: "error"}, {num: 2, name: "is_readonly", kind: flag}}},
		map[protowire.Number]string{3: rejected, 4: denied}},
	16: {"sem_search", []spec{{num: 1, name: "query"}, {num: 2, name: "target_directories", many: true},
		{num: 3, name: "explanation"}},
		map[protowire.Number][]spec{1: {{num: 1, name: "results"}, {num: 2, kind: ignored}}, 2: errorText}, nil},
	17: {name: "create_plan", outcomes: map[protowire.Number]string{3: ""}},
	18: {"web_search", []spec{{num: 1, name: "search_term"}, onlyID(2)},
		map[protowire.Number][]spec{1: {found}, 2: errorText, 3: {{num: 1, name: "reason"}}}, thirdRejects},
	19: {"task",
		append([]spec{{num: 1, name: "description"}, {num: 2, name: "prompt"}, {num: 3, kind: ignored},
			{num: 4, name: "model"}, {num: 5, name: "resume"}}, ignore(6, 7, 8, 9, 10)...),
		map[protowire.Number][]spec{1: append(
			[]spec{{num: 2, name: "agent_id"}, {num: 3, name: "is_background", kind: flag},
				{num: 4, name: "duration_ms", kind: number}, {num: 7, name: "transcript_path"}},
			ignore(1, 5, 6, 8, 9)...), 2: errorText}, nil},
	20: {name: "list_mcp_resources", outcomes: thirdRejects}, 21: {name: "read_mcp_resource", outcomes: thirdRejects},
	22: {name: "apply_agent_diff"}, 23: {name: "ask_question",
		outcomes: map[protowire.Number]string{3: rejected, 4: ""}}, 24: fetched,
	25: {name: "switch_mode", outcomes: thirdRejects},
	26: {"exa_search", []spec{{num: 1, name: "query"}, {num: 2, name: "type"},
		{num: 3, name: "num_results", kind: number}, onlyID(4)},
		map[protowire.Number][]spec{1: {found}, 2: errorText, 3: {{num: 1, name: "reason"}}}, thirdRejects},
	27: {"exa_fetch", []spec{{num: 1, name: "ids", many: true}, onlyID(2)},
		map[protowire.Number][]spec{1: {found}, 2: errorText, 3: {{num: 1, name: "reason"}}}, thirdRejects},
	28: {name: "generate_image"}, 29: {name: "record_screen",
		outcomes: map[protowire.Number]string{2: success, 3: success}}, 30: {name: "computer_use"},
	31: {name: "write_shell_stdin"}, 32: {name: "reflect"}, 33: {name: "setup_vm_environment"},
	truncatedCall: {name: "truncated"}, 35: {name: "start_grind_execution"}, 36: {name: "start_grind_planning"},
	37: {name: "web_fetch", outcomes: thirdRejects}, 38: {name: "report_bugfix_results"}, 39: {name: "ai_attribution"},
	40: {name: "pr_management", outcomes: map[protowire.Number]string{3: rejected, 4: "", 5: ""}},
	41: {name: "mcp_auth", outcomes: thirdRejects},
	42: {name: "await", outcomes: map[protowire.Number]string{2: "", 4: success}}, 43: {name: "blame_by_file_path"},
	44: {name: "get_mcp_tools"}, 45: {name: "report_bug"}, 46: {name: "set_active_branch"},
	48: {name: "communicate_update"}, 49: {name: "send_final_summary"}, 50: {name: "update_pr_code_tour"},
	51: {name: "replace_env"}, 52: {name: "edit_pr_labels"}, 53: {name: "record_ci_investigation_findings"},
	55: {name: "send_message"}, 56: {name: "fetch_cloud_agent_data"}, 58: {name: "send_to_user"}, 61: {name: "pi_read"},
	62: {name: "pi_bash"}, 63: {name: "pi_edit", outcomes: thirdRejects},
	64: {name: "pi_write", outcomes: thirdRejects}, 65: {name: "pi_grep"}, 66: {name: "pi_find"}, 67: {name: "pi_ls"},
	68: {name: "connect_scm", outcomes: thirdRejects}, 69: {name: "search_conversations"}, 70: {name: "create_goal"},
	71: {name: "update_goal"}, 72: {name: "adopt"}, 73: {name: "get_agent_status"}, 74: {name: "send_to_agent"},
	75: {name: "read_agent_transcript"}, 76: {name: "create_agent"}, 77: {name: "stop_agent"},
	78: {name: "get_pr_code_tour"}, 79: {name: "write_canvas"}, 80: {name: "read_canvas"},
}
