package sinks

import (
	"cmp"
	"context"
	"crypto/sha256"
	dbsql "database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"pipeline/load/digest"
	"pipeline/load/engine"
	"pipeline/load/tool/atomicfile"
	"pipeline/load/tool/sqlrows"
	"pipeline/sql/schema"
)

// noMonth is the partition of conversations without a start. It is not Hive's own name for it, because pandas cannot read that.
const noMonth = "unknown"

// fewListed is the largest number of conversations of a month that a scan finds by a list. With a list, a scan does not read the other columns of other rows.
const fewListed = 50

// publishedTables returns the tables that are published: all but the internal ones.
func publishedTables() []schema.Table {
	return slices.DeleteFunc(schema.Tables(), func(t schema.Table) bool { return t.Scope == schema.Internal })
}

// loadsTable is the table by which a publication and a warehouse are compared.
const loadsTable = "loads"

// partitionPath returns the path of a table's file for a month, or for a part of one.
func partitionPath(table, label, extension string) string {
	month, part := ofLabel(label)
	return path.Join(table, "month="+month, "part-"+strconv.Itoa(part)+extension)
}

// startMonths makes a temporary table. It has, for each conversation with a start, the month in UTC in which it began. Sessions use the same start.
const startMonths = `CREATE OR REPLACE TEMP TABLE _start_months AS
	SELECT source_id, conversation_id, strftime(make_timestamp(epoch_us(min(coalesce(created_at, first_message_at, updated_at)))), '%Y-%m') AS month
	FROM conversations WHERE coalesce(created_at, first_message_at, updated_at) IS NOT NULL GROUP BY ALL`

// monthOf is the month of a row in a query that joins toMonths.
const (
	toMonths = "LEFT JOIN _start_months s USING (source_id, conversation_id)"
	monthOf  = "coalesce(s.month, '" + noMonth + "')"
)

// plan lists the files of the publication, with their rows but not yet their bytes. A hash over all cells of a file tells whether its rows are the same as
// before, unless it is known what the load has changed. The times at which conversations changed would be cheaper, and they are not enough: a deleted conversation
// whose messages still exist keeps its time, and so does every row of a warehouse that another version made anew. A first publication needs no hashes.
func (p *publisher) plan(ctx context.Context) (*manifest, error) {
	before := p.standing()
	stands := p.conversationsStand(before)
	var months map[string]*month
	if !stands {
		var err error
		if months, err = p.findMonths(ctx, before); err != nil {
			return nil, err
		}
	}
	m := &manifest{Format: manifestFormat, LoadID: p.out.LoadID, SchemaVersion: schema.Version, ToolVersion: p.options.ToolVersion, State: p.state, Redaction: p.redaction()}
	for _, t := range p.tables() {
		var files []publishedFile
		var err error
		switch {
		case t.Is(schema.ByMonth) && stands:
			files = before.manifest.tableFiles(t, false)
		case t.Is(schema.ByMonth):
			files, err = p.monthFiles(ctx, t, months, before)
		default:
			files, err = p.tableFile(ctx, t, before)
		}
		if err != nil {
			return nil, fmt.Errorf("read table %s: %w", t.Name, err)
		}
		m.Files = append(m.Files, files...)
	}
	live, err := p.liveFiles(ctx, m.Files, before, stands)
	if err != nil {
		return nil, fmt.Errorf("count the live rows: %w", err)
	}
	m.Files = append(m.Files, live...)
	return m, nil
}

// findMonths makes the temporary tables of the conversations' months and of the live conversations, and reads the months.
func (p *publisher) findMonths(ctx context.Context, before standing) (map[string]*month, error) {
	months, err := p.divided(ctx, before)
	if err != nil {
		return nil, fmt.Errorf("find the months of conversations: %w", err)
	}
	if _, err := p.conn.ExecContext(ctx, liveConversations); err != nil {
		return nil, fmt.Errorf("find the live conversations: %w", err)
	}
	p.found = true
	return months, nil
}

// tableFile plans the file of a table that is not partitioned. To hash it costs less than to write it, and a load often writes the same rows again.
func (p *publisher) tableFile(ctx context.Context, t schema.Table, before standing) ([]publishedFile, error) {
	f := publishedFile{Path: t.Name + p.Sink.About().Extension, Table: t.Name, Writer: p.writer(t, t.Name)}
	if was, same := before.table(t, f.Path); same {
		f.Rows, f.Content = was.Rows, was.Content
		return []publishedFile{f}, nil
	}
	query := digest.Query(t, t.Name)
	if len(p.before) == 0 || p.Redaction != nil { // a hash of rows with secrets tells who can guess the secrets that he is right
		query = fmt.Sprintf(`SELECT count(*), '%s%s' FROM %s`, unhashed, p.state, t.Name)
	}
	err := p.conn.QueryRowContext(ctx, query).Scan(&f.Rows, &f.Content)
	return []publishedFile{f}, err
}

