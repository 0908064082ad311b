package graphtest

import (
	"crypto/sha256"
	"strconv"
)

// This file makes calls of tools.

// ShellTool is a shell command that ended: by success (1) or failure (2).
func ShellTool(id, command, out, errText string, exit int64) Tool {
	field, outcome := 1, "success"
	if exit != 0 {
		field, outcome = 2, "error"
	}
	return Tool{Number: 1, Name: "shell", Outcome: outcome, Exit: &exit,
		Args: msg(str(1, command), str(2, "/w"), num(3, 30000), str(4, id), sub(8, yes(1, true))),
		Took: 12,
		Result: msg(sub(field, str(1, command), str(2, "/w"), num(3, exit), str(5, out), str(6, errText), num(7, 12)),
			sub(101, num(1, 2)), num(102, 1), str(103, "/t"), num(104, 4321)),
		WantArgs: Object("command", Quoted(command), "working_directory", `"/w"`, "timeout", "30000"),
		WantResult: Object("command", Quoted(command), "working_directory", `"/w"`, "exit_code",
			strconv.FormatInt(exit, 10), "execution_time_ms", "12", "stdout", Optional(out), "stderr",
			Optional(errText))}
}

// ReadTool is a read file.
func ReadTool(path, content string) Tool {
	return Tool{Number: 8, Name: "read", Outcome: "success", Args: msg(str(1, path), num(3, 50)),
		Result:     sub(1, str(1, content), num(4, 3), num(5, 20), str(7, path)),
		WantArgs:   Object("path", Quoted(path), "limit", "50"),
		WantResult: Object("content", Optional(content), "total_lines", "3", "file_size", "20", "path", Quoted(path))}
}

// readBlobTool is a read file whose content is in a blob of its own.
func readBlobTool(path, content string) Tool {
	t := ReadTool(path, content)
	h := sha256.Sum256([]byte(content))
	t.Blob, t.Result = []byte(content), sub(1, sub(10, h[:]), num(4, 3), num(5, 20), str(7, path))
	return t
}

// EditTool is an edit that was made.
func EditTool(path string, added, removed int64) Tool {
	t := Tool{Number: 12, Name: "edit", Outcome: "success", Args: msg(str(1, path), str(6, "new")),
		Result:   sub(1, str(1, path), num(3, added), num(4, removed), str(5, "+new"), str(6, "old"), str(7, "new")),
		WantArgs: Object("path", Quoted(path), "content", `"new"`)}
	members := []string{"path", Quoted(path), "diff", `"+new"`, "before", `"old"`, "after", `"new"`}
	if added != 0 {
		t.Added, members = &added, append(members, "lines_added", strconv.FormatInt(added, 10))
	}
	if removed != 0 {
		t.Removed, members = &removed, append(members, "lines_removed", strconv.FormatInt(removed, 10))
	}
	t.WantResult = Object(members...)
	return t
}

// MCPTool is a call of a server's tool. Arguments are values of every type.
func MCPTool(id string, isError bool) Tool {
	outcome := "success"
	if isError {
		outcome = "error"
	}
	value := func(parts ...[]byte) []byte { return msg(parts...) }
	list := sub(6, sub(1, value(float(2, 1.5))), sub(1, value(sub(3, []byte("x")))))
	inner := sub(5, entry(1, "deep", num(4, 1)))
	return Tool{Number: 15, Name: "mcp", Outcome: outcome,
		Args: msg(str(1, "github-search"), entry(2, "query", str(3, "bug")), entry(2, "list", list),
			entry(2, "inner", inner), entry(2, "none", []byte{1 << 3, 0}), entry(2, "json", []byte(`"raw"`)),
			str(3, id), str(4, "github"), str(5, "search")),
		Result: sub(1, sub(1, sub(1, str(1, "found"))),
			sub(1, sub(2, sub(1, []byte{1, 2, 3}), str(2, "image/png"))), yes(2, isError)),
		WantArgs: `{"name":"github-search","args":{"query":"bug","list":[1.5,"x"],"inner":{"deep":true},"none":null,"json":"raw"},"provider":"github","tool":"search"}`,
		WantResult: Object("contents", `[{"text":{"text":"found"}},{"image":{"mime_type":"image/png"}}]`, "is_error",
			OptionalFlag(isError))}
}

// TaskTool is a subagent that was started.
func TaskTool(agent string) Tool {
	return Tool{Number: 19, Name: "task", Outcome: "success", Agent: agent, Took: 900,
		Args:     msg(str(1, "look"), str(2, "look for it"), sub(3, sub(4)), str(4, "fast")),
		Result:   sub(1, str(2, agent), yes(3, true), num(4, 900), str(7, "/t/a.jsonl")),
		WantArgs: `{"description":"look","prompt":"look for it","model":"fast"}`,
		WantResult: Object("agent_id", Quoted(agent), "is_background", "true", "duration_ms", "900", "transcript_path",
			`"/t/a.jsonl"`)}
}

// PlainTool is a variant whose fields are known by number only.
func PlainTool(number int, name string) Tool {
	return Tool{Number: number, Name: name, Outcome: "success", Args: msg(str(1, "some text"), num(2, 7)),
		Result: sub(1, str(1, "result text")), WantArgs: `{"1":"some text","2":7}`, WantResult: `{"1":"result text"}`}
}

