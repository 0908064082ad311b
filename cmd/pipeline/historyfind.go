package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"pipeline/cmd/pipeline/internal/term"
	"pipeline/extract"
	"pipeline/load/rawlog"
	"pipeline/load/versions"
	"pipeline/pipelines"
)

// findRows finds the rows that the command line names. conversation is "" if they are the rows of one key. warehouse is
// the flag to add to command lines in errors.
func findRows(ctx context.Context, h *versions.History, f versions.RowFilter, warehouse string) (rows []versions.RowHistory, conversation string, err error) {
	if rows, err = h.Rows(ctx, f); err != nil {
		return nil, "", err
	}
	if len(rows) == 0 { // the name may be the beginning of an id
		ids, err := h.Conversations(ctx, f)
		switch {
		case err != nil:
			return nil, "", err
		case len(ids) == 0:
			return nil, "", notInHistory(ctx, h, f, warehouse)
		case len(ids) > 1:
			return nil, "", manyBegin(ctx, h, f, ids)
		}
		f.Name = ids[0]
		if rows, err = h.Rows(ctx, f); err != nil {
			return nil, "", err
		}
	}
	for _, r := range rows {
		if r.ConversationID == f.Name {
			return rows, f.Name, nil
		}
	}
	return rows, "", nil
}

// noRaw says what to do if the raw layer is empty.
func noRaw(path string, cause error) error {
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return &exitError{exitSource, fmt.Errorf("%w at %s: run 'pipeline run' first, or name another warehouse with --warehouse", cause, rawlog.Dir(path))}
	}
	return &exitError{exitSource, fmt.Errorf("%w: the warehouse %s has no versions in %s: the next 'pipeline run' writes those that the stores still hold",
		cause, path, rawlog.Dir(path))}
}

// manyBegin lists conversations whose ids begin with the name.
func manyBegin(ctx context.Context, h *versions.History, f versions.RowFilter, ids []string) error {
	text := fmt.Sprintf("%s matches the beginning of the ids of %s; give more of it:", f.Name, term.Plural(int64(len(ids)), "conversation"))
	for _, id := range ids[:min(listed, len(ids))] {
		rows, err := h.Rows(ctx, versions.RowFilter{Name: id, SourceID: f.SourceID, Store: f.Store, Table: f.Table, Conversation: f.Conversation})
		if err != nil {
			return err
		}
		text += "\n  " + id
		if name := conversationName(ctx, h, id, rows); name != "" {
			text += "  " + term.Cut(term.Printable(name), 60)
		}
	}
	return errors.New(text + more(len(ids)))
}

// notInHistory says what was looked for, and lists similar names.
func notInHistory(ctx context.Context, h *versions.History, f versions.RowFilter, warehouse string) error {
	text := fmt.Sprintf("no row has the key %s, and no conversation id begins with it", f.Name)
	for _, limit := range [][2]string{{"source", f.SourceID}, {"store", f.Store}, {"table", f.Table}, {"conversation", f.Conversation}} {
		if limit[1] != "" {
			text += fmt.Sprintf(", in the %s %s", limit[0], limit[1])
		}
	}
	keys, err := h.Keys(ctx, f)
	if err != nil {
		return err
	}
	if len(keys) > 0 {
		return errors.New(text + ". Keys that begin with it:\n  " + strings.Join(keys[:min(listed, len(keys))], "\n  ") + more(len(keys)))
	}
	if _, rest, ok := strings.Cut(f.Name, ":"); ok { // most keys name their conversation
		id, _, _ := strings.Cut(rest, ":")
		rows, err := h.Rows(ctx, versions.RowFilter{Name: id})
		if err != nil {
			return err
		}
		if len(rows) > 0 {
			return errors.New(text + ".\nThe keys of that conversation: pipeline history " + warehouse + term.ShellQuote(id))
		}
	}
	return fmt.Errorf("%s.\nConversations and their ids: pipeline sql %s\"FROM list_conversations()\"; rows without one: pipeline history %s'(shared)'",
		text, warehouse, warehouse)
}

