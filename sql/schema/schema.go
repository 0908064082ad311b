// Package schema is the one declaration of the warehouse's tables.
//
// Each table is a Go struct whose fields carry `col:"name[,option]..."` (key, scope, empty, signed, distinct: see
// Column), `doc:"..."` and, rarely, `ref:"..."` tags. DDL, column comments,
// the Parquet schema, checks and the data dictionary are derived from it; adding a column is adding a field, of a
// pointer where rows may lack it. The package knows shapes only: no storage engine, no source format.
package schema

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// Version is the version of the tables. It changes when a column is renamed, gets another type, is removed, or is added
// as NOT NULL. A run makes a warehouse of an earlier version anew from its raw layer. A new table or nullable column
// needs only its declaration, in any position, and no new version. A load compares the tables with their declaration.
// If some are missing, it keeps a copy of the warehouse, adds them, makes every view and macro again, and reads the
// stores again in full. Until then readers say that the warehouse is older. An older tool refuses to write to a
// warehouse with columns that it does not know.
const Version = 2

// Bounds of figures and times in a store. A value outside them means something else, and the cell is NULL. They are so
// far within int64 that a sum over the elements of one document (64 MiB at most) cannot overflow.
const (
	// of a count, a position, a size, a duration in ms, the number of a tool, a cost in cents (either sign); only a
	// cost may be below 0
	MaxCount = 1_000_000_000_000
	Earliest = 1_420_070_400_000 // earliest time: 2015-01-01
	Latest   = 4_102_444_800_000 // times are before this: 2100-01-01
)

// Millis is a time in milliseconds since 1970, UTC. TIMESTAMPTZ in the warehouse.
type Millis int64

// Date is a day as YYYY-MM-DD. DATE in the warehouse.
type Date string

// JSON is a valid JSON document; nil is NULL. It never holds U+0000 or a lone surrogate (the warehouse stores U+2400,
// U+FFFD).
type JSON []byte

// Blob is raw bytes; nil is NULL. BLOB in the warehouse.
type Blob []byte

// Main is the schema of the tables that people ask, and of the views and macros for every question.
const Main = "main"

// internal is the schema of the internal tables.
const internal = "internal"

// Schemas lists the schemas of a warehouse, in the order in which a name without one is looked up.
func Schemas() []string { return []string{Main, "answers", "report", internal} }

// SchemasDDL returns the statements that make the schemas.
func SchemasDDL() string {
	var b strings.Builder
	for _, name := range Schemas()[1:] { // main is in every file
		fmt.Fprintf(&b, "CREATE SCHEMA IF NOT EXISTS %s;\n", name)
	}
	return b.String()
}

// Table is one table of the warehouse.
type Table struct {
	Name    string
	Doc     string // one sentence: what a row is
	Scope   Scope
	Traits  Trait
	Columns []Column
	Row     reflect.Type // the struct that declares it
}

// Column is one column of a table.
type Column struct {
	Name     string
	Type     string // the warehouse's type: VARCHAR, BIGINT, DOUBLE, BOOLEAN, TIMESTAMPTZ, DATE, JSON, BLOB
	Doc      string
	Ref      string // which table it refers to, where the names of keys do not say it (see Table.Refers)
	Key      bool   // part of the table's key
	Scope    bool   // names the conversation: a row is replaced when that conversation is loaded
	Nullable bool

	Discloses  Disclosure
	MayBeEmpty bool // '' is a valid value, although the column may be NULL
	Signed     bool // a number that may be below 0
	Distinct   bool // hardly two rows have the same text: the engine need not look for texts that repeat
}

// Lookup returns the table of that name.
func Lookup(name string) (Table, bool) {
	for _, t := range tables() {
		if t.Name == name {
			return t, true
		}
	}
	return Table{}, false
}

// Schema returns the schema that has the table.
func (t Table) Schema() string {
	if t.Scope == Internal {
		return internal
	}
	return Main
}

// Object returns the name by which SQL finds the table, wherever it is asked from: a name in schema main needs no
// schema.
func (t Table) Object() string {
	if t.Scope == Internal {
		return internal + "." + t.Name
	}
	return t.Name
}

// Key returns the names of the table's key columns.
func (t Table) Key() []string {
	var key []string
	for _, c := range t.Columns {
		if c.Key {
			key = append(key, c.Name)
		}
	}
	return key
}

// ScopeColumn is the column with the conversation by which rows are replaced: conversation_id unless another column is
// marked.
func (t Table) ScopeColumn() string {
	for _, c := range t.Columns {
		if c.Scope {
			return c.Name
		}
	}
	return "conversation_id"
}

// Has reports whether the table has a column of that name.
func (t Table) Has(column string) bool {
	for _, c := range t.Columns {
		if c.Name == column {
			return true
		}
	}
	return false
}

