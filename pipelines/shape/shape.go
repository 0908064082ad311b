// Package shape describes stores without what is in them: which families of rows there are, which fields their
// documents have, of which types and sizes. People can send such a description: it holds no text, id, path, time or
// name of theirs.
//
// It knows how rows and fields are counted. It must never know what a value means, and keeps none but words of Cursor's
// own lists (enumerations.go).
package shape

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"pipeline/extract"
)

// Version is the number of the format of a description.
const Version = 1

// Shape is the description of some sources.
type Shape struct {
	Version int      `json:"shape_version"`
	Sources []Source `json:"sources"`
}

// Source describes a source without its name and place.
type Source struct {
	Kind       string   `json:"kind"` // Cursor, cursor-server, cursor-cli, ai-tracking, file, other
	OS         string   `json:"os"`
	Unreadable int64    `json:"unreadable_stores"`
	Stores     []Marks  `json:"stores"`
	Families   []Family `json:"families"`
}

// Marks are what some stores say of their version, and how many say the same.
type Marks struct {
	Store       string  `json:"store"` // global, workspace, chat, tracking
	Count       int64   `json:"count"`
	UserVersion int64   `json:"user_version"`
	Tables      []Table `json:"tables"`
}

// Table is a table of a store. Names that are not known are *.
type Table struct {
	Name    string   `json:"name"`
	Columns []string `json:"columns"`
}

// Family describes the rows of one family in the stores of one kind.
type Family struct {
	Store    string           `json:"store"`
	Table    string           `json:"table,omitempty"`
	Family   string           `json:"family"`
	Handling extract.Handling `json:"handling,omitempty"`
	Rows     int64            `json:"rows"`
	Stored   map[string]int64 `json:"stored_as,omitempty"` // rows by SQLite's type of the value
	Problems map[string]int64 `json:"problems,omitempty"`  // rows by why they cannot be used
	Fields   []Field          `json:"fields,omitempty"`    // of their documents, parents before what is in them
}

// Field describes the values at one path of a family's documents. $ is the document, [] are elements of an array, {}
// are fields of the document in a text, and * stands for all names that are not known.
type Field struct {
	Path   string           `json:"path"`
	Types  map[string]int64 `json:"types"`
	Null   float64          `json:"null_share"`       // how many of 1 are NULL, of those that are there
	Values map[string]int64 `json:"values,omitempty"` // of an enumeration; * are all other values
	Sizes  map[string]int64 `json:"sizes,omitempty"`  // texts and blobs by bytes: the key is the next power of two
}

// other is the name of what has a name that is not known.
const other = "*"

// familyKey names a family in the stores of one kind.
type familyKey struct{ store, table, family string }

// describing counts what a source has.
type describing struct {
	families map[familyKey]*counted
	marks    map[string]*Marks // by their text
}

type counted struct {
	handling         extract.Handling
	rows             int64
	stored, problems map[string]int64
	docs             *documents
}

func newDescribing() *describing {
	return &describing{families: map[familyKey]*counted{}, marks: map[string]*Marks{}}
}

// kindOfStore is the kind of a store. The names of stores have ids and paths in them.
func kindOfStore(store string) string {
	switch {
	case store == extract.GlobalStore:
		return "global"
	case strings.HasPrefix(store, extract.WorkspaceStore("")):
		return "workspace"
	case store == extract.TrackingStore:
		return "tracking"
	case extract.IsTranscript(store):
		return "transcript"
	case extract.IsChatStore(store) || store == extract.CLIStore:
		return "chat"
	}
	return "other"
}

func (d *describing) family(key familyKey) *counted {
	c := d.families[key]
	if c == nil {
		c = &counted{stored: map[string]int64{}, problems: map[string]int64{}, docs: newDocuments(key.family)}
		d.families[key] = c
	}
	return c
}

