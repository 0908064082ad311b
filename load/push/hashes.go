package push

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"pipeline/load/engine"
	"pipeline/load/tool/atomicfile"
	"pipeline/sql/schema"
)

// This file finds out which units have changed. What the store is told is the content hash: md5 over the rows, the same
// for ever and on every machine. It takes long. So each push keeps for the next one, beside the warehouse,
// what hash() made of the rows of each unit and which content hash they had: hash() is several times as fast, but is
// another one in another version of the engine.

// hash makes the temporary table _push_units, of each unit that may leave the machine, with its content hash and its
// rows.
func (p *pusher) hash(ctx context.Context) error {
	if err := p.knownHashes(ctx); err != nil {
		return err
	}
	if err := p.hashInto(ctx, "_push_fast", fastHash, ""); err != nil {
		return err
	}
	const same = ` FROM _push_fast f JOIN _push_known k ON k.unit = f.unit AND k.source_id = f.source_id AND k.conversation_id = f.conversation_id AND k.fast_hash = f.hash`
	if err := p.exec(ctx,
		`CREATE OR REPLACE TEMP TABLE _push_changed AS SELECT unit, source_id, conversation_id FROM _push_fast EXCEPT SELECT f.unit, f.source_id, f.conversation_id`+same); err != nil {
		return err
	}
	if err := p.hashInto(ctx, "_push_units", p.contentHash, "_push_changed"); err != nil {
		return err
	}
	if err := p.exec(ctx,
		`INSERT INTO _push_units SELECT f.unit, f.source_id, f.conversation_id, k.content_hash, f.rows`+
			same); err != nil {
		return err
	}
	return p.keepHashes(ctx)
}

// hashInto makes a table of units, each with a hash of all its rows, whatever their order, and their number. rowHash
// is the expression for the hash of a row t. units is a table of the units that are wanted; "": all. It goes table by
// table: the engine would read all of them at once into its memory.
//
// The level is part of the hash: another level sends everything again. The version of the rules is not.
func (p *pusher) hashInto(ctx context.Context, table string, rowHash func(schema.Table) string, units string) error {
	if err := p.exec(ctx,
		`CREATE OR REPLACE TEMP TABLE _push_parts (unit VARCHAR, source_id VARCHAR, conversation_id VARCHAR, table_name VARCHAR, n BIGINT, sum VARCHAR)`); err != nil {
		return err
	}
	for _, t := range sharedTables() {
		if err := p.exec(ctx, `INSERT INTO _push_parts `+p.hashesOf(t, rowHash(t), units)); err != nil {
			return fmt.Errorf("of %s: %w", t.Name, err)
		}
	}
	return p.exec(ctx,
		fmt.Sprintf(
			`CREATE OR REPLACE TEMP TABLE %s AS SELECT unit, source_id, conversation_id, md5(%s || string_agg(table_name || ':' || n || ':' || sum, ',' ORDER BY table_name)) AS hash,
		sum(n)::BIGINT AS rows FROM _push_parts GROUP BY unit, source_id, conversation_id`, table,
			engine.Literal(p.o.Level+" ")))
}

// fastHash is the engine's own hash of a row t.
func fastHash(t schema.Table) string {
	columns := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		columns[i] = textOf(c)
	}
	return "hash(" + strings.Join(columns, ", ") + ")"
}

// contentHash is the hash of a row t without the names of denied projects: where other names are hidden, it is another.
// It hashes column by column: rows as whole texts do not fit into the engine's memory. A column without a value takes
// no part, so one that is added to the tables changes nothing.
func (p *pusher) contentHash(t schema.Table) string {
	columns := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		columns[i] = fmt.Sprintf("%s || md5(CAST(%s AS VARCHAR))", engine.Literal(c.Name+" "), p.hidden(t, c, ""))
	}
	return "md5_number_lower(concat_ws(' ', " + strings.Join(columns, ", ") + "))"
}

// hashesOf is a query for the parts that a table's rows have in the hashes of units.
func (p *pusher) hashesOf(t schema.Table, rowHash, units string) string {
	unit, source, conversation := engine.Literal(t.Name), "''", "''"
	if isSentByConversation(t) {
		unit, source, conversation = engine.Literal(conversationUnit), "coalesce(t.source_id, '')",
			"coalesce(t.conversation_id, '')"
	}
	return fmt.Sprintf(
		`SELECT %s, %s AS source, %s AS conversation, %s, count(*), coalesce(sum(%s::HUGEINT), 0)::VARCHAR
		FROM %s t WHERE %s GROUP BY source, conversation`, unit, source, conversation,
		engine.Literal(t.Name), rowHash, rowsOf(t, units), p.allowed(t))
}

// knownHashes makes the temporary table _push_known of the hashes that the last push kept. The table is empty if their
// file is damaged, or if another engine, schema, level or choice of names made them: then all is hashed again.
func (p *pusher) knownHashes(ctx context.Context) error {
	if err := p.conn.QueryRowContext(ctx, `SELECT version()`).Scan(&p.hashedBy); err != nil {
		return err
	}
	p.hashedBy = strings.Join([]string{p.hashedBy, schemaName(), p.o.Level, p.choice.names.Sum()}, " ")
	from := `(SELECT NULL::VARCHAR AS unit, NULL::VARCHAR AS source_id, NULL::VARCHAR AS conversation_id, NULL::VARCHAR AS fast_hash, NULL::VARCHAR AS content_hash, NULL::VARCHAR AS hashed_by)`
	for _, file := range p.keptHashes() {
		if sum, _, err := atomicfile.Sum(file); err == nil && filepath.Base(file) == hashesName(sum) {
			from = "read_parquet(" + engine.Literal(engine.Pattern(file)) + ")"
		}
	}
	return p.exec(ctx, `CREATE OR REPLACE TEMP TABLE _push_known AS SELECT * EXCLUDE (hashed_by) FROM `+from+
		` WHERE hashed_by = `+engine.Literal(p.hashedBy))
}

// keepHashes keeps the hashes for the next push.
func (p *pusher) keepHashes(ctx context.Context) error {
	made := filepath.Join(p.spool.Path(), "hashes.parquet")
	if err := p.exec(ctx,
		fmt.Sprintf(
			`COPY (SELECT unit, source_id, conversation_id, f.hash AS fast_hash, u.hash AS content_hash, %s AS hashed_by FROM _push_fast f JOIN _push_units u USING (unit, source_id, conversation_id))
		TO %s (FORMAT parquet, COMPRESSION zstd)`, engine.Literal(p.hashedBy), engine.Literal(made))); err != nil {
		return err
	}
	sum, _, err := atomicfile.Sum(made)
	if err != nil {
		return err
	}
	kept := filepath.Join(p.cache, hashesName(sum))
	if err := atomicfile.Move(made, kept); err != nil {
		return fmt.Errorf("keep the hashes for the next push: %w", err)
	}
	for _, file := range p.keptHashes() {
		if file != kept {
			err = errors.Join(err, os.Remove(file))
		}
	}
	return err
}

// hashesName names the file with the hashes by its own sum: one that is damaged has another.
func hashesName(sum string) string { return "hashes-" + sum[:16] + ".parquet" }

// keptHashes are the files with hashes.
func (p *pusher) keptHashes() (files []string) {
	entries, _ := os.ReadDir(p.cache) // without them, all is hashed again
	for _, e := range entries {
		if e.Type().IsRegular() && strings.HasPrefix(e.Name(), "hashes-") {
			files = append(files, filepath.Join(p.cache, e.Name()))
		}
	}
	return files
}