// DDL returns the statements that create the table and its comments. It declares no PRIMARY KEY, which would double the
// cost of a load; a check finds keys that are not unique.
func (t Table) DDL() string {
	var b strings.Builder
	fmt.Fprintf(&b, "CREATE TABLE %s (\n", t.Object())
	for i, c := range t.Columns {
		null := " NOT NULL"
		if c.Nullable {
			null = ""
		}
		if c.Distinct { // with any other compression it would make a dictionary of them, and throw it away
			null = " USING COMPRESSION uncompressed" + null
		}
		comma := ","
		if i == len(t.Columns)-1 {
			comma = ""
		}
		fmt.Fprintf(&b, "  %q %s%s%s\n", c.Name, c.Type, null, comma)
	}
	b.WriteString(");\n")
	b.WriteString(t.Comments())
	return b.String()
}

// Comments returns the statements that set the comments of an existing table.
func (t Table) Comments() string {
	var b strings.Builder
	fmt.Fprintf(&b, "COMMENT ON TABLE %s IS %s;\n", t.Object(), quote(t.Comment()))
	for _, c := range t.Columns {
		fmt.Fprintf(&b, "COMMENT ON COLUMN %s.%q IS %s;\n", t.Object(), c.Name, quote(t.ColumnComment(c)))
	}
	return b.String()
}

// IsRealTime tells from created_at_source of a message whether its time was recorded: others are inherited.
func IsRealTime(source *string) bool {
	return source != nil && slices.Contains([]string{"message", "header", "tool", "timing", "graph", "tag"}, *source)
}

// CleanText makes a text valid for the warehouse: U+0000 becomes U+2400 (the driver would cut the text there), and
// invalid UTF-8 becomes U+FFFD (it would lose the driver's whole batch).
func CleanText(s string) string {
	if strings.IndexByte(s, 0) >= 0 {
		s = strings.ReplaceAll(s, "\x00", "\u2400")
	}
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\ufffd")
	}
	return s
}

// SameText reports whether two texts are one in memory, and not empty: nobody has to read them to know that they are
// equal.
func SameText(a, b string) bool {
	return a != "" && len(a) == len(b) && unsafe.StringData(a) == unsafe.StringData(b)
}

// KeyText writes a key as text that is unique for it: bytes that are not UTF-8 become \xNN.
func KeyText(key string) string {
	if utf8.ValidString(key) {
		return key
	}
	var b strings.Builder
	for i, n := 0, 0; i < len(key); i += n {
		var r rune
		if r, n = utf8.DecodeRuneInString(key[i:]); r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, `\x%02x`, key[i])
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// NewTable makes a table from the struct that declares its rows.
func NewTable[R any](name, doc string, scope Scope, traits ...Trait) Table {
	row := reflect.TypeFor[R]()
	t := Table{Name: name, Doc: doc, Scope: scope, Row: row}
	for _, trait := range traits {
		t.Traits |= trait
	}
	for i := range row.NumField() {
		t.Columns = append(t.Columns, column(row.Field(i)))
	}
	return t
}

func column(f reflect.StructField) Column {
	name, options, _ := strings.Cut(f.Tag.Get("col"), ",")
	c := Column{Name: name, Doc: f.Tag.Get("doc"), Ref: f.Tag.Get("ref")}
	for option := range strings.SplitSeq(options, ",") {
		c.Key = c.Key || option == "key"
		c.Scope = c.Scope || option == "scope"
		c.MayBeEmpty = c.MayBeEmpty || option == "empty"
		c.Signed = c.Signed || option == "signed"
		c.Distinct = c.Distinct || option == "distinct"
		switch option {
		case "id":
			c.Discloses = Figures
		case "word":
			c.Discloses = Words
		case "project":
			c.Discloses = Projects
		}
	}
	ft := f.Type
	if ft.Kind() == reflect.Pointer {
		c.Nullable, ft = true, ft.Elem()
	}
	switch ft {
	case reflect.TypeFor[Millis]():
		c.Type = "TIMESTAMPTZ"
	case reflect.TypeFor[Date]():
		c.Type = "DATE"
	case reflect.TypeFor[JSON]():
		c.Type, c.Nullable = "JSON", true
	case reflect.TypeFor[Blob]():
		c.Type, c.Nullable = "BLOB", true
	case reflect.TypeFor[string](), reflect.TypeFor[OwnerKind]():
		c.Type = "VARCHAR"
	case reflect.TypeFor[int64]():
		c.Type = "BIGINT"
	case reflect.TypeFor[float64]():
		c.Type = "DOUBLE"
	case reflect.TypeFor[bool]():
		c.Type = "BOOLEAN"
	default:
		panic(fmt.Sprintf("schema: field %s has no column type for %s", f.Name, f.Type))
	}
	if !slices.Contains([]string{"VARCHAR", "JSON", "BLOB"}, c.Type) {
		c.Discloses = Figures
	}
	return c
}
