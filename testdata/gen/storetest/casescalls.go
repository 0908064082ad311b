package storetest

// callCases are about what a tool call records of itself, beside its parameters and its result.
var callCases = []namedCase{
	{"call_started_in_call", func(b *caseBuilder) {
		c, m := b.talk()
		m.own = stamp{}
		b.call(m, newTools[4]).more = []string{"startedAtMs", itoa64(m.finish - 1500)}
		m.called = m.finish - 1500
		b.expect(bubble(c, m, "json_type(value, '$.toolFormerData.additionalData.startedAtMs') = 'integer'"), 1,
			ofMessage(c, m, "created_at_source || epoch_ms(created_at)"), "tool"+itoa64(m.finish-1500))
	}},
	{"call_ended_with_its_message", func(b *caseBuilder) {
		c, m := b.talk()
		b.call(m, newTools[4]).more = []string{"startedAtMs", itoa64(m.finish - 1500)}
		b.expect(bubble(c, m, "json_extract(value, '$.toolFormerData.additionalData.startedAtMs') IS NOT NULL"), 1,
			ofTool(c, "duration_ms"), "1500")
	}},
	{"call_states_its_duration", func(b *caseBuilder) {
		c, m := b.talk()
		t := b.call(m, taskTool)
		t.more, t.answer = []string{"startedAtMs", itoa64(m.finish - 1500)}, `{"agentId":"none","durationMs":777}`
		b.expect(bubble(c, m, "json_extract(json_extract(value, '$.toolFormerData.result'), '$.durationMs') = 777"), 1,
			ofTool(c, "duration_ms"), "777")
	}},
	{"call_decided_in_additional_data", func(b *caseBuilder) {
		c, m := b.talk()
		t := b.call(m, newTools[4])
		t.more, t.refused = []string{"userDecision", `"rejected"`}, true
		b.expect(bubble(c, m, "json_type(value, '$.toolFormerData.userDecision') IS NULL"), 1,
			ofTool(c, "user_decision || coalesce(is_error::VARCHAR, ' unknown')"), "rejected unknown")
	}},
	{"call_rejected_in_result", func(b *caseBuilder) {
		c, m := b.talk()
		t := b.call(m, newTools[4])
		t.answer, t.refused = `{"rejected":true}`, true
		b.expect(bubble(c, m, "json_extract(json_extract(value, '$.toolFormerData.result'), '$.rejected')"), 1,
			ofTool(c, "user_decision || coalesce(is_error::VARCHAR, ' unknown')"), "rejected unknown")
	}},
	{"call_rejected_with_a_reason", func(b *caseBuilder) {
		c, m := b.talk()
		t := b.call(m, newTools[4])
		t.answer, t.refused = `{"rejected":{"reason":""}}`, true
		b.expect(bubble(c, m, "json_extract(json_extract(value, '$.toolFormerData.result'), '$.rejected.reason') = ''"),
			1, ofTool(c, "user_decision || coalesce(is_error::VARCHAR, ' unknown')"), "rejected unknown")
	}},
	{"call_error_message_in_result", func(b *caseBuilder) {
		c, m := b.talk()
		t := b.call(m, newTools[4])
		t.answer, t.ended = `{"error":{"errorMessage":"It is gone."}}`, "error"
		b.expect(bubble(c, m, "json_extract(value, '$.toolFormerData.status') = 'completed'"), 1,
			ofTool(c, "error || ' ' || is_error"), "It is gone. true")
	}},
	{"call_says_error_beside_completed", besideCompleted("error", "error", "error")},
	{"call_says_rejected_beside_completed", besideCompleted("rejected", "rejected", "rejected")},
	{"call_says_cancelled_beside_completed", besideCompleted("cancelled", "", "ok")}, // it is in the background
	{"call_exit_code", func(b *caseBuilder) {
		c, m := b.talk()
		b.call(m, newTools[4]).exit = 2
		b.expect(bubble(c, m, "json_extract(value, '$.toolFormerData.status') = 'completed'"), 1,
			ofTool(c, "exit_code || ' ' || is_error"), "2 true")
	}},
	{"call_command_in_raw_args", func(b *caseBuilder) {
		c, m := b.talk()
		t := b.call(m, newTools[4])
		t.status, t.onlyRaw, t.params = "error", true, `{"command":"go vet ./ledger"}`
		b.expect(bubble(c, m, "json_type(value, '$.toolFormerData.params') IS NULL"), 1, ofTool(c, "command"),
			"go vet ./ledger")
	}},
	{"call_file_in_raw_args", func(b *caseBuilder) {
		c, m := b.talk()
		t := b.call(m, newTools[0])
		t.status, t.onlyRaw, t.params = "cancelled", true, `{"target_file":"ledger/post.go"}`
		b.expect(bubble(c, m, "json_type(value, '$.toolFormerData.params') IS NULL"), 1, ofTool(c, "file_path"),
			"ledger/post.go")
	}},
	{"call_additional_data", func(b *caseBuilder) {
		c, m := b.talk()
		b.call(m, newTools[4]).more = []string{"blockReason", `"not in the allowlist"`}
		b.expect(bubble(c, m, "json_extract(value, '$.toolFormerData.additionalData.blockReason') IS NOT NULL"), 1,
			ofTool(c, "additional_data->>'blockReason'"), "not in the allowlist")
	}},
	{"call_of_a_subagent", func(b *caseBuilder) {
		c, m := b.talk()
		t := b.call(m, taskTool)
		t.answer = `{"agentId":"an-agent"}`
		b.expect(bubble(c, m, "json_extract(json_extract(value, '$.toolFormerData.result'), '$.agentId') = 'an-agent'"),
			1, ofTool(c, "subagent_id"), "an-agent")
	}},
	{"mcp_server_with_a_hyphen", mcpCase("'_'", "mcp_chrome-devtools_navigate_page", "chrome-devtools",
		`{"serverName":"chrome-devtools"}`)},
	{"mcp_server_after_hyphens", mcpCase("'-'", "mcp-ida-pro-decompile", "ida-pro",
		`{"tools":[{"name":"decompile","serverName":"ida-pro"}]}`)},
	{"mcp_server_that_begins_another", mcpCase("'-'", "mcp-acme-docs-search", "acme-docs",
		`{"server":"acme-docs","toolName":"search"}`, `{"server":"acme","toolName":"docs-find"}`)},
	{"mcp_server_cut_by_the_tool", func(b *caseBuilder) {
		c, m := b.talk()
		b.call(m, toolSpec{19, "mcp_tide-board_move_card", "mcp", "mcp", 0, "tide-board"}).
			params = `{"tools":[{"name":"move_card"}]}`
		b.expect(bubble(c, m, "json_extract(value, '$.toolFormerData.params') NOT LIKE '%server%'"), 1,
			ofTool(c, mcpColumns), "tide-board move_card params")
	}},
	{"mcp_server_unknown", func(b *caseBuilder) {
		c, m := b.talk()
		b.call(m, toolSpec{19, "mcp_zeta_list-all", "mcp", "mcp", 0, "zeta"}).params = `{"tools":[]}`
		b.expect(bubble(c, m, "json_extract(value, '$.toolFormerData.name') = 'mcp_zeta_list-all'"), 1,
			ofTool(c, mcpColumns), "zeta list-all name")
	}},
	{"mcp_server_in_descriptors", func(b *caseBuilder) {
		c, m := b.talk()
		b.call(m, toolSpec{19, "mcp_post-gres_query", "mcp", "mcp", 0, "post-gres"}).params = "{}"
		other, offered := b.talk()
		offered.fields = append(offered.fields, "mcpDescriptors",
			`[{"serverName":"post-gres","serverIdentifier":"user-post-gres","folderPath":"/home/mira/.cursor/projects/p/mcps/user-post-gres","tools":[{"toolName":"query"}]}]`)
		b.expect(bubble(other, offered, "json_array_length(value, '$.mcpDescriptors') = 1"), 1, ofTool(c, mcpColumns),
			"post-gres query known")
	}},
	{"mcp_server_in_settings", func(b *caseBuilder) {
		c, m := b.talk()
		b.call(m, toolSpec{19, "mcp_figma-dev_get_frame", "mcp", "mcp", 0, "figma-dev"}).params = "{}"
		b.p.items = append(b.p.items, Row{ItemTable, "mcpService.knownServerIds",
			`["user-figma-dev","cursor-ide-browser"]`})
		b.expect("SELECT json_array_length(value) FROM ItemTable WHERE key = 'mcpService.knownServerIds'", 2,
			ofTool(c, mcpColumns), "figma-dev get_frame known")
	}},
	{"call_named_shell", func(b *caseBuilder) {
		c, m := b.talk()
		b.call(m, toolSpec{name: "Shell", want: "Shell", kind: "shell"}).exit = 3
		b.expect(bubble(c, m, "json_extract(value, '$.toolFormerData.name') = 'Shell'"), 1,
			ofTool(c, "tool_kind || exit_code"), "shell3")
	}},
	{"error_with_details", func(b *caseBuilder) {
		c, m := b.talk()
		m.text, m.fields = "", append(m.fields, "errorDetails",
			`{"error":{"error":57,"details":{"title":"LLM provider error","detail":"400 level not supported"}}}`)
		m.err, m.ownError = true, true
		b.expect(bubble(c, m, "json_type(value, '$.errorDetails.error') = 'object'"), 1,
			ofMessage(c, m, "error_code || ' ' || error"), "57 LLM provider error: 400 level not supported")
	}},
	{"error_in_text", func(b *caseBuilder) {
		c, m := b.talk()
		m.text, m.fields = "", append(m.fields, "errorDetails",
			`{"error":"{\"error\":\"ERROR_USER_ABORTED_REQUEST\",\"details\":{\"title\":\"User aborted request.\"}}","message":"Error"}`)
		m.err, m.ownError = true, true
		b.expect(bubble(c, m, "json_type(value, '$.errorDetails.error') = 'text'"), 1,
			ofMessage(c, m, "error_code || ' ' || error"), "ERROR_USER_ABORTED_REQUEST User aborted request.")
	}},
	{"turn_duration_in_message", func(b *caseBuilder) {
		c, m := b.talk()
		m.fields, m.turnMS = append(m.fields, "turnDurationMs", "5463"), 5463
		b.expect(bubble(c, m, "json_extract(value, '$.turnDurationMs') = 5463"), 1, ofMessage(c, m, "turn_duration_ms"),
			"5463")
	}},
	{"summarized", func(b *caseBuilder) {
		c, m := b.talk()
		m.text, m.fields, m.summarized = "Chat context summarized.", append(m.fields, "capabilityType", "22"), true
		b.expect(bubble(c, m, "json_extract(value, '$.capabilityType') = 22"), 1, ofMessage(c, m, "kind"), "compaction")
	}},
	{"rich_text_of_prosemirror", func(b *caseBuilder) {
		c, m := b.talk()
		m.text, m.textIn = "one\ntwo", "prosemirror"
		b.expect(bubble(c, m, "json_extract(json_extract(value, '$.richText'), '$.type') = 'doc'"), 1,
			ofMessage(c, m, "text"), m.text)
	}},
	{"text_in_blocks", func(b *caseBuilder) {
		c, m := b.talk()
		m.text, m.textIn = "one\ntwo", "blocks"
		b.expect(bubble(c, m, "json_type(value, '$.text') = 'array'"), 1, ofMessage(c, m, "text"), m.text)
	}},
	{"type_1_point_0", func(b *caseBuilder) {
		c, m := b.talk()
		m.typ, m.role = "1.0", "user"
		b.expect(bubble(c, m, "json_type(value, '$.type') = 'real'"), 1, ofMessage(c, m, "role"), "user")
	}},
	{"tokens_of_the_cache", func(b *caseBuilder) {
		c, m := b.talk()
		m.tokens, m.fields = false, append(m.fields, "tokenCount",
			`{"inputTokens":0,"outputTokens":0,"cacheReadTokens":1200,"cacheWriteTokens":30}`)
		b.expect(bubble(c, m, "json_extract(value, '$.tokenCount.cacheReadTokens') = 1200"), 1,
			ofMessage(c, m, "cache_read_tokens || ' ' || cache_write_tokens || coalesce(input_tokens::VARCHAR, ' -')"),
			"1200 30 -")
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

// besideCompleted is a case of a call with status completed and another state in additionalData. ended is what that
// state says of the end.
func besideCompleted(state, ended, outcome string) func(b *caseBuilder) {
	return func(b *caseBuilder) {
		c, m := b.talk()
		t := b.call(m, newTools[4])
		t.more, t.ended = []string{"status", quoted(state)}, ended
		b.expect(bubble(c, m, "json_extract(value, '$.toolFormerData.additionalData.status') = "+sqlText(state)), 1,
			ofTool(c, "outcome"), outcome)
	}
}
