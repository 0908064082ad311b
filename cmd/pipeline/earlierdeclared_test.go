package main

import (
	"bytes"
	"crypto/sha256"
	dbsql "database/sql"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/apache/arrow/go/v17/parquet/pqarrow"

	"github.com/google/go-cmp/cmp"

	"pipeline/load/rawlog"
	"pipeline/sql"
	"pipeline/sql/schema"
)

// declaredWarehouse is testdata/warehouses/vN.json: what a program of schema version N has made of the first two states of earlierStore.
type declaredWarehouse struct {
	Version int             `json:"version"`
	Tables  []declaredTable `json:"tables"`
	Objects []string        `json:"objects"` // statements that make the views and macros, in their order; the views that answer questions are left out
	Raw     []declaredFile  `json:"raw"`     // the raw layer
}

// declaredTable is a table, or the rows of a file.
type declaredTable struct {
	Name    string      `json:"name"`
	Columns []string    `json:"columns"` // name, type, NOT NULL
	Filled  []string    `json:"filled"`  // columns that some row has a value in
	Rows    [][]*string `json:"rows"`    // of these
}

// declaredFile is a file of the raw layer.
type declaredFile struct {
	About string          `json:"about"` // name of what it says of itself
	Says  json.RawMessage `json:"says"`
	declaredTable
}

// The directory and the host that declarations name, wherever they were made.
const (
	declaredUser = "/home/ada/.config/Cursor/User"
	declaredHost = "laptop"
)

// declarationPath is where the declaration of a version is kept.
func declarationPath(version int) string {
	return filepath.Join("..", "..", "testdata", "warehouses", fmt.Sprintf("v%d.json", version))
}

func readDeclaration(t *testing.T, version int) (d declaredWarehouse) {
	t.Helper()
	text, err := os.ReadFile(declarationPath(version))
	if err == nil {
		err = json.Unmarshal(text, &d)
	}
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// text is the declaration with a row on each line.
func (d declaredWarehouse) text() string {
	var b bytes.Buffer
	encode := func(v any) string {
		var one bytes.Buffer
		e := json.NewEncoder(&one)
		e.SetEscapeHTML(false)
		if err := e.Encode(v); err != nil {
			panic(err) // it is made of texts
		}
		return strings.TrimSpace(one.String())
	}
	lines := func(name string, n int, line func(i int)) {
		fmt.Fprintf(&b, "%q: [", name)
		for i := range n {
			b.WriteString("\n")
			line(i)
			if i < n-1 {
				b.WriteString(",")
			}
		}
		b.WriteString("]")
	}
	table := func(t declaredTable) {
		fmt.Fprintf(&b, "\"name\": %s, \"columns\": %s,\n \"filled\": %s,\n ", encode(t.Name), encode(t.Columns), encode(t.Filled))
		lines("rows", len(t.Rows), func(i int) { b.WriteString("  " + encode(t.Rows[i])) })
		b.WriteString("}")
	}
	fmt.Fprintf(&b, "{\n\"version\": %d,\n", d.Version)
	lines("tables", len(d.Tables), func(i int) { b.WriteString("{"); table(d.Tables[i]) })
	b.WriteString(",\n")
	lines("objects", len(d.Objects), func(i int) { b.WriteString(encode(d.Objects[i])) })
	b.WriteString(",\n")
	lines("raw", len(d.Raw), func(i int) {
		fmt.Fprintf(&b, "{\"about\": %s, \"says\": %s,\n ", encode(d.Raw[i].About), encode(d.Raw[i].Says))
		table(d.Raw[i].declaredTable)
	})
	b.WriteString("\n}\n")
	return b.String()
}

// shape is what of a declaration depends on nothing but the program: no values, which have times, rowids and hashes in them.
func (d declaredWarehouse) shape() (out []string) {
	out = append(out, fmt.Sprint("version ", d.Version))
	table := func(t declaredTable) {
		out = append(out, fmt.Sprintf("%s has %d rows", t.Name, len(t.Rows)))
		for _, c := range t.Columns {
			name, _, _ := strings.Cut(c, " ")
			out = append(out, fmt.Sprintf("%s.%s, has values: %t", t.Name, c, slices.Contains(t.Filled, name)))
		}
	}
	for _, t := range d.Tables {
		table(t)
	}
	for _, f := range d.Raw {
		var says map[string]any
		_ = json.Unmarshal(f.Says, &says)
		var names []string
		for name := range says {
			names = append(names, name)
		}
		slices.Sort(names)
		out = append(out, fmt.Sprint(f.Name, " says ", f.About, names))
		table(f.declaredTable)
	}
	return append(out, d.Objects...)
}

// build makes the warehouse with its raw layer.
func (d declaredWarehouse) build(t *testing.T, warehouse string) {
	t.Helper()
	var script strings.Builder
	script.WriteString("SET TimeZone = 'UTC';\n")
	for _, table := range d.Tables {
		if in, _, ok := strings.Cut(table.Name, "."); ok {
			fmt.Fprintf(&script, "CREATE SCHEMA IF NOT EXISTS %s;\n", in)
		}
		columns := make([]string, len(table.Columns))
		for i, column := range table.Columns {
			name, rest, _ := strings.Cut(column, " ")
			columns[i] = strconv.Quote(name) + " " + rest
		}
		fmt.Fprintf(&script, "CREATE TABLE %s (%s);\n", table.Name, strings.Join(columns, ", "))
		for _, row := range table.Rows {
			values := make([]string, len(row))
			for i, value := range row {
				switch {
				case value == nil:
					values[i] = "NULL"
				case table.typeOf(table.Filled[i]) == "BLOB":
					values[i] = "encode(" + literal(*value) + ")"
				default:
					values[i] = literal(*value)
				}
			}
			fmt.Fprintf(&script, "INSERT INTO %s (%s) VALUES (%s);\n", table.Name, `"`+strings.Join(table.Filled, `", "`)+`"`, strings.Join(values, ", "))
		}
	}
	for _, object := range d.Objects {
		script.WriteString(object + "\n")
	}
	for _, file := range d.Raw {
		size, sum, err := file.write(rawlog.Dir(warehouse))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&script, "UPDATE raw_files SET bytes = %d, sha256 = '%s' WHERE path = %s;\n", size, sum, literal(file.Name))
	}
	if err := execDuckDB(warehouse, script.String()); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(warehouse, 0o600); err != nil {
		t.Fatal(err)
	}
}

