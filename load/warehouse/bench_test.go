package warehouse_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"pipeline/load"
	"pipeline/load/warehouse"
	"pipeline/sql/schema"
)

// begin begins a load into a new warehouse that is rolled back in the end.
func begin(b *testing.B, settings load.Settings) *warehouse.Load {
	b.Helper()
	w, err := warehouse.Open(b.Context(), filepath.Join(b.TempDir(), "w.duckdb"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := w.Close(); err != nil {
			b.Error(err)
		}
	})
	settings.LoadID, settings.StartedAt, settings.SessionGapMs = 1, loadStart, 1000
	tx, err := w.Begin(b.Context(), settings)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := tx.Rollback(); err != nil {
			b.Error(err)
		}
	})
	return tx
}

// BenchmarkAppend writes a conversation of 1,000 messages: every second one has a text, every third a thinking, every
// tenth a document.
func BenchmarkAppend(b *testing.B) {
	tx := begin(b, load.Settings{})
	rows := &schema.Rows{}
	size := 0
	text := strings.Repeat("what the agent answered, line by line. ", 20)
	document := schema.JSON(`{"toolResults":[` + strings.Repeat(`{"path":"main.go","lines":12},`, 30) + `{}]}`)
	for i := range 1000 {
		m := schema.Message{SourceID: "s", ConversationID: "c",
			MessageID: fmt.Sprintf("%08d-5b1c-4d2e-9f3a-000000000000", i), Position: ptr(int64(i)), IsListed: true,
			Turn: ptr(int64(i / 10)), Role: "assistant", Kind: "text", CreatedAt: ptr(loadStart + schema.Millis(i)),
			CreatedAtSource: ptr("message"), Model: ptr("a-model")}
		if i%2 == 0 {
			m.Text = ptr(text)
			size += len(text)
		}
		if i%3 == 0 {
			m.Thinking = ptr(text)
			size += len(text)
		}
		if i%10 == 0 {
			m.Extra = document
			size += len(document)
		}
		size += len(m.MessageID)
		rows.Messages = append(rows.Messages, m)
	}
	tx.Replace(schema.OwnerNamed("s", "global", "c"))
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		if err := tx.Write(rows); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRawFile keeps 2,000 versions of rows in a file of the raw layer; they are compressed and written beside.
func BenchmarkRawFile(b *testing.B) {
	tx := begin(b, load.Settings{Raw: true})
	var rows []schema.RawRow
	size := 0
	for i := range 2000 {
		printed := strings.Repeat(fmt.Sprintf("line %d of what the tool printed ", i*7919%1000), 100)
		value := fmt.Appendf(nil, `{"_v":2,"type":2,"bubbleId":"%08d","text":"%s","createdAt":%d}`, i, printed,
			1_760_000_000_000+i)
		size += len(value)
		rows = append(rows, schema.RawRow{SourceID: "s", Store: "global", ConversationID: "c", Table: "cursorDiskKV",
			Key: fmt.Sprintf("bubbleId:c:%08d", i), KeyType: "text", RowID: int64(i), Value: value, ValueType: "text",
			ValueBytes: int64(len(value)), Hash: ptr(fmt.Sprintf("%032x", i))})
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, row := range rows {
			if err := tx.Raw().Put(row); err != nil {
				b.Fatal(err)
			}
		}
	}
}