// monthFiles plans the files of a partitioned table, one for each month that has rows. A month that a load is known to have changed is written at once. If there
// is no month, monthFiles plans an empty file: so readers find the columns.
func (p *publisher) monthFiles(ctx context.Context, t schema.Table, months map[string]*month, before standing) (files []publishedFile, err error) {
	var unknown []string
	writer := p.writer(t, t.Name)
	file := func(month string, rows int64, content string) publishedFile {
		return publishedFile{Path: partitionPath(t.Name, month, p.Sink.About().Extension), Table: t.Name, Month: month, Members: months[month].members.String(), First: months[month].first,
			Rows: rows, Content: content, Writer: writer}
	}
	query := `SELECT ` + monthOf + ` AS month, count(*) FROM ` + t.Name + ` t ` + toMonths + ` GROUP BY 1 ORDER BY 1`
	err = sqlrows.Each(ctx, p.conn, query, func(rows *dbsql.Rows) error {
		var month string
		var n int64
		if err := rows.Scan(&month, &n); err != nil {
			return err
		}
		f := file(month, n, unhashed+p.state)
		if was, same := before.month(f, months[month]); same {
			f.Content = was.Content
		} else {
			unknown = append(unknown, month)
		}
		files = append(files, f)
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case len(files) == 0:
		return []publishedFile{file(noMonth, 0, "0")}, nil
	case len(unknown) == 0 || before.known() || len(p.before) == 0 || p.Redaction != nil:
		return files, nil
	}
	return files, p.addContents(ctx, t, files, unknown)
}

// addContents adds the hashes of some months.
func (p *publisher) addContents(ctx context.Context, t schema.Table, files []publishedFile, months []string) error {
	where, err := p.ofMonths(ctx, months...)
	if err != nil {
		return err
	}
	at := map[string]*publishedFile{}
	for i, f := range files {
		at[f.Month] = &files[i]
	}
	query := fmt.Sprintf(`SELECT %[1]s, sum(hash(t)::HUGEINT)::VARCHAR FROM (SELECT %[2]s FROM %[3]s WHERE %[4]s) t %[5]s WHERE %[1]s IN (%[6]s) GROUP BY 1`,
		monthOf, strings.Join(digest.Columns(t), ", "), t.Name, where, toMonths, literals(months))
	return sqlrows.Each(ctx, p.conn, query, func(rows *dbsql.Rows) error {
		var month, content string
		err := rows.Scan(&month, &content)
		if f := at[month]; f != nil {
			f.Content = content
		}
		return err
	})
}

// literals returns a list of texts as SQL has it.
func literals(texts []string) string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = engine.Literal(text)
	}
	return strings.Join(quoted, ", ")
}

