package storetest

// rareCases are about what few stores hold.
var rareCases = []namedCase{
	{name: "elements_that_are_none", plan: func(b *caseBuilder) {
		c, _ := b.talk()
		c.fields = []string{"usageData",
			`{"gpt-4o":{"costInCents":7,"amount":1},"claude-3.5-sonnet":"unlimited","default":null}`, "codeBlockData",
			`{"file:///home/mira/src/a.ts":{"x":true,"y":true}}`}
		c.usage = []usage{{"gpt-4o", 7, 1}}
		c.usageInFields = true
		b.p.bad["not_object"] += 3
		b.expect(composer(c, "instr(value, 'unlimited') > 0"), 1,
			"SELECT string_agg(head, ' ' ORDER BY head) FROM quarantine WHERE conversation_id = "+sqlText(c.id),
			`"unlimited" true true`)
	}},
	{name: "subagent_type_in_the_table", plan: func(b *caseBuilder) {
		c, _ := b.talk()
		child := b.child(c, "table")
		child.parent, child.subagent, child.link = nil, true, ""
		child.typeColumn = "explore"
		b.expect("SELECT count(*) FROM composerHeaders WHERE composerId = "+sqlText(child.id)+
			" AND subagentTypeName = 'explore' AND isSubagent = 1", 1, ofConversation(child, "subagent_type"),
			"explore")
	}},
	{name: "headers_in_a_key", plan: func(b *caseBuilder) {
		b.row("composerHeaders", `{"allComposers":[]}`)
		b.expect(keyed("composerHeaders", "value IS NOT NULL"), 1,
			"SELECT string_agg(DISTINCT handling, ' ' ORDER BY handling) FROM key_families WHERE starts_with(family, "+
				"'composerHeaders')", "loaded raw_only")
	}},
}
