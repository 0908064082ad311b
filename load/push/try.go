package push

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/sync/errgroup"

	"pipeline/load/engine"
	"pipeline/load/objects"
	"pipeline/load/tool/atomicfile"
	"pipeline/load/tool/outpath"
	"pipeline/sql/schema"
)

// part is what one commit has: the push, or its next part if it is too large for one.
type part struct {
	units, withdrawn, files, skipped int
	bytes                            int64
	rows                             map[string]int
	more                             bool // parts follow
}

// count adds a part that is in the store to the result.
func (p *pusher) count(seq int64) {
	out, n := &p.out, p.part
	out.Units, out.Withdrawn, out.Files, out.Skipped, out.Bytes = out.Units+n.units, out.Withdrawn+n.withdrawn,
		out.Files+n.files, out.Skipped+n.skipped, out.Bytes+n.bytes
	for table, rows := range n.rows {
		out.Rows[table] += rows
	}
	if seq > 0 {
		out.Seq, out.Commits = seq, out.Commits+1
	}
}

// step takes one part to its commit. It reports whether there is more to do: other parts follow, or another push has
// taken the number, and what is to be sent must be found out anew.
func (p *pusher) step(ctx context.Context) (more bool, err error) {
	h, err := p.fold(ctx)
	if err != nil {
		return false, err
	}
	if err := p.check(h); err != nil {
		return false, err
	}
	if p.first == 0 {
		p.first = h.seq + 1
		// what was told at another level must be read no more
		p.complete = p.o.Checkpoint || h.seq == 0 || h.level != p.o.Level || p.checkpointDue(h)
	}
	id, err := p.todo(ctx, h)
	if err != nil || id == "" {
		return false, err
	}
	seq := h.seq + 1
	p.out.PushID = fmt.Sprintf("%010d-%s", seq, id)
	if p.o.DryRun {
		err := p.measure(ctx, seq)
		p.count(0)
		return false, err
	}
	if p.again, err = p.attempt(); err != nil {
		return false, err
	}
	files, err := p.send(ctx, seq)
	if err != nil {
		return false, err
	}
	m := manifest{Format: 1, Machine: p.id.Machine, Seq: seq, PushID: p.out.PushID, Parent: h.pushID, Level: p.o.Level,
		Checkpoint: p.complete && !p.part.more, Units: p.part.units, Files: files}
	f, err := p.text(path.Join(p.prefix(), "push="+p.out.PushID, "_manifest.json"), m)
	if err == nil {
		err = p.put(ctx, f, p.again)
	}
	if err != nil {
		return false, err
	}
	committed, err := p.commit(ctx, h, seq)
	switch {
	case err != nil:
		return false, err
	case !committed:
		p.first, p.lost = 0, p.lost+1
		return true, nil
	}
	p.count(seq)
	return p.part.more, nil
}

// attempt notes which push is being sent, and reports whether an earlier attempt was: then some of its files are there.
func (p *pusher) attempt() (again bool, err error) {
	name := filepath.Join(p.cache, "attempt")
	before, err := outpath.Read(name, outpath.SmallFile)
	if err == nil && string(before) == p.out.PushID {
		return true, nil
	}
	return false, atomicfile.Replace(name, []byte(p.out.PushID))
}

