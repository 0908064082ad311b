package push

import (
	"fmt"
	"slices"
	"strings"

	"pipeline/load/engine"
	"pipeline/sql/schema"
)

// Place is where an engine finds a store's objects.
type Place struct {
	Target   string // as push.Options has it: s3://BUCKET[/PREFIX], or a folder
	Endpoint string // URL of the S3 server; "": Amazon's
	Schema   string // of DuckDB's views; "": they are temporary
}

// A dialect is how an engine reads the objects.
type dialect struct {
	name   string
	about  string // what has to be loaded and set before
	units  func(p Place) string
	view   func(p Place, t schema.Table) string
	tables func(p Place, where string) string
}

// ClickHouse is the engine whose tables are in a database, and not in a folder.
const ClickHouse = "clickhouse"

var dialects = []dialect{
	{DuckDB, "DuckDB 1.1 or later. For s3:// the extension httpfs is loaded, and a secret is set: CREATE SECRET " +
		"(TYPE s3, PROVIDER credential_chain).", duckUnits, duckView, duckTables},
	{ClickHouse, "ClickHouse 24.8 or later, or chDB. For s3:// the server has credentials of its own (an " +
		"environment, " +
		"a role), or the calls of s3() get them here. A folder is read by clickhouse-local and chDB; a server reads " +
		"only those in its user_files.", clickHouseUnits, clickHouseView, clickHouseTables},
	{"spark", "Spark 3.5 or later. For s3a:// hadoop-aws is on the class path, and it has credentials.", sparkUnits,
		sparkView, sparkTables},
}

// DuckDB is the engine in which the answers of a warehouse can be asked over all machines.
const DuckDB = "duckdb"

// Engines are those that Views writes SQL for.
func Engines() (names []string) {
	for _, d := range dialects {
		names = append(names, d.name)
	}
	return names
}

func dialectOf(name string) (dialect, error) {
	i := slices.IndexFunc(dialects, func(d dialect) bool { return d.name == name })
	if i < 0 {
		return dialect{}, fmt.Errorf("there are no views for %q, only for %s", name, strings.Join(Engines(), ", "))
	}
	return dialects[i], nil
}

// Views is SQL that makes the current rows of all machines: the tables under their own names, with whose a row is in
// machine_id, and the view _machines of these ids. Commits are read first, and data after them: so the data has at
// least what the commits name. The other way round, a conversation could be missing in the moment of a push.
func Views(name string, p Place) (string, error) {
	d, err := dialectOf(name)
	if err != nil {
		return "", err
	}
	out := "-- The rows of all machines as they are now: run it again to see what was pushed since. " + d.about + "\n" +
		d.units(p)
	for _, t := range sharedTables() {
		out += d.view(p, t)
	}
	return out, nil
}

// A glob is how an engine writes, in a pattern, a digit and a hexadecimal one.
type glob struct{ digit, hex string }

var (
	globs = glob{"[0-9]", "[0-9a-f]"}
	// it has no brackets. For DuckDB, a question mark ends the path of a bucket's object
	clickHouseGlobs = glob{"{0..9}", "?"}
)

// machine, commits and data are patterns of keys. They match what pushes write, and not what other programs leave
// beside it: a copy of a folder or of a commit has a longer name, as has a file ._* of it.
func (g glob) machine() string { return Root + "/machine=" + strings.Repeat(g.hex, 16) }
func (g glob) commits() string {
	return g.machine() + "/commit/" + strings.Repeat(g.digit, 10) + ".parquet"
}
func (g glob) data(t schema.Table) string {
	return g.machine() + "/push=" + strings.Repeat(g.digit, 10) + "-" + strings.Repeat(g.hex, 12) + "/" + t.Name +
		".parquet"
}

func (p Place) at(key string) string { return strings.TrimRight(p.Target, "/") + "/" + key }

// unitOf is the name of the unit that a table's rows are sent with.
func unitOf(t schema.Table) string {
	if isSentByConversation(t) {
		return engine.Literal(conversationUnit)
	}
	return engine.Literal(t.Name)
}

// duckUnits returns the statements of DuckDB that make the table _units, which has the latest push of each unit that
// was not removed, and the view _machines.
func duckUnits(p Place) (out string) {
	if p.Schema != "" {
		out = "CREATE SCHEMA IF NOT EXISTS " + engine.Identifier(p.Schema) + ";\n"
	}
	return out + fmt.Sprintf(`CREATE OR REPLACE TEMP TABLE _units AS
SELECT * EXCLUDE (n) FROM (
    SELECT machine_id, seq, push_id, unit, source_id, conversation_id, op,
           row_number() OVER (PARTITION BY machine_id, unit, source_id, conversation_id ORDER BY seq DESC) AS n
    FROM read_parquet(%s, hive_partitioning = false, union_by_name = true))
WHERE n = 1 AND op = 'put';
CREATE OR REPLACE TEMP VIEW _machines AS SELECT DISTINCT machine_id FROM _units;
`, engine.Literal(engine.Pattern(p.at(""))+globs.commits()))
}

