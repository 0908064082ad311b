package storetest

import (
	"errors"
	"iter"
	"os"
	"path/filepath"
	"slices"
)

// Write makes the user directory: globalStorage/state.vscdb (with its -wal under Options.WAL) and
// state.vscdb.options.json, and workspaceStorage with a folder for each workspace.
func (p *Plan) Write(userDir string) error {
	global := filepath.Join(userDir, "globalStorage")
	o := StoreOptions{PrimaryKey: p.o.PrimaryKey, WAL: p.o.WAL, HeaderColumns: HeaderColumns10,
		HeaderRows: p.o.Plant.headers(p.headerRows())}
	if err := writeStore(filepath.Join(global, "state.vscdb"), p.o.Plant.rows(p.globalRows()),
		p.o.Plant.rows(p.tailRows()), o); err != nil {
		return err
	}
	options := `{"useWAL": false}`
	if p.o.WAL {
		options = `{"useWAL": true}`
	}
	if err := os.WriteFile(filepath.Join(global, "state.vscdb.options.json"), []byte(options), 0o666); err != nil {
		return err
	}
	for _, w := range p.workspaces {
		if err := p.writeWorkspace(w, filepath.Join(userDir, "workspaceStorage", w.id)); err != nil {
			return err
		}
	}
	return nil
}

func (p *Plan) writeWorkspace(w *workspace, dir string) error {
	err := os.MkdirAll(dir, 0o777)
	if json := w.workspaceJSON(); json != nil {
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, "workspace.json"), json, 0o666))
	}
	if err != nil || w.noStore {
		return err
	}
	return WriteStore(filepath.Join(dir, "state.vscdb"), slices.Collect(p.o.Plant.rows(slices.Values(w.rows()))),
		StoreOptions{PrimaryKey: p.o.PrimaryKey, NoDiskKV: w.plain})
}

// globalRows are the rows of the global store in the order in which they are written, all but the tail.
func (p *Plan) globalRows() iter.Seq[Row] {
	return func(yield func(Row) bool) {
		for _, rows := range []iter.Seq[Row]{slices.Values(p.items), p.chatRows(), slices.Values(p.extra),
			p.bodyRows()} {
			for r := range rows {
				if !yield(r) {
					return
				}
			}
		}
	}
}

// planTail sends the newest messages to the -wal, as a running Cursor would have them.
func (p *Plan) planTail() {
	for _, c := range slices.Backward(p.chats) {
		if c.form == "rows" && len(c.msgs) >= 3 {
			for _, m := range c.msgs[len(c.msgs)-len(c.msgs)/3:] {
				m.late = true
			}
			return
		}
	}
}

// tailRows are the rows that are written last: with Options.WAL they are in the -wal and nowhere else.
func (p *Plan) tailRows() iter.Seq[Row] {
	return func(yield func(Row) bool) {
		for _, c := range p.chats {
			for _, m := range c.msgs {
				if m.late && !yield(m.row(c.id)) {
					return
				}
			}
		}
	}
}

func (p *Plan) bodyRows() iter.Seq[Row] {
	return func(yield func(Row) bool) {
		for _, b := range p.bodies {
			if !yield(Row{Key: b.key, Value: b.value()}) {
				return
			}
		}
	}
}

func (p *Plan) chatRows() iter.Seq[Row] {
	return func(yield func(Row) bool) {
		for _, c := range p.chats {
			if c.store != nil {
				continue
			}
			for r := range c.rows() {
				if !yield(r) {
					return
				}
			}
		}
	}
}

// rows are those of one conversation in the global store.
func (c *conversation) rows() iter.Seq[Row] {
	return func(yield func(Row) bool) {
		ok := true
		add := func(key string, value any) { ok = ok && yield(Row{Key: key, Value: value}) }
		switch {
		case c.override:
			add("composerData:"+c.id, c.value)
		case !c.orphan:
			add("composerData:"+c.id, string(c.json()))
		}
		for _, m := range c.msgs {
			if !ok {
				return
			}
			if (c.form == "rows" || m.elsewhere) && !m.inCopy && !m.late {
				row := m.row(c.id)
				add(row.Key.(string), row.Value)
			}
		}
		for _, cp := range c.checkpoints {
			add("checkpointId:"+c.id+":"+cp.id, cp.json())
		}
		for _, x := range c.contexts {
			add("messageRequestContext:"+c.id+":"+x.id, x.json())
		}
		for _, d := range c.diffs {
			if d.bare {
				add("codeBlockDiff:"+d.id, d.json())
			} else {
				add("codeBlockDiff:"+c.id+":"+d.id, d.json())
			}
		}
		for _, e := range c.edits {
			if len(e.fates) > 0 {
				add("codeBlockPartialInlineDiffFates:"+c.id+":"+e.id, e.fatesJSON())
			}
		}
	}
}

func (e edit) fatesJSON() string {
	var fates []string
	for _, f := range e.fates {
		lines := func(n int) string { return list(slices.Repeat([]string{quoted("x := 1")}, n)) }
		fates = append(fates, `{"fate":"`+f.fate+`","addedLines":`+lines(f.added)+`,"removedLines":`+lines(f.removed)+
			`}`)
	}
	return `{"fates":` + list(fates) + `}`
}

// headerRows are those of composerHeaders.
func (p *Plan) headerRows() []map[string]any {
	var rows []map[string]any
	for _, c := range p.chats {
		if c.inTable() {
			rows = append(rows, c.headerRow())
		}
	}
	return append(rows, p.tombstones...)
}

// inTable: the conversation has a row in composerHeaders.
func (c *conversation) inTable() bool { return c.link == "headers_table" || c.parentBy == "table" }