// Ended gives a tool another outcome: the field of the result, with one text in a field of its message.
func Ended(t Tool, outcome string, field, textField int, name string) Tool {
	t.Outcome, t.Exit, t.Added, t.Removed, t.Took = outcome, nil, nil, nil, 0
	t.Result, t.WantResult = sub(field, str(textField, "because")), Object(name, `"because"`)
	return t
}

// variantNames are all variants, as Cursor's descriptors name them; those that have a constructor of their own are left
// out.
var variantNames = map[int]string{
	4: "glob", 17: "create_plan", 20: "list_mcp_resources", 21: "read_mcp_resource", 22: "apply_agent_diff",
	23: "ask_question", 25: "switch_mode", 28: "generate_image", 29: "record_screen", 30: "computer_use",
	31: "write_shell_stdin", 32: "reflect", 33: "setup_vm_environment", 35: "start_grind_execution",
	36: "start_grind_planning", 37: "web_fetch", 38: "report_bugfix_results", 39: "ai_attribution", 40: "pr_management",
	41: "mcp_auth", 42: "await", 43: "blame_by_file_path", 44: "get_mcp_tools", 45: "report_bug",
	46: "set_active_branch", 48: "communicate_update", 49: "send_final_summary", 50: "update_pr_code_tour",
	51: "replace_env", 52: "edit_pr_labels", 53: "record_ci_investigation_findings", 55: "send_message",
	56: "fetch_cloud_agent_data", 58: "send_to_user", 61: "pi_read", 62: "pi_bash", 63: "pi_edit", 64: "pi_write",
	65: "pi_grep", 66: "pi_find", 67: "pi_ls", 68: "connect_scm", 69: "search_conversations", 70: "create_goal",
	71: "update_goal", 72: "adopt", 73: "get_agent_status", 74: "send_to_agent", 75: "read_agent_transcript",
	76: "create_agent", 77: "stop_agent", 78: "get_pr_code_tour", 79: "write_canvas", 80: "read_canvas",
}

// namedTools are the variants whose fields are known by name, apart from those above.
func namedTools() []Tool {
	todo := sub(1, str(1, "t1"), str(2, "do it"), num(3, 2), str(6, "t0"))
	todoJSON := `{"todos":[{"id":"t1","content":"do it","status":2,"dependencies":["t0"]}]}`
	found := sub(1, sub(1, str(1, "Title"), str(2, "https://x"), str(3, "body")))
	foundJSON := `{"references":[{"title":"Title","url":"https://x","text":"body"}]}`
	return []Tool{
		{Number: 3, Name: "delete", Outcome: "success", Args: msg(str(1, "/w/a"), str(2, "in-args")),
			Result: sub(1, str(1, "/w/a"), num(3, 9)), WantArgs: `{"path":"/w/a"}`,
			WantResult: `{"path":"/w/a","file_size":9}`},
		{Number: 5, Name: "grep", Outcome: "success", Args: msg(str(1, "TODO"), str(2, "/w"), str(14, "in-args")),
			Result: sub(1, str(1, "TODO"), str(2, "/w")), WantArgs: `{"pattern":"TODO","path":"/w"}`,
			WantResult: `{"1":"TODO","2":"/w"}`},
		{Number: 9, Name: "update_todos", Outcome: "success", Args: msg(todo), Result: sub(1, todo), WantArgs: todoJSON,
			WantResult: todoJSON},
		{Number: 10, Name: "read_todos", Outcome: "success", Args: sub(1, []byte{1, 2}), Result: sub(1, todo),
			WantArgs: `{"status_filter":[1,2]}`, WantResult: todoJSON},
		{Number: 13, Name: "ls", Outcome: "success", Args: str(1, "/w"), Result: sub(1, sub(1, str(1, "/w"))),
			WantArgs: `{"path":"/w"}`, WantResult: `{"1":{"1":"/w"}}`},
		{Number: 14, Name: "read_lints", Outcome: "success", Args: msg(str(1, "/a"), str(1, "/b")), Result: sub(1),
			WantArgs: `{"paths":["/a","/b"]}`, WantResult: `{}`},
		{Number: 16, Name: "sem_search", Outcome: "success", Args: str(1, "where"), Result: sub(1, str(1, "here")),
			WantArgs: `{"query":"where"}`, WantResult: `{"results":"here"}`},
		{Number: 18, Name: "web_search", Outcome: "success", Args: str(1, "go"), Result: found,
			WantArgs: `{"search_term":"go"}`, WantResult: foundJSON},
		{Number: 24, Name: "fetch", Outcome: "success", Args: str(1, "https://x"),
			Result: sub(1, str(2, "body"), num(3, 200)), WantArgs: `{"url":"https://x"}`,
			WantResult: `{"content":"body","status_code":200}`},
		{Number: 26, Name: "exa_search", Outcome: "success", Args: str(1, "go"), Result: found,
			WantArgs: `{"query":"go"}`, WantResult: foundJSON},
		{Number: 27, Name: "exa_fetch", Outcome: "success", Args: str(1, "i1"), Result: found,
			WantArgs: `{"ids":["i1"]}`, WantResult: foundJSON},
	}
}
