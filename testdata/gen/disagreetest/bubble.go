package disagreetest

import (
	"encoding/json"
	"strconv"
	"strings"
)

// bubble is the body of a message's row. A stale one, which a map or an array may have beside the row, says the same in
// an older form.
func (c *Chat) bubble(m *message, stale bool) object {
	r := newRandom(m.style, 1)
	o := object{"_v": 3, "bubbleId": m.id, "type": c.typeOf(m, r)}
	if m.stored != "" {
		o["bubbleId"] = m.stored
	}
	c.sayIn(o, m, r)
	if m.own {
		o["createdAt"] = iso(m.at)
		if r.chance(20) {
			o["createdAt"] = m.at
		}
	}
	if m.request != "" && (c.Shape.Graph == "none" || m.nodeID != m.id || r.chance(80)) {
		o["requestId"] = m.request
	}
	if m.user && !m.ghost && c.Shape.Branch {
		o["checkpointId"] = "checkpoint-" + strconv.Itoa(m.turn) // an edited prompt begins where the one before it did
	}
	switch m.mark {
	case "bubble":
		o["isSimulatedMsg"], o["simulatedMsgReason"] = true, 3
	case "plan":
		o["isPlanExecution"], o["planId"] = true, "plan-1"
	case "spawn":
		o["subagentSpawnTaskToolCallId"] = "toolu_spawn"
	}
	if k := m.call; k != nil {
		o["toolFormerData"], o["capabilityType"] = k.toolFormerData(), 15
		if stale && k.row.status == "completed" {
			o["toolFormerData"].(object)["note"] = "older"
		}
		if k.startsIn("bubble") {
			o["startedAtMs"], o["completedAtMs"] = k.start, k.end
		}
	} else if m.kind == "text" && !m.user && r.chance(10) {
		o["toolFormerData"] = object{"additionalData": object{"status": "error"}} // no call
	}
	return o
}

// typeOf is the type of a body.
func (c *Chat) typeOf(m *message, r random) any {
	forms := []any{2, 2, json.Number("2.0"), "2", "ai", "AI", "assistant"}
	if m.user {
		forms = []any{1, 1, json.Number("1.0"), "1", "user", "HUMAN"}
	}
	if !c.Shape.Odd {
		return forms[0]
	}
	return forms[r.IntN(len(forms))]
}

// sayIn writes what a message says.
func (c *Chat) sayIn(o object, m *message, r random) {
	o["text"] = ""
	switch m.kind {
	case "text":
		c.textIn(o, m, r)
	case "thinking":
		switch {
		case c.Shape.Odd && r.chance(30):
			o["text"], o["isThought"] = m.words, true
		case c.Shape.Odd && r.chance(30):
			o["thinking"] = m.words
		default:
			o["thinking"], o["capabilityType"] = object{"text": m.words, "signature": "c2ln"}, 30
		}
	case "sealed":
		if r.chance(50) {
			o["capabilityType"] = 30
		}
		if _, ok := o["capabilityType"]; !ok || r.chance(50) {
			o["thinking"] = object{"text": "", "redactedThinking": "c2VhbGVk"}
		}
	case "compaction":
		o["text"], o["isSummarization"] = m.words, true
	case "error":
		o["errorDetails"] = object{"generationUUID": "g", "error": "ERROR_OPENAI", "message": "The connection failed."}
	}
}

// textIn writes a text into one of the fields that had it.
func (c *Chat) textIn(o object, m *message, r random) {
	o["text"] = m.words
	if !c.Shape.Odd {
		return
	}
	switch r.IntN(7) {
	case 0, 1, 2:
		o[[]string{"rawText", "content", "message"}[r.IntN(3)]] = m.words
		o["text"] = ""
	case 3:
		var nodes []any
		for i, line := range strings.Split(m.words, "\n") {
			if i > 0 {
				nodes = append(nodes, object{"type": "linebreak", "version": 1})
			}
			nodes = append(nodes, object{"type": "text", "version": 1, "text": line})
		}
		paragraph := object{"type": "paragraph", "version": 1, "children": nodes}
		o["text"], o["richText"] = "",
			text(object{"root": object{"type": "root", "version": 1, "children": []any{paragraph}}})
	case 4:
		o["text"] = []any{object{"type": "text", "text": m.words}}
	}
}

// value is a bubble as its row has it.
func (c *Chat) value(m *message) any {
	if m.bad {
		return []any{"{\"_v\":3,", "[]", []byte{0xff, 0xfe, 0xfd}}[m.style%3]
	}
	body := c.bubble(m, false)
	if m.holder {
		body = object{"_v": 3, "bubbleId": m.id, "type": 2, "text": "", "isPlaceholder": true,
			"serverBubbleId": "step-" + m.id}
	}
	if m.style%5 < 3 {
		return []byte(text(body))
	}
	return text(body)
}

// headerOf is an entry of the list of headers.
func (c *Chat) headerOf(m *message) object {
	r := newRandom(m.style, 2)
	o := object{"bubbleId": m.id, "type": 2}
	if m.user {
		o["type"] = 1
	}
	if m.stored != "" {
		o["bubbleId"] = m.stored
	}
	grouping := object{"isRenderable": true}
	if m.mark == "header" {
		grouping["isSimulatedMsg"], grouping["simulatedMsgReason"] = true, 3
	}
	if len(grouping) > 1 || r.chance(40) {
		o["grouping"] = grouping
	}
	if r.chance(50) {
		o["createdAt"] = iso(m.at)
	}
	if m.call != nil && m.call.startsIn("header") {
		o["startedAtMs"], o["completedAtMs"] = m.call.start+7, m.call.end+7
	}
	return o
}
