// Package shapetest makes, for tests, a store of the editor that has the shape of a stranger's: families, fields,
// types, share of NULL and sizes are those of a description that `pipeline doctor --shape` has written. It shares no
// code with what describes: it reads the file by its names.
package shapetest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"pipeline/testdata/gen/storetest"
)

type description struct {
	Sources []source `json:"sources"`
}

type source struct {
	Stores   []marks  `json:"stores"`
	Families []family `json:"families"`
}

type marks struct {
	Store       string
	UserVersion int `json:"user_version"`
	Tables      []struct {
		Name    string
		Columns []string
	}
}

type family struct {
	Store, Table, Family string
	Rows                 int
	Stored               map[string]int `json:"stored_as"`
	Problems             map[string]int
	Fields               []field
}

type field struct {
	Path                 string
	Types, Values, Sizes map[string]int
}

// Write makes a user directory out of the file of a description, for each of its sources that is an editor's:
// dir/1/User and so on. It returns their paths. Chats of the command line, transcripts and the tracking database are
// not made.
func Write(file, dir string) (made []string, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var d description
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, fmt.Errorf("read the description %s: %w", file, err)
	}
	for i, s := range d.Sources {
		if !s.has("global") && !s.has("workspace") {
			continue
		}
		user := filepath.Join(dir, strconv.Itoa(i+1), "User")
		if err := s.write(user); err != nil {
			return nil, err
		}
		made = append(made, user)
	}
	return made, nil
}

func (s source) has(store string) bool { return s.marksOf(store) != nil }

func (s source) marksOf(store string) *marks {
	for i := range s.Stores {
		if s.Stores[i].Store == store {
			return &s.Stores[i]
		}
	}
	return nil
}

// write makes the global store and the workspaces.
func (s source) write(user string) error {
	m := &maker{used: map[[32]byte]bool{}}
	stores := map[string]*stored{}
	for _, f := range s.Families {
		if f.Store != "global" && f.Store != "workspace" {
			continue
		}
		if err := m.family(f, stores); err != nil {
			return err
		}
	}
	for name, st := range stores {
		dir := filepath.Join(user, "workspaceStorage", name)
		if name == "global" {
			dir = filepath.Join(user, "globalStorage")
		}
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
		if st.json != nil {
			if err := os.WriteFile(filepath.Join(dir, "workspace.json"), st.json, 0o600); err != nil {
				return err
			}
		}
		o := storetest.StoreOptions{HeaderRows: st.headers}
		if marks := s.marksOf(map[bool]string{true: "global", false: "workspace"}[name == "global"]); marks != nil {
			o.UserVersion = marks.UserVersion
			for _, t := range marks.Tables {
				if t.Name == "composerHeaders" {
					o.HeaderColumns = t.Columns
				}
			}
		}
		if err := storetest.WriteStore(filepath.Join(dir, "state.vscdb"), st.rows, o); err != nil {
			return err
		}
	}
	return nil
}

// stored is what one store gets.
type stored struct {
	rows    []storetest.Row
	headers []map[string]any
	json    []byte
}

// family makes the rows of a family: first its documents, in the order in which types are listed, then as many NULL.
func (m *maker) family(f family, stores map[string]*stored) error {
	docs, err := m.documents(f)
	if err != nil {
		return err
	}
	for i := range f.Rows {
		name := "global"
		if f.Store == "workspace" {
			name = fmt.Sprintf("%032x", i+1)
		}
		if stores[name] == nil {
			stores[name] = &stored{}
		}
		st := stores[name]
		var value any
		if i < len(docs) && docs[i] != nil {
			value = string(docs[i])
			if i < f.Stored["blob"] {
				value = docs[i]
			}
		}
		switch f.Table {
		case "file":
			st.json = docs[i]
		case "composerHeaders":
			row := map[string]any{}
			if err := json.Unmarshal(docs[i], &row); err != nil {
				return err
			}
			row["composerId"] = conversation(i)
			st.headers = append(st.headers, row)
		default:
			st.rows = append(st.rows, storetest.Row{Table: f.Table, Key: m.key(f, i, value), Value: value})
		}
	}
	return nil
}
