package extract

import (
	"strings"
	"unicode/utf8"
)

// Handling says what is done with the rows of a family.
type Handling string

const (
	Loaded  Handling = "loaded"   // a table is built from it
	RawOnly Handling = "raw_only" // known, no table is built from it
	Refused Handling = "refused"  // login secrets: the value is never read
	Unknown Handling = "unknown"  // matches no pattern
)

// shape says how the text after a family's prefix is cut.
type shape int

const (
	whole          shape = iota // one name, no conversation
	conversationID              // {conversation}
	member                      // {conversation}:{id}; the conversation is cut at the first colon, the id may hold more
	maybeMember                 // {conversation}:{id} or {id}
)

// family is one key pattern of a table.
type family struct {
	name     string
	table    string
	prefix   string
	shape    shape
	handling Handling
}

const (
	diskKV    = KeyValueTable
	itemTable = ItemTable
	headTable = HeaderTable
)

// KeyValueTable is the table of conversations, ItemTable that of settings, HeaderTable that of conversations' heads (Cursor 3.9 and later);
// FileTable stands for files beside the stores.
const (
	KeyValueTable = "cursorDiskKV"
	ItemTable     = "ItemTable"
	HeaderTable   = "composerHeaders"
	FileTable     = "file"
)

// Families that other packages name.
const (
	FamilyComposer   = "composerData"
	FamilyBubble     = "bubbleId"
	FamilyContext    = "messageRequestContext"
	FamilyCheckpoint = "checkpointId"
	FamilyDiff       = "codeBlockDiff"
	FamilyFate       = "codeBlockPartialInlineDiffFates"
	FamilyHeader     = "composerHeaders"
	FamilyDailyStats = "aiCodeTracking.dailyStats"
	FamilyUnknown    = "(unknown)" // of rows; they are counted by their pattern, see patternOf
	FamilyOtherItem  = "(other settings)"
	familyNoKey      = "(no key)"
)

// ConversationFamilies are those whose rows a conversation has, in the order in which Conversation gives them.
func ConversationFamilies() []string {
	return append([]string{FamilyComposer}, partFamilies...)
}

// partFamilies are those that tables are built from and whose keys name a conversation and something in it.
var partFamilies = func() (names []string) {
	for _, f := range families {
		if f.handling == Loaded && (f.shape == member || f.shape == maybeMember) {
			names = append(names, f.name)
		}
	}
	return names
}()

// families is the key grammar of cursorDiskKV, first match wins (docs/formats.md, Keys of cursorDiskKV).
var families = []family{
	{FamilyComposer, diskKV, "composerData:", conversationID, Loaded},
	{FamilyBubble, diskKV, "bubbleId:", member, Loaded},
	{FamilyContext, diskKV, "messageRequestContext:", member, Loaded},
	{FamilyCheckpoint, diskKV, "checkpointId:", member, Loaded},
	{FamilyDiff, diskKV, "codeBlockDiff:", maybeMember, Loaded},
	{FamilyFate, diskKV, "codeBlockPartialInlineDiffFates:", member, Loaded},
	{"ofsContent", diskKV, "ofsContent:", whole, RawOnly},
	{"composer.content", diskKV, "composer.content.", whole, RawOnly},
	{"agentKv:blob", diskKV, "agentKv:blob:", whole, RawOnly},
	{"agentKv:checkpoint", diskKV, "agentKv:checkpoint:", whole, RawOnly},
	{"agentKv:bubbleCheckpoint", diskKV, "agentKv:bubbleCheckpoint:", whole, RawOnly},
	{"agentKv:artifact", diskKV, "agentKv:artifact:", whole, RawOnly},
	{"agentKv", diskKV, "agentKv:", whole, RawOnly},
	{"inlineDiffUndoRedo", diskKV, "inlineDiffUndoRedo:", whole, RawOnly},
	{"inlineDiffsData", diskKV, "inlineDiffsData", whole, RawOnly},
	{"inlineDiffs", diskKV, "inlineDiffs-", whole, RawOnly},
	{"inlineDiff", diskKV, "inlineDiff:", whole, RawOnly},
	{"patch-graph", diskKV, "patch-graph:", whole, RawOnly},
	{"expectedContent", diskKV, "expectedContent-", whole, RawOnly},
	{"composerVirtualRowHeights", diskKV, "composerVirtualRowHeights:", whole, RawOnly},
	{"composerDraft", diskKV, "composerDraft:", whole, RawOnly},
	{"composerRootWriterDiagnostic", diskKV, "composerRootWriterDiagnostic:", whole, RawOnly},
	{"localAgentMailboxCursor", diskKV, "localAgentMailboxCursor:", whole, RawOnly},
	{"composer.composerHeaders.migratedToTable", diskKV, "composer.composerHeaders.migratedToTable", whole, RawOnly},
	{"model-nudge", diskKV, "model-nudge.", whole, RawOnly},
	{"bcCachedDetails", diskKV, "bcCachedDetails:", whole, RawOnly},
	{"ai_hashes", diskKV, "ai_hashes.", whole, RawOnly},
	{"ai_accepted_diffs", diskKV, "ai_accepted_diffs.", whole, RawOnly},
}

