package transform

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"pipeline/extract"
)

// TestManyMessages: of a conversation of very many messages, what places them is all that is held while their rows are
// set aside. A message here has what most have: an id, a role, a time, a text.
func TestManyMessages(t *testing.T) { // alone: it looks at the whole heap
	const messages, most = 40_000, 450 // bytes of memory for a message
	id := func(i int) string { return fmt.Sprintf("%08x-0000-4000-8000-%012x", i*7919, i) }
	var list strings.Builder
	for i := range messages {
		fmt.Fprintf(&list, `,{"bubbleId":"%s","type":%d}`, id(i), 1+i%2)
	}
	conv := &extract.Conversation{Store: extract.GlobalStore, ID: "c",
		Head: document(extract.FamilyComposer, "composerData:c", "",
			`{"fullConversationHeadersOnly":[`+list.String()[1:]+`]}`)}
	conv.Parts = func(yield func(*extract.Document, error) bool) {
		for i := range messages {
			key := extract.FamilyBubble + ":00000000-0000-4000-8000-000000000000:" + id(i)
			value := fmt.Sprintf(`{"bubbleId":"%s","type":%d,"createdAt":"2026-01-02T03:04:05.%03dZ","text":"%s %d"}`,
				id(i), 1+i%2, i%1000, strings.Repeat("word ", 60), i)
			if !yield(document(extract.FamilyBubble, key, key[len(key)-36:], value), nil) {
				return
			}
		}
	}
	list.Reset()
	before, held, read := heap(), int64(0), 0
	n := &Normalizer{SourceID: "s", Shared: sharedOf("", ""), Budget: 1 << 20,
		Aside: func() (Aside, error) { return os.Create(filepath.Join(t.TempDir(), "rows")) }}
	for rows, err := range n.Normalize(conv) {
		if err != nil {
			t.Fatal(err)
		}
		read += len(rows.Messages)
		if held == 0 {
			rows.Messages, rows.ToolCalls = nil, nil // they are on their way out
			held = heap() - before
		}
	}
	runtime.KeepAlive(conv)
	t.Logf("%d bytes a message", held/messages)
	if read != messages || held > messages*most {
		t.Errorf("%d messages came of %d; %d bytes were held for each, want at most %d", read, messages, held/messages,
			most)
	}
}

// heap is how much memory is in use.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
