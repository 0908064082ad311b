package storetest

// callCases are about what a tool call records of itself, beside its parameters and its result.
var callCases = []namedCase{
	{name: "call_started_in_call", plan: func(b *caseBuilder) {
		c, m := b.talk()
		m.own = stamp{}
		b.call(m, newTools[4]).more = []string{"startedAtMs", itoa64(m.finish - 1500)}
		m.called = m.finish - 1500
		b.expect(bubble(c, m, "json_type(value, '$.toolFormerData.additionalData.startedAtMs') = 'integer'"), 1,
			ofMessage(c, m, "created_at_source || epoch_ms(created_at)"), "tool"+itoa64(m.finish-1500))
	}},
	{name: "call_ended_with_its_message",
		bubble: "json_extract(value, '$.toolFormerData.additionalData.startedAtMs') IS NOT NULL", call: "duration_ms",
		want: "1500", plan: func(b *caseBuilder) {
			b.call(b.m, newTools[4]).more = []string{"startedAtMs", itoa64(b.m.finish - 1500)}
		}},
	{name: "call_states_its_duration",
		bubble: "json_extract(json_extract(value, '$.toolFormerData.result'), '$.durationMs') = 777",
		call:   "duration_ms", want: "777", plan: func(b *caseBuilder) {
			t := b.call(b.m, taskTool)
			t.more, t.answer = []string{"startedAtMs", itoa64(b.m.finish - 1500)}, `{"agentId":"none","durationMs":777}`
		}},
	{name: "call_decided_in_additional_data", bubble: "json_type(value, '$.toolFormerData.userDecision') IS NULL",
		call: "user_decision || coalesce(is_error::VARCHAR, ' unknown')", want: "rejected unknown",
		plan: func(b *caseBuilder) {
			t := b.call(b.m, newTools[4])
			t.more, t.refused = []string{"userDecision", `"rejected"`}, true
		}},
	{name: "call_rejected_in_result",
		bubble: "json_extract(json_extract(value, '$.toolFormerData.result'), '$.rejected')",
		call:   "user_decision || coalesce(is_error::VARCHAR, ' unknown')", want: "rejected unknown",
		plan: func(b *caseBuilder) {
			t := b.call(b.m, newTools[4])
			t.answer, t.refused = `{"rejected":true}`, true
		}},
	{name: "call_rejected_with_a_reason",
		bubble: "json_extract(json_extract(value, '$.toolFormerData.result'), '$.rejected.reason') = ''",
		call:   "user_decision || coalesce(is_error::VARCHAR, ' unknown')", want: "rejected unknown",
		plan: func(b *caseBuilder) {
			t := b.call(b.m, newTools[4])
			t.answer, t.refused = `{"rejected":{"reason":""}}`, true
		}},
	{name: "call_error_message_in_result", bubble: "json_extract(value, '$.toolFormerData.status') = 'completed'",
		call: "error || ' ' || is_error", want: "It is gone. true", plan: func(b *caseBuilder) {
			t := b.call(b.m, newTools[4])
			t.answer, t.ended = `{"error":{"errorMessage":"It is gone."}}`, "error"
		}},
	besideCompletedCase("call_says_error_beside_completed", "error", "error", "error"),
	besideCompletedCase("call_says_rejected_beside_completed", "rejected", "rejected", "rejected"),
	besideCompletedCase("call_says_cancelled_beside_completed", "cancelled", "", "ok"), // it is in the background
	{name: "call_exit_code", bubble: "json_extract(value, '$.toolFormerData.status') = 'completed'",
		call: "exit_code || ' ' || is_error", want: "2 true",
		plan: func(b *caseBuilder) { b.call(b.m, newTools[4]).exit = 2 }},
	{name: "call_command_in_raw_args", bubble: "json_type(value, '$.toolFormerData.params') IS NULL", call: "command",
		want: "go vet ./ledger", plan: func(b *caseBuilder) {
			t := b.call(b.m, newTools[4])
			t.status, t.onlyRaw, t.params = "error", true, `{"command":"go vet ./ledger"}`
		}},
	{name: "call_file_in_raw_args", bubble: "json_type(value, '$.toolFormerData.params') IS NULL", call: "file_path",
		want: "ledger/post.go", plan: func(b *caseBuilder) {
			t := b.call(b.m, newTools[0])
			t.status, t.onlyRaw, t.params = "cancelled", true, `{"target_file":"ledger/post.go"}`
		}},
	{name: "call_additional_data",
		bubble: "json_extract(value, '$.toolFormerData.additionalData.blockReason') IS NOT NULL",
		call:   "additional_data->>'blockReason'", want: "not in the allowlist", plan: func(b *caseBuilder) {
			b.call(b.m, newTools[4]).more = []string{"blockReason", `"not in the allowlist"`}
		}},
	{name: "call_of_a_subagent",
		bubble: "json_extract(json_extract(value, '$.toolFormerData.result'), '$.agentId') = 'an-agent'",
		call:   "subagent_id", want: "an-agent", plan: func(b *caseBuilder) {
			t := b.call(b.m, taskTool)
			t.answer = `{"agentId":"an-agent"}`
		}},
	{name: "mcp_server_with_a_hyphen", plan: mcpCase("'_'", "mcp_chrome-devtools_navigate_page", "chrome-devtools",
		`{"serverName":"chrome-devtools"}`)},
	{name: "mcp_server_after_hyphens", plan: mcpCase("'-'", "mcp-ida-pro-decompile", "ida-pro",
		`{"tools":[{"name":"decompile","serverName":"ida-pro"}]}`)},
	{name: "mcp_server_that_begins_another", plan: mcpCase("'-'", "mcp-acme-docs-search", "acme-docs",
		`{"server":"acme-docs","toolName":"search"}`, `{"server":"acme","toolName":"docs-find"}`)},
	{name: "mcp_server_cut_by_the_tool", bubble: "json_extract(value, '$.toolFormerData.params') NOT LIKE '%server%'",
		call: mcpColumns, want: "tide-board move_card params", plan: func(b *caseBuilder) {
			b.call(b.m, toolSpec{19, "mcp_tide-board_move_card", "mcp", "mcp", 0, "tide-board"}).
				params = `{"tools":[{"name":"move_card"}]}`
		}},
	{name: "mcp_server_unknown", bubble: "json_extract(value, '$.toolFormerData.name') = 'mcp_zeta_list-all'",
		call: mcpColumns, want: "zeta list-all name", plan: func(b *caseBuilder) {
			b.call(b.m, toolSpec{19, "mcp_zeta_list-all", "mcp", "mcp", 0, "zeta"}).params = `{"tools":[]}`
		}},
	{name: "mcp_server_in_descriptors", plan: func(b *caseBuilder) {
		c, m := b.talk()
		b.call(m, toolSpec{19, "mcp_post-gres_query", "mcp", "mcp", 0, "post-gres"}).params = "{}"
		other, offered := b.talk()
		offered.fields = append(offered.fields, "mcpDescriptors",
			`[{"serverName":"post-gres","serverIdentifier":"user-post-gres","folderPath":"/home/mira/.cursor/projects/p/mcps/user-post-gres","tools":[{"toolName":"query"}]}]`)
		b.expect(bubble(other, offered, "json_array_length(value, '$.mcpDescriptors') = 1"), 1, ofTool(c, mcpColumns),
			"post-gres query known")
	}},
	{name: "mcp_server_in_settings", plan: func(b *caseBuilder) {
		c, m := b.talk()
		b.call(m, toolSpec{19, "mcp_figma-dev_get_frame", "mcp", "mcp", 0, "figma-dev"}).params = "{}"
		b.p.items = append(b.p.items, Row{ItemTable, "mcpService.knownServerIds",
			`["user-figma-dev","cursor-ide-browser"]`})
		b.expect("SELECT json_array_length(value) FROM ItemTable WHERE key = 'mcpService.knownServerIds'", 2,
			ofTool(c, mcpColumns), "figma-dev get_frame known")
	}},
	{name: "call_named_shell", bubble: "json_extract(value, '$.toolFormerData.name') = 'Shell'",
		call: "tool_kind || exit_code", want: "shell3",
		plan: func(b *caseBuilder) { b.call(b.m, toolSpec{name: "Shell", want: "Shell", kind: "shell"}).exit = 3 }},
	{name: "error_with_details", bubble: "json_type(value, '$.errorDetails.error') = 'object'",
		message: "error_code || ' ' || error", want: "57 LLM provider error: 400 level not supported",
		plan: func(b *caseBuilder) {
			b.m.text, b.m.fields = "", append(b.m.fields, "errorDetails",
				`{"error":{"error":57,"details":{"title":"LLM provider error","detail":"400 level not supported"}}}`)
			b.m.err, b.m.ownError = true, true
		}},
	{name: "error_in_text", bubble: "json_type(value, '$.errorDetails.error') = 'text'",
		message: "error_code || ' ' || error", want: "ERROR_USER_ABORTED_REQUEST User aborted request.",
		plan: func(b *caseBuilder) {
			b.m.text, b.m.fields = "", append(b.m.fields, "errorDetails",
				`{"error":"{\"error\":\"ERROR_USER_ABORTED_REQUEST\",\"details\":{\"title\":\"User aborted request.\"}}","message":"Error"}`)
			b.m.err, b.m.ownError = true, true
		}},
	{name: "turn_duration_in_message", bubble: "json_extract(value, '$.turnDurationMs') = 5463",
		message: "turn_duration_ms", want: "5463",
		plan: func(b *caseBuilder) { b.m.fields, b.m.turnMS = append(b.m.fields, "turnDurationMs", "5463"), 5463 }},
	{name: "summarized", bubble: "json_extract(value, '$.capabilityType') = 22", message: "kind", want: "compaction",
		plan: func(b *caseBuilder) {
			b.m.text, b.m.summarized = "Chat context summarized.", true
			b.m.fields = append(b.m.fields, "capabilityType", "22")
		}},
	{name: "rich_text_of_prosemirror", bubble: "json_extract(json_extract(value, '$.richText'), '$.type') = 'doc'",
		message: "text", want: "one\ntwo",
		plan: func(b *caseBuilder) { b.m.text, b.m.textIn = "one\ntwo", "prosemirror" }},
	{name: "text_in_blocks", bubble: "json_type(value, '$.text') = 'array'", message: "text", want: "one\ntwo",
		plan: func(b *caseBuilder) { b.m.text, b.m.textIn = "one\ntwo", "blocks" }},
	{name: "type_1_point_0", bubble: "json_type(value, '$.type') = 'real'", message: "role", want: "user",
		plan: func(b *caseBuilder) { b.m.typ, b.m.role = "1.0", "user" }},
	{name: "tokens_of_the_cache", bubble: "json_extract(value, '$.tokenCount.cacheReadTokens') = 1200",
		message: "cache_read_tokens || ' ' || cache_write_tokens || coalesce(input_tokens::VARCHAR, ' -')",
		want:    "1200 30 -", plan: func(b *caseBuilder) {
			b.m.tokens, b.m.fields = false, append(b.m.fields, "tokenCount",
				`{"inputTokens":0,"outputTokens":0,"cacheReadTokens":1200,"cacheWriteTokens":30}`)
		}},
}

