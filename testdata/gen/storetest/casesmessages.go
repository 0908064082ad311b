package storetest

// messageCases are about the fields of a message.
var messageCases = []namedCase{
	{"type_user_text", func(b *caseBuilder) {
		c, m := b.talk()
		m.typ, m.role = `"user"`, "user"
		b.expect(bubble(c, m, "json_extract(value, '$.type') = 'user'"), 1, ofMessage(c, m, "role"), "user")
	}},
	{"type_ai_capitals", func(b *caseBuilder) {
		c, m := b.talk()
		m.typ = `"AI"`
		b.expect(bubble(c, m, "json_extract(value, '$.type') = 'AI'"), 1, ofMessage(c, m, "role"), "assistant")
	}},
	{"type_99", func(b *caseBuilder) {
		c, m := b.talk()
		m.typ, m.role = "99", "unknown"
		b.expect(bubble(c, m, "json_extract(value, '$.type') = 99"), 1, ofMessage(c, m, "role"), "unknown")
	}},
	{"type_in_header_only", func(b *caseBuilder) {
		c, m := b.talk()
		m.typ, m.headType = "", "2"
		b.expect(bubble(c, m, "json_type(value, '$.type') IS NULL"), 1, ofMessage(c, m, "role"), "assistant")
	}},
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
	{"time_of_the_conversation", func(b *caseBuilder) {
		c, m := b.talk()
		for _, m := range c.msgs {
			m.own = stamp{}
		}
		b.expect(bubble(c, m, "json_type(value, '$.createdAt') IS NULL"), 1, ofMessage(c, m, "created_at_source"),
			"conversation")
	}},
	{"time_in_header", func(b *caseBuilder) {
		c, m := b.talk()
		m.own, m.head = stamp{}, iso(m.finish)
		b.expect(composer(c, "json_type(value, '$.fullConversationHeadersOnly[1].createdAt') = 'text'"), 1,
			ofMessage(c, m, "created_at_source"), "header")
	}},
	{"time_in_timestamp", func(b *caseBuilder) {
		c, m := b.talk()
		m.own, m.timestamp = stamp{}, number(m.finish)
		b.expect(bubble(c, m, "json_type(value, '$.timestamp') = 'integer'"), 1, ofMessage(c, m, "created_at_source"),
			"message")
	}},
	{"relative_client_start", func(b *caseBuilder) {
		c, m := b.talk()
		m.own, m.timing = stamp{}, noTime("5234567.25")
		b.expect(bubble(c, m, "json_extract(value, '$.timingInfo.clientStartTime') < 1e9"), 1,
			ofMessage(c, m, "created_at_source"), "previous")
	}},
	{"negative_thinking_duration", func(b *caseBuilder) {
		c, m := b.talk()
		m.text, m.thinking, m.thinkMS = "", "Shorter than nothing?", ptr(int64(-17))
		b.expect(bubble(c, m, "json_extract(value, '$.thinkingDurationMs') < 0"), 1,
			ofMessage(c, m, "kind || coalesce(thinking_duration_ms, 0)"), "thinking0")
	}},
	{"thinking_text", func(b *caseBuilder) {
		c, m := b.talk()
		m.thinking, m.thinkStyle = "A plain thought.", "text"
		b.expect(bubble(c, m, "json_type(value, '$.thinking') = 'text'"), 1, ofMessage(c, m, "thinking"),
			"A plain thought.")
	}},
	{"placeholder_tool", func(b *caseBuilder) {
		c, m := b.talk()
		m.stub = true
		b.expect(bubble(c, m, "json_extract(value, '$.toolFormerData.additionalData.status') = 'error'"), 1,
			ofConversation(c, "tool_call_count"), "0")
	}},
	{"tool_zero", func(b *caseBuilder) {
		c, m := b.talk()
		m.stub, m.stubJSON = true, `{"tool":0,"name":"","status":"error"}`
		b.expect(bubble(c, m, "json_extract(value, '$.toolFormerData.tool') = 0"), 1,
			ofConversation(c, "tool_call_count"), "0")
	}},
	{"tool_number_text", func(b *caseBuilder) {
		c, m := b.talk()
		b.call(m, newTools[0]).numberText = true
		b.expect(bubble(c, m, "json_extract(value, '$.toolFormerData.tool') = '40'"), 1,
			ofTool(c, "tool_number || tool"), "40read_file")
	}},
	{"tool_number_unassigned", func(b *caseBuilder) {
		c, m := b.talk()
		b.call(m, toolSpec{number: 21, name: "read_file_v2", want: "read_file", kind: "other"})
		b.expect(bubble(c, m, "json_extract(value, '$.toolFormerData.tool') = 21"), 1, ofTool(c, "tool"), "read_file")
	}},
	{"tool_without_name", func(b *caseBuilder) {
		c, m := b.talk()
		b.call(m, toolSpec{number: 38, want: "edit_file", kind: "edit"})
		b.expect(bubble(c, m, "json_type(value, '$.toolFormerData.name') IS NULL"), 1, ofTool(c, "tool"), "edit_file")
	}},
	{"params_not_json", func(b *caseBuilder) {
		c, m := b.talk()
		b.call(m, newTools[4]).params = `{"command": "ls`
		b.expect(bubble(c, m, "NOT json_valid(json_extract(value, '$.toolFormerData.params'))"), 1,
			ofTool(c, "json_type(params)"), "VARCHAR")
	}},
	{"params_object", func(b *caseBuilder) {
		c, m := b.talk()
		b.call(m, newTools[4]).rawParams = true
		b.expect(bubble(c, m, "json_type(value, '$.toolFormerData.params') = 'object'"), 1,
			ofTool(c, "json_type(params)"), "OBJECT")
	}},
	{"result_object", func(b *caseBuilder) {
		c, m := b.talk()
		b.call(m, newTools[4]).objResult = true
		b.expect(bubble(c, m, "json_type(value, '$.toolFormerData.result') = 'object'"), 1,
			ofTool(c, "json_type(result)"), "OBJECT")
	}},
	{"review_rejected", func(b *caseBuilder) {
		c, m := b.talk()
		k := b.call(m, newTools[4])
		k.review, k.noResult = "rejectAndTellWhatToDoDifferently", true
		b.expect(bubble(c, m, "json_type(value, '$.toolFormerData.userDecision') IS NULL"), 1,
			ofTool(c, "user_decision"), "rejected")
	}},
	{"review_skipped", func(b *caseBuilder) {
		c, m := b.talk()
		k := b.call(m, newTools[4])
		k.review, k.noResult = "skip", true
		b.expect(bubble(c, m, inReview("status", "Done")), 1, ofTool(c, "outcome"), "rejected")
	}},
	{"review_refuses_what_ran", func(b *caseBuilder) {
		c, m := b.talk()
		b.call(m, newTools[4]).review = "rejectAndTellWhatToDoDifferently"
		b.expect(bubble(c, m, inReview("status", "Done")), 1,
			ofTool(c, "outcome || coalesce(user_decision, '') || exit_code"), "ok0")
	}},
	{"review_not_asked_for", func(b *caseBuilder) {
		c, m := b.talk()
		k := b.call(m, newTools[4])
		k.review, k.reviewing = "rejectAndTellWhatToDoDifferently", "None"
		b.expect(bubble(c, m, inReview("status", "None")), 1, ofTool(c, "outcome || coalesce(user_decision, '')"), "ok")
	}},
	{"review_waiting", func(b *caseBuilder) {
		c, m := b.talk()
		k := b.call(m, newTools[4])
		k.status, k.review, k.reviewing = "loading", "rejectAndTellWhatToDoDifferently", "Requested"
		b.expect(bubble(c, m, inReview("status", "Requested")), 1, ofTool(c, "outcome"), "pending")
	}},
	{"rich_text_only", func(b *caseBuilder) {
		c, m := b.talk()
		m.text, m.textIn = "first line\nsecond line", "richText"
		b.expect(bubble(c, m, "json_extract(value, '$.text') = ''"), 1, ofMessage(c, m, "text"), m.text)
	}},
	{"raw_text_only", func(b *caseBuilder) {
		c, m := b.talk()
		m.textIn = "rawText"
		b.expect(bubble(c, m, "json_type(value, '$.text') IS NULL"), 1, ofMessage(c, m, "text"), m.text)
	}},
	{"model_in_a_list", func(b *caseBuilder) {
		c, _ := b.talk()
		c.model, c.modelList = ptr("claude-4.5-sonnet-thinking"), true
		b.expect(composer(c, "json_extract(value, '$.modelConfig.selectedModels[0].modelId') <> ''"), 1,
			ofConversation(c, "model"), *c.model)
	}},
	{"model_empty", func(b *caseBuilder) {
		c, m := b.talk()
		m.model = ptr("")
		b.expect(bubble(c, m, "json_extract(value, '$.modelInfo.modelName') = ''"), 1, ofMessage(c, m, "model"), "auto")
	}},
	{"one_token_side", func(b *caseBuilder) {
		c, m := b.talk()
		m.in = 1234
		b.expect(bubble(c, m, "json_extract(value, '$.tokenCount.outputTokens') = 0"), 1,
			ofMessage(c, m, "input_tokens || ':' || output_tokens"), "1234:0")
	}},
	{"request_id_in_forks", func(b *caseBuilder) {
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
	return namedCase{name, func(b *caseBuilder) {
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
