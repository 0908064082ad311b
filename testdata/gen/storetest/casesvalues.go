package storetest

import "strings"

// valueCases are about how a value is stored, and about rows that cannot be used.
var valueCases = []namedCase{
	{name: "null_value", bubble: "value IS NULL", conversation: "missing_message_count", want: "1",
		plan: func(b *caseBuilder) {
			b.makeUnusable(b.c, b.m, nil, "")
			b.p.nulls["bubbleId"]++
		}},
	{name: "null_key", plan: func(b *caseBuilder) {
		b.row(nil, `{"text":"nobody asked"}`)
		b.p.bad["bad_key"]++
		b.expect("SELECT count(*) FROM cursorDiskKV WHERE key IS NULL", 1,
			"SELECT count(*) FROM quarantine WHERE reason = 'bad_key' AND coalesce(key, '') = ''", "1")
	}},
	{name: "blob_json", bubble: "typeof(value) = 'blob' AND substr(value, 1, 1) = x'7b'", message: "text",
		want: "This is blob_json.", plan: func(b *caseBuilder) { b.m.encoding = "blob" }},
	{name: "hex_text", bubble: "typeof(value) = 'text' AND substr(value, 1, 2) = '7b'", message: "text",
		want: "This is hex_text.", plan: func(b *caseBuilder) { b.m.encoding = "hex" }},
	{name: "hex_blob", bubble: "typeof(value) = 'blob' AND substr(value, 1, 2) = x'3762'", message: "text",
		want: "This is hex_blob.", plan: func(b *caseBuilder) { b.m.encoding = "hexblob" }},
	{name: "protobuf_blob", plan: func(b *caseBuilder) {
		key := "agentKv:blob:" + strings.Repeat("ca5e", 16)
		b.row(key, append([]byte{0x0a, 0x20}, newRNG(1, 1).bytes(64)...))
		b.expect(keyed(key, "typeof(value) = 'blob' AND substr(value, 1, 2) = x'0a20'"), 1,
			"SELECT count(*) FROM quarantine WHERE key LIKE 'agentKv:%'", "0")
	}},
	{name: "zero_byte_value", plan: func(b *caseBuilder) {
		key := "inlineDiffs-" + strings.Repeat("ca5e", 8)
		b.row(key, []byte{0})
		b.expect(keyed(key, "value = x'00'"), 1, "SELECT count(*) FROM quarantine WHERE key LIKE 'inlineDiffs-%'", "0")
	}},
	{name: "newline_composer_id", plan: func(b *caseBuilder) {
		c, _ := b.talk()
		c.id, c.subagent = "task-call_QmX1"+c.id[:8]+"\nfc_0a1b2c3d", true
		b.expect("SELECT count(*) FROM cursorDiskKV WHERE key LIKE 'composerData:task-call\\_QmX1%' ESCAPE '\\' AND "+
			"instr(key, char(10)) > 0", 1,
			ofConversation(c, "message_count"), "2")
	}},
	{name: "newline_tool_call_id",
		bubble: "json_extract(value, '$.toolFormerData.toolCallId') = 'call-7' || char(10) || 'fc_9'",
		call:   "replace(tool_call_id, chr(10), '|')", want: "call-7|fc_9",
		plan: func(b *caseBuilder) { b.call(b.m, newTools[0]).callID = "call-7\nfc_9" }},
	{name: "lone_surrogate", bubble: `instr(value, '\ud83d') > 0`, message: "text", want: "half a face \ufffd and on",
		plan: func(b *caseBuilder) { b.m.text = "half a face \xed\xa0\xbd and on" }},
	{name: "nul_in_text", bubble: `instr(value, 'before\u0000after') > 0`, message: "text", want: "before\u2400after",
		plan: func(b *caseBuilder) { b.m.text = "before\x00after" }},
	{name: "white_space_text", bubble: `json_extract(value, '$.text') = ' ' || char(10) || char(9) || ' '`,
		message: "kind || ':' || strlen(text)", want: "empty:4", plan: func(b *caseBuilder) { b.m.text = " \n\t " }},
	{name: "big_value", plan: func(b *caseBuilder) {
		c, m := b.talk()
		size := 1 << 20
		if b.p.o.Messages >= 30_000 {
			size = 40 << 20
		}
		b.call(m, newTools[3]).params = `{"command":"cat log","note":"` + strings.Repeat("0123456789abcdef", size/32) +
			`"}`
		b.expect(bubble(c, m, "octet_length(value) > "+itoa(size)), 1, ofTool(c, "command"), "cat log")
	}},
	unusable("empty_value", "", "value = ''", "empty"),
	unusable("invalid_utf8", []byte("{\"type\":2,\"text\":\"caf\xe9 au lait\"}"), "instr(value, x'e9') > 0",
		"not_utf8"),
	unusable("bad_json", `{"type":2,"text":"cut of`, "json_valid(value) = 0", "bad_json"),
	unusable("array_value", `[{"type":2,"text":"a list"}]`, "json_type(value) = 'array'", "not_object"),
	unusable("too_deep", `{"type":2,"text":"deep","context":`+strings.Repeat("[", 12_000)+strings.Repeat("]", 12_000)+`}`,
		"value LIKE '%[[[[[[[['||'%'", "too_deep"),
	{name: "bad_json_composer", composer: "json_valid(value) = 0", conversation: "status", want: "orphaned",
		plan: func(b *caseBuilder) {
			b.orphan(b.c)
			b.c.value, b.c.override = `{"composerId":"`+b.c.id+`","fullConv`, true
			b.p.bad["bad_json"]++
		}},
	{name: "null_composer", composer: "value IS NULL", conversation: "status", want: "orphaned",
		plan: func(b *caseBuilder) {
			b.orphan(b.c)
			b.c.override = true
			b.p.nulls["composerData"]++
		}},
	{name: "orphan_bubbles", plan: func(b *caseBuilder) {
		c, _ := b.talk()
		b.orphan(c)
		b.expect("SELECT count(*) FROM cursorDiskKV WHERE key >= 'bubbleId:"+c.id+":' AND key < 'bubbleId:"+c.id+";'",
			2, ofConversation(c, "status || message_count"), "orphaned2")
	}},
}

