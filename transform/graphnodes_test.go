package transform

import (
	"strings"
	"testing"

	"pipeline/extract"
)

// TestFindNodesMemory: a large document is looked at for its root in memory that is there already, since it may be
// looked at in each pass over a conversation.
func TestFindNodesMemory(t *testing.T) {
	root := strings.Repeat("ab", 32)
	head := document(extract.FamilyComposer, "composerData:c", "",
		`{"fullConversationHeadersOnly":[`+strings.Repeat(`{"bubbleId":"b"},`, 10_000)+`{}],"conversationState":"`+root+
			`"}`)
	asked := ""
	fetch := func(name string) (*extract.Document, error) { asked = name; return nil, nil }
	find := func() {
		if err := FindNodes([]*extract.Document{head}, fetch); err != nil {
			t.Error(err)
		}
	}
	if n := testing.AllocsPerRun(100, find); asked != root || n > 22 {
		// 29 in memory of its own; the race detector gives some of the pool away
		t.Errorf("asked for %q, with %v allocations", asked, n)
	}
}

// TestFindNodesParsed: a conversation's own document that was read for its rows is not parsed again for its root.
func TestFindNodesParsed(t *testing.T) {
	root := strings.Repeat("ab", 32)
	for family, text := range map[string]string{
		extract.FamilyComposer: `{"fullConversationHeadersOnly":[{"bubbleId":"b"}],"conversationState":"` + root + `"}`,
		extract.FamilyCLIMeta:  `{"name":"a chat","latestRootBlobId":"` + root + `"}`,
	} {
		head := document(family, "composerData:c", "", text)
		conv := conversationOf("c", `{}`)
		conv.Head = head
		collect(t, &Normalizer{SourceID: "s", Shared: sharedOf("", "")}, conv)
		asked := ""
		head.Value = []byte(`no JSON, "conversationState", "latestRootBlobId"`)
		if err := FindNodes([]*extract.Document{head},
			func(name string) (*extract.Document, error) { asked = name; return nil, nil }); err != nil ||
			asked != root {
			t.Errorf("%s: asked for %q, %v", family, asked, err)
		}
	}
}
