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

// findRows finds the rows that are meant; conversation is "" if they are those of a key. warehouse is the flag that a pasted line needs.
func findRows(ctx context.Context, h *versions.History, f versions.RowFilter, warehouse string) (rows []versions.RowHistory, conversation string, err error) {
	if rows, err = h.Rows(ctx, f); err != nil {
		return nil, "", err
	}
	if len(rows) == 0 { // it may be how an id begins
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

// noRaw says what to do where nothing was kept.
func noRaw(path string, cause error) error {
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return &exitError{exitSource, fmt.Errorf("%w at %s: run 'pipeline run' first, or name another warehouse with --warehouse", cause, rawlog.Dir(path))}
	}
	return &exitError{exitSource, fmt.Errorf("%w: the warehouse %s has kept no versions in %s. Run 'pipeline run' without --no-raw; they are kept from then on",
		cause, path, rawlog.Dir(path))}
}

// manyBegin lists conversations whose ids begin alike.
func manyBegin(ctx context.Context, h *versions.History, f versions.RowFilter, ids []string) error {
	text := fmt.Sprintf("%s begins the ids of %s; give more of it:", f.Name, term.Plural(int64(len(ids)), "conversation"))
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

// notInHistory says what was looked for, and what comes near.
func notInHistory(ctx context.Context, h *versions.History, f versions.RowFilter, warehouse string) error {
	text := fmt.Sprintf("no row has the key %s, and no conversation an id that begins so", f.Name)
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
		return errors.New(text + ". Keys that begin so:\n  " + strings.Join(keys[:min(listed, len(keys))], "\n  ") + more(len(keys)))
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

// onlyRow is the row that is meant where it has to be a single one.
func onlyRow(rows []versions.RowHistory) (*versions.RowHistory, error) {
	if len(rows) == 1 {
		return &rows[0], nil
	}
	differ := differing(rows)
	text := fmt.Sprintf("%s are meant; name one:", term.Plural(int64(len(rows)), "row"))
	for _, r := range rows[:min(listed, len(rows))] {
		text += "\n  " + term.ShellQuote(r.Name) + differ.flags(&r)
	}
	return nil, &pipelines.UsageError{Message: text + more(len(rows))}
}

// differences are the parts of a row's place that are not the same for all rows.
type differences struct{ source, store, table bool }

// flags are those that tell a row from the others.
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

// columns are the cells of a row's place that a table needs.
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

// differing compares the places of rows.
func differing(rows []versions.RowHistory) (d differences) {
	for _, r := range rows {
		d.source = d.source || r.SourceID != rows[0].SourceID
		d.store = d.store || r.Store != rows[0].Store
		d.table = d.table || r.Table != rows[0].Table
	}
	return d
}

// conversationName is the name that the conversation's own row gives it in its latest value; "" if none does.
func conversationName(ctx context.Context, h *versions.History, id string, rows []versions.RowHistory) string {
	for i := range rows {
		r := &rows[i]
		if r.Name != extract.FamilyComposer+":"+id {
			continue
		}
		value, err := h.Value(ctx, r, r.LastValue())
		if err != nil {
			continue // the list says as much as without a name
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

// decoded is a value without the encoding in which Cursor may have stored it.
func decoded(r *versions.RowHistory, v *versions.RowVersion, value []byte) []byte {
	return extract.Restore(extract.Document{Store: r.Store, Table: r.Table, Key: r.Name, KeyType: r.KeyType, Type: v.ValueType, Bytes: v.ValueBytes, Raw: value}).Value
}
