package storetest

import (
	"cmp"
	"encoding/hex"
	"strconv"
	"strings"
)

// bubbleTemplate has the fields that Cursor writes into every bubble, empty or not.
var bubbleTemplate = newTemplate(emptyFields(
	`approximateLintErrors lints codebaseContextChunks commits pullRequests attachedCodeChunks
	assistantSuggestedDiffs gitDiffs interpreterResults images attachedFolders attachedFoldersNew userResponsesToSuggestedCodeBlocks
	suggestedCodeBlocks diffsForCompressingFiles relevantFiles toolResults notepads capabilities multiFileLinterErrors diffHistories
	recentLocationsHistory recentlyViewedFiles fileDiffTrajectories docsReferences webReferences aiWebSearchResults attachedFoldersListDirResults
	humanChanges summarizedComposers cursorRules contextPieces editTrailContexts allThinkingBlocks diffsSinceLastApply deletedFiles
	supportedTools consoleLogs uiElementPicked knowledgeItems documentationSelections externalLinks projectLayouts
	capabilityContexts todos mcpDescriptors workspaceUris attachedFileCodeChunksUris attachedFileCodeChunksMetadataOnly
	tokenDetailsUpUntilHere ideEditorsState codeBlocks`, "[]",
	`humanChangesGroupedByFile capabilityStatuses modelOptions`, "{}",
	`isAgentic existedSubsequentTerminalCommand existedPreviousTerminalCommand isRefunded attachedHumanChanges isPlanExecution
	isQuickSearchQuery useWeb isNudge skipRendering`, "false",
	`editToolSupportsSearchAndReplace`, "true", `checkpointHash afterHash`, "null"))

// emptyFields makes name and value pairs from lists of names, each followed by their common value.
func emptyFields(namesAndValue ...string) [][2]string {
	var fields [][2]string
	for i := 0; i < len(namesAndValue); i += 2 {
		for _, name := range strings.Fields(namesAndValue[i]) {
			fields = append(fields, [2]string{name, namesAndValue[i+1]})
		}
	}
	return fields
}

// json is the bubble as JSON, for a row, a map or an inline array.
func (m *message) json(b []byte) []byte {
	r := newRNG(m.seed, 1)
	o := object{b: b, mask: bubbleTemplate}
	o.int("_v", 2)
	o.someRaw("type", m.typ)
	switch {
	case m.body != "":
		o.raw("bubbleId", m.body)
	case !m.noID:
		o.str("bubbleId", m.id)
	}
	m.writeText(&o)
	m.writeTimes(&o)
	m.writeThinking(&o, r)
	if m.tool != nil && !m.tool.v1 {
		o.raw("toolFormerData", m.tool.json())
		o.int("capabilityType", 15)
	} else if m.stub {
		o.raw("toolFormerData", cmp.Or(m.stubJSON, `{"additionalData":{"status":"error"}}`))
	}
	if m.err && !m.ownError {
		o.raw("errorDetails", `{"generationUUID":"`+r.uuid()+
			`","error":"ERROR_OPENAI","message":"The connection failed."}`)
	}
	switch {
	case m.model == nil:
	case m.modelIn == "":
		o.raw("modelInfo", `{"modelName":`+quoted(*m.model)+`}`)
	default:
		o.str(m.modelIn, *m.model)
	}
	if m.tokens {
		o.raw("tokenCount", `{"inputTokens":`+itoa64(m.in)+`,"outputTokens":`+itoa64(m.out)+`}`)
	}
	if m.request != "" {
		o.str("requestId", m.request)
		o.raw("supportedTools", "[1,5,6,8,9,11,12,15,18,19,30,35,38,39,40,41,42,43,48,51,57]")
	}
	o.some("checkpointId", m.checkpoint)
	writeAttachments(&o, r, m.attach, "", m.of)
	o.raw("context", contextJSON(r, m.attach, m.of))
	o.pairs(m.fields)
	return o.end()
}

func (m *message) writeText(o *object) {
	switch m.textIn {
	case "":
		o.str("text", m.text)
		if m.role == "user" && m.text != "" {
			o.str("richText", richText(m.text))
		}
	case "richText":
		o.str("text", "")
		o.str("richText", richText(m.text))
	case "initText":
		o.str("initText", richText(m.text))
	case "delegate":
		o.raw("delegate", `{"a":`+quoted(m.text)+`}`)
	case "prosemirror":
		o.str("text", "")
		o.str("richText", proseMirror(m.text))
	case "blocks":
		var blocks []string
		for _, line := range strings.Split(m.text, "\n") {
			blocks = append(blocks, `{"type":"text","text":`+quoted(line)+`}`)
		}
		o.raw("text", list(blocks))
	case "codeBlocks":
		o.str("text", "")
	case aNotice:
		o.str("text", m.text)
	case "blocks of a prompt":
		o.str("text", "<timestamp>Wednesday, Sep 16, 2026, 3:37 PM (UTC+2)</timestamp>\n<user_query>\n"+m.text+
			"\n</user_query>")
	default:
		o.str(m.textIn, m.text)
	}
}

