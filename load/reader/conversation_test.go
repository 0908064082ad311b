package reader_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pipeline/load"
	"pipeline/load/reader"
	"pipeline/load/sinktest"
	"pipeline/load/warehouse"
	"pipeline/sql/schema"
)

// longConversation loads a conversation whose rows stand in the table in another order than its messages in the
// conversation: the position of row i is i times 7919 (a prime). Of every ten the last one is not listed, every third
// has two calls, the second of which failed, every fourth an attachment.
func longConversation(t *testing.T, messages, size int) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "w.duckdb")
	sinktest.Load(t, path, 1700000000000, func(tx *warehouse.Load) {
		rows := &schema.Rows{Conversations: []schema.Conversation{
			{SourceID: "s", ConversationID: "c", Format: "rows", HeaderCount: int64(messages)},
			{SourceID: "s", ConversationID: "other", Format: "rows"}},
			Attachments: []schema.Attachment{{SourceID: "s", ConversationID: "c", Kind: "file", Path: ptr("of all")}},
			Messages: []schema.Message{{SourceID: "s", ConversationID: "other", MessageID: idOf(1),
				Position: ptr(int64(0)), Role: "user", Kind: "text"}}}
		for i := range messages {
			at := i * 7919 % messages
			m := schema.Message{SourceID: "s", ConversationID: "c", MessageID: idOf(at), Position: ptr(int64(at)),
				IsListed: at%10 != 9, Role: "user", Kind: "text",
				Text: ptr(fmt.Sprint(at, strings.Repeat(" word", size/5)))}
			rows.Messages = append(rows.Messages, m)
			for n := range int64(2) {
				if at%3 == 0 {
					rows.ToolCalls = append(rows.ToolCalls,
						schema.ToolCall{SourceID: "s", ConversationID: "c", MessageID: m.MessageID, CallIndex: 1 - n,
							ToolKind: "read", Name: ptr(fmt.Sprint(at, " ", 1-n)), IsError: ptr(n == 0)})
				}
			}
			if at%4 == 0 {
				rows.Attachments = append(rows.Attachments,
					schema.Attachment{SourceID: "s", ConversationID: "c", MessageID: &m.MessageID, Kind: "file",
						Path: ptr(fmt.Sprint(at))})
			}
		}
		if err := tx.Write(rows); err != nil {
			t.Fatal(err)
		}
	})
	return path
}

func idOf(i int) string { return fmt.Sprintf("%08x-0000-4000-8000-000000000000", uint32(i)*2654435761) }

// walked opens a warehouse and goes through a conversation of which so many messages are held.
func walked(t *testing.T, path string, held int, look func(at int, m *reader.MessageRows)) *reader.ConversationRows {
	t.Helper()
	r, err := reader.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}()
	if held > 0 {
		r.Hold(held)
	}
	c, err := r.Conversation(t.Context(), load.RowKey{SourceID: "s", ConversationID: "c"})
	if err != nil {
		t.Fatal(err)
	}
	at := 0
	for m, err := range c.Messages(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		look(at, m)
		at++
	}
	if at != len(c.Places) {
		t.Errorf("%d messages at %d places", at, len(c.Places))
	}
	return c
}

