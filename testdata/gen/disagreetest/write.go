package disagreetest

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	"pipeline/testdata/gen/graphtest"
	"pipeline/testdata/gen/storetest"
)

// rows are those of the chat in cursorDiskKV.
func (c *Chat) rows() (all []storetest.Row) {
	put := func(key string, value any) { all = append(all, storetest.Row{Key: key, Value: value}) }
	state := ""
	if c.graph() {
		g := c.build()
		switch c.Shape.Graph {
		case "state":
			state = "~" + base64.StdEncoding.EncodeToString(g.Root)
		case "bare":
			state = base64.StdEncoding.EncodeToString(g.Root)
		case "hex":
			state = hex.EncodeToString(g.Root)
		case "pointer":
			state = "~"
			root := g.Hash()
			put("agentKv:checkpoint:"+c.ID, hex.EncodeToString(root[:]))
		}
		blobs := map[string]any{}
		for name, b := range g.Blobs {
			blobs["agentKv:blob:"+hex.EncodeToString(name[:])] = c.blob(b)
		}
		for _, key := range slices.Sorted(maps.Keys(blobs)) {
			put(key, blobs[key])
		}
	}
	switch c.Shape.Head {
	case "whole":
		put("composerData:"+c.ID, text(c.document(state)))
	case "null":
		put("composerData:"+c.ID, nil)
	case "zero":
		put("composerData:"+c.ID, []byte{0})
	case "list":
		put("composerData:"+c.ID, "[]")
	case "broken":
		put("composerData:"+c.ID, `{"_v":18,`)
	}
	for _, m := range c.said {
		if m.row || m.holder || m.bad {
			put("bubbleId:"+c.ID+":"+m.id, c.value(m))
		}
	}
	return all
}

// blob is a node as the store has it.
func (c *Chat) blob(b []byte) any {
	switch {
	case len(b) == 0:
		return []byte{0}
	case c.hashed:
		return hex.EncodeToString(b)
	}
	return b
}

// document is the value of composerData.
func (c *Chat) document(state string) object {
	o := object{"_v": 18, "composerId": c.ID, "name": c.Title, "createdAt": c.created, "lastUpdatedAt": c.clock,
		"status": c.status, "unifiedMode": "agent", "text": "", "richText": "", "conversationMap": object{}}
	if state != "" {
		o["conversationState"], o["isNAL"] = state, true
	}
	c.listIn(o)
	entries, array := object{}, []any{}
	for _, m := range c.said {
		if m.inside {
			entries[m.id] = c.bubble(m, m.row)
			array = append(array, entries[m.id])
		}
	}
	switch c.Shape.Form {
	case "map", "rows and map":
		o["conversationMap"] = entries
	case "array", "rows and array":
		o["conversation"] = array
	}
	c.kinIn(o)
	return o
}

// listIn writes the list of headers.
func (c *Chat) listIn(o object) {
	if c.Shape.List == "absent" {
		return
	}
	r, headers := newRandom(c.seed, uint64(200+c.part)), []any{}
	for i, m := range c.named() {
		if m == nil {
			headers = append(headers, object{"bubbleId": fmt.Sprintf("%08x-%04x-4bbb-8000-%012d", i, c.part, c.seed),
				"type": 2})
			continue
		}
		headers = append(headers, c.headerOf(m))
		if c.Shape.Twice && r.chance(20) {
			headers = append(headers, c.headerOf(m))
		}
	}
	o["fullConversationHeadersOnly"] = headers
}

// kinIn writes what ties chats of a group.
func (c *Chat) kinIn(o object) {
	var children []string
	for _, child := range c.children {
		if child.listed {
			children = append(children, child.ID)
		}
	}
	switch {
	case c.Shape.Group == "subagent" && c.parent == nil:
		o["subagentComposerIds"] = children
	case c.Shape.Group == "subagent":
		o["subagentInfo"] = object{"subagentType": 3, "subagentTypeName": "explore", "parentComposerId": c.parent.ID,
			"toolCallId": c.parent.spawned.call.id}
	case c.Shape.Group == "tries" && c.parent == nil:
		o["isBestOfNParent"], o["subComposerIds"] = true, children
	case c.Shape.Group == "tries":
		o["isBestOfNSubcomposer"] = c.marked
		if c.claims {
			o["subagentInfo"] = object{"subagentType": "SPEC", "parentComposerId": c.parent.ID}
		}
	}
}

