package editortest

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// The probe conversations: probeCount of them, probeID names each, and their tokens always sum up to ProbeSum.
const (
	probeCount = 16
	ProbeSum   = probeCount * 1000
)

// perConversation is after how many messages a new conversation is begun.
const perConversation = 100

// probeID is the id of the i-th probe conversation, conversationID that of the i-th growing one.
func probeID(i int) string { return fmt.Sprintf("probe-%02d", i) }

// conversationID is the id of the i-th growing conversation.
func conversationID(i int) string { return fmt.Sprintf("growing-%04d", i) }

// editor is the state of an editor process, which it keeps in memory and never reads again.
type editor struct {
	storage *storage
	tokens  [probeCount]int
	headers []string // of the growing conversation
	done    int      // messages
	tried   int      // transactions
	ballast string   // that each transaction writes; "" for none
}

// resume takes up the conversations that the store has, or makes the probes.
func (e *editor) resume(ctx context.Context) error {
	probes := 0
	for i := range probeCount {
		err := e.storage.conn.QueryRowContext(ctx,
			"SELECT value ->> '$.contextTokensUsed' FROM cursorDiskKV WHERE key = ?", "composerData:"+probeID(i)).
			Scan(&e.tokens[i])
		switch {
		case err == nil:
			probes++
		case !errors.Is(err, sql.ErrNoRows):
			return err
		}
	}
	switch probes {
	case 0:
		return e.setUp(ctx)
	case probeCount:
	default:
		return fmt.Errorf("the store has %d probes of %d", probes, probeCount)
	}
	const count = "SELECT count(*) FROM cursorDiskKV WHERE key >= 'bubbleId:growing-' AND key < 'bubbleId:growing.'"
	if err := e.storage.conn.QueryRowContext(ctx, count).Scan(&e.done); err != nil || e.done%perConversation == 0 {
		return err
	}
	var headers string
	err := e.storage.conn.QueryRowContext(ctx,
		"SELECT value -> '$.fullConversationHeadersOnly' FROM cursorDiskKV WHERE key = ?",
		"composerData:"+conversationID(e.done/perConversation)).Scan(&headers)
	if err != nil {
		return err
	}
	var list []json.RawMessage
	if err := json.Unmarshal([]byte(headers), &list); err != nil {
		return err
	}
	for _, h := range list {
		e.headers = append(e.headers, string(h))
	}
	return nil
}

// setUp makes the probes.
func (e *editor) setUp(ctx context.Context) error {
	var rows []row
	for i := range probeCount {
		e.tokens[i] = ProbeSum / probeCount
		rows = append(rows, e.probe(i)...)
	}
	if committed, failures := e.storage.update(ctx, rows); !committed {
		return fmt.Errorf("making the probes: %v", failures)
	}
	return nil
}

// transaction makes one commit: one message more, and tokens moved from one probe to another far from it in key order.
func (e *editor) transaction(ctx context.Context) report {
	n := e.done
	from, to := n%probeCount, (n*7+5)%probeCount
	amount := min(n%50+1, e.tokens[from]) // no figure is below zero
	e.tokens[from] -= amount
	e.tokens[to] += amount
	if n%perConversation == 0 {
		e.headers = nil
	}
	id, bubble := conversationID(n/perConversation), fmt.Sprintf("b%06d", n)
	e.headers = append(e.headers, fmt.Sprintf(`{"bubbleId":"%s","type":%d}`, bubble, n%2+1))
	rows := append(e.probe(from),
		row{"bubbleId:" + id + ":" + bubble,
			fmt.Sprintf(`{"_v":3,"type":%d,"bubbleId":"%s","text":"message %d","createdAt":%d}`, n%2+1, bubble, n,
				at(n))},
		row{"composerData:" + id,
			fmt.Sprintf(
				`{"_v":13,"composerId":"%s","name":"growing","createdAt":%d,"fullConversationHeadersOnly":[%s]}`,
				id, at(n/perConversation*perConversation), strings.Join(e.headers, ","))})
	rows = append(rows, e.probe(to)...)
	if e.ballast != "" {
		rows = append(rows, row{fmt.Sprintf("ballast:%d", n%8), e.ballast})
	}

	e.done++
	e.tried++
	r := report{Messages: e.done}
	began := time.Now()
	r.Committed, r.Failures = e.storage.update(ctx, rows)
	r.Took = time.Since(began)
	for i := range r.Failures {
		r.Failures[i].Transaction = e.tried
	}
	return r
}

// at is the time of the n-th message in ms: one a second from a fixed day on.
func at(n int) int64 { return 1_760_000_000_000 + int64(n)*1000 }

func (e *editor) probe(i int) []row {
	id := probeID(i)
	return []row{
		{"composerData:" + id,
			fmt.Sprintf(
				`{"_v":13,"composerId":"%s","name":"probe","createdAt":%d,"contextTokensUsed":%d,"fullConversationHeadersOnly":[{"bubbleId":"p","type":2}]}`,
				id, at(0), e.tokens[i])},
		{"bubbleId:" + id + ":p",
			fmt.Sprintf(
				`{"_v":3,"type":2,"bubbleId":"p","text":"%d","createdAt":%d,"tokenCount":{"inputTokens":%d,"outputTokens":1}}`,
				e.tokens[i], at(0), e.tokens[i])},
	}
}