func duckView(p Place, t schema.Table) string {
	view := "TEMP VIEW " + engine.Identifier(t.Name)
	if p.Schema != "" {
		view = "VIEW " + engine.Identifier(p.Schema) + "." + engine.Identifier(t.Name)
	}
	return fmt.Sprintf("CREATE OR REPLACE %s AS\n"+
		"SELECT t.* FROM read_parquet(%s, hive_partitioning = false, union_by_name = true) t\n"+
		"SEMI JOIN (FROM _units WHERE unit = %s) u ON %s;\n",
		view, engine.Literal(engine.Pattern(p.at(""))+globs.data(t)), unitOf(t), ofUnit(t))
}

// ofUnit is the condition that a row t of a table is of a unit u.
func ofUnit(t schema.Table) string {
	on := "u.machine_id = t.machine_id AND u.push_id = t.push_id"
	if isSentByConversation(t) {
		on += " AND u.source_id = coalesce(t.source_id, '') AND u.conversation_id = coalesce(t.conversation_id, '')"
	}
	return on
}

// clickHouseFrom is the call with which ClickHouse reads objects.
func clickHouseFrom(p Place, key string) string {
	rest, isS3 := strings.CutPrefix(p.Target, "s3://")
	if !isS3 {
		return fmt.Sprintf("file(%s, 'Parquet')", engine.Literal(p.at(key)))
	}
	bucket, prefix, _ := strings.Cut(strings.TrimRight(rest, "/"), "/")
	url := "https://" + bucket + ".s3.amazonaws.com/"
	if p.Endpoint != "" {
		url = strings.TrimRight(p.Endpoint, "/") + "/" + bucket + "/"
	}
	if prefix != "" {
		url += prefix + "/"
	}
	return fmt.Sprintf("s3(%s, 'Parquet')", engine.Literal(url+key))
}

// clickHouseUnits returns the statements of ClickHouse that make the table _units, which has the latest push of each
// unit that was not removed, and the view _machines.
func clickHouseUnits(p Place) string {
	return fmt.Sprintf(
		`CREATE OR REPLACE TABLE _units ENGINE = MergeTree ORDER BY (unit, machine_id, source_id, conversation_id) SETTINGS allow_nullable_key = 1 AS
SELECT machine_id, unit, source_id, conversation_id, argMax(push_id, seq) AS push_id, max(seq) AS last_seq, argMax(op, seq) AS last_op
FROM %s
GROUP BY machine_id, unit, source_id, conversation_id
HAVING last_op = 'put'
SETTINGS use_hive_partitioning = 0;
CREATE OR REPLACE VIEW _machines AS SELECT DISTINCT machine_id FROM _units;
`, clickHouseFrom(p, clickHouseGlobs.commits()))
}

// clickHouseKeys are the columns of a table's rows by which they belong to a unit, and those of the unit.
func clickHouseKeys(t schema.Table) (rows, units string) {
	rows, units = "machine_id, push_id", "machine_id, push_id"
	if isSentByConversation(t) {
		rows, units = rows+", ifNull(source_id, ''), ifNull(conversation_id, '')", units+", source_id, conversation_id"
	}
	return rows, units
}

func clickHouseView(p Place, t schema.Table) string {
	key, units := clickHouseKeys(t)
	// One file may have a column that an older one lacks: the columns are those of all.
	return fmt.Sprintf("CREATE OR REPLACE VIEW `%s` AS\nSELECT * FROM %s\nWHERE (%s) IN (SELECT %s FROM _units WHERE "+
		"unit = %s)\nSETTINGS schema_inference_mode = 'union', use_hive_partitioning = 0;\n",
		t.Name, clickHouseFrom(p, clickHouseGlobs.data(t)), key, units, unitOf(t))
}

// sparkPath is a pattern as Spark has it: of S3 by the file system s3a.
func sparkPath(p Place, key string) string {
	if rest, isS3 := strings.CutPrefix(p.Target, "s3://"); isS3 {
		return engine.Literal("s3a://" + strings.TrimRight(rest, "/") + "/" + key)
	}
	return engine.Literal(p.at(key))
}

// sparkUnits returns the statements of Spark that make the table _units, which has the latest push of each unit that
// was not removed, and the view _machines.
func sparkUnits(p Place) string {
	return fmt.Sprintf(`CREATE OR REPLACE TEMPORARY VIEW _commits USING parquet OPTIONS (path %s, mergeSchema 'true');
CREATE OR REPLACE TEMPORARY VIEW _latest AS
SELECT machine_id, unit, source_id, conversation_id, max_by(push_id, seq) AS push_id, max_by(op, seq) AS op
FROM _commits GROUP BY machine_id, unit, source_id, conversation_id;
CACHE TABLE _units AS SELECT * FROM _latest WHERE op = 'put';
CREATE OR REPLACE TEMPORARY VIEW _machines AS SELECT DISTINCT machine_id FROM _units;
`, sparkPath(p, globs.commits()))
}

func sparkView(p Place, t schema.Table) string {
	return fmt.Sprintf("CREATE OR REPLACE TEMPORARY VIEW _all_%[1]s USING parquet OPTIONS (path %[2]s, mergeSchema "+
		"'true');\nCREATE OR REPLACE TEMPORARY VIEW `%[1]s` AS\nSELECT t.* FROM _all_%[1]s t LEFT SEMI JOIN _units u "+
		"ON u.unit = %[3]s AND %[4]s;\n",
		t.Name, sparkPath(p, globs.data(t)), unitOf(t), ofUnit(t))
}
