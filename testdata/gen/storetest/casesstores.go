package storetest

// storeCases are about workspace stores with bodies, about secrets, and about sessions.
var storeCases = []namedCase{
	{name: "workspace_conversation_2024", plan: func(b *caseBuilder) {
		w := b.plainFolder("of-2024")
		c, empty := b.local(w), b.chat()
		empty.store, empty.link, empty.project, empty.form, empty.v = w, "workspace_list", w, "inline", ""
		empty.enlist()
		b.expectIn("workspace:"+w.id, `SELECT count(*) FROM ItemTable i, json_each(i.value, '$.allComposers') e
WHERE i.key = 'composer.composerData' AND json_type(e.value, '$.conversation') = 'array'`, 2,
			ofConversation(c, "format || message_count"), "inline2")
	}},
	{name: "old_chat_key", plan: func(b *caseBuilder) {
		w := b.plainFolder("of-2023")
		c := b.oldChat(w)
		w.items = []Row{{ItemTable, "workbench.panel.chat.view.chat.chatdata", `{"tabs":[` + c.tab() + `]}`}}
		b.expectIn("workspace:"+w.id, holds(c.id)+" AND key = 'workbench.panel.chat.view.chat.chatdata'", 1,
			ofConversation(c, "format || message_count"), "chat_tab2")
	}},
	{name: "old_chat_delegate", plan: oldPrompt("delegate", "$.tabs[0].bubbles[0].delegate.a", func(*message) {})},
	{name: "old_chat_init_text", plan: oldPrompt("initText", "$.tabs[0].bubbles[0].initText", func(*message) {})},
	{name: "old_chat_image", plan: oldPrompt("text", "$.tabs[0].bubbles[0].image.path", func(m *message) {
		m.attach = []attachment{{"image", 1, ""}}
	})},
	{name: "global_beats_copy", plan: func(b *caseBuilder) {
		w := b.project("copied")
		c, m := b.talk()
		extra := b.reply(c, "Only the copy has this.")
		extra.inCopy = true
		c.link, c.project = "workspace_list", w
		copied := &conversation{id: c.id, form: "inline", store: w, title: "An older title", created: c.created}
		stale, kept := *m, *extra
		stale.text, kept.inCopy = "an older text", false
		copied.msgs = []*message{c.msgs[0], &stale, &kept}
		w.heads = append(w.heads, string(copied.json()))
		b.expectIn("workspace:"+w.id, holds("an older text"), 1, ofConversation(c, "title || message_count"),
			c.title+"3")
	}},
	{name: "two_inline_copies", plan: func(b *caseBuilder) {
		older, newer := b.project("twice"), b.project("twice")
		c := b.local(newer)
		c.updated = number(b.at + 3600_000)
		newer.heads[0] = string(c.json())
		copied := *c
		copied.title, copied.updated, copied.msgs = "An older title", number(b.at+60_000), c.msgs[:1]
		older.heads = append(older.heads, string(copied.json()))
		b.expectIn("workspace:"+older.id, holds(c.id), 1, ofConversation(c, "title || message_count"), c.title+"2")
	}},
	secretCase("secret_access_token", 0),
	secretCase("secret_refresh_token", 1),
	secretCase("secret_storage", 2),
	secretCase("secret_mcp_oauth", 3),
	{name: "secret_keys_in_composer", composer: "json_extract(value, '$.blobEncryptionKey') = '" + canaryBlobKey + "'",
		conversation: "message_count", want: "2", plan: func(b *caseBuilder) {
			b.c.fields = []string{"blobEncryptionKey", quoted(canaryBlobKey), "speculativeSummarizationEncryptionKey",
				quoted(canarySummaryKey)}
		}},
	gapCase("session_gap_reached", gap, "1"),
	gapCase("session_gap_passed", gap+1, "2"),
	{name: "session_resumed", plan: func(b *caseBuilder) {
		// The first chat goes on a day later; the third starts just after that and belongs with the second.
		w := b.project("resumed")
		first := b.in(w, 0)
		b.in(w, 12*3600_000)
		b.in(w, day+10*60_000)
		m := b.reply(first, "Back again.")
		m.finish = first.created.ms + day
		m.own = iso(m.finish)
		b.expect(bubble(first, m, "json_valid(value)"), 1,
			"SELECT count(DISTINCT session_id) FROM conversations WHERE project = 'resumed'", "2")
	}},
}

// local is a conversation that lives in the workspace's store.
func (b *caseBuilder) local(w *workspace) *conversation {
	c := b.unlistedLocal(w)
	c.enlist()
	return c
}

// in is a conversation of the workspace's project, that much after the time of the case.
func (b *caseBuilder) in(w *workspace, after int64) *conversation {
	c, _ := b.talk()
	c.link, c.project, c.created = "composer", w, number(b.at+after)
	for i, m := range c.msgs {
		m.finish = b.at + after + int64(i+1)*60_000
		m.own = iso(m.finish)
	}
	return c
}

// gapCase is a conversation that starts that long after the last message of the one before it.
func gapCase(name string, pause int64, sessions string) namedCase {
	return namedCase{name: name, plan: func(b *caseBuilder) {
		w := b.project(name)
		first := b.in(w, 0)
		second := b.in(w, 2*60_000+pause)
		b.expect(composer(second, "json_extract(value, '$.createdAt') - "+itoa64(first.end())+" = "+itoa64(pause)), 1,
			"SELECT count(*) FROM sessions WHERE project_uri = '"+w.uri+"'", sessions)
	}}
}

// secretCase is a row of the global ItemTable that must not be read.
func secretCase(name string, i int) namedCase {
	return namedCase{name: name, plan: func(b *caseBuilder) {
		b.p.items = append(b.p.items, Row{ItemTable, secretItems[i][0], secretItems[i][1]})
		b.p.refused++
		b.expect("SELECT count(*) FROM ItemTable WHERE key = '"+secretItems[i][0]+"' AND instr(value, 'CANARY') > 0", 1,
			"SELECT count(*) FROM quarantine WHERE contains(head, 'CANARY')", "0")
	}}
}

// oldPrompt is a case of an old chat whose prompt has its text in a field. path is where SQLite finds what it is about.
func oldPrompt(field, path string, more func(*message)) func(b *caseBuilder) {
	return func(b *caseBuilder) {
		w := b.plainFolder(field)
		c := b.oldChat(w)
		m := c.msgs[0]
		m.textIn = field
		more(m)
		w.items = []Row{{ItemTable, "workbench.panel.aichat.view.aichat.chatdata", `{"tabs":[` + c.tab() + `]}`}}
		b.expectIn("workspace:"+w.id, holds(c.id)+" AND json_extract(value, '"+path+"') <> ''", 1,
			ofMessage(c, m, "text"), m.text)
	}
}
