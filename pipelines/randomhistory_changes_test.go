package pipelines_test

import (
	"fmt"
	"maps"
	"slices"
)

// historyOps are what happens to a store between two runs. n and m choose the row and the variant; false: there was
// nothing to do it to.
var historyOps = map[string]func(p *changingStore, n, m int) bool{
	"append a message":      func(p *changingStore, n, _ int) bool { return p.append(n) },
	"new conversation":      func(p *changingStore, n, m int) bool { return p.newConversation(n*7 + m) },
	"add another row":       (*changingStore).addRow,
	"replace a row":         replaceRow,
	"replace by the same":   replaceBySame,
	"update in place":       updateInPlace,
	"delete a bubble":       deleteBubble,
	"delete another row":    deleteRow,
	"set to NULL":           setNull,
	"delete a conversation": deleteConversation,
	"delete a head":         deleteHead,
	"restore":               restore,
	"move by its document":  moveByDocument,
	"move by the table":     moveByTable,
	"move by a list":        moveByList,
	"move by a pane":        moveByPane,
	"rename":                rename,
	"rename a folder": func(p *changingStore, n, m int) bool {
		p.folder(pastWorkspaces[n%len(pastWorkspaces)], m)
		return true
	},
	"checkpoint restore":     checkpointRestore,
	"vacuum":                 func(p *changingStore, _, _ int) bool { p.exec(`VACUUM`); return true },
	"newest row: another":    newestOther,
	"newest row: same key":   newestSame,
	"subagent link":          subagentLink,
	"subagent link removed":  subagentUnlink,
	"draft":                  draft,
	"unusable value":         unusable,
	"leave the header table": leaveTable,
}

func replaceRow(p *changingStore, n, m int) bool {
	key, _, value, ok := p.change(n, m)
	if ok {
		p.put(key, value)
	}
	return ok
}

func replaceBySame(p *changingStore, n, m int) bool {
	key, value, ok := p.pick(rowFamilies[m%len(rowFamilies)], n)
	if ok {
		p.put(key, value)
	}
	return ok
}

func updateInPlace(p *changingStore, n, m int) bool {
	key, _, value, ok := p.change(n, m)
	if ok {
		p.exec(`UPDATE cursorDiskKV SET value = ? WHERE key = ?`, value, key)
	}
	return ok
}

func deleteBubble(p *changingStore, n, _ int) bool {
	key, value, ok := p.pick("bubbleId:", n)
	if ok {
		p.remove(key, value)
	}
	return ok
}

func deleteRow(p *changingStore, n, m int) bool {
	key, value, ok := p.pick(rowFamilies[2+m%(len(rowFamilies)-2)], n)
	if ok {
		p.remove(key, value)
	}
	return ok
}

func setNull(p *changingStore, n, m int) bool {
	key, value, ok := p.pick(rowFamilies[(m/2)%len(rowFamilies)], n)
	switch {
	case !ok:
		return false
	case m%2 == 0:
		p.put(key, nil)
	default:
		p.exec(`UPDATE cursorDiskKV SET value = NULL WHERE key = ?`, key)
	}
	p.removed[key] = []byte(value)
	return true
}

func deleteConversation(p *changingStore, n, _ int) bool {
	ids := p.ids()
	if len(ids) < 4 {
		return false
	}
	id := ids[n%len(ids)]
	for key, f := range p.rowsOf(id) {
		p.remove(key, f.value)
		if f.null {
			delete(p.removed, key)
		}
	}
	return true
}

func deleteHead(p *changingStore, n, _ int) bool {
	key, value, ok := p.pick("composerData:", n)
	if ok {
		p.remove(key, value)
	}
	return ok
}

// restore brings one row back, or all of its conversation.
func restore(p *changingStore, n, m int) bool {
	keys := slices.Sorted(maps.Keys(p.removed))
	if len(keys) == 0 {
		return false
	}
	back := keys[n%len(keys)]
	for _, key := range keys {
		if value := p.removed[key]; key == back || m%2 == 0 && conversationOf(key) == conversationOf(back) {
			p.put(key, string(value))
		}
	}
	return true
}

func moveByDocument(p *changingStore, n, m int) bool {
	id, head, ok := p.head(n)
	if !ok {
		return false
	}
	switch m % 5 {
	case 3:
		delete(head, "workspaceIdentifier")
	case 4:
		head["workspaceIdentifier"] = doc{"id": "elsewhere",
			"uri": doc{"external": fmt.Sprintf("file:///src/q%d", m%2)}}
	default:
		head["workspaceIdentifier"] = doc{"id": pastWorkspaces[m%5]}
	}
	return p.putHead(id, head)
}

