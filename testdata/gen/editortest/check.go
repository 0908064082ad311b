package editortest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// ErrTorn is what Check finds if rows of several states were mixed.
var ErrTorn = errors.New("torn")

// Queryer is a *sql.DB, *sql.Conn or *sql.Tx.
type Queryer interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Check reads a store that an editor writes to by one query per family of keys, as a reader does, and calls between, if
// it is not nil, before each but the first. It returns the number of messages in the growing conversations, or ErrTorn
// with what does not fit together.
func Check(ctx context.Context, q Queryer, between func()) (messages int, err error) {
	var heads, bubbles, named, headTokens, bubbleTokens, unequal int
	steps := []struct {
		query string
		into  []any
	}{
		{`SELECT coalesce(sum(value ->> '$.contextTokensUsed'), 0) FROM cursorDiskKV WHERE key >= 'composerData:probe-' AND key < 'composerData:probe.'`, []any{&headTokens}},
		{`SELECT count(*) FROM cursorDiskKV WHERE key >= 'bubbleId:growing-' AND key < 'bubbleId:growing.'`,
			[]any{&bubbles}},
		{`SELECT coalesce(sum(value ->> '$.tokenCount.inputTokens'), 0) FROM cursorDiskKV WHERE key >= 'bubbleId:probe-' AND key < 'bubbleId:probe.'`, []any{&bubbleTokens}},
		{`SELECT coalesce(sum(json_array_length(value, '$.fullConversationHeadersOnly')), 0) FROM cursorDiskKV
			WHERE key >= 'composerData:growing-' AND key < 'composerData:growing.'`, []any{&heads}},
		{`SELECT count(b.key) FROM cursorDiskKV c, json_each(c.value, '$.fullConversationHeadersOnly') h, cursorDiskKV b
			WHERE c.key >= 'composerData:growing-' AND c.key < 'composerData:growing.'
			AND b.key = 'bubbleId:' || (c.value ->> '$.composerId') || ':' || (h.value ->> '$.bubbleId')`,
			[]any{&named}},
		{`SELECT count(*) FROM cursorDiskKV c JOIN cursorDiskKV b ON b.key = 'bubbleId:' || (c.value ->> '$.composerId') || ':p'
			WHERE c.key >= 'composerData:probe-' AND c.key < 'composerData:probe.'
			AND (c.value ->> '$.contextTokensUsed') <> (b.value ->> '$.tokenCount.inputTokens')`, []any{&unequal}},
	}
	for i, s := range steps {
		if i > 0 && between != nil {
			between()
		}
		if err := q.QueryRowContext(ctx, s.query).Scan(s.into...); err != nil {
			return 0, err
		}
	}
	if headTokens != ProbeSum || bubbleTokens != ProbeSum || unequal != 0 || heads != bubbles || named != bubbles {
		return 0, fmt.Errorf("%w: %d and %d tokens of %d, %d probes unequal, %d headers, %d of them with a bubble, %d "+
			"bubbles",
			ErrTorn, headTokens, bubbleTokens, ProbeSum, unequal, heads, named, bubbles)
	}
	return bubbles, nil
}
