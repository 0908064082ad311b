package transform

import (
	"fmt"
	"strings"
	"testing"

	"pipeline/extract"
	"pipeline/transform/jsondoc"
)

// lostIn normalizes a conversation and lists the lists of which elements are not accounted for.
func lostIn(t *testing.T, head string, parts ...part) string {
	t.Helper()
	var lost []string
	for _, e := range normalized(t, conversationOf("c", head, parts...)).Elements {
		if e.Seen != e.Rows+e.Quarantined+e.Duplicates+e.Skipped {
			lost = append(lost, fmt.Sprintf("%s/%s %d of %d", e.Family, e.List,
				e.Rows+e.Quarantined+e.Duplicates+e.Skipped, e.Seen))
		}
	}
	return strings.Join(lost, ", ")
}

// TestLostElements: an element that no reader takes is counted, and makes a difference that names its list.
func TestLostElements(t *testing.T) { // alone: it breaks a reader
	for _, c := range []struct{ head, lost string }{
		{`{"conversation":[{"bubbleId":"a","text":"x"},{},null,""],"conversationMap":{"a":{"text":"older"},"b":{}},"usageData":{"m":{"amount":1},"default":{"amount":1},"auto":{"amount":2}}}`, ""},
		{`{"conversation":[{"text":"x"},"not a message",7]}`, ""},
		{`{"tabs":[{"bubbles":[{"text":"x"},7]}]}`, ""},
		{`{"conversationMap":{"a":{"text":"x"},"b":[1]}}`, ""},
		{`{"codeBlockData":{"file:///a":{"x":{"status":"accepted"},"y":7},"file:///b":[{"status":"none"},7]}}`, ""},
		{`{"usageData":{"m":7}}`, ""}, {`{"userResponsesToSuggestedCodeBlocks":[{"userResponseType":1},"x",null]}`, ""},
		{`{"capabilities":[{"type":15,"data":{"bubbleDataMap":"{\"m1\":{\"tool\":5},\"none\":{\"tool\":5},\"m2\":{\"tool\":5}}"}}]}`, ""},
	} {
		if got := lostIn(t, c.head, bubble("m1", `{"type":2}`),
			bubble("m2", `{"type":2,"toolFormerData":{"tool":5}}`)); got != c.lost {
			t.Errorf("%s: %q, want %q", c.head, got, c.lost)
		}
	}
	given := []part{
		bubble("m",
			`{"type":1,"todos":["{\"id\":1}","",null],"context":{"fileSelections":[{"uri":"file:///a"}]},"toolFormerData":[{"tool":5},{"additionalData":{}},7]}`),
		{extract.FamilyContext + "/m", `{"cursorRules":[{"name":"r"},{}]}`},
		{extract.FamilyCheckpoint + "/k", `{"files":[]}`}, {extract.FamilyBubble + "/bad", `[`},
	}
	if got := lostIn(t, `{"todos":[{"id":2}]}`, given...); got != "" {
		t.Errorf("lost: %s", got)
	}
	all := attachmentKinds
	attachmentKinds = &jsondoc.Picker{Pick: func(name []byte) (int, bool) {
		at, ok := all.Pick(name)
		return at, ok && string(name) != "todos"
	}}
	defer func() { attachmentKinds = all }()
	if got, want := lostIn(t, `{"todos":[{"id":2}]}`, given...),
		"bubbleId/attachments 1 of 2, composerData/attachments 0 of 1"; got != want {
		t.Errorf("without a reader of todos: %q, want %q", got, want)
	}
}

// TestOddElements: an element that is no object is in quarantine, once for each place; what holds nothing is not.
func TestOddElements(t *testing.T) {
	t.Parallel()
	for head, want := range map[string]string{
		`{"codeBlockData":{"file:///a":{"x":7,"y":7},"file:///b":[7,null,{}]}}`:     "7 7 7",
		`{"usageData":{"m":"no figure","n":null,"o":{}}}`:                           `"no figure"`,
		`{"userResponsesToSuggestedCodeBlocks":[5,"",{"userResponseType":1}]}`:      "5",
		`{"conversation":[7,7],"tabs":[{"bubbles":[7]}],"conversationMap":{"a":7}}`: "7 7 7 7",
	} {
		var got []string
		hashes := map[string]bool{}
		for _, q := range normalized(t, conversationOf("c", head)).Quarantine {
			if q.Reason != "not_object" || deref(q.ConversationID) != "c" || deref(q.Key) != "composerData:c" {
				t.Errorf("%s: %+v", head, q)
			}
			got, hashes[q.ValueHash] = append(got, deref(q.Head)), true
		}
		if strings.Join(got, " ") != want || len(hashes) != len(got) {
			t.Errorf("%s: %q with %d hashes, want %s", head, got, len(hashes), want)
		}
	}
}

// TestElementsInBatches: a conversation whose messages are read a second time has the same counts.
func TestElementsInBatches(t *testing.T) {
	t.Parallel()
	parts := []part{bubble("a", `{"type":1,"todos":[{"id":1}]}`), bubble("b", `{"type":2,"toolFormerData":{"tool":5}}`),
		bubble("c", `{"toolFormerData":{"additionalData":{"x":1}}}`)}
	counts := func(budget int64) string {
		return fmt.Sprint(collect(t, &Normalizer{SourceID: "s", Shared: sharedOf("", ""), Budget: budget},
			conversationOf("c", `{}`, parts...)).Elements)
	}
	if whole, twice := counts(0), counts(1); whole != twice || !strings.Contains(whole, "toolFormerData 2 1 0 0 1") {
		t.Errorf("%s\n%s", whole, twice)
	}
}
