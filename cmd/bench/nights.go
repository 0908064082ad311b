package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"pipeline/extract"
)

// night is what Cursor writes between two loads.
type night struct {
	name string
	task string // changes the store; "" for that of the store's kind
	// share of the conversations that the task changes
	share float64
}

// nights are those that a growth measures, in their order.
var nights = []night{
	{"next load, nothing changed", "", 0},
	{"next load, one small chat renamed", "rename", 0},
	{fmt.Sprintf("next load, one message more in each of %d long chats", longChats), "write", 0},
	{fmt.Sprintf("next load, one call of a tool more in each of %d long chats", longChats), "work", 0},
	{"next load, 1 % of the rows changed, in a third of the chats", "spread", 1. / 3},
	{"next load, 1 % of the conversations changed", "", 0.01},
	{"next load, 10 % of the conversations changed", "", 0.10},
}

// longChats is how many of the longest conversations go on in one night; spreadRows is which part of the rows of a
// conversation changes where few change in many.
const (
	longChats  = 12
	spreadRows = 33
)

// inStore makes changes to a store, all or none. It is told the conversations, the smallest first.
func inStore(ctx context.Context, o taskOptions, do func(tx *sql.Tx, chats []chat, r *result) error) (r result,
	err error) {
	db, err := openSQLite(globalStore(o.dir), false)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return r, err
	}
	defer func() { _ = tx.Rollback() }() // after Commit it does nothing
	chats, err := chatsOf(ctx, tx)
	if err != nil {
		return r, err
	}
	r.Counts = map[string]int64{"conversations": int64(len(chats))}
	if err := do(tx, chats, &r); err != nil {
		return r, err
	}
	return r, tx.Commit()
}

// rename is the task that gives the smallest conversation another title.
func rename(ctx context.Context, o taskOptions) (result, error) {
	return inStore(ctx, o, func(tx *sql.Tx, chats []chat, r *result) error {
		r.Counts["changed"] = 1
		return editHead(ctx, tx, chats[0].id, r, func(head map[string]json.RawMessage) error {
			head["name"] = json.RawMessage(strconv.Quote("Renamed " + strconv.Itoa(o.mark)))
			return nil
		})
	})
}

// write is the task that adds one answer to each of the longest conversations.
func write(ctx context.Context, o taskOptions) (result, error) {
	return addMessage(ctx, o, func(id string, body map[string]any) { body["text"] = "One more answer, " + id })
}

// work is the task that adds one call of a tool to each of the longest conversations.
func work(ctx context.Context, o taskOptions) (result, error) {
	return addMessage(ctx, o, func(id string, body map[string]any) {
		body["text"], body["toolFormerData"] = "", map[string]any{"tool": 15, "toolCallId": "toolu_" + id,
			"toolIndex": 0, "status": "completed", "name": "run_terminal_command_v2",
			"params": `{"command":"go test ./..."}`, "result": `{"output":"ok ` + id + `","exitCode":0}`}
	})
}

// addMessage adds one message of the assistant to each of the longest conversations.
func addMessage(ctx context.Context, o taskOptions, fill func(id string, body map[string]any)) (result, error) {
	return inStore(ctx, o, func(tx *sql.Tx, chats []chat, r *result) error {
		at := time.Date(2026, time.November, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, o.mark)
		for n, c := range chats[max(0, len(chats)-longChats):] {
			id := fmt.Sprintf("%08x-0000-4000-8000-%012x", o.mark, n)
			body := map[string]any{"_v": 3, "bubbleId": id, "type": 2,
				"createdAt": at.Format("2006-01-02T15:04:05.000Z")}
			fill(id, body)
			bubble, err := json.Marshal(body)
			if err != nil {
				return err
			}
			row := storeRow{extract.FamilyBubble + ":" + c.id + ":" + id, string(bubble)}
			if err := put(ctx, tx, row, r); err != nil {
				return err
			}
			if err := editHead(ctx, tx, c.id, r, func(head map[string]json.RawMessage) error {
				const field = "fullConversationHeadersOnly"
				var headers []json.RawMessage
				if err := json.Unmarshal(head[field], &headers); err != nil {
					return fmt.Errorf("the headers of conversation %s: %w", c.id, err)
				}
				headers = append(headers, json.RawMessage(fmt.Sprintf(`{"bubbleId":%q,"type":2}`, id)))
				head[field], err = json.Marshal(headers)
				return err
			}); err != nil {
				return err
			}
			r.Counts["changed"]++
			r.Counts["messages"]++
		}
		return nil
	})
}

// spread is the task that changes the text of few messages in each conversation of a share of them.
func spread(ctx context.Context, o taskOptions) (result, error) {
	return inStore(ctx, o, func(tx *sql.Tx, chats []chat, r *result) error {
		for _, c := range pick(chats, o.share) {
			rows, err := rowsOf(ctx, tx, extract.FamilyBubble+":"+c.id)
			if err != nil {
				return err
			}
			before := r.Rows
			for i := 0; i < len(rows); i += spreadRows {
				row, changed := rows[i].edited(o.mark)
				if !changed {
					continue
				}
				if err := put(ctx, tx, row, r); err != nil {
					return err
				}
			}
			if r.Rows > before {
				r.Counts["changed"]++
			}
		}
		return nil
	})
}

// editHead changes fields of a conversation's own document.
func editHead(ctx context.Context, tx *sql.Tx, id string, r *result,
	edit func(head map[string]json.RawMessage) error) error {
	key, text, head := extract.FamilyComposer+":"+id, "", map[string]json.RawMessage{}
	if err := tx.QueryRowContext(ctx, `SELECT CAST(value AS TEXT) FROM cursorDiskKV WHERE key = ?`, key).
		Scan(&text); err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(text), &head); err != nil {
		return fmt.Errorf("the document of conversation %s: %w", id, err)
	}
	if err := edit(head); err != nil {
		return err
	}
	edited, err := json.Marshal(head)
	if err != nil {
		return err
	}
	return put(ctx, tx, storeRow{key, string(edited)}, r)
}
