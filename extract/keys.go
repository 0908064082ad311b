package extract

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Handling says how rows of a family are treated.
type Handling string

const (
	Loaded  Handling = "loaded"   // a table is built from it
	Linked  Handling = "linked"   // read where a conversation's rows lead to it, and nowhere else
	RawOnly Handling = "raw_only" // known, but no table is built from it
	Refused Handling = "refused"  // login secrets: the value is never read
	Unknown Handling = "unknown"  // matches no pattern
)

// shape is the structure of a key after its family's prefix.
type shape int

const (
	whole          shape = iota // one name, no conversation
	conversationID              // {conversation}
	member                      // {conversation}:{id}; the conversation ends at the first colon, the id may hold more
	maybeMember                 // {conversation}:{id} or {id}
	before                      // {conversation}, in front of the family's prefix, which is a suffix then
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

// KeyValueTable holds conversations, ItemTable settings, HeaderTable the heads of conversations (Cursor 3.9 and later).
// FileTable is no table: it stands for files beside the stores.
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
	FamilyRoot       = "agentKv:checkpoint"  // names the root of a conversation's graph
	FamilyCloud      = "cloudAgent:metadata" // names the state of a cloud agent
	FamilyNode       = "agentKv:blob"        // a blob of the agent's graph, by its hash
	FamilyCloudList  = "cloudAgentRepository.agents"
	FamilyDailyStats = "aiCodeTracking.dailyStats"
	FamilyUnknown    = "(unknown)" // of rows: FamilyCount has the pattern of their keys, see PatternOf
	FamilyOtherItem  = "(other settings)"
	familyNoKey      = "(no key)"
)

// AppCLI is the App of the source that a folder .cursor is.
const AppCLI = "cursor-cli"

// Families of its rows.
const (
	FamilyCLIMeta = "cli.meta"      // the row that describes a chat
	FamilyCLIFile = "cli.meta.json" // the file beside the store
	FamilyCLINode = "cli.blob"      // a blob of the agent's graph
)

// The tables of a chat's store.
const (
	nodeTable = "blobs"
	metaTable = "meta"
)

// metaKey is the key of the row that describes a chat.
const metaKey = "0"

// The folders of a .cursor that hold chats: those of the command line by the hash of a working directory, and those
// that editors of others have started.
const (
	chatsFolder = "chats"
	acpFolder   = "acp-sessions"
)

// CLIStore names the store of all chats of a source in reports. Each chat's own store has the path of its folder as its
// name.
const CLIStore = "chats"

// IsChatStore reports whether a store is that of one chat: it goes with its folder when the chat is deleted.
func IsChatStore(store string) bool {
	return strings.HasPrefix(store, chatsFolder+"/") || strings.HasPrefix(store, acpFolder+"/")
}

// IsACPStore reports whether a chat's store is of a chat that another editor has started.
func IsACPStore(store string) bool { return strings.HasPrefix(store, acpFolder+"/") }

// ConversationFamilies are the families of a conversation's rows, in the order in which Conversation gives them.
func ConversationFamilies() []string {
	return append(append([]string{FamilyComposer}, partFamilies...), FamilyNode)
}