// build makes the graph, and notes which messages it has under which ids.
func (c *Chat) build() *graphtest.Graph {
	chat := graphtest.Chat{Mode: 1, Used: 1200, Max: 200000, StartedAt: c.created, TimeZone: "UTC",
		NoMessages: c.noMessages()}
	for t := range max(c.turns-c.Shape.Late, 0) {
		chat.Turns = append(chat.Turns, c.graphTurn(t))
	}
	g := chat.Build()
	for _, m := range c.said {
		m.lost = false
		if !m.node || c.Shape.Damage == "" {
			continue
		}
		label := ""
		switch first := c.first(m.turn); {
		case c.Shape.Damage == "turns" && first.style%10 < 3:
			m.lost, label = true, fmt.Sprint("turn ", m.turn)
		case c.Shape.Damage == "steps" && m != first && m.style%10 < 3:
			m.lost, label = true, fmt.Sprintf("step %d.%d", m.turn, c.stepOf(m))
		}
		if label != "" {
			delete(g.Blobs, g.Named(label))
		}
	}
	return g
}

// stepOf is the place of a message among the steps of its turn.
func (c *Chat) stepOf(m *message) (n int) {
	for _, other := range c.said[:m.n] {
		if other.turn == m.turn && other.node && !other.user {
			n++
		}
	}
	return n
}

// graphTurn is a turn as the graph has it.
func (c *Chat) graphTurn(t int) (turn graphtest.Turn) {
	prompt := c.first(t)
	if prompt.kind == "shell" {
		prompt.nodeID = fmt.Sprint("turn", t)
		return graphtest.Turn{Shell: &graphtest.Shell{Command: prompt.words, Out: "printed\n"}}
	}
	turn.Request, turn.Model = prompt.request, "gpt-5"
	turn.User = graphtest.User{ID: prompt.nodeID, Text: prompt.words, At: prompt.at + 1, InBlob: prompt.style%4 == 0}
	turn.User.Simulated = prompt.saidByGraph()
	for _, m := range c.said {
		if m.turn != t || !m.node || m.user {
			continue
		}
		m.nodeID = fmt.Sprintf("%s/%d", prompt.nodeID, len(turn.Steps))
		s := graphtest.Step{Kind: "assistant", Text: m.words, From: m.at + 1, To: m.at + 500}
		switch m.kind {
		case "thinking":
			s.Kind, s.Duration = "thinking", 499
		case "sealed":
			s = graphtest.Step{Kind: "sealed"}
		case "tool_call":
			s = m.call.step(m.call.node, 5)
			s.Call.IsError = m.call.flag
		}
		if m.style%16 == 0 && m.kind == "text" {
			s.Text = m.words + "\n" // the editor takes line ends away
		}
		turn.Steps = append(turn.Steps, s)
	}
	return turn
}

// tableRow is the chat's row in composerHeaders; nil for none.
func (c *Chat) tableRow() map[string]any {
	head := object{"type": "head", "composerId": c.ID, "createdAt": c.created, "isArchived": false, "isDraft": false}
	row := map[string]any{"composerId": c.ID, "createdAt": c.created, "lastUpdatedAt": c.clock, "isArchived": 0,
		"isSubagent": 0, "recency": c.clock}
	switch c.Shape.Table {
	case "none":
		return nil
	case "tombstone":
		row["isArchived"], head["isArchived"] = 1, true
	default:
		if c.Title != "" {
			head["name"] = c.Title
		}
		head["unifiedMode"] = "agent"
	}
	row["value"] = text(head)
	return row
}
