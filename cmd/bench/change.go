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
				rows, size, err := replaceRows(ctx, tx, f+":"+c.id, o.mark)
				if err != nil {
					return fmt.Errorf("change %s of a conversation: %w", f, err)
				}
				r.Rows, r.Bytes = r.Rows+rows, r.Bytes+size
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

// replaceRows replaces the row of a key, and those of the keys that go on after it with a colon.
func replaceRows(ctx context.Context, tx *sql.Tx, key string, mark int) (rows, size int64, err error) {
	type row struct {
		key   string
		value any
	}
	var found []row
	q, err := tx.QueryContext(ctx, `SELECT key, value FROM cursorDiskKV WHERE key = ? OR key >= ? AND key < ?`, key,
		key+":", key+";")
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, q.Close()) }()
	for q.Next() {
		var r row
		if err := q.Scan(&r.key, &r.value); err != nil {
			return 0, 0, err
		}
		found = append(found, r)
	}
	if err := errors.Join(q.Err(), q.Close()); err != nil {
		return 0, 0, err
	}
	for _, r := range found {
		switch value := r.value.(type) {
		case string:
			r.value = string(alter([]byte(value), mark, inGraph(key)))
		case []byte:
			r.value = alter(slices.Clone(value), mark, inGraph(key))
		}
		if _, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO cursorDiskKV (key, value) VALUES (?, ?)`, r.key,
			r.value); err != nil {
			return 0, 0, err
		}
		switch value := r.value.(type) {
		case string:
			size += int64(len(value))
		case []byte:
			size += int64(len(value))
		}
	}
	return int64(len(found)), size, nil
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