// partFamilies are the families whose keys name a conversation, but for its own document. Tables are built from them.
var partFamilies = func() (names []string) {
	for _, f := range families {
		if f.handling == Loaded && f.name != FamilyComposer {
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
	{FamilyRoot, diskKV, "agentKv:checkpoint:", conversationID, Loaded},
	{FamilyNode, diskKV, "agentKv:blob:", whole, Linked},
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
	{"composerHeaders (a key)", diskKV, "composerHeaders", whole, RawOnly}, // not the table of that name
	{"composer.composerHeaders.migratedToTable", diskKV, "composer.composerHeaders.migratedToTable", whole, RawOnly},
	{"model-nudge", diskKV, "model-nudge.", whole, RawOnly},
	{"bcCachedDetails", diskKV, "bcCachedDetails:", whole, RawOnly},
	{"ai_hashes", diskKV, "ai_hashes.", whole, RawOnly},
	{"ai_accepted_diffs", diskKV, "ai_accepted_diffs.", whole, RawOnly},
	{FamilyCloud, diskKV, ":cloudAgent:metadata", before, Loaded},
}

// allowedItems lists the ItemTable keys whose values may be read (docs/formats.md, Keys of ItemTable). All other values
// stay unread.
var allowedItems = []family{
	{"composer.composerData", itemTable, "composer.composerData", whole, Loaded},
	{"composer.composerHeaders", itemTable, "composer.composerHeaders", whole, Loaded},
	{"workbench.panel.composerChatViewPane", itemTable, "workbench.panel.composerChatViewPane", whole, Loaded},
	{"aichat.chatdata", itemTable, "workbench.panel.aichat.view.aichat.chatdata", whole, Loaded},
	{"aichat.chatdata", itemTable, "workbench.panel.chat.view.chat.chatdata", whole, Loaded},
	{"aiService.prompts", itemTable, "aiService.prompts", whole, Loaded},
	{"aiService.generations", itemTable, "aiService.generations", whole, Loaded},
	{"glass.localAgentProjects", itemTable, "glass.localAgentProjects.v1", whole, Loaded},
	{"glass.localAgentProjectMembership", itemTable, "glass.localAgentProjectMembership.v1", whole, Loaded},
	{"glass.cloudAgentProjects", itemTable, "glass.cloudAgentProjects.v1", whole, Loaded},
	{"glass.cloudAgentProjectMembership", itemTable, "glass.cloudAgentProjectMembership.v1", whole, Loaded},
	{"workspaceMetadata.entries", itemTable, "workspaceMetadata.entries", whole, Loaded},
	{"composer.planRegistry", itemTable, "composer.planRegistry", whole, Loaded},
	{FamilyCloudList, itemTable, FamilyCloudList, whole, Loaded},
	{"mcpService.knownServerIds", itemTable, "mcpService.knownServerIds", whole, Loaded},
	{FamilyDailyStats, itemTable, "aiCodeTracking.dailyStats.v1.5.", whole, Loaded},
}

// secretPrefixes begin ItemTable keys that hold login secrets or telemetry ids (docs/formats.md, Secrets).
var secretPrefixes = []string{
	"cursorAuth/", "secret://", "mcpOAuth.", "anysphere.cursor-mcp", "telemetry.", "src.vs.platform.reactivestorage",
}

// keyClass says what a key stands for.
type keyClass struct {
	family       string
	handling     Handling
	conversation string
	id           string
	bad          bool // the family is known, but the rest of the key does not have its shape
}

// classifyKey classifies a key of cursorDiskKV.
func classifyKey(key string) keyClass {
	if f, rest := diskFamily(key); f != nil {
		p := keyClass{family: f.name, handling: f.handling}
		if f.handling == Linked {
			p.id = rest
		}
		first, last, two := strings.Cut(rest, ":")
		switch f.shape {
		case conversationID, before:
			p.conversation, p.bad = rest, !IsConversationID(rest)
		case member:
			p.conversation, p.id, p.bad = first, last, !two || !IsConversationID(first) || last == ""
		case maybeMember:
			if two {
				p.conversation, p.id = first, last
			} else {
				p.id = first
			}
			p.bad = p.id == "" || two && !IsConversationID(first)
		}
		if f.handling == Loaded && !utf8.ValidString(key) {
			p.bad = true
		}
		if p.bad {
			p.conversation = ""
		}
		return p
	}
	if p := classifyItemKey(key); p.handling == Refused { // a key of ItemTable that is in the wrong table
		return p
	}
	return keyClass{family: FamilyUnknown, handling: Unknown}
}

// diskFamily returns the family of a key of cursorDiskKV, and the key without the family's prefix; nil for none.
func diskFamily(key string) (f *family, rest string) {
	for i := range families {
		if rest, ok := families[i].cut(key); ok {
			return &families[i], rest
		}
	}
	return nil, ""
}

// cut returns a key of the family without its prefix.
func (f *family) cut(key string) (rest string, ok bool) {
	if f.shape == before {
		return strings.CutSuffix(key, f.prefix)
	}
	return strings.CutPrefix(key, f.prefix)
}

// IsConversationID reports whether a text can be the id of a conversation. In the raw layer, other owners of rows have
// names in parentheses; Cursor's ids are UUIDs.
func IsConversationID(id string) bool { return id != "" && id[0] != '(' }

// CloudKey is the key of the row that names the state of a cloud agent.
func CloudKey(id string) string { return id + ":" + FamilyCloud }

// onlyKey is the key of a family's one row of a conversation; "" for a family that may have several.
func onlyKey(family, conversation string) string {
	switch family {
	case FamilyRoot:
		return family + ":" + conversation
	case FamilyCloud:
		return CloudKey(conversation)
	}
	return ""
}

// HandlingOf returns how the rows of a family are treated whose rows are read.
func HandlingOf(name string) Handling {
	switch name {
	case FamilyCLINode:
		return Linked
	case FamilyUnknown:
		return Unknown
	}
	if i := slices.IndexFunc(families, func(f family) bool { return f.name == name }); i >= 0 {
		return families[i].handling
	}
	return Loaded
}

// ConversationOf returns the conversation in a key of cursorDiskKV, "" for none.
func ConversationOf(key string) string { return classifyKey(key).conversation }

// refusedName is the family of the keys that begin with one of secretPrefixes.
func refusedName(prefix string) string { return strings.TrimRight(prefix, "/.:") }

// FamilyTranscript is the family of a transcript, whole.
const FamilyTranscript = "transcript.file"

// The folders of a .cursor that have transcripts: projects/SLUG/agent-transcripts.
const (
	projectsFolder    = "projects"
	transcriptsFolder = "agent-transcripts"
	subagentsFolder   = "subagents"
)

// transcriptTable stands for the files: there is no such table. The key of a row is the file's path below the source's
// folder.
const transcriptTable = "transcript"

// classifyItemKey classifies a key of ItemTable. Refused keys come before the list of allowed ones.
func classifyItemKey(key string) keyClass {
	for _, prefix := range secretPrefixes {
		if strings.HasPrefix(key, prefix) {
			return keyClass{family: refusedName(prefix), handling: Refused}
		}
	}
	if strings.Contains(strings.ToLower(key), "token") {
		return keyClass{family: "token", handling: Refused}
	}
	if f := itemFamily(key); f != nil {
		return keyClass{family: f.name, handling: f.handling}
	}
	if isBare(key, PatternOf(key)) {
		return keyClass{family: FamilyUnknown, handling: Unknown}
	}
	return keyClass{family: FamilyOtherItem, handling: RawOnly}
}

// itemFamily returns the family of a key of ItemTable whose value may be read; nil for none.
func itemFamily(key string) *family {
	for i := range allowedItems {
		f := &allowedItems[i]
		rest, ok := strings.CutPrefix(key, f.prefix)
		switch {
		case !ok:
		case rest == "",
			f.name == FamilyDailyStats,
			(f.name == FamilyCloudList || f.name == "workbench.panel.composerChatViewPane") && rest[0] == '.':
			return f
		}
	}
	return nil
}

// IsTranscript reports whether a store is a transcript that stands for one.
func IsTranscript(store string) bool { return strings.HasPrefix(store, projectsFolder+"/") }

// isPlainName reports whether a name is one that Cursor may have given: copies by macOS add hidden files.
func isPlainName(name string) bool { return name[0] != '.' && utf8.ValidString(name) }
