package shape

import (
	"encoding/json"
	"regexp"
)

// This file names the fields of which values are said: those for which Cursor has a list. None has a value that people
// choose: no name of a model, a tool, a subagent or a mode of their own.

// The bounds of what is said.
const (
	maxValues   = 20 // a field with more values is no enumeration
	oftenValues = 5  // a value that fewer documents have is not said
)

// isWord is the form of a value that may be said: the words of lists, and small numbers.
var isWord = regexp.MustCompile(`^([a-z][a-z0-9_-]{0,23}|[0-9]{1,3})$`)

// message are the enumerations of a message, wherever it is.
var message = []string{"_v", "type", "capabilityType", "messageType", "aiType", "thinkingStyle", "toolFormerData.tool",
	"toolFormerData.status", "toolFormerData.userDecision"}

// enumerations are the paths, by family; below $.
var enumerations = func() map[string]map[string]bool {
	head := []string{"_v", "type", "status", "todos[].status", "fullConversationHeadersOnly[].type",
		"capabilities[].type"}
	for _, field := range message {
		head = append(head, "conversation[]."+field, "conversationMap.*."+field)
	}
	heads := func(prefix string) (out []string) {
		for _, field := range head {
			out = append(out, prefix+field)
		}
		return out
	}
	all := map[string][]string{
		"bubbleId": message, "composerData": head, "composerHeaders": heads("value{}."),
		"composer.composerHeaders": heads("allComposers[]."), "composer.composerData": heads("allComposers[]."),
		"codeBlockPartialInlineDiffFates": {"fates[].fate"}, "aiService.prompts": {"[].commandType"},
		"transcript.file": {"role", "type"},
	}
	out := map[string]map[string]bool{}
	for family, paths := range all {
		out[family] = map[string]bool{}
		for _, path := range paths {
			out[family]["$."+path] = true
		}
	}
	return out
}()

// words are the values of the enumerations whose values people can choose too: only these are said.
var words = map[string]map[string]bool{
	"unifiedMode": setOf("agent", "ask", "background", "chat", "composer", "debug", "edit", "plan"),
	"forceMode":   setOf("agent", "ask", "background", "chat", "composer", "debug", "edit", "plan"),
}

// wordOf is the value of an enumeration as it may be said; * if it may not.
func wordOf(name string, token any) string {
	text := ""
	switch v := token.(type) {
	case string:
		text = v
	case json.Number:
		text = v.String()
	}
	if closed := words[name]; closed != nil && !closed[text] || !isWord.MatchString(text) {
		return other
	}
	return text
}
