package storetest

import "strings"

// versionCases are one conversation for each _v that stores were seen with.
func versionCases() []namedCase {
	var cases []namedCase
	for _, v := range []string{"", "1", "3", "6", "10", "13", "16", `"16"`, "17", "18"} {
		name, want, stored := "v_"+v, v, "json_type(value, '$._v') = 'integer' AND json_extract(value, '$._v') = "+v
		switch {
		case v == "":
			name, want, stored = "v_absent", "NULL", "json_type(value, '$._v') IS NULL"
		case v[0] == '"':
			name, want, stored = "v_16_text", "16",
				"json_type(value, '$._v') = 'text' AND json_extract(value, '$._v') = '16'"
		}
		cases = append(cases, namedCase{name: name, composer: stored,
			conversation: "coalesce(CAST(format_version AS VARCHAR), 'NULL')", want: want,
			plan: func(b *caseBuilder) { b.c.v = v }})
	}
	return cases
}

// shapeCases are about where messages are, and how headers name them.
var shapeCases = []namedCase{
	{name: "inline_conversation", composer: "json_array_length(value, '$.conversation') = 2",
		conversation: "format || message_count", want: "inline2",
		plan: func(b *caseBuilder) { b.c.form, b.c.v = "inline", "" }},
	{name: "conversation_map", plan: func(b *caseBuilder) {
		c, _ := b.talk()
		c.form, c.v = "map", "1"
		b.expect(composer(c, "json_type(value, '$.conversationMap."+quoted(c.msgs[0].id)+"') = 'object'"), 1,
			ofConversation(c, "format || message_count"), "map2")
	}},
	{name: "composer_tabs", composer: "json_array_length(value, '$.tabs[0].bubbles') = 2",
		conversation: "format || message_count", want: "inline2",
		plan: func(b *caseBuilder) { b.c.form, b.c.v = "tabs", "" }},
	{name: "v1_capabilities", plan: func(b *caseBuilder) {
		c, m := b.talk()
		c.v = "3"
		b.call(m, oldTools[2]).v1 = true
		b.expect(composer(c, "instr(json_extract(value, '$.capabilities[1].data.bubbleDataMap'), '"+m.id+"') > 0"), 1,
			ofTool(c, "tool"), "edit_file")
	}},
	{name: "empty_headers", composer: "json_array_length(value, '$.fullConversationHeadersOnly') = 0",
		conversation: "unlisted_message_count || ':' || message_count", want: "0:2",
		plan: func(b *caseBuilder) { b.c.msgs[0].unlisted, b.m.unlisted = true, true }},
	{name: "header_without_row", composer: "json_array_length(value, '$.fullConversationHeadersOnly') = 4",
		conversation: "missing_message_count", want: "2",
		plan: func(b *caseBuilder) { b.c.missing = []string{b.id(), b.id()} }},
	{name: "header_names_body_id", plan: func(b *caseBuilder) {
		c, m := b.talk()
		m.headerID = b.id()
		m.body = quoted(m.headerID)
		b.expect(composer(c, "json_extract(value, '$.fullConversationHeadersOnly[1].bubbleId') = '"+m.headerID+"'"), 1,
			ofMessage(c, m, "is_listed"), "true")
	}},
	{name: "row_without_header", plan: func(b *caseBuilder) {
		c, m := b.talk()
		b.reply(c, "The last word.")
		m.unlisted = true
		b.expect(composer(c, "instr(value, '"+m.id+"') = 0"), 1, ofMessage(c, m, "is_listed || ':' || position"),
			"false:2")
	}},
	{name: "body_id_empty", bubble: "json_extract(value, '$.bubbleId') = ''", message: "position", want: "1",
		plan: func(b *caseBuilder) { b.m.body = `""` }},
	{name: "body_id_differs", plan: func(b *caseBuilder) {
		c, m := b.talk()
		m.body = quoted(b.id())
		b.expect(bubble(c, m, "json_extract(value, '$.bubbleId') <> '"+m.id+"'"), 1, ofMessage(c, m, "position"), "1")
	}},
	{name: "header_id_empty", composer: "json_extract(value, '$.fullConversationHeadersOnly[1].bubbleId') = ''",
		message: "is_listed", want: "true", plan: func(b *caseBuilder) { b.m.emptyID, b.m.body = true, `""` }},
	{name: "header_twice", composer: "json_array_length(value, '$.fullConversationHeadersOnly') = 3",
		message: "position", want: "1", plan: func(b *caseBuilder) { b.c.msgs[0].twice = true }},
	{name: "two_part_bubble_key", plan: func(b *caseBuilder) {
		key := "bubbleId:" + b.id()
		b.row(key, `{"type":2,"text":"whose?"}`)
		b.p.bad["bad_key"]++
		b.expect(keyed(key, "1"), 1, "SELECT reason FROM quarantine WHERE key = "+sqlText(key), "bad_key")
	}},
	rowBeatsCase("row_beats_map", "map", "1"),
	rowBeatsCase("row_beats_inline", "inline", ""),
	{name: "map_entry_without_header", composer: "json_array_length(value, '$.fullConversationHeadersOnly') = 1",
		message: "is_listed", want: "false",
		plan: func(b *caseBuilder) { b.c.form, b.c.v, b.m.unlisted = "map", "1", true }},
	{name: "inline_twins",
		composer: "json_extract(value, '$.conversation[0].bubbleId') = json_extract(value, " +
			"'$.conversation[1].bubbleId')", message: "position", want: "1", plan: func(b *caseBuilder) {
			b.c.form, b.c.v = "inline", ""
			b.m.body = quoted(b.c.msgs[0].id)
			b.m.id = b.c.msgs[0].id + "~2"
		}},
	{name: "inline_without_id", plan: func(b *caseBuilder) {
		c, m := b.talk()
		c.form, c.v, m.noID = "inline", "", true
		m.id = "#1"
		b.expect(composer(c, "json_type(value, '$.conversation[1].bubbleId') IS NULL"), 1,
			"SELECT count(*) FROM messages WHERE conversation_id = "+sqlText(c.id)+" AND message_id LIKE '#%'", "1")
	}},
	{name: "empty_state_draft", plan: func(b *caseBuilder) {
		c := b.chat()
		c.id, c.draft, c.title, c.status = "empty-state-draft", true, "", "none"
		c.fields = []string{"text", `"an unsent thought"`}
		b.expect(composer(c, "json_extract(value, '$.isDraft')"), 1, ofConversation(c, "message_count"), "0")
	}},
	{name: "unknown_family", plan: func(b *caseBuilder) {
		b.row("zzProbe:1", `{"a":1}`)
		b.row("zzProbe:2", `{"a":2}`)
		b.p.unknown += 2
		b.expect("SELECT count(*) FROM cursorDiskKV WHERE key LIKE 'zzProbe:%'", 2,
			"SELECT (SELECT count(*) FROM quarantine WHERE key LIKE 'zzProbe:%') || max(family) || sum(rows)::BIGINT "+
				"FROM key_families WHERE handling = 'unknown' GROUP BY load_id", "0zzProbe:<number>2")
	}},
	{name: "families_without_a_table", plan: func(b *caseBuilder) {
		// Each is a known family, and none of a table's: not loaded, not unknown, not bad.
		id := b.id()
		keys := []string{"composer.composerHeaders.migratedToTable", "model-nudge." + id, "composerDraft:" + id,
			"composerRootWriterDiagnostic:" + id, "localAgentMailboxCursor:" + id,
			"composerVirtualRowHeights:_recentIds", "agentKv:other:" + id, "agentKv:bubbleCheckpoint:" + id + ":" + id,
			"agentKv:artifact:" + id, "agentKv:" + id, "inlineDiff:" + id + ":" + id, "inlineDiffsData",
			"inlineDiffUndoRedo:" + id, "patch-graph:" + id + ":1", "expectedContent-v1-" + id,
			"bcCachedDetails:bc-" + id, "ai_hashes.2026-01-05", "ai_accepted_diffs.2026-01-05." + id}
		for _, k := range keys {
			b.row(k, "1")
		}
		b.expect("SELECT count(*) FROM cursorDiskKV WHERE value = '1' AND key NOT LIKE 'bubbleId%'", len(keys),
			"SELECT count(*) FROM quarantine WHERE contains(key, '"+id+"')", "0")
	}},
	{name: "edit_list_without_ids", plan: func(b *caseBuilder) {
		c, m := b.talk()
		uri := "file:///home/mira/src/tide-api/list.ts"
		c.edits = []edit{{id: c.id + ":" + uri + "#0", uri: uri, msg: m.id, block: true, inList: true,
			status: "accepted", at: b.at}}
		b.expect(composer(c, "json_type(value, '$.codeBlockData."+quoted(uri)+"') = 'array'"), 1,
			"SELECT edit_id FROM code_edits WHERE conversation_id = "+sqlText(c.id), c.edits[0].id)
	}},
	{name: "wal_only_rows", plan: func(b *caseBuilder) {
		c, _ := b.talk()
		b.reply(c, strings.Repeat("Still in the log. ", 20))
		for _, m := range c.msgs[1:] {
			m.late = true
		}
		b.expect("SELECT count(*) FROM cursorDiskKV WHERE key >= 'bubbleId:"+c.id+":' AND key < 'bubbleId:"+c.id+";'",
			3, ofConversation(c, "message_count"), "3")
	}},
}

// rowBeatsCase is a conversation of a form that has an older text of the answer inside of it: the answer's row counts.
func rowBeatsCase(name, form, v string) namedCase {
	return namedCase{name: name, composer: "instr(value, 'the older text') > 0", message: "text",
		want: "This is " + name + ".", plan: func(b *caseBuilder) {
			b.c.form, b.c.v = form, v
			old := *b.m
			old.text = "the older text"
			b.c.stale, b.m.elsewhere = []*message{&old}, true
		}}
}
