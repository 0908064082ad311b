package pipelines_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"pipeline/pipelines"
	"pipeline/testdata/gen/storetest"
)

// placedID is the id of the n-th chat or message of TestPlacedMessages.
func placedID(kind string, n int) string {
	return fmt.Sprintf("%s0000000-0000-4000-8000-00000000000%d", kind, n)
}

// TestPlacedMessages: a copied chat names messages whose rows lie under the first chat alone. They are messages of
// both, and follow what becomes of these rows. A load without changes writes nothing, and the live rows are always
// those of a first load; a rebuild gives the same.
func TestPlacedMessages(t *testing.T) {
	long(t)
	t.Parallel()
	user := filepath.Join(t.TempDir(), "mira")
	must(t, storetest.New(storetest.Options{Seed: 3, Messages: 30, NoCases: true}).Write(user))
	origin, placed := placedID("a", 1), placedID("b", 1)
	bubble := func(chat string, n, role int, text string) string {
		return fmt.Sprintf(
			`INSERT OR REPLACE INTO cursorDiskKV VALUES ('bubbleId:%s:%s', '{"_v":3,"type":%d,"bubbleId":"%[2]s","text":"%[4]s","createdAt":"2025-03-0%dT10:00:00.000Z"}')`,
			chat, placedID("c", n), role, text, n)
	}
	header := func(n, role int) string {
		return fmt.Sprintf(`{"bubbleId":"%s","type":%d,"createdAt":"2025-03-0%dT10:00:00.000Z"}`, placedID("c", n),
			role, n)
	}
	head := func(chat, headers string) string {
		return fmt.Sprintf(
			`INSERT INTO cursorDiskKV VALUES ('composerData:%s', '{"_v":17,"composerId":"%[1]s","name":"%[1]s","createdAt":1741305600000,"fullConversationHeadersOnly":[%s]}')`, chat, headers)
	}
	first := []string{head(origin, header(1, 1)+","+header(2, 2)), bubble(origin, 1, 1, "Plan the move"),
		bubble(origin, 2, 2, "Three steps")}
	// 1741305600000 is the 7th of March: both chats say that they began then
	storeOps(t, user, append(first, head(placed, header(1, 1)+","+header(2, 2)+","+header(3, 1)),
		bubble(placed, 3, 1, "Do step one"))...)
	l := newFixture(t)
	rows := "SELECT conversation_id, message_id, position, turn, text, is_repeat FROM messages WHERE conversation_id " +
		"IN ('" + origin + "', '" + placed + "') AND deleted_at IS NULL ORDER BY ALL"
	chats := "SELECT conversation_id, forked_from, missing_message_count, completeness, message_count, " +
		"user_message_count FROM conversations WHERE title IN ('" + origin + "', '" + placed +
		"') AND deleted_at IS NULL ORDER BY ALL"
	for night, step := range []struct {
		statements []string
		want       string // of the copy: its origin, how many messages it has and lacks, and the text of the first
	}{
		{nil, origin + " 3 0 Plan the move"},
		{nil, origin + " 3 0 Plan the move"},
		{[]string{bubble(origin, 1, 1, "Plan it well")}, origin + " 3 0 Plan it well"},
		{[]string{removed(origin)}, "NULL 1 2 Do step one"},
		{first, origin + " 3 0 Plan the move"},
	} {
		if len(step.statements) > 0 {
			storeOps(t, user, step.statements...)
		}
		result := l.run(nil, fromUsers(t, user))
		if night == 1 && result.Conversations.Changed+result.Conversations.New != 0 {
			t.Errorf("a load without changes changes %+v", result.Conversations)
		}
		got := l.ask(
			`SELECT coalesce(c.forked_from, 'NULL') || ' ' || c.message_count || ' ' || c.missing_message_count || ' ' || (SELECT text FROM messages m
			WHERE m.conversation_id = c.conversation_id AND m.position = 0) FROM conversations c WHERE conversation_id = '` + placed + "'")
		if got[0][0] != step.want {
			t.Errorf("night %d: %s, want %s", night, got[0][0], step.want)
		}
		kept := l.ask("SELECT count(*) FROM messages WHERE conversation_id = '" + placed + "'")
		if kept[0][0] != "3" {
			t.Errorf("night %d: %s messages of the copy are kept", night, kept[0][0])
		}
		again := newFixture(t)
		published := filepath.Join(t.TempDir(), "published")
		again.run(nil, fromUsers(t, user), publishing(published))
		of := "WHERE conversation_id IN ('" + origin + "', '" + placed + "') ORDER BY ALL"
		same(t, fmt.Sprintf("night %d: published", night), again.ask(repeats+"messages "+of),
			publishedRows(t, published, repeats, "messages", of))
		for _, live := range []string{rows, chats} {
			same(t, fmt.Sprintf("night %d: a first load: %s", night, live), again.ask(live), l.ask(live))
		}
	}
	all := "SELECT * EXCLUDE (deleted_at) FROM messages WHERE conversation_id IN ('" + origin + "', '" + placed +
		"') ORDER BY ALL"
	before := l.ask(all)
	l.run(nil, fromUsers(t, user), full)
	same(t, "a full load", before, l.ask(all))
	if _, err := pipelines.Rebuild(t.Context(), l.options(fromUsers(t, user)), false); err != nil {
		t.Fatal(err)
	}
	same(t, "a rebuild", before, l.ask(all))
}
