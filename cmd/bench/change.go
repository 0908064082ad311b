package main

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pipeline/extract"
)

// copyStore copies a user directory. Nothing may have it open.
func copyStore(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rest, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rest)
		if d.IsDir() {
			return os.MkdirAll(target, 0o700)
		}
		return copyFile(path, target)
	})
}

func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	_, err = io.Copy(out, in)
	return err
}

// chat is a conversation of a store, and how many rows it has.
type chat struct {
	id   string
	rows int64
}

// change is the task that changes a share of the conversations of a store as Cursor does: every row of theirs is
// replaced, the texts of their messages are others. Rows and Bytes are those of the replaced rows, Counts how many
// conversations.
func change(ctx context.Context, o taskOptions) (result, error) {
	return inStore(ctx, o, func(tx *sql.Tx, chats []chat, r *result) error {
		picked := pick(chats, o.share)
		for _, c := range picked {
			for _, f := range extract.ConversationFamilies() {
				rows, err := rowsOf(ctx, tx, f+":"+c.id)
				if err != nil {
					return fmt.Errorf("change %s of a conversation: %w", f, err)
				}
				for _, row := range rows {
					row, _ = row.edited(o.mark)
					if err := put(ctx, tx, row, r); err != nil {
						return fmt.Errorf("change %s of a conversation: %w", f, err)
					}
				}
			}
		}
		r.Counts["changed"] = int64(len(picked))
		return nil
	})
}

// chatsOf lists the conversations, the smallest first.
func chatsOf(ctx context.Context, tx *sql.Tx) (out []chat, err error) {
	rows, err := tx.QueryContext(ctx, `SELECT substr(c.key, length('composerData:') + 1) AS id,
			(SELECT count(*) FROM cursorDiskKV AS b WHERE b.key >= 'bubbleId:' || substr(c.key, length('composerData:') + 1) || ':'
				AND b.key < 'bubbleId:' || substr(c.key, length('composerData:') + 1) || ';') AS n
		FROM cursorDiskKV AS c WHERE c.key >= 'composerData:' AND c.key < 'composerData;' ORDER BY n, id`)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var c chat
		if err := rows.Scan(&c.id, &c.rows); err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, rows.Err()
}

// pick takes a share of the conversations, at least one unless the share is 0, evenly from the small to the large.
func pick(chats []chat, share float64) []chat {
	n := int(math.Round(share * float64(len(chats))))
	if share > 0 {
		n = max(n, 1)
	}
	var out []chat
	for i := range min(n, len(chats)) {
		out = append(out, chats[(2*i+1)*len(chats)/(2*n)])
	}
	return out
}

// storeRow is a row of a store. Its value is a string or a []byte, or nil.
type storeRow struct {
	key   string
	value any
}

// rowsOf lists the row of a key, and those of the keys that go on after it with a colon.
func rowsOf(ctx context.Context, tx *sql.Tx, key string) (out []storeRow, err error) {
	rows, err := tx.QueryContext(ctx, `SELECT key, value FROM cursorDiskKV WHERE key = ? OR key >= ? AND key < ?`, key,
		key+":", key+";")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var r storeRow
		if err := rows.Scan(&r.key, &r.value); err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, rows.Err()
}

// edited is a row with another mark in its text. Its value has the type that it had. changed is false if nothing in it
// is to be marked.
func (r storeRow) edited(mark int) (_ storeRow, changed bool) {
	switch value := r.value.(type) {
	case string:
		text := string(alter([]byte(value), mark, inGraph(r.key)))
		return storeRow{r.key, text}, text != value
	case []byte:
		text := alter(slices.Clone(value), mark, inGraph(r.key))
		return storeRow{r.key, text}, !bytes.Equal(text, value)
	}
	return r, false
}

// put writes a row as Cursor does, and counts it.
func put(ctx context.Context, tx *sql.Tx, row storeRow, r *result) error {
	r.Rows++
	switch value := row.value.(type) {
	case string:
		r.Bytes += int64(len(value))
	case []byte:
		r.Bytes += int64(len(value))
	}
	_, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO cursorDiskKV (key, value) VALUES (?, ?)`, row.key, row.value)
	return err
}

// inGraph reports that a key is of a conversation with a graph.
func inGraph(key string) bool { return strings.Contains(key, agentPrefix) }

// alter writes a mark in front of a message's text, in place of an earlier mark. What has no text stays as it is; so
// does, where a graph is beside it, all but a prompt: the graph has the same text, and another one would be another
// message.
func alter(value []byte, mark int, graph bool) []byte {
	const field, sign = `"text":"`, "edit "
	if graph && !bytes.Contains(value, []byte(`"type":1`)) {
		return value
	}
	before, text, found := bytes.Cut(value, []byte(field))
	if !found {
		return value
	}
	if bytes.HasPrefix(text, []byte(sign)) {
		if _, rest, marked := strings.Cut(string(text), ": "); marked {
			text = []byte(rest)
		}
	}
	return slices.Concat(before, []byte(field), fmt.Appendf(nil, "%s%d: ", sign, mark), text)
}
