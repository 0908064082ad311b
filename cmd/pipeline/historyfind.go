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
	return &exitError{exitSource, fmt.Errorf("%w: the warehouse %s has kept no versions in %s. Run 'pipeline run' without --no-raw; they are kept from then on",
		cause, path, rawlog.Dir(path))}
}

// manyBegin lists conversations whose ids begin with the name.
func manyBegin(ctx context.Context, h *versions.History, f versions.RowFilter, ids []string) error {
	text := fmt.Sprintf("%s matches the beginning of the ids of %s; give more of it:", f.Name, term.Plural(int64(len(ids)), "conversation"))
	for _, id := range ids[:min(listed, len(ids))] {
		rows, err := h.Rows(ctx, versions.RowFilter{Name: id, SourceID: f.SourceID, Store: f.Store, Table: f.Table})
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
	for _, limit := range [][2]string{{"source", f.SourceID}, {"store", f.Store}, {"table", f.Table}} {
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

// differences says in which of source, store and table some rows differ.
type differences struct{ source, store, table bool }

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
	return flags
}

// columns returns those of source, store and table in which rows differ, as cells of a table.
func (d differences) columns(source, store, table string) (cells []any) {
	for _, c := range []struct {
		wanted bool
		text   string
	}{{d.source, source}, {d.store, store}, {d.table, table}} {
		if c.wanted {
			cells = append(cells, term.Printable(c.text))
		}
	}
	return cells
}

// differing compares the source, store and table of rows.
func differing(rows []versions.RowHistory) (d differences) {
	for _, r := range rows {
		d.source = d.source || r.SourceID != rows[0].SourceID
		d.store = d.store || r.Store != rows[0].Store
		d.table = d.table || r.Table != rows[0].Table
	}
	return d
}

// conversationName is the conversation's name in the latest value of its own row; "" if there is none.
func conversationName(ctx context.Context, h *versions.History, id string, rows []versions.RowHistory) string {
	for i := range rows {
		r := &rows[i]
		if r.Name != extract.FamilyComposer+":"+id {
			continue
		}
		value, err := h.Value(ctx, r, r.LastValue())
		if err != nil {
			continue // a name only helps, the list works without it
		}
		var named struct {
			Name string `json:"name"`
		}
		if json.Unmarshal(decoded(r, r.LastValue(), value), &named) == nil && named.Name != "" {
			return named.Name
		}
	}
	return ""
}

// decoded is a value without the encoding in which Cursor stored it.
func decoded(r *versions.RowHistory, v *versions.RowVersion, value []byte) []byte {
	return extract.Restore(extract.Document{Store: r.Store, Table: r.Table, Key: r.Name, KeyType: r.KeyType, Type: v.ValueType, Bytes: v.ValueBytes, Raw: value}).Value
}