// allowedItems is the list of ItemTable keys whose values may be read (docs/formats.md, Keys of ItemTable); everything else there stays unread.
var allowedItems = []family{
	{"composer.composerData", itemTable, "composer.composerData", whole, Loaded},
	{"composer.composerHeaders", itemTable, "composer.composerHeaders", whole, Loaded},
	{"workbench.panel.composerChatViewPane", itemTable, "workbench.panel.composerChatViewPane", whole, Loaded},
	{"aichat.chatdata", itemTable, "workbench.panel.aichat.view.aichat.chatdata", whole, Loaded},
	{"aichat.chatdata", itemTable, "workbench.panel.chat.view.chat.chatdata", whole, Loaded},
	{"aiService.prompts", itemTable, "aiService.prompts", whole, Loaded},
	{"aiService.generations", itemTable, "aiService.generations", whole, Loaded},
	{FamilyDailyStats, itemTable, "aiCodeTracking.dailyStats.v1.5.", whole, Loaded},
}

// secretPrefixes begin ItemTable keys that hold login secrets or telemetry ids (docs/formats.md, Secrets).
var secretPrefixes = []string{
	"cursorAuth/", "secret://", "mcpOAuth.", "anysphere.cursor-mcp", "telemetry.", "src.vs.platform.reactivestorage",
}

// place is where a key belongs.
type place struct {
	family       string
	handling     Handling
	conversation string
	id           string
	bad          bool // the family is known, the rest of the key is not of its shape
}

// placeOf classifies a key of cursorDiskKV.
func placeOf(key string) place {
	for i := range families {
		f := &families[i]
		rest, ok := strings.CutPrefix(key, f.prefix)
		if !ok {
			continue
		}
		p := place{family: f.name, handling: f.handling}
		first, last, two := strings.Cut(rest, ":")
		switch f.shape {
		case conversationID:
			p.conversation, p.bad = rest, rest == ""
		case member:
			p.conversation, p.id, p.bad = first, last, !two || first == "" || last == ""
		case maybeMember:
			if two {
				p.conversation, p.id = first, last
			} else {
				p.id = first
			}
			p.bad = p.id == "" || two && first == ""
		}
		if f.handling == Loaded && !utf8.ValidString(key) {
			p.bad = true
		}
		if p.bad {
			p.conversation = ""
		}
		return p
	}
	if strings.HasSuffix(key, ":cloudAgent:metadata") {
		return place{family: "cloudAgent:metadata", handling: RawOnly}
	}
	if p := placeOfItem(key); p.handling == Refused { // in the wrong table
		return p
	}
	return place{family: FamilyUnknown, handling: Unknown}
}

// ConversationOf is the conversation that a key of cursorDiskKV names, "" for none.
func ConversationOf(key string) string { return placeOf(key).conversation }

// placeOfItem classifies a key of ItemTable. Refusal comes before the allow-list.
func placeOfItem(key string) place {
	for _, prefix := range secretPrefixes {
		if strings.HasPrefix(key, prefix) {
			return place{family: strings.TrimRight(prefix, "/.:"), handling: Refused}
		}
	}
	if strings.Contains(strings.ToLower(key), "token") {
		return place{family: "token", handling: Refused}
	}
	for i := range allowedItems {
		f := &allowedItems[i]
		rest, ok := strings.CutPrefix(key, f.prefix)
		switch {
		case !ok:
		case rest == "",
			f.name == FamilyDailyStats,
			f.name == "workbench.panel.composerChatViewPane" && rest[0] == '.':
			return place{family: f.name, handling: f.handling}
		}
	}
	return place{family: FamilyOtherItem, handling: RawOnly}
}
