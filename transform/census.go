package transform

import (
	"cmp"
	"slices"
	"strings"

	"pipeline/extract"
	"pipeline/sql/schema"
	"pipeline/transform/jsondoc"
)

// This file proves that no element of a document is lost. What a document holds is counted when it is parsed, by the
// paths in this file and by nothing that makes rows; what became of it is counted where rows leave this package, and
// where a reader leaves an element out for a reason. The warehouse compares the two (table load_elements).

// censusKey names a list: the family of the document, and where the list is in it. The list is "" for the documents
// themselves.
type censusKey struct{ family, list string }

// census has the counts of some documents. A nil census counts nothing.
type census struct {
	counts map[censusKey]*schema.LoadElement
}

// of returns the counts of a list.
func (c *census) of(key censusKey) *schema.LoadElement {
	if c == nil {
		return &schema.LoadElement{}
	}
	n := c.counts[key]
	if n == nil {
		if c.counts == nil {
			c.counts = map[censusKey]*schema.LoadElement{}
		}
		n = &schema.LoadElement{Family: key.family, List: key.list}
		c.counts[key] = n
	}
	return n
}

// rows returns the counts as rows of the warehouse, sorted by family and list.
func (c *census) rows(sourceID string) []schema.LoadElement {
	if c == nil {
		return nil
	}
	var out []schema.LoadElement
	for _, n := range c.counts {
		if *n != (schema.LoadElement{Family: n.Family, List: n.List}) {
			row := *n
			row.SourceID = sourceID
			out = append(out, row)
		}
	}
	slices.SortFunc(out, func(a, b schema.LoadElement) int {
		return cmp.Or(strings.Compare(a.Family, b.Family), strings.Compare(a.List, b.List))
	})
	return out
}

// The names of lists whose elements are counted one by one elsewhere in this package.
const (
	listAttachments = "attachments"
	listCalls       = "toolFormerData"
	listOlderCalls  = "capabilities[].data.bubbleDataMap"
	listBlocks      = "codeBlockData"
	listResponses   = "userResponsesToSuggestedCodeBlocks"
	listUsage       = "usageData"
	listContext     = "promptTokenBreakdown.categories"
	listComposers   = "allComposers"
	listTabs        = "tabs"
)

// listLines is the list of what is said in a transcript: each line of JSONL is a message, the end of a turn, or of no
// use.
const listLines = "lines"

// origin says where the body of a message is.
type origin uint8

const (
	inRow origin = iota
	inMap
	inArray
	inTab
	inCopy
	inChatTab
	inGraph
	inTranscript
)

// origins names the lists of messages. A list in a shared row is counted with the conversation that it belongs to.
var origins = [...]censusKey{
	inRow:        {extract.FamilyBubble, ""},
	inMap:        {extract.FamilyComposer, "conversationMap"},
	inArray:      {extract.FamilyComposer, "conversation"},
	inTab:        {extract.FamilyComposer, "tabs[].bubbles"},
	inCopy:       {"composer.composerData", "allComposers[].conversation"},
	inChatTab:    {"aichat.chatdata", "tabs[].bubbles"},
	inGraph:      {extract.FamilyNode, "turns"},
	inTranscript: {extract.FamilyTranscript, listLines},
}

// A path names members in turn. [] means every element, {} every member, * either. A last ! also counts an empty
// object, since that is still a message.
var (
	pathMap       = []string{"conversationMap", "{}", "!"}
	pathArray     = []string{"conversation", "[]", "!"}
	pathTabs      = []string{"tabs", "[]", "bubbles", "[]", "!"}
	pathChatTab   = []string{"bubbles", "[]", "!"}
	pathBlocks    = []string{"codeBlockData", "{}", "*"}
	pathResponses = []string{"userResponsesToSuggestedCodeBlocks", "[]"}
	pathUsage     = []string{"usageData", "{}"}
	pathContext   = []string{"promptTokenBreakdown", "categories", "[]"}
)

// attached are the members of a message, a context or a conversation that hold what was given with it.
var attached = jsondoc.NewNames(
	strings.Fields(
		`fileSelections currentFileLocationData folderSelections attachedFolders attachedFoldersNew selections
	attachedCodeChunks codebaseContextChunks codeChunks selectedDocs docsReferences docs cursorRules selectedCommits commits selectedPullRequests
	pullRequests selectedImages images image externalLinks webReferences links terminalSelections terminalFiles gitDiffs notepads quotes lints
	approximateLintErrors multiFileLinterErrors todos relevantFiles recentlyViewedFiles attachedFileCodeChunksUris attachedFileCodeChunksMetadataOnly
	documentationSelections gitPRDiffSelections aiWebSearchResults uiElementPicked uiElementSelections consoleLogs browserSelections knowledgeItems
	cursorCommands subagentSelections composers pastChats summarizedComposers selectedDocuments selectedVideos gitDiff gitDiffFromBranchToMain`))