func literal(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// typeOf is the type of a column.
func (t declaredTable) typeOf(column string) string {
	for _, c := range t.Columns {
		name, rest, _ := strings.Cut(c, " ")
		if name == column {
			return strings.TrimSuffix(rest, " NOT NULL")
		}
	}
	panic("no column " + column)
}

// write makes the file. The library that writes it is the one that every version had: only the columns, the rows and what a file says of itself can differ.
func (f declaredFile) write(dir string) (size int, sum string, err error) {
	types := map[string]arrow.DataType{"VARCHAR": arrow.BinaryTypes.String, "BIGINT": arrow.PrimitiveTypes.Int64, "BLOB": arrow.BinaryTypes.Binary,
		"TIMESTAMPTZ": &arrow.TimestampType{Unit: arrow.Millisecond, TimeZone: "UTC"}}
	var fields []arrow.Field
	for _, c := range f.Columns {
		name, rest, _ := strings.Cut(c, " ")
		fields = append(fields, arrow.Field{Name: name, Type: types[strings.TrimSuffix(rest, " NOT NULL")], Nullable: !strings.HasSuffix(rest, "NOT NULL")})
	}
	columns := arrow.NewSchema(fields, nil)
	rows := array.NewRecordBuilder(memory.DefaultAllocator, columns)
	for i, field := range fields {
		at := slices.Index(f.Filled, field.Name)
		for _, row := range f.Rows {
			if at < 0 || row[at] == nil {
				rows.Field(i).AppendNull()
			} else if err := rows.Field(i).AppendValueFromString(f.encoded(field.Type, *row[at])); err != nil {
				return 0, "", err
			}
		}
	}
	var file bytes.Buffer
	w, err := pqarrow.NewFileWriter(columns, &file, parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Zstd)), pqarrow.DefaultWriterProps())
	if err != nil {
		return 0, "", err
	}
	var says bytes.Buffer
	for _, step := range []func() error{
		func() error { return json.Compact(&says, f.Says) },
		func() error { return w.Write(rows.NewRecord()) },
		func() error { return w.AppendKeyValueMetadata(f.About, says.String()) },
		w.Close,
		func() error { return os.MkdirAll(filepath.Join(dir, filepath.Dir(f.Name)), 0o700) },
		func() error { return os.WriteFile(filepath.Join(dir, f.Name), file.Bytes(), 0o600) },
	} {
		if err := step(); err != nil {
			return 0, "", err
		}
	}
	hash := sha256.Sum256(file.Bytes())
	return file.Len(), hex.EncodeToString(hash[:]), nil
}

