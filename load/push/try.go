package push

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"pipeline/load/atomicfile"
	"pipeline/load/engine"
	"pipeline/load/objects"
	"pipeline/sql/schema"
)

// try is one attempt to commit. again says that another push has taken the number, so that what is to be sent must be found out anew.
func (p *pusher) try(ctx context.Context) (again bool, err error) {
	h, err := p.fold(ctx)
	if err != nil {
		return false, err
	}
	if err := p.check(h); err != nil {
		return false, err
	}
	id, err := p.todo(ctx, h)
	if err != nil || id == "" {
		return false, err
	}
	seq := h.seq + 1
	p.out.PushID = fmt.Sprintf("%010d-%s", seq, id)
	if p.o.DryRun {
		return false, p.measure(ctx, seq)
	}
	files, err := p.send(ctx, seq)
	if err != nil {
		return false, err
	}
	m := manifest{Format: 1, Machine: p.id.Machine, Seq: seq, PushID: p.out.PushID, Parent: h.pushID, Level: p.o.Level, Checkpoint: p.complete, Units: p.out.Units, Files: files}
	if err := p.putText(ctx, path.Join(p.prefix(), "push="+p.out.PushID, "_manifest.json"), m); err != nil {
		return false, err
	}
	return p.commit(ctx, h, seq)
}

// todo makes the temporary table _push_todo: units that are to be put, and those that are to be withdrawn. id names the work: the same work has the same name; "" if there is none.
func (p *pusher) todo(ctx context.Context, h head) (id string, err error) {
	p.complete = p.o.Checkpoint || h.seq == 0 || h.level != p.o.Level || p.checkpointDue(h) // what was told at another level must be read no more
	if err := p.exec(ctx, fmt.Sprintf(`CREATE OR REPLACE TEMP TABLE _push_todo AS
		SELECT n.unit, n.source_id, n.conversation_id, n.hash AS content_hash, n.rows, 'put' AS op FROM _push_units n
		LEFT JOIN _push_there t ON t.unit = n.unit AND t.source_id = n.source_id AND t.conversation_id = n.conversation_id
		WHERE %t OR t.content_hash IS DISTINCT FROM n.hash
		UNION ALL SELECT t.unit, t.source_id, t.conversation_id, '', 0, 'withdraw' FROM _push_there t
		ANTI JOIN _push_units n ON n.unit = t.unit AND n.source_id = t.source_id AND n.conversation_id = t.conversation_id`, p.complete)); err != nil {
		return "", err
	}
	if err := p.exec(ctx, `CREATE OR REPLACE TEMP TABLE _push_put AS SELECT unit, source_id, conversation_id FROM _push_todo WHERE op = 'put'`); err != nil {
		return "", err
	}
	var sum string
	if err := p.conn.QueryRowContext(ctx, `SELECT count(*) FILTER (WHERE op = 'put'), count(*) FILTER (WHERE op = 'withdraw'),
		coalesce(md5(string_agg(concat_ws(chr(31), unit, source_id, conversation_id, content_hash, op), chr(30) ORDER BY unit, source_id, conversation_id)), '') FROM _push_todo`).
		Scan(&p.out.Units, &p.out.Withdrawn, &sum); err != nil {
		return "", err
	}
	if p.out.Units+p.out.Withdrawn == 0 {
		return "", nil
	}
	// Another version of the program may write other bytes of the same rows: it must not find its own files to be somebody's.
	all := strings.Join([]string{p.id.Machine, h.pushID, p.o.Level, fmt.Sprint(p.complete, p.o.Redaction), p.o.ToolVersion, sum}, "\n")
	hash := sha256.Sum256([]byte(all))
	return hex.EncodeToString(hash[:6]), nil
}

// send writes and sends the data files.
func (p *pusher) send(ctx context.Context, seq int64) (files []dataFile, err error) {
	if err := p.putText(ctx, path.Join(Root, "schema", fmt.Sprintf("%d-%s.json", schema.Version, schemaName())), schemaOf()); err != nil {
		return nil, err
	}
	p.out.Files, p.out.Skipped, p.out.Bytes, p.out.Rows = 0, 0, 0, map[string]int{}
	tables := sharedTables()
	for i, t := range tables {
		p.o.Progress(i, len(tables))
		f, err := p.write(ctx, t, p.out.PushID, seq)
		if err != nil {
			return nil, err
		}
		if f.SHA256 == "" {
			continue
		}
		if err := p.put(ctx, f); err != nil {
			return nil, err
		}
		if err := os.Remove(f.path); err != nil {
			return nil, err
		}
		p.out.Rows[t.Name] = int(f.Rows)
		files = append(files, f)
	}
	p.o.Progress(len(tables), len(tables))
	return files, nil
}

// measure writes the data files of a dry run and sends none.
func (p *pusher) measure(ctx context.Context, seq int64) error {
	for _, t := range sharedTables() {
		f, err := p.write(ctx, t, p.out.PushID, seq)
		if err != nil {
			return err
		}
		if f.SHA256 != "" {
			p.out.Files++
			p.out.Bytes += f.Bytes
			p.out.Rows[t.Name] = int(f.Rows)
			if err := os.Remove(f.path); err != nil {
				return err
			}
		}
	}
	return nil
}

// commit writes the commit: with it the push exists.
func (p *pusher) commit(ctx context.Context, h head, seq int64) (again bool, err error) {
	name := filepath.Join(p.spool.Path(), "commit.parquet")
	parent := "NULL"
	if h.pushID != "" {
		parent = engine.Literal(h.pushID)
	}
	query := fmt.Sprintf(`COPY (SELECT %s AS machine_id, %d::BIGINT AS seq, %s AS push_id, %s::VARCHAR AS parent_push_id, %s AS warehouse_id, make_timestamptz(%d::BIGINT) AS pushed_at,
		%t AS is_checkpoint, %s AS level, %d::BIGINT AS redaction_version, %d::BIGINT AS schema_version, %s AS tool_version, %d::BIGINT AS load_id,
		unit, source_id, conversation_id, op, content_hash, rows FROM _push_todo ORDER BY unit, source_id, conversation_id) TO %s (FORMAT parquet, COMPRESSION zstd)`,
		engine.Literal(p.id.Machine), seq, engine.Literal(p.out.PushID), parent, engine.Literal(p.id.Warehouse), p.o.Now.UnixMicro(),
		p.complete, engine.Literal(p.o.Level), p.o.Redaction, schema.Version, engine.Literal(p.o.ToolVersion), p.loadID, engine.Literal(name))
	if err := p.exec(ctx, query); err != nil {
		return false, fmt.Errorf("write the commit: %w", err)
	}
	_, sum, err := sumFile(name)
	if err != nil {
		return false, err
	}
	err = p.o.Store.PutNew(ctx, p.commitKey(seq), objects.File(name), sum)
	if errors.Is(err, objects.ErrExists) { // somebody was faster, perhaps this program a moment ago
		return p.wasFaster(ctx, seq)
	}
	if err != nil {
		return false, err
	}
	p.out.Seq = seq
	text, err := os.ReadFile(name)
	if err != nil {
		return false, err
	}
	return false, atomicfile.Write(filepath.Join(p.cache, commitName(seq)), text)
}

// wasFaster looks at who has taken a number: if it was the same push, all is done.
func (p *pusher) wasFaster(ctx context.Context, seq int64) (again bool, err error) {
	h, err := p.fold(ctx)
	if err != nil {
		return false, err
	}
	if h.seq == seq && h.pushID == p.out.PushID {
		p.out.Seq = seq
		return false, nil
	}
	return true, nil
}
