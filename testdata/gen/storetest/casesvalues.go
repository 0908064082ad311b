package storetest

import "strings"

// valueCases are about how a value is stored, and about rows that cannot be used.
var valueCases = []namedCase{
	{"null_value", func(b *caseBuilder) {
		c, m := b.talk()
		b.makeUnusable(c, m, nil, "")
		b.p.nulls["bubbleId"]++
		b.expect(bubble(c, m, "value IS NULL"), 1, ofConversation(c, "missing_message_count"), "1")
	}},
	{"null_key", func(b *caseBuilder) {
		b.row(nil, `{"text":"nobody asked"}`)
		b.p.bad["bad_key"]++
		b.expect("SELECT count(*) FROM cursorDiskKV WHERE key IS NULL", 1,
			"SELECT count(*) FROM quarantine WHERE reason = 'bad_key' AND coalesce(key, '') = ''", "1")
	}},
	{"blob_json", func(b *caseBuilder) {
		c, m := b.talk()
		m.encoding = "blob"
		b.expect(bubble(c, m, "typeof(value) = 'blob' AND substr(value, 1, 1) = x'7b'"), 1, ofMessage(c, m, "text"),
			m.text)
	}},
	{"hex_text", func(b *caseBuilder) {
		c, m := b.talk()
		m.encoding = "hex"
		b.expect(bubble(c, m, "typeof(value) = 'text' AND substr(value, 1, 2) = '7b'"), 1, ofMessage(c, m, "text"),
			m.text)
	}},
	{"hex_blob", func(b *caseBuilder) {
		c, m := b.talk()
		m.encoding = "hexblob"
		b.expect(bubble(c, m, "typeof(value) = 'blob' AND substr(value, 1, 2) = x'3762'"), 1, ofMessage(c, m, "text"),
			m.text)
	}},
	{"protobuf_blob", func(b *caseBuilder) {
		key := "agentKv:blob:" + strings.Repeat("ca5e", 16)
		b.row(key, append([]byte{0x0a, 0x20}, newRNG(1, 1).bytes(64)...))
		b.expect(keyed(key, "typeof(value) = 'blob' AND substr(value, 1, 2) = x'0a20'"), 1,
			"SELECT count(*) FROM quarantine WHERE key LIKE 'agentKv:%'", "0")
	}},
	{"zero_byte_value", func(b *caseBuilder) {
		key := "inlineDiffs-" + strings.Repeat("ca5e", 8)
		b.row(key, []byte{0})
		b.expect(keyed(key, "value = x'00'"), 1, "SELECT count(*) FROM quarantine WHERE key LIKE 'inlineDiffs-%'", "0")
	}},
	{"newline_composer_id", func(b *caseBuilder) {
		c, _ := b.talk()
		c.id, c.subagent = "task-call_QmX1"+c.id[:8]+"\nfc_0a1b2c3d", true
		b.expect("SELECT count(*) FROM cursorDiskKV WHERE key LIKE 'composerData:task-call\\_QmX1%' ESCAPE '\\' AND "+
			"instr(key, char(10)) > 0", 1,
			ofConversation(c, "message_count"), "2")
	}},
	{"newline_tool_call_id", func(b *caseBuilder) {
		c, m := b.talk()
		b.call(m, newTools[0]).callID = "call-7\nfc_9"
		b.expect(bubble(c, m, "json_extract(value, '$.toolFormerData.toolCallId') = 'call-7' || char(10) || 'fc_9'"), 1,
			ofTool(c, "replace(tool_call_id, chr(10), '|')"), "call-7|fc_9")
	}},
	{"lone_surrogate", func(b *caseBuilder) {
		c, m := b.talk()
		m.text = "half a face \xed\xa0\xbd and on"
		b.expect(bubble(c, m, `instr(value, '\ud83d') > 0`), 1, ofMessage(c, m, "text"), "half a face \ufffd and on")
	}},
	{"nul_in_text", func(b *caseBuilder) {
		c, m := b.talk()
		m.text = "before\x00after"
		b.expect(bubble(c, m, `instr(value, 'before\u0000after') > 0`), 1, ofMessage(c, m, "text"), "before\u2400after")
	}},
	{"white_space_text", func(b *caseBuilder) {
		c, m := b.talk()
		m.text = " \n\t "
		b.expect(bubble(c, m, `json_extract(value, '$.text') = ' ' || char(10) || char(9) || ' '`), 1,
			ofMessage(c, m, "kind || ':' || strlen(text)"), "empty:4")
	}},
	{"big_value", func(b *caseBuilder) {
		c, m := b.talk()
		size := 1 << 20
		if b.p.o.Messages >= 30_000 {
			size = 40 << 20
		}
		b.call(m, newTools[3]).params = `{"command":"cat log","note":"` + strings.Repeat("0123456789abcdef", size/32) +
			`"}`
		b.expect(bubble(c, m, "octet_length(value) > "+itoa(size)), 1, ofTool(c, "command"), "cat log")
	}},
	{"empty_value", func(b *caseBuilder) {
		c, m := b.talk()
		b.makeUnusable(c, m, "", "empty")
		b.expect(bubble(c, m, "value = ''"), 1, quarantined(c, m), "empty")
	}},
	{"invalid_utf8", func(b *caseBuilder) {
		c, m := b.talk()
		b.makeUnusable(c, m, []byte("{\"type\":2,\"text\":\"caf\xe9 au lait\"}"), "not_utf8")
		b.expect(bubble(c, m, "instr(value, x'e9') > 0"), 1, quarantined(c, m), "not_utf8")
	}},
	{"bad_json", func(b *caseBuilder) {
		c, m := b.talk()
		b.makeUnusable(c, m, `{"type":2,"text":"cut of`, "bad_json")
		b.expect(bubble(c, m, "json_valid(value) = 0"), 1, quarantined(c, m), "bad_json")
	}},
	{"array_value", func(b *caseBuilder) {
		c, m := b.talk()
		b.makeUnusable(c, m, `[{"type":2,"text":"a list"}]`, "not_object")
		b.expect(bubble(c, m, "json_type(value) = 'array'"), 1, quarantined(c, m), "not_object")
	}},
	{"too_deep", func(b *caseBuilder) {
		c, m := b.talk()
		b.makeUnusable(c, m, `{"type":2,"text":"deep","context":`+strings.Repeat("[", 12_000)+
			strings.Repeat("]", 12_000)+`}`, "too_deep")
		b.expect(bubble(c, m, "value LIKE '%[[[[[[[['||'%'"), 1, quarantined(c, m), "too_deep")
	}},
	{"bad_json_composer", func(b *caseBuilder) {
		c, _ := b.talk()
		b.orphan(c)
		c.value, c.override = `{"composerId":"`+c.id+`","fullConv`, true
		b.p.bad["bad_json"]++
		b.expect(composer(c, "json_valid(value) = 0"), 1, ofConversation(c, "status"), "orphaned")
	}},
	{"null_composer", func(b *caseBuilder) {
		c, _ := b.talk()
		b.orphan(c)
		c.override = true
		b.p.nulls["composerData"]++
		b.expect(composer(c, "value IS NULL"), 1, ofConversation(c, "status"), "orphaned")
	}},
	{"orphan_bubbles", func(b *caseBuilder) {
		c, _ := b.talk()
		b.orphan(c)
		b.expect("SELECT count(*) FROM cursorDiskKV WHERE key >= 'bubbleId:"+c.id+":' AND key < 'bubbleId:"+c.id+";'",
			2, ofConversation(c, "status || message_count"), "orphaned2")
	}},
}

// emptyCases are about rows with an empty value. They come last, since the position of a case decides its ids.
var emptyCases = []namedCase{
	{"zero_byte_object", func(b *caseBuilder) {
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

func quarantined(c *conversation, m *message) string {
	return "SELECT reason FROM quarantine WHERE key = " + sqlText("bubbleId:"+c.id+":"+m.id)
}
