package storetest

// messageCases are about the fields of a message.
var messageCases = []namedCase{
	{name: "type_user_text", bubble: "json_extract(value, '$.type') = 'user'", message: "role", want: "user",
		plan: func(b *caseBuilder) { b.m.typ, b.m.role = `"user"`, "user" }},
	{name: "type_ai_capitals", bubble: "json_extract(value, '$.type') = 'AI'", message: "role", want: "assistant",
		plan: func(b *caseBuilder) { b.m.typ = `"AI"` }},
	{name: "type_99", bubble: "json_extract(value, '$.type') = 99", message: "role", want: "unknown",
		plan: func(b *caseBuilder) { b.m.typ, b.m.role = "99", "unknown" }},
	{name: "type_in_header_only", bubble: "json_type(value, '$.type') IS NULL", message: "role", want: "assistant",
		plan: func(b *caseBuilder) { b.m.typ, b.m.headType = "", "2" }},
	timeCase("created_iso", iso, "'$.createdAt') = 'text'", "message"),
	timeCase("created_iso_without_zone", func(ms int64) stamp { return stamp{`"` + isoText(ms)[:23] + `"`, ms} },
		"'$.createdAt') = 'text'", "message"),
	timeCase("created_ms", number, "'$.createdAt') = 'integer'", "message"),
	timeCase("created_ms_text", digits, "'$.createdAt') = 'text'", "message"),
	timeCase("created_seconds", func(ms int64) stamp { return stamp{itoa64(ms / 1000), ms} },
		"'$.createdAt') = 'integer'", "message"),
	timeCase("created_absent", func(int64) stamp { return stamp{} }, "'$.createdAt') IS NULL", "previous"),
	timeCase("created_empty", func(int64) stamp { return noTime(`""`) }, "'$.createdAt') = 'text'", "previous"),
	timeCase("created_true", func(int64) stamp { return noTime(`true`) }, "'$.createdAt') = 'true'", "previous"),
	{name: "time_of_the_conversation", bubble: "json_type(value, '$.createdAt') IS NULL",
		message: "created_at_source", want: "conversation",
		plan: func(b *caseBuilder) { b.c.msgs[0].own, b.m.own = stamp{}, stamp{} }},
	{name: "time_in_header", composer: "json_type(value, '$.fullConversationHeadersOnly[1].createdAt') = 'text'",
		message: "created_at_source", want: "header",
		plan: func(b *caseBuilder) { b.m.own, b.m.head = stamp{}, iso(b.m.finish) }},
	{name: "time_in_timestamp", bubble: "json_type(value, '$.timestamp') = 'integer'", message: "created_at_source",
		want: "message", plan: func(b *caseBuilder) { b.m.own, b.m.timestamp = stamp{}, number(b.m.finish) }},
	{name: "relative_client_start", bubble: "json_extract(value, '$.timingInfo.clientStartTime') < 1e9",
		message: "created_at_source", want: "previous",
		plan: func(b *caseBuilder) { b.m.own, b.m.timing = stamp{}, noTime("5234567.25") }},
	{name: "negative_thinking_duration", bubble: "json_extract(value, '$.thinkingDurationMs') < 0",
		message: "kind || coalesce(thinking_duration_ms, 0)", want: "thinking0", plan: func(b *caseBuilder) {
			b.m.text, b.m.thinking, b.m.thinkMS = "", "Shorter than nothing?", ptr(int64(-17))
		}},
	{name: "thinking_text", bubble: "json_type(value, '$.thinking') = 'text'", message: "thinking",
		want: "A plain thought.",
		plan: func(b *caseBuilder) { b.m.thinking, b.m.thinkStyle = "A plain thought.", "text" }},
	{name: "placeholder_tool", bubble: "json_extract(value, '$.toolFormerData.additionalData.status') = 'error'",
		conversation: "tool_call_count", want: "0", plan: func(b *caseBuilder) { b.m.stub = true }},
	{name: "tool_zero", bubble: "json_extract(value, '$.toolFormerData.tool') = 0", conversation: "tool_call_count",
		want: "0",
		plan: func(b *caseBuilder) { b.m.stub, b.m.stubJSON = true, `{"tool":0,"name":"","status":"error"}` }},
	{name: "tool_number_text", bubble: "json_extract(value, '$.toolFormerData.tool') = '40'",
		call: "tool_number || tool", want: "40read_file",
		plan: func(b *caseBuilder) { b.call(b.m, newTools[0]).numberText = true }},
	{name: "tool_number_unassigned", bubble: "json_extract(value, '$.toolFormerData.tool') = 21", call: "tool",
		want: "read_file", plan: func(b *caseBuilder) {
			b.call(b.m, toolSpec{number: 21, name: "read_file_v2", want: "read_file", kind: "other"})
		}},
	{name: "tool_without_name", bubble: "json_type(value, '$.toolFormerData.name') IS NULL", call: "tool",
		want: "edit_file",
		plan: func(b *caseBuilder) { b.call(b.m, toolSpec{number: 38, want: "edit_file", kind: "edit"}) }},
	{name: "params_not_json", bubble: "NOT json_valid(json_extract(value, '$.toolFormerData.params'))",
		call: "json_type(params)", want: "VARCHAR",
		plan: func(b *caseBuilder) { b.call(b.m, newTools[4]).params = `{"command": "ls` }},
	{name: "params_object", bubble: "json_type(value, '$.toolFormerData.params') = 'object'", call: "json_type(params)",
		want: "OBJECT", plan: func(b *caseBuilder) { b.call(b.m, newTools[4]).rawParams = true }},
	{name: "result_object", bubble: "json_type(value, '$.toolFormerData.result') = 'object'", call: "json_type(result)",
		want: "OBJECT", plan: func(b *caseBuilder) { b.call(b.m, newTools[4]).objResult = true }},
	{name: "review_rejected", bubble: "json_type(value, '$.toolFormerData.userDecision') IS NULL",
		call: "user_decision", want: "rejected",
		plan: func(b *caseBuilder) {
			k := b.call(b.m, newTools[4])
			k.review, k.noResult = "rejectAndTellWhatToDoDifferently", true
		}},
	{name: "review_skipped", bubble: inReview("status", "Done"), call: "outcome", want: "rejected",
		plan: func(b *caseBuilder) {
			k := b.call(b.m, newTools[4])
			k.review, k.noResult = "skip", true
		}},
	{name: "review_refuses_what_ran", bubble: inReview("status", "Done"),
		call: "outcome || coalesce(user_decision, '') || exit_code", want: "ok0",
		plan: func(b *caseBuilder) { b.call(b.m, newTools[4]).review = "rejectAndTellWhatToDoDifferently" }},
	{name: "review_not_asked_for", bubble: inReview("status", "None"), call: "outcome || coalesce(user_decision, '')",
		want: "ok", plan: func(b *caseBuilder) {
			k := b.call(b.m, newTools[4])
			k.review, k.reviewing = "rejectAndTellWhatToDoDifferently", "None"
		}},
	{name: "review_waiting", bubble: inReview("status", "Requested"), call: "outcome", want: "pending",
		plan: func(b *caseBuilder) {
			k := b.call(b.m, newTools[4])
			k.status, k.review, k.reviewing = "loading", "rejectAndTellWhatToDoDifferently", "Requested"
		}},
	{name: "rich_text_only", bubble: "json_extract(value, '$.text') = ''", message: "text",
		want: "first line\nsecond line",
		plan: func(b *caseBuilder) { b.m.text, b.m.textIn = "first line\nsecond line", "richText" }},
	{name: "raw_text_only", bubble: "json_type(value, '$.text') IS NULL", message: "text",
		want: "This is raw_text_only.", plan: func(b *caseBuilder) { b.m.textIn = "rawText" }},
	{name: "model_in_a_list", plan: func(b *caseBuilder) {
		c, _ := b.talk()
		c.model, c.modelList = ptr("claude-4.5-sonnet-thinking"), true
		b.expect(composer(c, "json_extract(value, '$.modelConfig.selectedModels[0].modelId') <> ''"), 1,
			ofConversation(c, "model"), *c.model)
	}},
	{name: "model_empty", bubble: "json_extract(value, '$.modelInfo.modelName') = ''", message: "model", want: "auto",
		plan: func(b *caseBuilder) { b.m.model = ptr("") }},
	{name: "one_token_side", bubble: "json_extract(value, '$.tokenCount.outputTokens') = 0",
		message: "input_tokens || ':' || output_tokens", want: "1234:0", plan: func(b *caseBuilder) { b.m.in = 1234 }},
	{name: "request_id_in_forks", plan: func(b *caseBuilder) {
		for range 2 {
			c, _ := b.talk()
			c.msgs[0].request = "ca5e0000-f02c-4000-8000-000000000001"
		}
		b.expect("SELECT count(*) FROM cursorDiskKV WHERE key LIKE 'bubbleId:ca5e%' AND instr(value, "+
			"'ca5e0000-f02c-4000-8000-000000000001') > 0", 2,
			"SELECT count(*) || ':' || count(*) FILTER (WHERE is_repeat) FROM messages WHERE request_id = "+
				"'ca5e0000-f02c-4000-8000-000000000001'", "2:1")
	}},
}

// timeCase is a message whose createdAt has a given form, after a message with a time.
func timeCase(name string, form func(int64) stamp, stored, source string) namedCase {
	return namedCase{name: name, plan: func(b *caseBuilder) {
		c, m := b.talk()
		m.own = form(m.finish)
		at := m.finish
		if source == "previous" {
			at = c.msgs[0].finish
		}
		b.expect(bubble(c, m, "json_type(value, "+stored), 1,
			ofMessage(c, m, "created_at_source || ':' || epoch_ms(created_at)"), source+":"+itoa64(at))
	}}
}