// encoded is a value as the builder of a column reads it from a text.
func (f declaredFile) encoded(of arrow.DataType, value string) string {
	if of.ID() == arrow.BINARY {
		return base64.StdEncoding.EncodeToString([]byte(value))
	}
	return value
}

// TestWarehouseDeclared: testdata/warehouses has the declaration of the warehouse that this version makes, so that the next version can be tried on it.
func TestWarehouseDeclared(t *testing.T) {
	t.Parallel()
	store := readEarlierStore(t)
	made := &earlier{cliTest: newCLITest(t)}
	for state := range store.states() - 1 {
		store.write(t, made.user, state+1)
		made.run(0, "--quiet")
	}
	now := declare(t, made.warehouse, schema.Version).moved(made.user)
	for _, f := range slices.Concat(sql.Views(), sql.Macros()) {
		now.Objects = append(now.Objects, withoutComments(f.SQL))
	}
	path := declarationPath(schema.Version)
	var kept declaredWarehouse
	if text, err := os.ReadFile(path); err == nil {
		made.must(json.Unmarshal(text, &kept))
	}
	if diff := cmp.Diff(kept.shape(), now.shape()); diff != "" {
		if !*update {
			t.Fatalf("%s is missing, or is not what this version makes of the store. This command writes it:\n\tgo test ./cmd/pipeline -run TestWarehouseDeclared -update\n(-kept +made)\n%s", path, diff)
		}
		made.must(os.WriteFile(path, []byte(now.text()), 0o644))
		kept = now
	}

	built := newEarlier(t, made.user, schema.Version)
	again := declare(t, built.warehouse, schema.Version)
	again.Objects = kept.Objects
	if diff := cmp.Diff(kept.withoutSizes().text(), again.withoutSizes().text()); diff != "" {
		t.Errorf("what is made of the declaration is something else (-declared +made):\n%s", diff)
	}
	if _, said := built.run(0); strings.Contains(said, "schema version") {
		t.Errorf("a warehouse that is made of it is not of this version: %s", said)
	}
	built.does(0, "check", "--warehouse", built.warehouse)
}

// moved is the declaration with the directory and the host that all declarations name.
func (d declaredWarehouse) moved(user string) declaredWarehouse {
	host, _ := os.Hostname()
	for _, t := range d.Tables {
		for _, row := range t.Rows {
			for i := range row {
				if row[i] != nil && t.Filled[i] == "host" {
					*row[i] = declaredHost
				} else if row[i] != nil {
					*row[i] = strings.ReplaceAll(*row[i], user, declaredUser)
				}
			}
		}
	}
	for i, f := range d.Raw {
		says := strings.ReplaceAll(string(f.Says), user, declaredUser)
		d.Raw[i].Says = json.RawMessage(strings.ReplaceAll(says, fmt.Sprintf(`"Host":%q`, host), fmt.Sprintf(`"Host":%q`, declaredHost)))
	}
	return d
}

// withoutSizes is the declaration without the sizes and hashes of files: those of a file that is written again are others.
func (d declaredWarehouse) withoutSizes() declaredWarehouse {
	d.Tables = slices.Clone(d.Tables)
	for i, t := range d.Tables {
		if t.Name == "raw_files" {
			d.Tables[i].Rows = nil
		}
	}
	return d
}

