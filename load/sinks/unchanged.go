package sinks

import (
	"context"
	"database/sql"
	"encoding/hex"
	"slices"

	"github.com/zeebo/xxh3"

	"pipeline/load/tool/sqlrows"
	"pipeline/sql/schema"
)

// This file finds the files of the current publication whose rows cannot have changed since. Then nobody has to read the rows to know.

// A Change is what the latest load may have changed in the warehouse.
type Change struct {
	Before        string   // the state of the warehouse before it, see engine.MetaLineage
	Tables        []string // of which it may have changed rows
	Conversations []string // ids of the conversations of which it wrote rows, or marked rows as deleted
}

// standing is a publication that is compared with the warehouse.
type standing struct {
	manifest *manifest
	files    map[string]publishedFile // by path; none, if nothing is known of what has changed since
	change   *Change                  // what has changed; nil for nothing
}

// known reports whether it is known what has changed. If not, only the rows tell.
func (s standing) known() bool { return s.files != nil }

// standing returns what is known of the current publication. The warehouse's state says whether it was published before the latest load, and nothing else has
// changed the warehouse.
func (p *publisher) standing() (s standing) {
	folder, err := currentFolder(p.Dir)
	if err != nil {
		return s
	}
	m, err := readManifest(folder)
	if err != nil || m.State == "" || m.SchemaVersion != schema.Version {
		return s
	}
	switch change := p.options.Change; {
	case change != nil && m.State == change.Before:
		s.change = change
	case m.State != p.state:
		return s
	}
	s.manifest, s.files = m, map[string]publishedFile{}
	for _, f := range m.Files {
		s.files[f.Path] = f
	}
	return s
}

// table returns what is known of the file of a table that is not partitioned.
func (s standing) table(t schema.Table, path string) (f publishedFile, same bool) {
	f, same = s.files[path]
	return f, same && (s.change == nil || !slices.Contains(s.change.Tables, t.Name))
}

// conversationsStand reports whether each conversation has the rows, and each file of a month or of live rows is written as it was when the standing publication was made.
func (p *publisher) conversationsStand(s standing) bool {
	if !s.known() || s.change != nil && len(s.change.Conversations) > 0 {
		return false
	}
	if s.change != nil && slices.ContainsFunc(s.change.Tables, decides) {
		return false
	}
	for _, t := range p.tables() {
		if t.Is(schema.ByMonth) && !writtenBy(s.manifest.tableFiles(t, false), p.writer(t, t.Name)) || t.Is(schema.Live) && !writtenBy(s.manifest.tableFiles(t, true), p.writer(t, liveRows(t, liveNow))) {
			return false
		}
	}
	return true
}

// decides reports whether a table's rows decide which rows are live: the view of live conversations asks which are copies, too.
func decides(table string) bool {
	t, _ := schema.Lookup(table)
	return t.Is(schema.Live) || table == "conversation_copies"
}

// writtenBy reports whether there are files, and all have a writer.
func writtenBy(files []publishedFile, writer string) bool {
	return len(files) > 0 && !slices.ContainsFunc(files, func(f publishedFile) bool { return f.Writer != writer })
}

// month returns what is known of the file of a month.
func (s standing) month(planned publishedFile, now *month) (f publishedFile, same bool) {
	f, same = s.files[planned.Path]
	return f, same && !now.changed && f.Rows == planned.Rows && f.Members == planned.Members
}

// A month has the conversations that began in it, or a part of them (parts.go).
type month struct {
	members members // a hash over their ids
	changed bool    // a row of one of them may have changed
	first   string  // of a part of a month, see bound

	conversations []sized
	rows          int64 // messages of all conversations, as their own rows say
}

// members is a hash over ids of conversations, which are added in their order.
type members struct{ *xxh3.Hasher }

func newMembers() members { return members{xxh3.New()} }

func (m members) add(source, id string) { _, _ = m.WriteString(source + "\x00" + id + "\x00") }

func (m members) String() string { return hex.EncodeToString(m.Sum(nil)) }

// months returns the months of all conversations. Rows of no conversation have no month either.
func (p *publisher) months(ctx context.Context, s standing) (map[string]*month, error) {
	changed := map[string]bool{}
	if s.change != nil {
		for _, id := range s.change.Conversations {
			changed[id] = true
		}
	}
	out := map[string]*month{noMonth: {members: newMembers()}}
	query := `SELECT ` + monthOf + `, c.source_id, c.conversation_id, coalesce(c.message_count, 0) FROM conversations c ` + toMonths + ` ORDER BY ALL`
	seen := map[string]bool{}
	err := sqlrows.Each(ctx, p.conn, query, func(rows *sql.Rows) error {
		var name, source, id string
		var messages int64
		if err := rows.Scan(&name, &source, &id, &messages); err != nil {
			return err
		}
		if out[name] == nil {
			out[name] = &month{members: newMembers()}
		}
		m := out[name]
		m.changed = m.changed || changed[id]
		seen[id] = true
		m.members.add(source, id)
		m.conversations, m.rows = append(m.conversations, sized{keyOf(source, id), messages}), m.rows+messages
		return nil
	})
	for id := range changed {
		out[noMonth].changed = out[noMonth].changed || !seen[id]
	}
	return out, err
}
