package storetest

// forkCases are about chats that were forked, and prompts that several models answered at once.
var forkCases = []namedCase{
	{name: "fork", plan: func(b *caseBuilder) {
		c, m := b.talk()
		m.in, m.out = 2000, 200
		c.msgs[0].request = b.id()
		b.asked(c)
		c.usage = []usage{{"claude-3.5-sonnet", 40, 4}}
		f := b.fork(c)
		b.asked(f)
		b.expect("SELECT count(*) FROM cursorDiskKV WHERE key LIKE 'bubbleId:ca5e%' AND instr(value, "+
			sqlText(c.msgs[0].request)+") > 0", 2,
			"SELECT string_agg(m.is_repeat || ' ' || coalesce(c.forked_from, '-'), ', ' ORDER BY c.created_at, "+
				"m.position) FROM messages m JOIN conversations c USING (conversation_id) WHERE conversation_id IN ("+
				sqlText(c.id)+", "+sqlText(f.id)+")",
			"false -, false -, false -, false -, true "+c.id+", true "+c.id+", true "+c.id+", true "+c.id+", false "+
				c.id+", false "+c.id)
	}},
	{name: "fork_of_a_fork", plan: func(b *caseBuilder) {
		// The last one has a request that the second began: it is of the first all the same, as its first request is.
		c, _ := b.talk()
		c.msgs[0].request = b.id()
		second := b.fork(c)
		b.asked(second)
		third := b.fork(second)
		b.expect("SELECT count(*) FROM cursorDiskKV WHERE key LIKE 'bubbleId:ca5e%' AND instr(value, "+
			sqlText(c.msgs[0].request)+") > 0", 3,
			"SELECT forked_from || ' ' || (SELECT count(*) FILTER (WHERE is_repeat) FROM messages WHERE "+
				"conversation_id = c.conversation_id) FROM conversations c WHERE conversation_id = "+sqlText(third.id),
			c.id+" 4")
	}},
	{name: "fork_with_the_same_ids", plan: func(b *caseBuilder) {
		// The copies keep the ids of their bubbles and their times; nothing has a request.
		c, m := b.talk()
		m.in, m.out = 500, 50
		f := b.chat()
		f.created = number(c.created.ms + 3600_000)
		for _, m := range c.msgs {
			again := *m
			f.msgs = append(f.msgs, &again)
		}
		b.ask(f, "And then?")
		b.reply(f, "Then this.")
		b.expect("SELECT count(*) FROM cursorDiskKV WHERE key LIKE 'bubbleId:ca5e%:"+m.id+"'", 2,
			"SELECT string_agg(m.is_repeat || ' ' || coalesce(c.forked_from, '-'), ', ' ORDER BY c.created_at, "+
				"m.position) FROM messages m JOIN conversations c USING (conversation_id) WHERE conversation_id IN ("+
				sqlText(c.id)+", "+sqlText(f.id)+")",
			"false -, false -, true "+c.id+", true "+c.id+", false "+c.id+", false "+c.id)
	}},
	{name: "best_of_n", plan: func(b *caseBuilder) {
		c, copies := b.tries(2)
		c.fields = []string{"isBestOfNParent", "true", "subComposerIds",
			list([]string{quoted(copies[0].id), quoted(copies[1].id)})}
		b.expect(composer(c, "json_array_length(value, '$.subComposerIds') = 2"), 1,
			"SELECT count(*) || ' ' || count(DISTINCT session_id) || ' ' || (SELECT count(*) FROM messages m WHERE "+
				"is_repeat AND m.conversation_id IN ("+sqlText(copies[0].id)+", "+sqlText(copies[1].id)+
				")) FROM conversations WHERE coalesce(best_of_parent_id, conversation_id) = "+sqlText(c.id),
			"3 1 0")
	}},
	{name: "best_of_n_marked_copies", plan: func(b *caseBuilder) {
		c, copies := b.tries(1)
		c.fields = []string{"subComposerIds", list([]string{quoted(copies[0].id), quoted(b.id())})}
		copies[0].fields = []string{"isBestOfNSubcomposer", "true"}
		b.expect(composer(copies[0], "json_extract(value, '$.isBestOfNSubcomposer')"), 1,
			ofConversation(copies[0], "best_of_parent_id"), c.id)
	}},
	{name: "best_of_n_with_subagent_info", plan: copyWithInfo(true)},
	{name: "best_of_n_named_by_the_copy", plan: copyWithInfo(false)},
}

// copyWithInfo is a case of a try that names its parent as a subagent does; the list of the parent may name it, too.
func copyWithInfo(listed bool) func(b *caseBuilder) {
	return func(b *caseBuilder) {
		c, copies := b.tries(1)
		if listed {
			c.fields = []string{"subComposerIds", list([]string{quoted(copies[0].id)})}
		}
		copies[0].fields = []string{"isBestOfNSubcomposer", "true", "subagentInfo",
			`{"subagentType":"SPEC","parentComposerId":` + quoted(c.id) + `}`}
		b.expect(composer(copies[0], "json_extract(value, '$.subagentInfo.subagentType') = 'SPEC'"), 1,
			"SELECT is_subagent || ' ' || best_of_parent_id FROM conversations WHERE conversation_id = "+
				sqlText(copies[0].id), "false "+c.id)
	}
}

// asked adds a question with a request of its own, and an answer.
func (b *caseBuilder) asked(c *conversation) {
	b.ask(c, "And then?").request = b.id()
	b.reply(c, "Then this.")
}

// fork adds a fork of a conversation, begun an hour after it: its messages are copies under new ids.
func (b *caseBuilder) fork(c *conversation) *conversation {
	f := b.copyOf(c)
	f.created = number(c.created.ms + 3600_000)
	f.usage = c.usage
	return f
}

// tries adds a conversation, and n copies that answer its prompt, too.
func (b *caseBuilder) tries(n int) (c *conversation, copies []*conversation) {
	c, m := b.talk()
	c.msgs[0].request = b.id()
	m.in, m.out = 100, 10
	for range n {
		k := b.copyOf(c)
		k.bestOf = c
		copies = append(copies, k)
	}
	return c, copies
}

func (b *caseBuilder) copyOf(c *conversation) *conversation {
	k := b.chat()
	for _, m := range c.msgs {
		again := *m
		again.id = b.id()
		k.msgs = append(k.msgs, &again)
	}
	return k
}