// mcpColumns are what a call says of its server.
const mcpColumns = "mcp_server || ' ' || mcp_tool || ' ' || mcp_server_source"

// mcpCase is a call whose name alone has the server, after a separator. Each of params is of a call in a conversation
// of its own, which makes a server known; the first is that of the call's server.
func mcpCase(separator, name, server string, params ...string) func(b *caseBuilder) {
	return func(b *caseBuilder) {
		c, m := b.talk()
		t := b.call(m, toolSpec{19, name, "mcp", "mcp", 0, server})
		t.params = `{"tools":[]}`
		for i, p := range params {
			_, other := b.talk()
			named := toolSpec{19, name, "mcp", "mcp", 0, server}
			if i > 0 {
				named.name, named.server = "mcp-acme-docs-find", "acme"
			}
			b.call(other, named).params = p
		}
		b.expect(bubble(c, m, "substr(json_extract(value, '$.toolFormerData.name'), 4, 1) = "+separator), 1,
			ofTool(c, mcpColumns), server+" "+t.mcpTool()+" known")
	}
}

// besideCompletedCase is a case of a call with status completed and another state in additionalData. ended is what that
// state says of the end.
func besideCompletedCase(name, state, ended, outcome string) namedCase {
	return namedCase{name: name,
		bubble: "json_extract(value, '$.toolFormerData.additionalData.status') = " + sqlText(state),
		call:   "outcome", want: outcome, plan: func(b *caseBuilder) {
			t := b.call(b.m, newTools[4])
			t.more, t.ended = []string{"status", quoted(state)}, ended
		}}
}
