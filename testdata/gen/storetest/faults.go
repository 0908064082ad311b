package storetest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

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

func writeFile(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o666)
}