// TestConversationPages: a conversation that is read page by page is what it is when it is held as a whole, and both
// are what was loaded.
func TestConversationPages(t *testing.T) {
	t.Parallel()
	const messages = 1501 // more than a page, and than are held
	path := longConversation(t, messages, 20)
	var whole, paged []reader.MessageRows
	all := walked(t, path, messages, func(_ int, m *reader.MessageRows) { whole = append(whole, *m) })
	pages := walked(t, path, 0, func(_ int, m *reader.MessageRows) { paged = append(paged, *m) })
	if !slices.EqualFunc(all.Places, pages.Places, func(a, b reader.Place) bool { return cmp.Equal(a, b) }) ||
		!cmp.Equal(all.Attachments, pages.Attachments) {
		t.Error("the places or attachments of a conversation differ by how it is read")
	}
	for i := range paged {
		if diff := cmp.Diff(whole[i], paged[i]); diff != "" {
			t.Fatalf("message %d (- as a whole, + by page):\n%s", i, diff)
		}
	}
	for i, m := range paged {
		branch, calls, failed, given := "active", 0, int32(0), 0
		if i%10 == 9 {
			branch = "abandoned"
		}
		if i%3 == 0 {
			calls, failed = 2, 1
		}
		if i%4 == 0 {
			given = 1
		}
		p := pages.Places[i]
		if m.MessageID != idOf(i) || m.Branch != branch || !strings.HasPrefix(*m.Text, fmt.Sprint(i, " word")) ||
			len(m.ToolCalls) != calls || len(m.Attachments) != given ||
			p.MessageID != m.MessageID || p.Branch != branch || *p.Position != int64(i) || p.Calls != int32(calls) ||
			p.FailedCalls != failed {
			t.Fatalf("message %d is %+v at %+v", i, m, p)
		}
		for n, call := range m.ToolCalls {
			if *call.Name != fmt.Sprint(i, " ", n) {
				t.Fatalf("call %d of message %d is %s", n, i, *call.Name)
			}
		}
	}
}

// TestConversationIsNotHeld: of a large conversation a page is held while it is gone through.
func TestConversationIsNotHeld(t *testing.T) { // alone: it looks at the whole heap
	const messages, size = 12_000, 4_000 // 48 MB of texts
	path := longConversation(t, messages, size)
	before, most := heapInUse(), int64(0)
	walked(t, path, 0, func(at int, m *reader.MessageRows) {
		if at%2_000 == 1_999 {
			most = max(most, heapInUse()-before)
		}
	})
	t.Logf("at most %d MB", most>>20)
	if most > messages*size/2 {
		t.Errorf("%d MB of %d MB are held", most>>20, messages*size>>20)
	}
}

// heapInUse is how much memory is in use.
func heapInUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestSlowOpening: a warehouse that nobody writes is opened, however long that takes.
func TestSlowOpening(t *testing.T) { // alone: it changes how long others wait
	reader.Impatient(t)
	walked(t, longConversation(t, 10, 10), 1, func(int, *reader.MessageRows) {})
}

// TestReaderScratch: what a reader that was killed has put aside goes when the next one opens; that of a reader that is
// open stays; and a reader that can put nothing aside reads all the same.
func TestReaderScratch(t *testing.T) { // alone: it sets TMPDIR
	path, another := longConversation(t, 10, 10), longConversation(t, 10, 10)
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	killed := filepath.Join(temp, "pipeline-sql-1")
	for _, file := range []string{".pipeline.lock", "duckdb_temp_storage_DEFAULT-0.tmp"} {
		if err := errors.Join(os.MkdirAll(killed, 0o700),
			os.WriteFile(filepath.Join(killed, file), []byte("rows"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	scratch := func() int {
		found, err := filepath.Glob(filepath.Join(temp, "pipeline-sql-*"))
		if err != nil {
			t.Fatal(err)
		}
		return len(found)
	}
	walked(t, path, 1, func(at int, _ *reader.MessageRows) {
		if at == 0 && scratch() != 1 {
			t.Errorf("%d folders beside one reader", scratch())
		}
	})
	walked(t, path, 1, func(at int, _ *reader.MessageRows) {
		if at > 0 {
			return
		}
		walked(t, another, 1, func(at int, _ *reader.MessageRows) {
			if at == 0 && scratch() != 2 {
				t.Errorf("%d folders beside two readers", scratch())
			}
		})
	})
	if n := scratch(); n != 0 {
		t.Errorf("%d folders are left", n)
	}
	t.Setenv("TMPDIR", filepath.Join(temp, "missing"))
	walked(t, path, 1, func(int, *reader.MessageRows) {})
}

func ptr[T any](v T) *T { return &v }