// mark counts what a store says of its version.
func (d *describing) mark(store string, m extract.Marks) {
	out := Marks{Store: kindOfStore(store), UserVersion: m.UserVersion}
	for _, t := range m.Tables {
		table := Table{Name: other}
		if knownTables[t.Name] {
			table.Name = t.Name
		}
		for _, c := range t.Columns {
			table.Columns = append(table.Columns, nameOr(c, table.Name != other && knownColumn(c)))
		}
		out.Tables = append(out.Tables, table)
	}
	slices.SortStableFunc(out.Tables, func(a, b Table) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), len(a.Columns)-len(b.Columns))
	})
	text := textOf(out)
	if d.marks[text] == nil {
		d.marks[text] = &out
	}
	d.marks[text].Count++
}

func nameOr(name string, known bool) string {
	if known {
		return name
	}
	return other
}

// row counts a row, and what is in its document.
func (d *describing) row(doc *extract.Document) {
	family := doc.Family
	if family == extract.FamilyUnknown {
		family = patternOf(doc.Key)
	}
	table := doc.Table
	if !knownTables[table] {
		table = ""
	}
	c := d.family(familyKey{kindOfStore(doc.Store), table, family})
	c.rows++
	c.stored[doc.Type]++
	if doc.Problem != "" {
		c.problems[doc.Problem]++
	}
	switch {
	case doc.Value == nil:
	case doc.Family == extract.FamilyTranscript:
		for line := range strings.Lines(string(doc.Value)) {
			c.docs.add([]byte(strings.TrimSpace(line)))
		}
	default:
		c.docs.add(doc.Value)
	}
}

// counts takes over the families whose values are not read, and how each is treated.
func (d *describing) counts(reports []extract.StoreReport) {
	for _, r := range reports {
		for _, f := range r.Families {
			if f.Handling != extract.Refused && f.Family != extract.FamilyOtherItem {
				continue
			}
			c := d.family(familyKey{kindOfStore(r.Store), extract.ItemTable, f.Family})
			c.rows, c.handling = c.rows+f.Rows, f.Handling
		}
	}
}

// source is the description of the source.
func (d *describing) source(kind, os string, reports []extract.StoreReport) Source {
	s := Source{Kind: nameOr(kind, knownKinds[kind]), OS: nameOr(os, knownSystems[os]), Stores: []Marks{},
		Families: []Family{}}
	for _, r := range reports {
		if r.Err != nil {
			s.Unreadable++
		}
	}
	for _, text := range slices.Sorted(maps.Keys(d.marks)) {
		s.Stores = append(s.Stores, *d.marks[text])
	}
	slices.SortStableFunc(s.Stores, func(a, b Marks) int { return strings.Compare(a.Store, b.Store) })
	d.forgetRarePatterns()
	for key, c := range d.families {
		f := Family{Store: key.store, Table: key.table, Family: key.family, Handling: c.handling, Rows: c.rows,
			Stored: some(c.stored), Problems: some(c.problems)}
		f.Fields = c.docs.fields()
		s.Families = append(s.Families, f)
	}
	slices.SortFunc(s.Families, func(a, b Family) int {
		return cmp.Or(strings.Compare(a.Store, b.Store), strings.Compare(a.Table, b.Table),
			strings.Compare(a.Family, b.Family))
	})
	return s
}

// forgetRarePatterns counts the rows of patterns that few keys have together: the name in such a pattern may be a word
// of the user.
func (d *describing) forgetRarePatterns() {
	for key, c := range d.families {
		if !isPattern(key.family) || c.rows >= oftenRows {
			continue
		}
		delete(d.families, key)
		key.family = extract.FamilyUnknown
		into := d.family(key)
		into.rows += c.rows
		add(into.stored, c.stored)
		add(into.problems, c.problems)
		into.docs.merge(c.docs)
	}
}

func add(into, from map[string]int64) {
	for k, n := range from {
		into[k] += n
	}
}

// some is a map, or nil if there is nothing in it.
func some(m map[string]int64) map[string]int64 {
	if len(m) == 0 {
		return nil
	}
	return m
}