// aNotice is where the text of a message is that Cursor wrote, when a task in the background ended.
const aNotice = "a notification"

// proseMirror is the state of a newer editor: a paragraph for each line.
func proseMirror(text string) string {
	var lines []string
	for _, line := range strings.Split(text, "\n") {
		lines = append(lines, `{"type":"paragraph","content":[{"type":"text","text":`+quoted(line)+`}]}`)
	}
	return `{"type":"doc","content":` + list(lines) + `}`
}

// richText is the state of the editor that a prompt was written in: one paragraph with a text node a line.
func richText(text string) string {
	var nodes []string
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			nodes = append(nodes, `{"type":"linebreak","version":1}`)
		}
		if line != "" {
			nodes = append(nodes, `{"detail":0,"format":0,"mode":"normal","style":"","text":`+quoted(line)+
				`,"type":"text","version":1}`)
		}
	}
	return `{"root":{"children":[{"children":` + list(nodes) +
		`,"direction":"ltr","format":"","indent":0,"type":"paragraph","version":1}],` +
		`"direction":"ltr","format":"","indent":0,"type":"root","version":1}}`
}

func (m *message) writeTimes(o *object) {
	o.someRaw("createdAt", m.own.json)
	o.someRaw("timestamp", m.timestamp.json)
	if m.timing.json != "" {
		o.raw("timingInfo", `{"clientStartTime":`+m.timing.json+
			`,"clientRpcSendTime":0,"clientSettleTime":0,"clientEndTime":0}`)
	}
}

func (m *message) writeThinking(o *object, r rng) {
	if m.thinking == "" {
		return
	}
	if m.thinkStyle == "text" {
		o.str("thinking", m.thinking)
	} else {
		o.raw("thinking", `{"text":`+quoted(m.thinking)+`,"signature":"`+r.token(r.between(300, 1400))+`"}`)
	}
	if m.thinkMS != nil {
		o.int("thinkingDurationMs", *m.thinkMS)
	}
	if m.tool == nil {
		o.int("capabilityType", 30)
	}
}

// row is the message as a row of cursorDiskKV.
func (m *message) row(conversation string) Row {
	key := "bubbleId:" + conversation + ":" + m.id
	body := m.json(make([]byte, 0, 4096))
	switch m.encoding {
	case "blob":
		return Row{Key: key, Value: body}
	case "hex":
		return Row{Key: key, Value: hex.EncodeToString(body)}
	case "hexblob":
		return Row{Key: key, Value: []byte(hex.EncodeToString(body))}
	}
	return Row{Key: key, Value: string(body)}
}

// header is the message's entry in fullConversationHeadersOnly.
func (m *message) header(style int) string {
	r := newRNG(m.seed, 2)
	var o object
	switch {
	case m.emptyID:
		o.str("bubbleId", "")
	case m.headerID != "":
		o.str("bubbleId", m.headerID)
	default:
		o.str("bubbleId", m.id)
	}
	switch {
	case m.headType != "":
		o.raw("type", m.headType)
	case m.typ != "":
		o.raw("type", m.typ)
	}
	o.someRaw("createdAt", m.head.json)
	if style >= 2 {
		o.int("contentHeightHint", int64(r.between(20, 900)))
		o.raw("grouping", m.grouping())
	}
	if m.start != 0 {
		o.int("startedAtMs", m.start)
		o.someInt("completedAtMs", m.finish)
	}
	return o.String()
}

func (m *message) grouping() string {
	var o object
	o.bool("isRenderable", true)
	o.bool("hasText", m.text != "")
	o.bool("hasThinking", m.thinking != "")
	if m.tool != nil {
		o.int("capabilityType", 15)
		o.int("toolFormerTool", int64(m.tool.number))
		o.str("toolCallId", m.tool.callID)
		o.str("toolCallCase", m.tool.want+"ToolCall")
		o.bool("isToolGroupable", m.tool.kind == "read")
	}
	if ms := m.turnDuration(); ms != 0 {
		o.int("turnDurationMs", ms)
	}
	preview := []rune(strings.ToValidUTF8(m.text, ""))
	o.str("textPreview", string(preview[:min(len(preview), 80)]))
	return o.String()
}

// turnDuration is how long a user's turn took, in the form of headers of style 2 and later; 0 for other messages.
func (m *message) turnDuration() int64 {
	if m.role != "user" {
		return 0
	}
	if m.took != 0 {
		return m.took
	}
	return newRNG(m.seed, 3).ms(1000, 400_000)
}

func itoa(n int) string     { return strconv.Itoa(n) }
func itoa64(n int64) string { return strconv.FormatInt(n, 10) }

func before(s, sep string) string {
	s, _, _ = strings.Cut(s, sep)
	return s
}
