package storetest

import "slices"

// This file plans what happens some times in a year: chats that were deleted, forked, answered by several models, begun
// and left empty; prompts that were edited.

func (y *Year) rare(r rng) {
	var plain []*conversation
	for _, c := range y.chats {
		if c.parent == nil && len(c.msgs) > 12 {
			plain = append(plain, c)
		}
	}
	if len(plain) < 12 {
		return
	}
	r.Shuffle(len(plain), func(i, j int) { plain[i], plain[j] = plain[j], plain[i] })
	for _, c := range plain[:2] {
		y.lose(c)
	}
	forks, tries := 0, 0
	for _, c := range plain[2:] {
		switch {
		case forks < 2 && c.v == "13":
			forks++
			y.fork(r, c)
		case tries < 2 && c.style > 0 && len(c.msgs) < 40:
			tries++
			y.tries(r, c)
		case r.chance(0.05):
			leave(c)
		}
	}
	cut := plain[len(plain)-1] // a row that Cursor had begun to write when the machine went down
	y.extra = append(y.extra, Row{Key: "bubbleId:" + cut.id + ":" + r.uuid(), Value: `{"_v":2,"type":2,"bubbleId":"`})
	y.bad["bad_json"]++
	last := y.chats[len(y.chats)-1]
	for i := range 3 {
		y.add(&conversation{id: r.uuid(), v: last.v, form: "rows", style: last.style, seed: r.Uint64(), status: "none",
			mode: "agent", created: number(last.created.ms + int64(i+1)*3600_000), link: last.link,
			project: y.projects[i].w, told: &told{}})
	}
}

// lose takes a conversation's own row away, as Cursor does when it is deleted while its messages stay.
func (y *Year) lose(c *conversation) {
	for _, other := range y.chats {
		if other.parent == c || other == c && c.link == "headers_table" {
			return
		}
	}
	c.orphan, c.link, c.project, c.title, c.status = true, "", nil, "", ""
	c.created, c.updated, c.checkpoint, c.tableTime = stamp{}, stamp{}, 0, 0
	c.model, c.mode, c.archived, c.told, c.usage, c.edits = nil, "", false, &told{}, nil, nil
	for _, m := range c.msgs {
		m.unlisted = true
	}
}

// again is a conversation that begins with copies of another one's messages.
func (y *Year) again(r rng, c *conversation, n int) *conversation {
	k := *c
	k.id, k.seed, k.told, k.usage, k.edits, k.checkpoints, k.diffs, k.msgs = r.uuid(), r.Uint64(), &told{}, nil, nil,
		nil, nil, nil
	k.copied = n
	for _, m := range c.msgs[:n] {
		copied := *m
		copied.id, copied.checkpoint = r.uuid(), ""
		if m.tool != nil {
			t := *m.tool
			t.block, t.subagent = "", ""
			copied.tool = &t
		}
		k.msgs = append(k.msgs, &copied)
	}
	y.add(&k)
	return &k
}

// fork forks a conversation where its second turn ends, and asks for something else.
func (y *Year) fork(r rng, c *conversation) {
	i := c.nextPrompt(0)
	k := y.again(r, c, i)
	k.created = number(c.msgs[len(c.msgs)-1].finish + 1800_000)
	at := k.created.ms + 20_000
	k.msgs = append(k.msgs, &message{id: r.uuid(), role: "user", typ: "1",
		text: "Let me try it the other way: first the test, then the change.", own: iso(at), finish: at,
		request: r.uuid(), seed: r.Uint64(), tokens: true},
		&message{id: r.uuid(), role: "assistant", typ: "2",
			text: "The test is there, and it fails as expected. Now the change: it passes.", own: iso(at + 60_000),
			finish: at + 60_000, seed: r.Uint64(), tokens: true})
	k.updated, k.checkpoint = number(at+60_000), at+61_500
}

// tries lets two models answer the first prompt of a conversation.
func (y *Year) tries(r rng, c *conversation) {
	var ids []string
	for try := range 2 {
		k := y.again(r, c, c.nextPrompt(0))
		k.bestOf, k.created = c, number(c.created.ms+2000)
		k.model = ptr(modelAt(r, c.created.ms))
		for _, m := range k.msgs {
			if m.model = nil; m.tool != nil {
				m.tool.callID += "_" + itoa(try) // each try makes calls of its own
			}
		}
		ids = append(ids, quoted(k.id))
	}
	c.fields = append(c.fields, "isBestOfNParent", "true", "subComposerIds", list(ids))
}

// leave leaves a turn behind, as an edited prompt does: it is in the store, and no longer in the list.
func leave(c *conversation) {
	from := c.nextPrompt(0)
	if from >= len(c.msgs) || slices.ContainsFunc(c.msgs,
		func(m *message) bool { return m.tool != nil && m.tool.subagent != "" }) {
		return
	}
	to := c.nextPrompt(from)
	if to >= len(c.msgs) {
		return
	}
	for _, m := range c.msgs[from:to] {
		m.unlisted = true
		m.head, m.start = stamp{}, 0
	}
}
