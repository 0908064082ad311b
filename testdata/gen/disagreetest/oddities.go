package disagreetest

import "pipeline/testdata/gen/storetest"

// OnlyHead is a chat that a list of heads names, and nothing else.
const OnlyHead = "d15affff-0000-4000-8000-000000000000"

// Oddities are rows of a store that belong to no chat: keys that are the bare names of families, in both tables, rows
// of chats in the other table, and a head without a body.
func Oddities() (all []storetest.Row) {
	for _, family := range []string{"bubbleId", "composerData", "checkpointId", "messageRequestContext",
		"codeBlockDiff", "agentKv", "agentKv:blob", "composer.composerHeaders", "composer.composerData",
		"aiService.prompts"} {
		for _, table := range []string{storetest.ItemTable, storetest.DiskKV} {
			value := `{"bare":true}`
			if family == "composer.composerHeaders" && table == storetest.ItemTable {
				head := object{"type": "head", "composerId": OnlyHead, "name": "Only a head", "createdAt": began,
					"unifiedMode": "agent"}
				value = text(object{"allComposers": []any{head}})
			}
			all = append(all, storetest.Row{Table: table, Key: family, Value: value})
		}
	}
	return append(all,
		storetest.Row{Table: storetest.ItemTable, Key: "composerData:d15a0000-0000-4000-8000-000000000000",
			Value: `{"composerId":"x"}`},
		storetest.Row{Table: storetest.ItemTable, Key: "bubbleId:d15a0000-0000-4000-8000-000000000000:b",
			Value: `{"type":1,"text":"in the other table"}`})
}