// withoutComments cuts the lines that are comments.
func withoutComments(statement string) string {
	lines := slices.DeleteFunc(strings.Split(statement, "\n"), func(line string) bool { return strings.HasPrefix(line, "--") })
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// declare reads a warehouse and its raw layer back into a declaration, without the views.
func declare(t *testing.T, warehouse string, version int) (d declaredWarehouse) {
	t.Helper()
	db, err := dbsql.Open("duckdb", warehouse)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	texts(t, db, `SET TimeZone = 'UTC'`)
	d.Version = version
	for _, name := range texts(t, db, `SELECT if(schema_name = 'main', '', schema_name || '.') || table_name FROM duckdb_tables() WHERE NOT temporary ORDER BY 1`) {
		table := declaredTable{Name: *name[0]}
		for _, c := range texts(t, db, `SELECT concat_ws(' ', column_name, data_type, CASE WHEN NOT is_nullable THEN 'NOT NULL' END) FROM duckdb_columns() WHERE if(schema_name = 'main', '', schema_name || '.') || table_name = `+literal(*name[0])+` ORDER BY column_index`) {
			table.Columns = append(table.Columns, *c[0])
		}
		table.fill(t, db, table.Name)
		d.Tables = append(d.Tables, table)
	}
	for _, path := range texts(t, db, `SELECT path FROM raw_files ORDER BY path`) {
		d.Raw = append(d.Raw, declareFile(t, db, rawlog.Dir(warehouse), *path[0]))
	}
	return d
}

// declareFile reads a file of the raw layer.
func declareFile(t *testing.T, db *dbsql.DB, dir, path string) (f declaredFile) {
	t.Helper()
	from := literal(filepath.Join(dir, path))
	f.Name = path
	for _, c := range texts(t, db, `SELECT name || ' ' || CASE WHEN logical_type LIKE 'StringType%' THEN 'VARCHAR' WHEN logical_type LIKE 'Timestamp%' THEN 'TIMESTAMPTZ' WHEN type = 'INT64' THEN 'BIGINT' ELSE 'BLOB' END
		|| CASE repetition_type WHEN 'REQUIRED' THEN ' NOT NULL' ELSE '' END FROM parquet_schema(`+from+`) WHERE num_children IS NULL`) {
		f.Columns = append(f.Columns, *c[0])
	}
	f.fill(t, db, "read_parquet("+from+", hive_partitioning = false)")
	about := texts(t, db, `SELECT decode(key), decode(value) FROM parquet_kv_metadata(`+from+`) WHERE decode(key) LIKE 'pipeline.%'`)[0]
	f.About, f.Says = *about[0], json.RawMessage(*about[1])
	return f
}

// fill reads the rows, and leaves out columns without values.
func (t *declaredTable) fill(test *testing.T, db *dbsql.DB, from string) {
	test.Helper()
	var names, cells []string
	for _, c := range t.Columns {
		name, _, _ := strings.Cut(c, " ")
		names = append(names, name)
		if t.typeOf(name) == "BLOB" {
			cells = append(cells, fmt.Sprintf("decode(%q)", name))
		} else {
			cells = append(cells, fmt.Sprintf("CAST(%q AS VARCHAR)", name))
		}
	}
	t.Filled, t.Rows = []string{}, [][]*string{}
	rows := texts(test, db, "SELECT "+strings.Join(cells, ", ")+" FROM "+from)
	for range rows {
		t.Rows = append(t.Rows, nil)
	}
	for i, name := range names {
		if !slices.ContainsFunc(rows, func(row []*string) bool { return row[i] != nil }) {
			continue
		}
		t.Filled = append(t.Filled, name)
		for r := range rows {
			t.Rows[r] = append(t.Rows[r], rows[r][i])
		}
	}
}

// texts are the rows of a query whose columns are texts.
func texts(t *testing.T, db *dbsql.DB, query string) (out [][]*string) {
	t.Helper()
	rows, err := db.Query(query)
	if err != nil {
		t.Fatalf("%v\n%s", err, query)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		row, targets := make([]*string, len(columns)), make([]any, len(columns))
		for i := range row {
			targets[i] = &row[i]
		}
		if err := rows.Scan(targets...); err != nil {
			t.Fatalf("%v\n%s", err, query)
		}
		out = append(out, row)
	}
	if err := rows.Err(); err != nil {
		t.Fatalf("%v\n%s", err, query)
	}
	return out
}
