package shapetest

import (
	"crypto/sha256"
	"fmt"
	"strings"
)

// conversation is the id of a conversation.
func conversation(i int) string { return fmt.Sprintf("c0000000-0000-4000-8000-%012x", i) }

// chats is over how many conversations the rows of a family are spread.
const chats = 50

// ofConversations are the families whose keys name a conversation and a part of it.
var ofConversations = map[string]bool{"bubbleId": true, "messageRequestContext": true, "checkpointId": true,
	"codeBlockDiff": true, "codeBlockPartialInlineDiffFates": true}

// keys are those of families whose keys do not begin with the family's name and a colon. %d is a number.
var keys = map[string]string{
	"composer.content": "composer.content.%d", "inlineDiffsData": "inlineDiffsData%d", "inlineDiffs": "inlineDiffs-%d",
	"expectedContent": "expectedContent-%d", "composerHeaders (a key)": "composerHeaders",
	"composer.composerHeaders.migratedToTable": "composer.composerHeaders.migratedToTable",
	"model-nudge": "model-nudge.%d", "ai_hashes": "ai_hashes.%d", "ai_accepted_diffs": "ai_accepted_diffs.%d",
	"cloudAgent:metadata":                  "bc-%d:cloudAgent:metadata",
	"cloudAgentRepository.agents":          "cloudAgentRepository.agents.%d",
	"aichat.chatdata":                      "workbench.panel.aichat.view.aichat.chatdata",
	"aiCodeTracking.dailyStats":            "aiCodeTracking.dailyStats.v1.5.%d",
	"workbench.panel.composerChatViewPane": "workbench.panel.composerChatViewPane.%d", "(other settings)": "other.%d",
	"token": "other.token.%d", "(unknown)": "/unknown/%d", "cursorAuth": "cursorAuth/%d", "secret": "secret://%d",
	"mcpOAuth": "mcpOAuth.%d", "anysphere.cursor-mcp": "anysphere.cursor-mcp%d", "telemetry": "telemetry.%d",
	"src.vs.platform.reactivestorage": "src.vs.platform.reactivestorage%d",
}

// key is the key of a row.
func (m *maker) key(f family, i int, value any) string {
	form, special := keys[f.Family]
	switch {
	case special && strings.Contains(form, "%d"):
		return fmt.Sprintf(form, i)
	case special:
		return form
	case f.Table == "ItemTable":
		return f.Family
	case f.Family == "composerData" || f.Family == "agentKv:checkpoint":
		return f.Family + ":" + conversation(i)
	case f.Family == "agentKv:blob":
		return fmt.Sprintf("agentKv:blob:%x", m.hash(f, i, value))
	case ofConversations[f.Family]:
		return fmt.Sprintf("%s:%s:b0000000-0000-4000-8000-%012x", f.Family, conversation(i%chats), i)
	}
	if pattern, ok := strings.CutPrefix(f.Family, "key "); ok {
		return strings.NewReplacer("<uuid>", conversation(i), "<hex>", fmt.Sprintf("%07xa1", i), "<number>",
			fmt.Sprint(i), "<date>", "2026-01-01", "*", fmt.Sprintf("#%d", i)).Replace(pattern)
	}
	return fmt.Sprintf("%s:%d", f.Family, i)
}

// hash is that of a blob, unless the blobs of the description have other names than their hashes, or an earlier blob
// has it.
func (m *maker) hash(f family, i int, value any) [32]byte {
	text, isText := value.(string)
	if blob, ok := value.([]byte); ok {
		text, isText = string(blob), true
	}
	name := sha256.Sum256([]byte(text))
	if !isText || f.Problems["hash_mismatch"] > i || m.used[name] {
		name = sha256.Sum256(fmt.Append(nil, i, text))
	}
	m.used[name] = true
	return name
}
