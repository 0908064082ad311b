package transform

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pipeline/extract"
	"pipeline/sql/schema"
)

// brokenAside is a file that fails.
type brokenAside struct {
	inMemory
	write, read error
	closed      *int
}

func (b *brokenAside) Write(p []byte) (int, error) {
	if b.write != nil {
		return 0, b.write
	}
	return b.inMemory.Write(p)
}

func (b *brokenAside) ReadAt(p []byte, at int64) (int, error) {
	if b.read != nil {
		return 0, b.read
	}
	return b.inMemory.ReadAt(p, at)
}

func (b *brokenAside) Close() error { *b.closed++; return nil }

// TestAsideFails: rows that cannot be set aside, or not be read again, end in an error that says so, and never in fewer
// rows.
func TestAsideFails(t *testing.T) {
	t.Parallel()
	full := errors.New("no space left")
	for name, test := range map[string]struct {
		open, write, read error
		closed            int
	}{"open": {open: full}, "write": {write: full, closed: 1}, "read": {read: full, closed: 1}, "none": {closed: 1}} {
		closed := 0
		n := &Normalizer{SourceID: "s", Shared: sharedOf("", ""), Budget: 1, Aside: func() (Aside, error) {
			return &brokenAside{write: test.write, read: test.read, closed: &closed}, test.open
		}}
		var failed error
		messages := 0
		for rows, err := range n.Normalize(conversationOf("c", `{}`, bubble("a", `{"type":1,"text":"x"}`),
			bubble("b", `{"type":2,"text":"y"}`))) {
			if failed = err; err == nil {
				messages += len(rows.Messages)
			}
		}
		var aside *AsideError
		want := errors.Join(test.open, test.write, test.read) != nil
		if errors.As(failed, &aside) != want || errors.Is(failed, full) != want || messages != 2 && !want ||
			messages > 0 && want {
			t.Errorf("%s: %v, %d messages", name, failed, messages)
		}
		if closed != test.closed {
			t.Errorf("%s: closed %d times", name, closed)
		}
	}
}

// TestReadOnce: the documents of a conversation whose rows exceed the memory are read once, and its messages come in
// the order of the headers, whatever their keys are.
func TestReadOnce(t *testing.T) {
	t.Parallel()
	conv := conversationOf("c",
		`{"fullConversationHeadersOnly":[{"bubbleId":"d"},{"bubbleId":"a"},{"bubbleId":"c"},{"bubbleId":"b"}]}`,
		bubble("a", `{"text":"x"}`), bubble("b", `{"text":"x"}`), bubble("c", `{"text":"x"}`),
		bubble("d", `{"text":"x"}`))
	parts, reads := conv.Parts, 0
	conv.Parts = func(yield func(*extract.Document, error) bool) {
		reads++
		parts(yield)
	}
	n := &Normalizer{SourceID: "s", Shared: sharedOf("", ""), Budget: 1,
		Aside: func() (Aside, error) { return os.Create(filepath.Join(t.TempDir(), "rows")) }}
	var ids []string
	var first *schema.Rows
	for rows, err := range n.Normalize(conv) {
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = rows
		}
		for _, m := range rows.Messages {
			ids = append(ids, m.MessageID)
		}
	}
	if want := []string{"d", "a", "c", "b"}; !slices.Equal(ids, want) || reads != 1 || len(first.Conversations) != 1 {
		t.Errorf("messages %q, read %d times, %d conversations in the first batch", ids, reads,
			len(first.Conversations))
	}
}
