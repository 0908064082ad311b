package push

import (
	"fmt"
	"strings"

	"pipeline/load/engine"
	"pipeline/sql/schema"
)

// This file writes the SQL that keeps the current rows of all machines in tables of an engine, so that a question reads
// no small objects. It is the same idea as a push: rows first, and at last the units, which say what rows count. One
// that was interrupted does not exist for readers, and the next one repairs it.

// Tables is SQL that brings tables up to date with a store. where is a database of ClickHouse, which only reads what
// was pushed since; for the others it is a folder or a prefix of a bucket that is new each time, and is whole when it
// has units.
func Tables(name, where string, p Place) (string, error) {
	d, err := dialectOf(name)
	if err != nil {
		return "", err
	}
	return "-- Tables with the rows of all machines as they are now. " + d.about + "\n" + d.tables(p, where), nil
}

// clickHouseTables is for one process at a time. Rows that no unit names are removed first: they are of an earlier
// version, of a machine that was erased, or of a load that was interrupted. Readers have not seen them since the last
// load ended.
func clickHouseTables(p Place, database string) string {
	out := fmt.Sprintf("CREATE DATABASE IF NOT EXISTS %[1]s;\n"+
		"CREATE TABLE IF NOT EXISTS %[1]s._units %[2]s AS\n"+
		"SELECT '' AS machine_id, '' AS push_id, '' AS unit, '' AS source_id, '' AS conversation_id WHERE false;\n",
		clickHouseName(database), clickHouseUnitsKept)
	out += fmt.Sprintf(`CREATE OR REPLACE TABLE %[1]s._next %[2]s AS
SELECT assumeNotNull(machine_id) AS machine_id, assumeNotNull(argMax(push_id, seq)) AS push_id, assumeNotNull(unit) AS unit, assumeNotNull(source_id) AS source_id, assumeNotNull(conversation_id) AS conversation_id
FROM %[3]s
GROUP BY machine_id, unit, source_id, conversation_id
HAVING argMax(op, seq) = 'put'
SETTINGS use_hive_partitioning = 0;
CREATE OR REPLACE TABLE %[1]s._new %[2]s AS
SELECT * FROM %[1]s._next WHERE (machine_id, push_id, unit, source_id, conversation_id) NOT IN (SELECT machine_id, push_id, unit, source_id, conversation_id FROM %[1]s._units);
`, clickHouseName(database), clickHouseUnitsKept, clickHouseFrom(p, clickHouseGlobs.commits()))
	for _, t := range sharedTables() {
		out += clickHouseTable(p, clickHouseName(database), t)
	}
	return out + fmt.Sprintf("CREATE OR REPLACE TABLE %[1]s._units %[2]s AS\nSELECT * FROM %[1]s._next;\n"+
		"CREATE OR REPLACE VIEW %[1]s._machines AS SELECT DISTINCT machine_id FROM %[1]s._units;\n",
		clickHouseName(database), clickHouseUnitsKept)
}

const clickHouseUnitsKept = "ENGINE = MergeTree ORDER BY (unit, machine_id, source_id, conversation_id)"

// clickHouseTable is for one table. It has a column for each that the program knows: a machine's objects may lack some.
func clickHouseTable(p Place, database string, t schema.Table) string {
	rows, columns := database+"."+clickHouseName("_rows_"+t.Name), make([]string, len(t.Columns))
	for i, c := range t.Columns {
		columns[i] = fmt.Sprintf("    ADD COLUMN IF NOT EXISTS %s Nullable(%s)", clickHouseName(c.Name),
			clickHouseTypes[c.Type])
	}
	key, units := clickHouseKeys(t)
	of := func(list string) string {
		return fmt.Sprintf("IN (SELECT %s FROM %s.%s WHERE unit = %s)", units, database, list, unitOf(t))
	}
	return fmt.Sprintf(
		`CREATE TABLE IF NOT EXISTS %[1]s (machine_id String, push_id String, push_seq Int64) ENGINE = MergeTree ORDER BY (machine_id, push_id);
ALTER TABLE %[1]s
%[2]s;
ALTER TABLE %[1]s DELETE WHERE (%[3]s) NOT %[4]s SETTINGS mutations_sync = 2;
INSERT INTO %[1]s SELECT * FROM %[5]s
WHERE extract(_path, '/push=([^/]+)/') IN (SELECT push_id FROM %[6]s._new WHERE unit = %[7]s) AND (%[3]s) %[8]s
SETTINGS use_structure_from_insertion_table_in_table_functions = 1, use_hive_partitioning = 0;
CREATE OR REPLACE VIEW %[6]s.%[9]s AS
SELECT * FROM %[1]s WHERE (%[3]s) %[4]s;
`, rows, strings.Join(columns, ",\n"), key, of("_units"), clickHouseFrom(p, clickHouseGlobs.data(t)), database,
		unitOf(t), of("_new"), clickHouseName(t.Name))
}

// clickHouseTypes are ClickHouse's types by ours.
var clickHouseTypes = map[string]string{"VARCHAR": "String", "JSON": "String", "BLOB": "String", "BIGINT": "Int64",
	"DOUBLE": "Float64", "BOOLEAN": "Bool", "TIMESTAMPTZ": "DateTime64(6, 'UTC')", "DATE": "Date32"}

func clickHouseName(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }

// The folders of DuckDB and Spark have a folder for each table, and at last one for the units.

// duckTables is one transaction, so that after an error no units are written: DuckDB's command line goes on.
func duckTables(p Place, folder string) string {
	out := "BEGIN TRANSACTION;\n" + duckUnits(p)
	copied := func(name string) string {
		return fmt.Sprintf("COPY (FROM %s) TO %s (FORMAT parquet, COMPRESSION zstd, PER_THREAD_OUTPUT);\n",
			engine.Identifier(name), engine.Literal(Place{Target: folder}.at(strings.TrimPrefix(name, "_"))))
	}
	for _, t := range sharedTables() {
		out += duckView(p, t) + copied(t.Name)
	}
	return out + copied("_units") + "COMMIT;\n"
}

func sparkTables(p Place, folder string) string {
	out := "SET spark.sql.parquet.outputTimestampType = TIMESTAMP_MICROS;\n" + sparkUnits(p)
	written := func(name string) string {
		return fmt.Sprintf("INSERT OVERWRITE DIRECTORY %s USING parquet SELECT /*+ REBALANCE */ * FROM `%s`;\n",
			sparkPath(Place{Target: folder}, strings.TrimPrefix(name, "_")), name)
	}
	for _, t := range sharedTables() {
		out += sparkView(p, t) + written(t.Name)
	}
	return out + written("_units")
}
