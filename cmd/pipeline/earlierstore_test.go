package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pipeline/extract/storetest"
)

// earlierStore is testdata/warehouses/store.json: the store that programs of earlier versions have loaded. Its first state holds every row, each
// later one lacks those that are gone by then.
type earlierStore struct {
	KeyValues  map[string]json.RawMessage `json:"cursorDiskKV"`
	Items      map[string]json.RawMessage `json:"ItemTable"`
	Workspaces map[string]struct {
		Folder json.RawMessage            `json:"workspace.json"`
		Items  map[string]json.RawMessage `json:"ItemTable"`
	} `json:"workspaces"`
	Gone [][]string `json:"gone"`
}

func readEarlierStore(t *testing.T) (s earlierStore) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "warehouses", "store.json"))
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// states is how many there are.
func (s earlierStore) states() int { return len(s.Gone) + 1 }

// write makes a user directory anew, in a state from 1.
func (s earlierStore) write(t *testing.T, user string, state int) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	gone := map[string]bool{}
	for _, key := range slices.Concat(s.Gone[:state-1]...) {
		gone[key] = true
	}
	must(os.RemoveAll(user))
	must(storetest.WriteStore(filepath.Join(user, "globalStorage", "state.vscdb"),
		slices.Concat(rowsOf(storetest.DiskKV, s.KeyValues, gone), rowsOf(storetest.ItemTable, s.Items, gone)), storetest.StoreOptions{}))
	for id, w := range s.Workspaces {
		dir := filepath.Join(user, "workspaceStorage", id)
		must(storetest.WriteStore(filepath.Join(dir, "state.vscdb"), rowsOf(storetest.ItemTable, w.Items, gone), storetest.StoreOptions{NoDiskKV: true}))
		must(os.WriteFile(filepath.Join(dir, "workspace.json"), w.Folder, 0o600))
	}
}

// rowsOf are the rows of a table that are not gone. A value that is JSON is stored as its text, one that is a string as what it says.
func rowsOf(table string, values map[string]json.RawMessage, gone map[string]bool) (rows []storetest.Row) {
	for _, key := range slices.Sorted(maps.Keys(values)) {
		var text string
		if json.Unmarshal(values[key], &text) != nil {
			var compact bytes.Buffer
			if err := json.Compact(&compact, values[key]); err != nil {
				panic(err) // it was unmarshalled
			}
			text = compact.String()
		}
		if !gone[key] {
			rows = append(rows, storetest.Row{Table: table, Key: key, Value: text})
		}
	}
	return rows
}

// earlierUser is a folder of an editor with the last state of the store.
func earlierUser(t *testing.T) (user string) {
	t.Helper()
	store := readEarlierStore(t)
	user = filepath.Join(t.TempDir(), "User")
	store.write(t, user, store.states())
	return user
}
