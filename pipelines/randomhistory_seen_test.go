package pipelines_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// sight is a conversation of the global store at some time.
type sight struct {
	signs  string // what a run sees without reading all values: keys, rowids, sizes, the conversation's own document
	values string
	rows   map[string]fact
}

// version is what the raw layer says of a row's value.
func (f fact) version() string {
	if f.null {
		return "null "
	}
	return "text " + f.value
}

// usable tells the values that tables can be built from.
func (f fact) usable() bool {
	var object doc
	return !f.null && json.Unmarshal([]byte(f.value), &object) == nil && object != nil
}

// look sees what the next run will see. A conversation whose signs are as they were, and its values are not, is one
// that the run need not find.
func (w *historyChecker) look() {
	w.store = map[string]*sight{}
	all := w.past.all()
	for _, key := range slices.Sorted(maps.Keys(all)) {
		f, id := all[key], conversationOf(key)
		s := w.store[id]
		if s == nil {
			s = &sight{rows: map[string]fact{}}
			w.store[id] = s
		}
		s.rows[key] = f
		s.signs += fmt.Sprintf("%s %d %d\n", key, f.rowID, len(f.value))
		if strings.HasPrefix(key, "composerData:") {
			s.signs += f.value
		}
		s.values += fmt.Sprintf("%s %t\n", f.value, f.null)
		if part, ok := strings.CutPrefix(key, "bubbleId:"+id+":"); ok && strings.HasPrefix(f.value, "{\"") {
			w.ever["messages["+id+" "+part+"]"] = true
		}
	}
	for id, s := range w.store {
		if was := w.last[id]; was != nil && was.signs == s.signs && was.values != s.values {
			w.dirty = true
		} else {
			w.saw(id)
		}
	}
	for id := range w.last {
		if w.store[id] == nil {
			w.saw(id)
			delete(w.last, id)
		}
	}
}

// found sees which of the conversations that the last run need not have found it has found: all, where it compared
// every value, else those whose rows the raw layer has as they are.
func (w *historyChecker) found() {
	w.t.Helper()
	var last map[string]string
	for id, s := range w.store {
		if w.last[id] == s {
			continue
		}
		if w.dirty && last == nil {
			_, last = w.rawVersions()
		}
		has := true
		for key, f := range s.rows {
			has = has && last[inGlobal+key] == f.version()
		}
		if has || !w.dirty {
			w.saw(id)
		}
	}
}

// saw notes that a run sees a conversation as it is: the raw layer must have its versions, and the usable ones are
// those that stand for what the rows may become. A row that is gone or NULL has none.
func (w *historyChecker) saw(id string) {
	now := w.store[id]
	if now == nil { // it is gone
		now = &sight{}
	}
	if was := w.last[id]; was != nil {
		for key := range was.rows {
			if _, there := now.rows[key]; !there {
				delete(w.usable, key)
			}
		}
	}
	w.last[id] = now
	for key, f := range now.rows {
		w.versions[inGlobal+key+" "+f.version()] = true
		switch {
		case f.null:
			delete(w.usable, key)
		case f.usable():
			w.usable[key] = f.value
		}
	}
}

// copyUsable copies the user directory. Rows that became unusable hold there what they last were, as they do in the
// warehouse: all runs here have the raw layer.
func (w *historyChecker) copyUsable(user string) {
	w.t.Helper()
	must(w.t, os.MkdirAll(user, 0o700))
	must(w.t, os.CopyFS(user, os.DirFS(w.user)))
	p := &changingStore{t: w.t, user: user}
	p.open()
	defer p.close()
	for _, s := range w.store {
		for key, f := range s.rows {
			if value, ok := w.usable[key]; ok && !f.usable() {
				p.exec(`UPDATE cursorDiskKV SET value = ? WHERE key = ?`, value, key)
				w.did["stand-ins at a check"]++
			}
		}
	}
}
