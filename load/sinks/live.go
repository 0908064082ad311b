package sinks

import (
	"context"
	"database/sql"
	"path"
	"strings"

	"pipeline/load/tool/sqlrows"
	"pipeline/sql/schema"
)

// This file publishes the live rows of three tables a second time, in a folder of their own: a reader of that folder need not know which rows are deleted, orphans
// or copies. Beside each file of all rows there is one of the live ones. Where all rows are live it is a link to the other, so that it takes no space: rows have
// the columns and values of the table, and not those that the views live_... add or replace.

// liveFolder is the folder of the files of live rows in a publication.
const liveFolder = "live"

// The live conversations are those of the view. A publication asks it once, and keeps the answer in a temporary table.
const (
	liveView          = "live_conversations"
	liveNow           = "_live_conversations"
	liveConversations = `CREATE OR REPLACE TEMP TABLE ` + liveNow + ` AS SELECT source_id, conversation_id FROM ` + liveView
)

// liveRows returns a query of the live rows of a table: those that are not deleted, of live conversations. The views live_... choose the same rows.
func liveRows(t schema.Table, conversations string) string {
	return `(SELECT t.* FROM ` + t.Name + ` t SEMI JOIN ` + conversations +
		` l ON l.source_id = t.source_id AND l.conversation_id = t.conversation_id WHERE t.deleted_at IS NULL)`
}

// allRows returns the path of the file of all rows beside which a file of live rows is.
func (f publishedFile) allRows() string { return strings.TrimPrefix(f.Path, liveFolder+"/") }

// liveFiles plans the files of live rows, one for each file of all rows. They are those of before if the conversations stand.
func (p *publisher) liveFiles(ctx context.Context, all []publishedFile, before standing, stands bool) (files []publishedFile, err error) {
	if stands {
		for _, t := range p.tables() {
			files = append(files, before.manifest.tableFiles(t, true)...)
		}
		return files, nil
	}
	conversations, err := p.liveMonths(ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range p.tables() {
		if !t.Is(schema.Live) {
			continue
		}
		counts, err := p.liveCounts(ctx, t)
		if err != nil {
			return nil, err
		}
		writer := p.writer(t, liveRows(t, liveNow))
		for _, f := range all {
			if f.Table == t.Name {
				files = append(files, publishedFile{Path: path.Join(liveFolder, f.Path), Table: t.Name, Month: f.Month, Live: conversations.of(f.Month),
					Rows: counts[f.Month], Content: f.Content, Writer: writer})
			}
		}
	}
	return files, nil
}

// liveMonths has the live conversations of each month, and of all months under "".
type liveMonths map[string]members

// of returns a hash over the ids of the live conversations of a month. Together with the rows of all conversations it says which rows are live.
func (l liveMonths) of(month string) string {
	if l[month].Hasher == nil {
		l[month] = newMembers()
	}
	return l[month].String()
}

// liveMonths reads the live conversations.
func (p *publisher) liveMonths(ctx context.Context) (liveMonths, error) {
	out := liveMonths{"": newMembers()}
	query := `SELECT ` + monthOf + `, c.source_id, c.conversation_id FROM ` + liveNow + ` c ` + toMonths + ` ORDER BY ALL`
	err := sqlrows.Each(ctx, p.conn, query, func(rows *sql.Rows) error {
		var month, source, id string
		if err := rows.Scan(&month, &source, &id); err != nil {
			return err
		}
		if out[month].Hasher == nil {
			out[month] = newMembers()
		}
		out[month].add(source, id)
		out[""].add(source, id)
		return nil
	})
	return out, err
}

// liveCounts counts the live rows of a table: those of each month, or all under "".
func (p *publisher) liveCounts(ctx context.Context, t schema.Table) (map[string]int64, error) {
	query := `SELECT '', count(*) FROM ` + liveRows(t, liveNow)
	if t.Is(schema.ByMonth) {
		query = `SELECT ` + monthOf + `, count(*) FROM ` + liveRows(t, liveNow) + ` t ` + toMonths + ` GROUP BY 1`
	}
	out := map[string]int64{}
	err := sqlrows.Each(ctx, p.conn, query, func(rows *sql.Rows) error {
		var month string
		var n int64
		err := rows.Scan(&month, &n)
		out[month] = n
		return err
	})
	return out, err
}

// takeLive links a file of live rows: to the file of all rows if all of them are live, else to that of an earlier publication with the same rows. Which
// rows a file of live rows has follows from the file of all rows, which says what is deleted, and from the ids of the live conversations.
func (p *publisher) takeLive(all publishedFile, f *publishedFile, to string) (bool, error) {
	if f.Rows == all.Rows {
		return true, f.link(all, p.scratch, to)
	}
	was, ok := p.before[f.Path]
	same := ok && p.reused[all.Path] && was.folder == p.before[all.Path].folder && was.Live == f.Live && was.Rows == f.Rows && was.Writer == f.Writer
	if !same || was.problem(was.folder) != "" {
		return false, nil
	}
	return true, f.link(was.publishedFile, was.folder, to)
}