// onlyRow returns the single row, or an error that lists the candidates.
func onlyRow(rows []versions.RowHistory) (*versions.RowHistory, error) {
	if len(rows) == 1 {
		return &rows[0], nil
	}
	differ := differing(rows)
	text := fmt.Sprintf("%s match; name one:", term.Plural(int64(len(rows)), "row"))
	for _, r := range rows[:min(listed, len(rows))] {
		text += "\n  " + term.ShellQuote(r.Name) + differ.flags(&r)
	}
	return nil, &pipelines.UsageError{Message: text + more(len(rows))}
}

// differences says in which of source, store, table and conversation some rows differ.
type differences struct{ source, store, table, conversation bool }

// flags returns the flags that choose this row among the others.
func (d differences) flags(r *versions.RowHistory) (flags string) {
	if d.source {
		flags += " --source " + term.ShellQuote(r.SourceID)
	}
	if d.store {
		flags += " --store " + term.ShellQuote(r.Store)
	}
	if d.table {
		flags += " --table " + term.ShellQuote(r.Table)
	}
	if d.conversation {
		flags += " --conversation " + term.ShellQuote(r.ConversationID)
	}
	return flags
}

// headings returns the names of the columns in which rows differ.
func (d differences) headings() []any {
	return d.columns(&versions.RowHistory{SourceID: "source", Store: "store", Table: "table", ConversationID: "conversation"})
}

// columns returns those of source, store, table and conversation in which rows differ, as cells of a table.
func (d differences) columns(r *versions.RowHistory) (cells []any) {
	for _, c := range []struct {
		wanted bool
		text   string
	}{{d.source, r.SourceID}, {d.store, r.Store}, {d.table, r.Table}, {d.conversation, r.ConversationID}} {
		if c.wanted {
			cells = append(cells, term.Printable(c.text))
		}
	}
	return cells
}

// place says in which source, store and table some rows are, as far as all of them are in the same.
func (d differences) place(r *versions.RowHistory) string {
	var parts []string
	for _, c := range []struct {
		differ     bool
		name, text string
	}{{d.source, "source", r.SourceID}, {d.store, "store", r.Store}, {d.table, "table", r.Table}} {
		if !c.differ {
			parts = append(parts, c.name+" "+c.text)
		}
	}
	return term.Printable(strings.Join(parts, ", "))
}

// differing compares the source, store and table of rows.
func differing(rows []versions.RowHistory) (d differences) {
	for _, r := range rows {
		d.source = d.source || r.SourceID != rows[0].SourceID
		d.store = d.store || r.Store != rows[0].Store
		d.table = d.table || r.Table != rows[0].Table
		d.conversation = d.conversation || r.ConversationID != rows[0].ConversationID
	}
	return d
}

// conversationName is the conversation's name in the latest value of the row that describes it; "" if there is none.
func conversationName(ctx context.Context, h *versions.History, id string, rows []versions.RowHistory) string {
	for _, head := range []struct{ family, key, member string }{
		{extract.FamilyComposer, extract.FamilyComposer + ":" + id, "name"},
		{extract.FamilyCLIMeta, "0", "name"},
		{extract.FamilyCLIFile, "meta.json", "title"},
	} {
		for i := range rows {
			r := &rows[i]
			if r.Family != head.family || r.Name != head.key {
				continue
			}
			if name := memberOf(ctx, h, r, head.member); name != "" && name != "New Agent" { // so Cursor calls a chat without a name
				return name
			}
		}
	}
	return ""
}

// memberOf is a text in the latest value of a row; "" if there is none.
func memberOf(ctx context.Context, h *versions.History, r *versions.RowHistory, member string) string {
	value, err := h.Value(ctx, r, r.LastValue())
	if err != nil {
		return "" // a name only helps, the list works without it
	}
	var members map[string]json.RawMessage
	var text string
	if json.Unmarshal(decoded(r, r.LastValue(), value), &members) != nil || json.Unmarshal(members[member], &text) != nil {
		return ""
	}
	return text
}

// decoded is a value without the encoding in which Cursor stored it.
func decoded(r *versions.RowHistory, v *versions.RowVersion, value []byte) []byte {
	return extract.Restore(extract.Document{Store: r.Store, Table: r.Table, Key: r.Name, KeyType: r.KeyType, Type: v.ValueType, Bytes: v.ValueBytes, Raw: value}).Value
}