// emptyCases are about rows with an empty value. They come last, since the position of a case decides its ids.
var emptyCases = []namedCase{
	{name: "zero_byte_object", plan: func(b *caseBuilder) {
		// An empty array where an object is meant: as if the row were not there.
		of, id := b.p.chats[len(b.p.chats)-1].id, b.id()
		for _, key := range []string{"composerData:" + id, "bubbleId:" + of + ":" + id, "checkpointId:" + of + ":" + id,
			"messageRequestContext:" + of + ":" + id, "codeBlockDiff:" + of + ":" + id,
			"codeBlockPartialInlineDiffFates:" + of + ":" + id} {
			b.row(key, []byte{0})
			b.p.nulls[before(key, ":")]++
		}
		b.expect("SELECT count(*) FROM cursorDiskKV WHERE value = x'00' AND key LIKE '%"+id+"'", 6,
			"SELECT (SELECT count(*) FROM quarantine WHERE contains(key, '"+id+
				"')) + (SELECT count(*) FROM conversations WHERE conversation_id = '"+id+"')", "0")
	}},
}

// makeUnusable takes the message out of the plan: its header stays, its row has this value, unusable for the reason.
func (b *caseBuilder) makeUnusable(c *conversation, m *message, value any, reason string) {
	c.msgs = c.msgs[:len(c.msgs)-1]
	c.missing = append(c.missing, m.id)
	b.row("bubbleId:"+c.id+":"+m.id, value)
	if reason != "" {
		b.p.bad[reason]++
	}
}

// orphan removes the conversation's own row, and all facts that only that row holds.
func (b *caseBuilder) orphan(c *conversation) {
	c.orphan, c.title, c.mode, c.created = true, "", "", stamp{}
	for _, m := range c.msgs {
		m.unlisted = true
	}
}

// unusable is a case of a message whose row has a value that is quarantined for a reason.
func unusable(name string, value any, stored, reason string) namedCase {
	return namedCase{name: name, plan: func(b *caseBuilder) {
		c, m := b.talk()
		b.makeUnusable(c, m, value, reason)
		b.expect(bubble(c, m, stored), 1,
			"SELECT reason FROM quarantine WHERE key = "+sqlText("bubbleId:"+c.id+":"+m.id), reason)
	}}
}