// elementsAt counts the elements below a path that hold something: neither null, nor "", [] or {}.
func elementsAt(v jsondoc.Value, path ...string) (n int64) {
	v = v.Unquoted()
	if len(path) == 0 {
		if jsondoc.IsEmpty(v) {
			return 0
		}
		return 1
	}
	step, rest := path[0], path[1:]
	if step == "!" {
		if v.IsObject() {
			return 1
		}
		return elementsAt(v)
	}
	if step != "[]" && step != "{}" && step != "*" {
		return elementsAt(v.Get(step), rest...)
	}
	if step == "[]" && !v.IsArray() || step == "{}" && !v.IsObject() {
		return 0
	}
	for element := range v.Inside {
		n += elementsAt(element, rest...)
	}
	return n
}

// below is elementsAt for a document that is an object.
func below(o jsondoc.Value, path []string) int64 { return elementsAt(o.Get(path[0]), path[1:]...) }

// attachedIn counts what an object says was given.
func attachedIn(o jsondoc.Value) (n int64) {
	for _, v := range o.Picked(attached) {
		if givesNothing(v) {
			continue
		}
		if v = v.Unquoted(); v.IsArray() {
			n += elementsAt(v, "[]")
		} else {
			n += elementsAt(v)
		}
	}
	return n
}

// see counts the lists in a document of a conversation that has a row of its own.
func (c *census) see(family string, o jsondoc.Value) {
	if c == nil {
		return
	}
	switch family {
	case extract.FamilyBubble:
		c.seeMessage(o)
	case extract.FamilyContext:
		c.of(censusKey{family, listAttachments}).Seen += attachedIn(o)
	}
}

// seeMessage counts the lists in a message, wherever it is: their rows are those of bubbleId.
func (c *census) seeMessage(o jsondoc.Value) {
	if c == nil {
		return
	}
	given := attachedIn(o)
	if context := o.Get("context").Unquoted(); !jsondoc.IsEmpty(context) {
		given += attachedIn(context.Object())
	}
	if given > 0 {
		c.of(censusKey{extract.FamilyBubble, listAttachments}).Seen += given
	}
	calls := o.Get("toolFormerData").Unquoted()
	n := elementsAt(calls)
	if calls.IsArray() {
		n = elementsAt(calls, "[]")
	}
	if n > 0 {
		c.of(censusKey{extract.FamilyBubble, listCalls}).Seen += n
	}
}

// olderCallsIn counts the tool calls of the time before toolFormerData in a conversation's document.
func olderCallsIn(o jsondoc.Value) (n int64) {
	for capability := range o.Get("capabilities").Unquoted().Elements {
		if c := capability.Unquoted(); deref(c.Get("type").Integer()) == 15 {
			n += elementsAt(c, "data", "bubbleDataMap", "{}")
		}
	}
	return n
}

// seeHead counts the lists in a conversation's own document.
func (c *census) seeHead(o jsondoc.Value) {
	family := extract.FamilyComposer
	for _, list := range []struct {
		name string
		path []string
	}{{origins[inMap].list, pathMap}, {origins[inArray].list, pathArray}, {origins[inTab].list, pathTabs},
		{listBlocks, pathBlocks}, {listResponses, pathResponses}, {listUsage, pathUsage}, {listContext, pathContext}} {
		c.of(censusKey{family, list.name}).Seen += below(o, list.path)
	}
	c.of(censusKey{family, listOlderCalls}).Seen += olderCallsIn(o)
	c.of(censusKey{family, listAttachments}).Seen += attachedIn(o) + attachedIn(o.Get("context").Unquoted().Object())
}

// counted are the families of a conversation's rows whose documents are counted.
var counted = map[string]bool{extract.FamilyBubble: true, extract.FamilyContext: true, extract.FamilyCheckpoint: true,
	extract.FamilyDiff: true, extract.FamilyFate: true}

// document returns the counts of a family's documents.
func (c *census) document(family string) *schema.LoadElement {
	if !counted[family] {
		return &schema.LoadElement{}
	}
	return c.of(censusKey{family, ""})
}
