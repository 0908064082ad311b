package storetest

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// A FileCase is a corner case that needs a store file of its own.
type FileCase struct {
	Name  string
	Write func(path string) error // makes the file
	SQL   string                  // a query on it
	Want  string                  // the value it gives; "" where it must fail
	Error string                  // what SQLite says then
}

// FileCases are the corner cases of whole files. A store that is locked is made with Lock.
func FileCases() []FileCase {
	const all = "SELECT count(octet_length(value)) FROM cursorDiskKV"
	headers := func(n int) func(string) error {
		return func(path string) error { return WriteHeadersTable(path, n) }
	}
	const columns = "SELECT (SELECT count(*) FROM pragma_table_info('composerHeaders')) || ':' || (SELECT count(*) " +
		"FROM composerHeaders WHERE workspaceId IS NOT NULL)"
	return []FileCase{
		{"not_a_database", WriteNotADatabase, all, "", "not a database"},
		{"zero_bytes", WriteZeroBytes, all, "", "no such table"},
		{"truncated", WriteTruncated, all, "", "malformed"},
		{"torn_page", func(path string) error { _, err := WriteTornPage(path); return err }, all, "", "malformed"},
		{"no_tables", WriteNoTables, all, "", "no such table"},
		{"headers_9_columns", headers(9), columns, "9:1", ""},
		{"headers_10_columns", headers(10), columns, "10:1", ""},
		{"headers_unknown_columns", headers(12), columns, "12:1", ""},
	}
}

// smallStore is a sound store with one conversation of n messages, whose rows are large enough that they fill
// many pages, and small enough that each fits into one.
func smallStore(path string, n int) error {
	id := "ca5ef11e-0000-4000-8000-000000000001"
	rows := make([]Row, n+1)
	headers := make([]string, n)
	for i := range n {
		m := fmt.Sprintf("ca5ef11e-0000-4000-8000-%012d", i+100)
		headers[i] = `{"bubbleId":"` + m + `","type":` + itoa(1+i%2) + `}`
		rows[i+1] = Row{Key: "bubbleId:" + id + ":" + m,
			Value: `{"_v":2,"type":` + itoa(1+i%2) + `,"bubbleId":"` + m + `","text":` +
				quoted(fmt.Sprintf("message %d: %0300d", i, i)) + `}`}
	}
	rows[0] = Row{Key: "composerData:" + id, Value: `{"_v":3,"composerId":"` + id +
		`","name":"A small store","createdAt":` + itoa64(base) +
		`,"fullConversationHeadersOnly":` + list(headers) + `}`}
	return WriteStore(path, rows, StoreOptions{})
}

// WriteNotADatabase makes a file that is no SQLite database.
func WriteNotADatabase(path string) error {
	return writeFile(path, bytes.Repeat([]byte("This is not a database. "), 400))
}

// WriteZeroBytes makes an empty file, which SQLite takes for a database without tables.
func WriteZeroBytes(path string) error { return writeFile(path, nil) }

// WriteNoTables makes a database that no Cursor made: it has another table only.
func WriteNoTables(path string) error {
	return WriteStore(path, nil, StoreOptions{NoDiskKV: true, NoItemTable: true,
		Exec: []string{"CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT)",
			"INSERT INTO notes (body) VALUES ('not a chat')"}})
}

// WriteTruncated makes a store without its second half, like a copy that was interrupted.
func WriteTruncated(path string) error {
	if err := smallStore(path, 400); err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	return os.Truncate(path, info.Size()/2/4096*4096)
}

// WriteTornPage makes a store of 400 messages with one page of rows whose first half is another's, and gives
// the keys of the rows that were in it. Everything else, the index too, is sound.
func WriteTornPage(path string) (lost []string, err error) {
	if err := smallStore(path, 400); err != nil {
		return nil, err
	}
	file, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	const page, tableLeaf = 4096, 0x0d
	var leaves []int
	for at := page; at < len(file); at += page {
		if file[at] == tableLeaf && bytes.Count(file[at:at+page], []byte("bubbleId:")) > 3 {
			leaves = append(leaves, at)
		}
	}
	if len(leaves) < 3 {
		return nil, errors.New("too few pages to tear one")
	}
	at := leaves[len(leaves)/2]
	const prefix, length = "bubbleId:", 82 // of a key
	for from := at; ; {
		i := bytes.Index(file[from:at+page], []byte(prefix))
		if i < 0 {
			break
		}
		from += i
		lost = append(lost, string(file[from:from+length]))
		from += length
	}
	slices.Sort(lost)
	copy(file[at:at+page/2], bytes.Repeat([]byte{0xa5}, page/2))
	return lost, os.WriteFile(path, file, 0o666)
}

// WriteHeadersTable makes a store with one conversation of two messages and its row in composerHeaders, a
// table with 9 columns (Cursor 3.15), 10 (3.19) or, for any other number, 12 of which two are unknown.
func WriteHeadersTable(path string, columns int) error {
	if err := smallStore(path, 2); err != nil {
		return err
	}
	names := HeaderColumns9
	switch columns {
	case 9:
	case 10:
		names = HeaderColumns10
	default:
		// Columns are known by their names, not by their places.
		names = slices.Concat([]string{"composerId", "pinnedAt"}, HeaderColumns10[1:], []string{"futureFlag"})
	}
	id := "ca5ef11e-0000-4000-8000-000000000001"
	row := map[string]any{"composerId": id, "workspaceId": "ca5ef11e000000000000000000000001", "createdAt": base,
		"lastUpdatedAt": base + 1000, "isArchived": int64(0), "isSubagent": int64(0), "recency": base + 1000,
		"pinnedAt": base, "futureFlag": int64(1),
		"value": `{"type":"head","composerId":"` + id + `","subtitle":"two messages"}`}
	return WriteHeaders(path, names, []map[string]any{row})
}

// Lock holds the exclusive lock of the store at path, as a writer in the middle of a commit, until unlock.
// It belongs to this process: a reader in the same process sees it only through the same SQLite library.
func Lock(path string) (unlock func() error, err error) {
	db, err := sql.Open("sqlite", fileURI(path))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("BEGIN EXCLUSIVE"); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return func() error {
		_, err := db.Exec("ROLLBACK")
		return errors.Join(err, db.Close())
	}, nil
}

func writeFile(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o666)
}