// todo makes the temporary table _push_todo: units that are to be put, and those that are to be withdrawn. id names the
// work: the same work has the same name; "" if there is none.
func (p *pusher) todo(ctx context.Context, h head) (id string, err error) {
	// A checkpoint puts every unit, but for those that an earlier part of it has put.
	if err := p.exec(ctx, fmt.Sprintf(`CREATE OR REPLACE TEMP TABLE _push_todo AS
		SELECT n.unit, n.source_id, n.conversation_id, n.hash AS content_hash, n.rows, 'put' AS op FROM _push_units n
		LEFT JOIN _push_there t ON t.unit = n.unit AND t.source_id = n.source_id AND t.conversation_id = n.conversation_id
		WHERE t.content_hash IS DISTINCT FROM n.hash OR %t AND t.seq < %d
		UNION ALL SELECT t.unit, t.source_id, t.conversation_id, '', 0, 'withdraw' FROM _push_there t
		ANTI JOIN _push_units n ON n.unit = t.unit AND n.source_id = t.source_id AND n.conversation_id = t.conversation_id`, p.complete, p.first)); err != nil {
		return "", err
	}
	p.part = part{rows: map[string]int{}}
	if !p.o.DryRun {
		if err := p.limit(ctx); err != nil {
			return "", fmt.Errorf("divide the push: %w", err)
		}
	}
	if err := p.exec(ctx,
		`CREATE OR REPLACE TEMP TABLE _push_put AS SELECT unit, source_id, conversation_id FROM _push_todo WHERE op = 'put'`); err != nil {
		return "", err
	}
	var sum string
	if err := p.conn.QueryRowContext(ctx,
		`SELECT count(*) FILTER (WHERE op = 'put'), count(*) FILTER (WHERE op = 'withdraw'),
		coalesce(md5(string_agg(concat_ws(chr(31), unit, source_id, conversation_id, content_hash, op), chr(30) ORDER BY unit, source_id, conversation_id)), '') FROM _push_todo`).
		Scan(&p.part.units, &p.part.withdrawn, &sum); err != nil {
		return "", err
	}
	if p.part.units+p.part.withdrawn == 0 {
		return "", nil
	}
	// Another version of the program may write other bytes of the same rows, and another load may have put them in
	// another order: a push must not find its own files to be somebody's.
	all := strings.Join([]string{p.id.Machine, h.pushID, p.o.Level, fmt.Sprint(p.complete, p.o.Redaction, p.loadID),
		p.o.ToolVersion, sum}, "\n")
	hash := sha256.Sum256([]byte(all))
	return hex.EncodeToString(hash[:6]), nil
}

// defaultBytes is how much text a commit has, about.
const defaultBytes = 256 << 20

// fewRows are so few that they are not weighed: they fit into a commit of defaultBytes unless one has more than 12 KB.
const fewRows = 20_000

// limit leaves the first units in _push_todo, as many as a commit may have, and at least one. What is withdrawn goes
// with them.
func (p *pusher) limit(ctx context.Context) error {
	var rows int64
	if err := p.conn.QueryRowContext(ctx, `SELECT coalesce(sum(rows), 0)::BIGINT FROM _push_todo`).
		Scan(&rows); err != nil {
		return err
	}
	most := cmp.Or(p.o.MaxBytes, defaultBytes)
	if most >= defaultBytes && rows <= fewRows {
		return nil
	}
	if seq := p.first; p.weighed != seq {
		if err := p.weigh(ctx); err != nil {
			return err
		}
		p.weighed = seq
	}
	if err := p.exec(ctx, `CREATE OR REPLACE TEMP TABLE _push_order AS SELECT *, sum(bytes) OVER (ORDER BY unit = '`+
		conversationUnit+`', unit, source_id, conversation_id) - bytes AS before
		FROM (SELECT unit, source_id, conversation_id, coalesce(sum(w.bytes), 0)::BIGINT AS bytes FROM _push_todo LEFT JOIN _push_weights w USING (unit, source_id, conversation_id) WHERE op = 'put' GROUP BY ALL)`); err != nil {
		return err
	}
	if err := p.exec(ctx,
		fmt.Sprintf(
			`DELETE FROM _push_todo d USING _push_order o WHERE d.op = 'put' AND o.before >= %d AND d.unit = o.unit AND d.source_id = o.source_id AND d.conversation_id = o.conversation_id`, most)); err != nil {
		return err
	}
	return p.conn.QueryRowContext(ctx, fmt.Sprintf(`SELECT coalesce(bool_or(before >= %d), false) FROM _push_order`,
		most)).Scan(&p.part.more)
}

// weigh makes the temporary table _push_weights: how many bytes of text each conversation in _push_todo has.
func (p *pusher) weigh(ctx context.Context) error {
	if err := p.exec(ctx,
		`CREATE OR REPLACE TEMP TABLE _push_weights (unit VARCHAR, source_id VARCHAR, conversation_id VARCHAR, bytes BIGINT)`); err != nil {
		return err
	}
	for _, t := range sharedTables() {
		if !isSentByConversation(t) { // they are small, and go first
			continue
		}
		var texts []string
		for _, c := range t.Columns {
			if c.Type == "VARCHAR" || c.Type == "JSON" {
				texts = append(texts, "coalesce(strlen(t."+engine.Identifier(c.Name)+"), 0)")
			}
		}
		if err := p.exec(ctx,
			fmt.Sprintf(
				`INSERT INTO _push_weights SELECT %s, coalesce(t.source_id, ''), coalesce(t.conversation_id, ''), sum(%s) FROM %s t WHERE %s GROUP BY ALL`,
				engine.Literal(conversationUnit), strings.Join(texts, " + "),
				rowsOf(t, "(FROM _push_todo WHERE op = 'put')"), p.allowed(t))); err != nil {
			return fmt.Errorf("weigh %s: %w", t.Name, err)
		}
	}
	return nil
}

