package transform

import (
	"strings"
	"testing"
)

// TestDisplayTitle: the title made from a message is that of the first user message with text in the conversation's
// order, however the messages come by.
func TestDisplayTitle(t *testing.T) {
	long := strings.Repeat("日本語 ", 30)
	parts := []part{
		bubble("a", `{"type":1,"text":"the second question"}`), bubble("b", `{"type":2,"text":"an answer"}`),
		bubble("c", `{"type":1,"text":"\n\r\n  `+long+`\nmore"}`), bubble("d", `{"type":1,"text":" \n "}`),
		bubble("e", `{"type":1,"text":"thrown away"}`),
	}
	const order = `"fullConversationHeadersOnly":[{"bubbleId":"b"},{"bubbleId":"d"},{"bubbleId":"c"},{"bubbleId":"a"}]`
	for head, want := range map[string]string{
		`{` + order + `}`:                                    string([]rune(long)[:80]),
		`{"name":"  \t",` + order + `}`:                      string([]rune(long)[:80]),
		`{"name":"Its own name",` + order + `}`:              "Its own name",
		`{"fullConversationHeadersOnly":[{"bubbleId":"b"}]}`: "the second question", // no listed message is the user's
	} {
		for _, budget := range []int64{0, 1} { // 1: messages are read a second time, in the order of their keys
			rows := collect(t, &Normalizer{SourceID: "s", Shared: sharedOf("", ""), Budget: budget},
				conversationOf("x", head, parts...))
			if got := show(rows.Conversations[0].DisplayTitle); got != want {
				t.Errorf("%s, budget %d: %q, want %q", head, budget, got, want)
			}
		}
	}
	rows := normalized(t, conversationOf("x", `{}`, bubble("b", `{"type":2,"text":"an answer"}`)))
	if got := rows.Conversations[0].DisplayTitle; got != nil {
		t.Errorf("no user message: %q", *got)
	}
}
