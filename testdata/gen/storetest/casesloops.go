package storetest

// loopCases are conversations in which the same steps repeat: some answers look for them.
var loopCases = []namedCase{
	{name: "prompt_repeated", plan: func(b *caseBuilder) {
		c := b.chat()
		for _, text := range []string{"The import test fails, please fix it", "Please fix it: the import test fails!",
			"The import test still fails, please fix it"} {
			b.ask(c, text)
			b.reply(c, "The import test passes now.")
		}
		b.expect(rowsOf(c, "instr(json_extract(value, '$.text'), 'please fix it') > 0"), 2,
			"SELECT count(*) FROM messages WHERE role = 'user' AND conversation_id = "+sqlText(c.id), "3")
	}},
	{name: "edited_after_errors", plan: func(b *caseBuilder) {
		c := b.chat()
		b.ask(c, "What about "+b.name+"?")
		for i := range 4 {
			if i > 0 {
				t := b.call(b.reply(c, ""), newTools[4])
				t.status, t.failed, t.callID = "error", true, t.callID+itoa(i)
			}
			t := b.call(b.reply(c, ""), newTools[3])
			t.params, t.callID = `{"relativeWorkspacePath":"internal/ledger/post.go"}`, t.callID+itoa(i)
		}
		b.reply(c, "Done.")
		b.expect(rowsOf(c, "json_extract(value, '$.toolFormerData.status') = 'error'"), 3,
			"SELECT count(*) FILTER (WHERE is_error) || ':' || count(*) FILTER (WHERE file_path = "+
				"'internal/ledger/post.go') FROM tool_calls WHERE conversation_id = "+
				sqlText(c.id), "3:4")
	}},
}

// rowsOf counts the rows of a conversation's messages for which a condition holds.
func rowsOf(c *conversation, condition string) string {
	return "SELECT count(*) FROM cursorDiskKV WHERE key LIKE " + sqlText("bubbleId:"+c.id+":%") + " AND " + condition
}