// writer identifies what determines a file's bytes besides its rows: the engine, the statement that writes the file, and what takes secrets out.
func (p *publisher) writer(t schema.Table, rows string) string {
	text := p.engine + p.copyOf(t, rows, "", "true", "")
	if p.Redaction != nil {
		text += fmt.Sprint(p.Redaction.Version)
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// fill puts the files of a plan into the scratch folder. The files of all rows come first: those of live rows may be links to them.
func (p *publisher) fill(ctx context.Context, m *manifest) (err error) {
	done := 0
	for _, live := range []bool{false, true} {
		p.seals = &errgroup.Group{}
		p.seals.SetLimit(atomicfile.SyncsAtATime)
		for i := range m.Files {
			if f := &m.Files[i]; err == nil && (f.Live != "") == live {
				p.options.Progress(done, len(m.Files))
				done, err = done+1, p.put(ctx, m, f)
			}
		}
		if err = cmp.Or(err, p.seals.Wait()); err != nil {
			return err
		}
	}
	p.out.Files, p.out.Bytes = len(m.Files), m.bytes()
	if err := beforeManifest.Reach(); err != nil {
		return err
	}
	return m.store(p.scratch)
}

// put puts a file of a plan into the scratch folder. It links a file of an earlier publication if it has the same rows and is undamaged; otherwise it
// writes a new one.
func (p *publisher) put(ctx context.Context, m *manifest, f *publishedFile) error {
	to := filepath.Join(p.scratch, filepath.FromSlash(f.Path))
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return fmt.Errorf("make a folder in %s: %w", p.scratch, err)
	}
	linked, err := p.take(ctx, m, f, to)
	if err != nil || linked {
		return err
	}
	p.out.Written++
	if f.Live == "" && p.useAhead(f, to) {
		return nil
	}
	table, _ := schema.Lookup(f.Table)
	return p.copyRows(ctx, table, f, to)
}

// seal seals a file while the next ones are written.
func (p *publisher) seal(f *publishedFile, path string) {
	p.seals.Go(func() error { return f.seal(path) })
}

// copyRows writes the rows of a file.
func (p *publisher) copyRows(ctx context.Context, t schema.Table, f *publishedFile, to string) (err error) {
	if f.Rows == 0 && p.writeEmpty(t, to) {
		p.seal(f, to)
		return nil
	}
	if !p.found && (t.Is(schema.ByMonth) || f.Live != "") { // nobody needed the months, but a file that was to be used again is gone or damaged
		if _, err := p.findMonths(ctx, p.standing()); err != nil {
			return err
		}
	}
	where, err := p.ofMonths(ctx, f.Month)
	if err != nil {
		return err
	}
	if f.Rows > engine.ManyRows { // most files are small, and are written by one thread
		if _, err := p.conn.ExecContext(ctx, engine.SetThreads()); err != nil {
			return err
		}
		defer func() {
			_, failed := p.conn.ExecContext(ctx, engine.OneThread)
			err = errors.Join(err, failed)
		}()
	}
	rows := t.Name
	if f.Live != "" {
		rows = liveRows(t, liveNow)
	}
	result, err := p.conn.ExecContext(ctx, p.copyOf(t, rows, f.Month, where, to))
	if err != nil {
		return fmt.Errorf("write %s: %w", to, err)
	}
	n, err := result.RowsAffected()
	if err == nil && n != f.Rows {
		err = fmt.Errorf("%d rows were written, and there are %d; please report this", n, f.Rows)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", to, err)
	}
	p.seal(f, to)
	return nil
}

// ofMonths returns a condition that holds for every row of some months. If the months have few conversations, it excludes nearly all other rows.
func (p *publisher) ofMonths(ctx context.Context, months ...string) (string, error) {
	if slices.Contains(months, noMonth) || slices.Contains(months, "") {
		return "true", nil
	}
	of := ` FROM _start_months WHERE month IN (` + literals(months) + `)`
	var n int
	if err := p.conn.QueryRowContext(ctx, `SELECT count(*)`+of).Scan(&n); err != nil || n > fewListed {
		return "true", err
	}
	_, err := p.conn.ExecContext(ctx, `SET VARIABLE published_conversations = (SELECT list(conversation_id)`+of+`)`)
	return "list_contains(getvariable('published_conversations'), conversation_id)", err
}

// copyOf returns the statement that writes rows of a table, all or those of a month, for which a condition holds. rows is the table, or a query of its live rows.
func (p *publisher) copyOf(t schema.Table, rows, month, where, file string) string {
	from := rows
	if t.Is(schema.ByMonth) {
		join := "SEMI JOIN (FROM _start_months WHERE month = " + engine.Literal(month) + ")"
		if month == noMonth {
			join = "ANTI JOIN _start_months"
		}
		from = fmt.Sprintf("(FROM %s WHERE %s) t %s s ON s.source_id = t.source_id AND s.conversation_id = t.conversation_id", rows, where, join)
	}
	return p.Sink.Copy(File{Table: t, Columns: p.columns(t), From: from + publishedOrder(t), Path: file, About: aboutFile(t, p.options.ToolVersion)})
}

// hasDocuments reports whether a table has columns of JSON, whose values may be large.
func hasDocuments(t schema.Table) bool {
	return slices.ContainsFunc(t.Columns, func(c schema.Column) bool { return c.Type == "JSON" })
}

// publishedOrder returns the order in which rows are published. With it, a reader that filters by conversation or time skips most row groups. Rows that are
// gone from the store come after the others. Unpartitioned tables with documents keep the order in which conversations were loaded: to sort them takes more
// memory than all the rest.
func publishedOrder(t schema.Table) string {
	order := t.Key()
	switch {
	case !t.Is(schema.ByMonth) && hasDocuments(t):
		return ""
	case t.Is(schema.ByMonth):
		order = append([]string{"source_id", "conversation_id", "deleted_at IS NOT NULL", `"position"`}, order...)
	case t.Name == "conversations":
		order = append([]string{"last_activity_at"}, order...)
	case t.Has("started_at"):
		order = append([]string{"started_at"}, order...)
	}
	if len(order) == 0 {
		return ""
	}
	return " ORDER BY " + strings.Join(order, ", ")
}

// aboutFile returns the metadata of a file. It is the same for every load.
func aboutFile(t schema.Table, toolVersion string) [][2]string {
	comments := map[string]string{}
	for _, c := range t.Columns {
		comments[c.Name] = c.Doc
	}
	text, _ := json.Marshal(comments) // a map of strings has no error; its keys come sorted
	entries := [][2]string{{"table", t.Name}, {"comment", t.Doc}, {"column_comments", string(text)}, {"schema_version", strconv.Itoa(schema.Version)}, {"tool_version", toolVersion}}
	if t.Is(schema.ByMonth) {
		entries = append(entries, [2]string{"partitioned_by", "month: the month, in UTC, in which the conversation began; '" + noMonth + "' for one without a start"})
	}
	return entries
}
