package storetest

// agentCases are about the subagents of early 2026, and about messages that agents and other programs wrote.
var agentCases = []namedCase{
	{name: "task_parent_by_its_call", plan: func(b *caseBuilder) {
		c, child := b.task("toolu_bdrk_01", "toolu_bdrk_01")
		b.expect(composer(child, "json_type(value, '$.subagentInfo') IS NULL"), 1,
			ofConversation(child, "parent_conversation_id || ' ' || project_source"), c.id+" parent")
	}},
	{name: "task_parent_with_a_line_end", plan: func(b *caseBuilder) {
		c, child := b.task("call_Vf01\nfc_0541", "call_Vf01")
		b.expect("SELECT count(*) FROM cursorDiskKV WHERE key LIKE 'composerData:task-call\\_Vf01%' ESCAPE '\\' AND "+
			"instr(key, char(10)) > 0", 1, ofConversation(child, "parent_conversation_id"), c.id)
	}},
	{name: "task_without_a_document", plan: func(b *caseBuilder) {
		c, child := b.task("toolu_bdrk_02", "toolu_bdrk_02")
		b.orphan(child)
		child.status = ""
		b.expect("SELECT count(*) FROM cursorDiskKV WHERE key = "+sqlText("composerData:"+child.id), 0,
			ofConversation(child, "parent_conversation_id || ' ' || coalesce(status, '-') || ' ' || message_count"),
			c.id+" - 2")
	}},
	{name: "code_blocks_only", plan: func(b *caseBuilder) {
		c, m := b.talk()
		m.text, m.textIn = "```go\npackage tide\n```\n\nand so on", "codeBlocks"
		m.fields = []string{"codeBlocks", `[{"languageId":"go","content":"package tide"},{"content":"and so on"}]`}
		b.expect(bubble(c, m, "json_extract(value, '$.text') = ''"), 1, ofMessage(c, m, "kind || ': ' || text"),
			"text: "+m.text)
	}},
	{name: "code_blocks_as_text", plan: func(b *caseBuilder) {
		c, m := b.talk()
		m.fields = []string{"codeBlocks", `"[]"`}
		b.expect(bubble(c, m, "json_type(value, '$.codeBlocks') = 'text'"), 1, ofMessage(c, m, "extra IS NULL"), "true")
	}},
	{name: "call_file_in_a_patch", plan: func(b *caseBuilder) {
		c, m := b.talk()
		t := b.call(m, toolSpec{0, "apply_patch", "apply_patch", "edit", 0, ""})
		t.onlyRaw, t.noResult, t.params = true, true,
			"*** Begin Patch\n*** Update File: CHANGELOG.md\n@@\n+- Indexed.\n*** End Patch"
		b.expect(bubble(c, m, "json_extract(value, '$.toolFormerData.rawArgs') LIKE '%Update File: CHANGELOG.md%'"), 1,
			ofTool(c, "file_path"), "CHANGELOG.md")
	}},
	{name: "prompt_in_blocks", plan: func(b *caseBuilder) {
		c := b.chat()
		m := b.ask(c, "Mend the gauge")
		m.textIn = "blocks of a prompt"
		b.expect(bubble(c, m, "instr(value, '<user_query>') > 0"), 1, ofMessage(c, m, "text"), m.text)
	}},
	{name: "notification_in_a_bubble", plan: func(b *caseBuilder) {
		c, _ := b.talk()
		m := b.ask(c, "<timestamp>Thursday, May 7, 2026, 12:36 PM (UTC+1)</timestamp>\n<system_notification>\nThe "+
			"following task has finished.\n\n<task>\nkind: subagent\n</task>\n</system_notification>\n"+
			"<user_query>Tell.</user_query>")
		m.textIn = aNotice
		b.reply(c, "It is done.")
		b.expect(bubble(c, m, "json_type(value, '$.isSimulatedMsg') IS NULL"), 1,
			ofMessage(c, m, "is_simulated || ' ' || turn"), "true 1")
	}},
	{name: "prompt_about_blocks", plan: func(b *caseBuilder) {
		c := b.chat()
		m := b.ask(c, "<user_query>\nMend it\n</user_query>\nis what my log has. Why?")
		b.expect(bubble(c, m, "instr(value, '<user_query>') > 0"), 1, ofMessage(c, m, "text"), m.text)
	}},
}

// task adds a conversation with a call, and the subagent that the call started: its id alone says so.
func (b *caseBuilder) task(inID, callID string) (c, child *conversation) {
	c, m := b.talk()
	c.link, c.project = "composer", b.folder("file:///home/mira/src/"+b.name, "file:///home/mira/src/"+b.name, b.name,
		"local")
	b.call(m, taskTool).callID = callID
	child = b.child(c, "call")
	child.id = "task-" + inID
	return c, child
}
