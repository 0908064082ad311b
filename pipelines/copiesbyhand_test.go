package pipelines_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// This file reads stores apart from the product: the chats of the present form, and of each the place that counts.

// placed is what a store holds of a chat.
type placed struct {
	source          string
	messages, users int
	in, out         float64
	last            int64 // in ms
}

type fields = map[string]any

func parsed(t *testing.T, text string) fields {
	t.Helper()
	var o fields
	must(t, json.Unmarshal([]byte(text), &o))
	return o
}

func at(v any, path ...string) any {
	for _, name := range path {
		o, _ := v.(fields)
		v = o[name]
	}
	return v
}

// millis reads a time of any form; 0 for none.
func millis(v any) int64 {
	var n float64
	switch x := v.(type) {
	case float64:
		n = x
	case string:
		if at, err := time.Parse(time.RFC3339Nano, x); err == nil {
			return at.UnixMilli()
		}
		n, _ = strconv.ParseFloat(x, 64)
	}
	if n < 1e11 {
		n *= 1000
	}
	if n < 1420070400000 || n >= 4102444800000 { // 2015 and 2100
		return 0
	}
	return int64(n)
}

func firstMillis(values ...any) int64 {
	for _, v := range values {
		if ms := millis(v); ms != 0 {
			return ms
		}
	}
	return 0
}

// chatsOf reads the chats of a store whose messages are rows that a list of headers names.
func chatsOf(t *testing.T, user string) map[string]placed {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(user, "globalStorage", "state.vscdb")+"?mode=ro")
	must(t, err)
	defer func() { must(t, db.Close()) }()
	heads, bodies := map[string]fields{}, map[string][]fields{}
	rows, err := db.Query(
		`SELECT key, CAST(value AS TEXT) FROM cursorDiskKV WHERE (key LIKE 'composerData:%' OR key LIKE 'bubbleId:%') AND length(value) > 1`)
	must(t, err)
	for rows.Next() {
		var key, value string
		must(t, rows.Scan(&key, &value))
		parts := strings.Split(key, ":")
		if !json.Valid([]byte(value)) {
			continue // written as hex digits: of other chats
		}
		if o := parsed(t, value); parts[0] == "composerData" {
			heads[parts[1]] = o
		} else {
			o["bubbleId"] = parts[2]
			bodies[parts[1]] = append(bodies[parts[1]], o)
		}
	}
	must(t, rows.Close())
	updated := map[string]any{}
	rows, err = db.Query(`SELECT composerId, lastUpdatedAt FROM composerHeaders`)
	if err == nil {
		for rows.Next() {
			var id string
			var ms sql.NullInt64
			must(t, rows.Scan(&id, &ms))
			updated[id] = float64(ms.Int64)
		}
		must(t, rows.Close())
	}
	subagents := map[any]bool{}
	for id, head := range heads {
		if head["subagentInfo"] != nil {
			subagents[id] = true
		}
		children, _ := head["subagentComposerIds"].([]any)
		for _, child := range children {
			subagents[child] = true
		}
	}
	out := map[string]placed{}
	for id, head := range heads {
		headers, _ := head["fullConversationHeadersOnly"].([]any)
		inside, _ := head["conversationMap"].(fields)
		if len(headers) == 0 || len(inside) > 0 || len(bodies[id]) == 0 {
			continue
		}
		named := map[any]any{}
		for _, h := range headers {
			named[at(h, "bubbleId")] = h
		}
		c := placed{source: filepath.Base(user), messages: len(bodies[id])}
		for _, v := range []any{head["createdAt"], head["lastUpdatedAt"], head["conversationCheckpointLastUpdatedAt"],
			updated[id]} {
			c.last = max(c.last, millis(v))
		}
		for _, b := range bodies[id] {
			h := named[b["bubbleId"]]
			if role := b["type"]; role == 1.0 || role == nil && at(h, "type") == 1.0 {
				c.users++
			}
			in, _ := at(b, "tokenCount", "inputTokens").(float64)
			o, _ := at(b, "tokenCount", "outputTokens").(float64)
			c.in, c.out = c.in+in, c.out+o
			c.last = max(c.last, firstMillis(b["createdAt"], b["timestamp"], at(h, "createdAt"), at(h, "startedAtMs"),
				at(b, "toolFormerData", "additionalData", "startedAtMs"), at(b, "timingInfo", "clientStartTime")))
		}
		if subagents[id] && c.users > 0 {
			c.users-- // the first one is the agent's that started it
		}
		out[id] = c
	}
	return out
}

// sameByHand compares the live conversations of the present form with a reading of both stores; the first user
// directory is the source that was first seen, or has the smaller name of those seen together.
func sameByHand(t *testing.T, what string, l *fixture, users ...string) {
	t.Helper()
	best := map[string]placed{}
	for _, user := range users {
		for id, c := range chatsOf(t, user) {
			have, known := best[id]
			if !known || c.last > have.last ||
				c.last == have.last && (c.messages > have.messages ||
					c.messages == have.messages && c.source < have.source) {
				best[id] = c
			}
		}
	}
	var want [][]string
	for id, c := range best {
		want = append(want, []string{c.source, id, fmt.Sprint(c.messages), fmt.Sprint(c.users), fmt.Sprint(int64(c.in)),
			fmt.Sprint(int64(c.out)), fmt.Sprint(c.last)})
	}
	slices.SortFunc(want, slices.Compare)
	if len(want) < 9 {
		t.Fatalf("%s: only %d chats were read by hand", what, len(want))
	}
	same(t, what+": by hand", want,
		l.ask(
			`SELECT source_id, conversation_id, message_count, user_message_count, coalesce(input_tokens, 0), coalesce(output_tokens, 0), epoch_ms(last_activity_at)
		FROM live_conversations WHERE format = 'rows' AND header_count > 0 AND message_count > 0 ORDER BY ALL`))
}