func moveByTable(p *changingStore, n, m int) bool {
	id, _, ok := p.head(n)
	return ok && p.tableRow(id, "workspaceId", append(pastWorkspaces, "nowhere")[m%4])
}

func moveByList(p *changingStore, n, m int) bool { return moveByName(p, p.lists, n, m) }
func moveByPane(p *changingStore, n, m int) bool { return moveByName(p, p.panes, n, m) }

func moveByName(p *changingStore, lists map[string][]string, n, m int) bool {
	id, _, ok := p.head(n)
	if ok {
		p.name(lists, id, append(pastWorkspaces, "")[m%4])
	}
	return ok
}

func rename(p *changingStore, n, m int) bool {
	id, head, ok := p.head(n)
	switch {
	case !ok:
		return false
	case m%3 == 0: // a title that only the header table has
		delete(head, "name")
		p.putHead(id, head)
		return p.tableRow(id, "value", `{"composerId":"`+id+`","name":"`+p.token()+`"}`)
	case m%3 == 1:
		return p.tableRow(id, "value", `{"composerId":"`+id+`","name":"t`+p.token()+`","subtitle":"`+p.token()+`"}`)
	}
	head["name"] = p.token()
	return p.putHead(id, head)
}

// checkpointRestore cuts the headers; the bubbles stay.
func checkpointRestore(p *changingStore, n, m int) bool {
	id, head, ok := p.head(n)
	for i := 1; ok && len(headersOf(head)) == 0 && i < 20; i++ {
		id, head, ok = p.head(n + i)
	}
	list := headersOf(head)
	if !ok || len(list) == 0 {
		return false
	}
	head["fullConversationHeadersOnly"] = list[:m%len(list)]
	return p.putHead(id, head)
}

// newest is the row with the largest rowid: the next row that is inserted after its deletion gets the same.
func newest(p *changingStore) (key, value string, ok bool) {
	var last int64
	for k, f := range p.all() {
		if f.rowID > last {
			key, value, last, ok = k, f.value, f.rowID, !f.null
		}
	}
	return key, value, ok
}

func newestOther(p *changingStore, n, _ int) bool {
	key, value, ok := newest(p)
	id, _, some := p.head(n)
	if !ok || !some {
		return false
	}
	p.remove(key, value)
	p.put(fmt.Sprintf("bubbleId:%s:b%03d", id, p.next()), doc{"type": 2, "text": p.token()})
	return true
}

func newestSame(p *changingStore, _, _ int) bool {
	key, value, _ := newest(p)
	if key == "" {
		return false
	}
	with, ok := p.other(value)
	if !ok {
		with = value + " "
	}
	p.exec(`DELETE FROM cursorDiskKV WHERE key = ?`, key)
	p.put(key, with)
	return true
}

func subagentLink(p *changingStore, n, m int) bool {
	id, head, ok := p.head(n)
	parent, _, _ := p.head(m)
	switch {
	case !ok || id == parent:
		return false
	case m%3 == 0:
		head["subagentInfo"] = doc{"parentComposerId": parent}
	case m%3 == 1:
		head["subagentComposerIds"] = []any{parent}
	default:
		return p.tableRow(id, "isSubagent", 1)
	}
	return p.putHead(id, head)
}

func subagentUnlink(p *changingStore, n, _ int) bool {
	for i := range 40 { // the next one that has a link
		id, head, ok := p.head(n + i)
		if ok && (head["subagentInfo"] != nil || head["subagentComposerIds"] != nil) {
			delete(head, "subagentInfo")
			delete(head, "subagentComposerIds")
			p.tableRow(id, "isSubagent", 0)
			return p.putHead(id, head)
		}
	}
	return false
}

func draft(p *changingStore, n, m int) bool {
	if m%3 == 0 {
		return p.newConversation(5 * n)
	}
	id, head, ok := p.head(n)
	if !ok {
		return false
	}
	if head["isDraft"] = head["isDraft"] != true; m%3 == 1 {
		head["text"] = p.token()
	}
	return p.putHead(id, head)
}

// unusable makes a row unusable: one that is there, or one that was gone.
func unusable(p *changingStore, n, m int) bool {
	key, value, ok := p.pick(rowFamilies[(m/3)%len(rowFamilies)], n)
	if gone := slices.Sorted(maps.Keys(p.removed)); n%3 == 0 && len(gone) > 0 {
		key = gone[m%len(gone)]
		value, ok = string(p.removed[key]), true
	}
	if ok {
		p.put(key, []any{"{", "[]", ""}[m%3])
		p.removed[key] = []byte(value)
	}
	return ok
}

func leaveTable(p *changingStore, n, _ int) bool {
	id, _, ok := p.head(n)
	if ok {
		p.exec(`DELETE FROM composerHeaders WHERE composerId = ?`, id)
	}
	return ok
}
