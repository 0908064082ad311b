package warehouse_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"pipeline/load"
	"pipeline/load/warehouse"
	"pipeline/sql/schema"
)

// A load that changes few rows adds a group of rows to the file and leaves the others; now and then, and where many
// places are empty, the engine puts groups together. No row is lost either way. The numbers of groups and places are
// the engine's own.
func TestGroupsOfRows(t *testing.T) {
	long(t)
	t.Parallel()
	path := filepath.Join(t.TempDir(), "warehouse.duckdb")
	const each = 300
	load := func(id int, text string, which ...int) {
		t.Helper()
		mustLoad(t, path, func(tx *warehouse.Load) { writeChats(t, tx, each, text, which) })
		if last := cells(t, path, `SELECT max(load_id) FROM loads`)[0][0]; last != fmt.Sprint(id) {
			t.Fatalf("the last load is %s; want %d", last, id)
		}
	}
	is := func(when, groups, places, edited, loads string) {
		t.Helper()
		got := cells(t, path,
			`SELECT count(DISTINCT row_group_id), (SELECT max(rowid) + 1 FROM messages), (SELECT count(*) FROM messages WHERE text = 'edited'),
			(SELECT count(DISTINCT (conversation_id, message_id)) FROM messages), (SELECT count(*) FROM messages),
			(SELECT count(DISTINCT row_group_id) FROM pragma_storage_info('loads')) FROM pragma_storage_info('messages')`)[0]
		if want := []string{groups, places, edited, "3000", "3000", loads}; !slices.Equal(got, want) {
			t.Errorf("%s: groups, places, edited, different and all messages, and groups of loads are %v; want %v",
				when, got, want)
		}
	}
	load(1, "first", 0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
	is("a first load", "1", "3000", "0", "1")
	load(2, "edited", 0)
	is("a tenth is replaced", "2", "3300", "300", "2")
	load(3, "edited", 1)
	is("another tenth is replaced", "3", "3600", "600", "3")
	load(4, "edited", 2, 3, 4, 5, 6)
	is("more than a fifth of the places are empty", "1", "3000", "2100", "1")
	for id := 5; id < 8; id++ {
		load(id, "edited")
	}
	is("three loads without a change", "1", "3000", "2100", "4")
	load(8, "edited", 7)
	is("the eighth load", "2", "3300", "2400", "1") // of messages the engine's own rule says that one in ten is too few
}

// writeChats writes conversations again, each with a number of messages of one text.
func writeChats(t *testing.T, tx *warehouse.Load, each int, text string, which []int) {
	t.Helper()
	rows := &schema.Rows{}
	for _, n := range which {
		id := fmt.Sprint("chat", n)
		tx.Replace(schema.OwnerNamed("s", "global", id))
		rows.Conversations = append(rows.Conversations,
			schema.Conversation{SourceID: "s", ConversationID: id, Format: "rows"})
		for i := range each {
			m := message(fmt.Sprint("m", i), ptr(text), nil)
			m.ConversationID, m.Position = id, ptr(int64(i))
			rows.Messages = append(rows.Messages, m)
		}
	}
	if err := tx.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := tx.Source(load.SourceRows{Source: schema.Source{SourceID: "s", FirstSeenAt: loadStart,
		LastSeenAt: loadStart}}); err != nil {
		t.Fatal(err)
	}
}