// sending is how many files are sent at a time.
const sending = 4

// send writes and sends the data files.
func (p *pusher) send(ctx context.Context, seq int64) (files []dataFile, err error) {
	if err := p.describe(ctx, seq == 1); err != nil {
		return nil, err
	}
	all, ctx := errgroup.WithContext(ctx)
	all.SetLimit(sending)
	tables := sharedTables()
	for i, t := range tables {
		p.o.Progress(i, len(tables))
		f, err := p.write(ctx, t, p.out.PushID, seq)
		if err != nil {
			return nil, cmp.Or(all.Wait(), err) // a file that was not sent ends the writing, too
		}
		if f.SHA256 == "" {
			continue
		}
		p.part.rows[t.Name] = int(f.Rows)
		files = append(files, f)
		all.Go(func() error { return errors.Join(p.put(ctx, f, p.again), os.Remove(f.path)) })
	}
	err = all.Wait()
	p.o.Progress(len(tables), len(tables))
	return files, err
}

// measure writes the data files of a dry run and sends none.
func (p *pusher) measure(ctx context.Context, seq int64) error {
	for _, t := range sharedTables() {
		f, err := p.write(ctx, t, p.out.PushID, seq)
		if err != nil {
			return err
		}
		if f.SHA256 != "" {
			p.part.files++
			p.part.bytes += f.Bytes
			p.part.rows[t.Name] = int(f.Rows)
			if err := os.Remove(f.path); err != nil {
				return err
			}
		}
	}
	return nil
}

// commit writes the commit: with it the part exists. If another push has taken the number, it is not committed.
func (p *pusher) commit(ctx context.Context, h head, seq int64) (committed bool, err error) {
	name := filepath.Join(p.spool.Path(), "commit.parquet")
	parent := "NULL"
	if h.pushID != "" {
		parent = engine.Literal(h.pushID)
	}
	query := fmt.Sprintf(
		`COPY (SELECT %s AS machine_id, %d::BIGINT AS seq, %s AS push_id, %s::VARCHAR AS parent_push_id, %s AS warehouse_id, make_timestamptz(%d::BIGINT) AS pushed_at,
		%t AS is_checkpoint, %d::BIGINT AS checkpoint_from, %s AS level, %d::BIGINT AS redaction_version, %d::BIGINT AS schema_version, %s AS tool_version, %d::BIGINT AS load_id,
		unit, source_id, conversation_id, op, content_hash, rows FROM _push_todo ORDER BY unit, source_id, conversation_id) TO %s (FORMAT parquet, COMPRESSION zstd)`,
		engine.Literal(p.id.Machine), seq, engine.Literal(p.out.PushID), parent, engine.Literal(p.id.Warehouse),
		p.o.Now.UnixMicro(), p.complete && !p.part.more, p.first, engine.Literal(p.o.Level), p.o.Redaction,
		schema.Version, engine.Literal(p.o.ToolVersion), p.loadID, engine.Literal(name))
	if err := p.exec(ctx, query); err != nil {
		return false, fmt.Errorf("write the commit: %w", err)
	}
	sum, _, err := atomicfile.Sum(name)
	if err != nil {
		return false, err
	}
	err = p.o.Store.PutNew(ctx, p.commitKey(seq), name, sum)
	if errors.Is(err, objects.ErrExists) { // somebody was faster, perhaps this program a moment ago
		return p.isOurs(ctx, seq)
	}
	if err != nil {
		return false, err
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return false, err
	}
	return true, atomicfile.Replace(filepath.Join(p.cache, commitName(seq)), text)
}

// isOurs looks at who has taken a number: perhaps the same push, a moment ago. If the store does not even list it now,
// no other try would end otherwise.
func (p *pusher) isOurs(ctx context.Context, seq int64) (bool, error) {
	h, err := p.fold(ctx)
	if err == nil && h.seq < seq {
		return false, fmt.Errorf("the store's listing lacks %s, which is there: what this machine has pushed cannot "+
			"be found "+
			"out, and readers do not find it. Look at the server, and at what is before it, such as a proxy or a "+
			"cache; then push again",
			p.commitKey(seq))
	}
	return err == nil && h.seq == seq && h.pushID == p.out.PushID, err
}
