package transform

import (
	"fmt"
	"strings"
	"testing"

	"pipeline/transform/jsondoc"
)

// TestCopiesAreHeldPacked: rows with whole conversations, and what is parsed of them, are not held until the
// conversations' rows are made.
func TestCopiesAreHeldPacked(t *testing.T) {
	const conversations, messages = 100, 1000
	read := func() *Shared {
		bubbles := strings.TrimSuffix(strings.Repeat(`{"type":1,"text":"q","createdAt":1700000000000},`, messages), ",")
		var composers, tabs []string
		for i := range conversations {
			composers = append(composers, fmt.Sprintf(`{"composerId":"c%d","name":"title %d","conversation":[%s]}`, i,
				i, bubbles))
			tabs = append(tabs, fmt.Sprintf(`{"tabId":"t%d","chatTitle":"title %d","bubbles":[%s]}`, i, i, bubbles))
		}
		rows := (&sourceRows{}).workspace("a", "file:///src/a").
			item("a", keyData, `{"allComposers":[`+strings.Join(composers, ",")+
				`,{"composerId":"h","name":"a head"}]}`).
			item("a", keyChats, `{"tabs":[`+strings.Join(tabs, ",")+`]}`)
		return ReadShared("s", &rows.raw, nil)
	}
	before := heap()
	shared := read()
	heap() // what packed is dropped by the second collection
	if held := heap() - before; held > 1<<20 {
		t.Errorf("%d bytes are held of rows of 10 MB", held)
	}
	n := &Normalizer{SourceID: "s", Shared: shared}
	for _, id := range []string{"c7", "t7"} {
		rows := collect(t, n, n.Conversation(id))
		if len(rows.Messages) != messages || deref(rows.Conversations[0].Title) != "title 7" {
			t.Errorf("%s has %d messages and the title %s", id, len(rows.Messages), show(rows.Conversations[0].Title))
		}
	}
	rows := collect(t, n, conversationOf("h", `{}`, bubble("x", `{"text":"t"}`)))
	if got := show(rows.Conversations[0].Title); got != "a head" {
		t.Errorf("a head beside them has the title %s", got)
	}
}

// TestPacked: a text is what it was.
func TestPacked(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 1000, packable} {
		text := make([]byte, n)
		for i := range text {
			text[i] = byte(i * i / 7)
		}
		for _, row := range []int{n, packable - 1, packable} {
			if got := pack(text, row).unpack(); string(got) != string(text) {
				t.Errorf("%d bytes are %d others", n, len(got))
			}
		}
	}
}

// TestHeadWithoutMessages: a head in a list says the same of everything else.
func TestHeadWithoutMessages(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"name":"n"}`:                                       `{"name":"n"}`,
		`{"conversation":[{}],"name":"n"}`:                   `{"name":"n"}`,
		`{"name":"n","conversation":[{"a":[1]}]}`:            `{"name":"n"}`,
		`{ "a" : 1 , "conversation":[], "b": "2" }`:          `{"a":1,"b":"2"}`,
		`{"conversation":[]}`:                                `{}`,
		`{"n\u0061me":"\u00e9","conversation":""}`:           `{"name":"\u00e9"}`,
		`{"conv\u0065rsation":[1],"x":{"conversation":[2]}}`: `{"x":{"conversation":[2]}}`,
	} {
		head, err := jsondoc.ParseObject([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := withoutMessages(head).String(); got != want {
			t.Errorf("%s without messages is %s, want %s", text, got, want)
		}
	}
}
