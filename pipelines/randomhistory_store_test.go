package pipelines_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pipeline/testdata/gen/storetest"
)

// changingStore is a small Cursor user directory that is changed in place, as Cursor changes it: the same files all the
// time, rows by SQL.
type changingStore struct {
	t       *testing.T
	user    string
	db      *sql.DB           // of the global store; open between two runs only
	removed map[string][]byte // what rows held when they were deleted or set to NULL
	serial  int               // makes ids and values that were never there
	lists   map[string][]string
	panes   map[string][]string // conversations by workspace
}

var pastWorkspaces = []string{"ws1", "ws2", "ws3"}

type doc = map[string]any

func newChangingStore(t *testing.T, user string) *changingStore {
	p := &changingStore{t: t, user: user, removed: map[string][]byte{}, lists: map[string][]string{},
		panes: map[string][]string{}}
	must(t, storetest.WriteStore(p.global(), nil,
		storetest.StoreOptions{HeaderColumns: storetest.HeaderColumns10, HeaderRows: nil}))
	for i, ws := range pastWorkspaces {
		dir := filepath.Join(user, "workspaceStorage", ws)
		must(t, os.MkdirAll(dir, 0o700))
		must(t, storetest.WriteStore(filepath.Join(dir, "state.vscdb"), nil, storetest.StoreOptions{NoDiskKV: true}))
		p.folder(ws, i)
	}
	p.open()
	for i := range 8 {
		p.newConversation(i)
		for range 1 + i%4 {
			p.append(i)
		}
		p.addRow(i, i)
	}
	p.close()
	return p
}

func (p *changingStore) global() string { return filepath.Join(p.user, "globalStorage", "state.vscdb") }

func (p *changingStore) open() {
	db, err := sql.Open("sqlite", "file:"+p.global())
	must(p.t, err)
	db.SetMaxOpenConns(1)
	p.db = db
	p.exec(`PRAGMA synchronous = OFF`)
}

func (p *changingStore) close() { must(p.t, p.db.Close()) }

func (p *changingStore) exec(statement string, args ...any) {
	p.t.Helper()
	if _, err := p.db.Exec(statement, args...); err != nil {
		p.t.Fatalf("%s: %v", statement, err)
	}
}

func (p *changingStore) next() int { p.serial++; return p.serial }

// token is a text of fixed length that no value held before: an UPDATE of equal length puts another in its place.
func (p *changingStore) token() string { return fmt.Sprintf("z%06d", p.next()) }

// fact is one row of the store.
type fact struct {
	rowID int64
	value string
	null  bool
}

// all reads every row.
func (p *changingStore) all() map[string]fact {
	rows, err := p.db.Query(`SELECT key, rowid, value FROM cursorDiskKV`)
	must(p.t, err)
	defer rows.Close()
	out := map[string]fact{}
	for rows.Next() {
		var key string
		var f fact
		var value sql.NullString
		must(p.t, rows.Scan(&key, &f.rowID, &value))
		f.value, f.null = value.String, !value.Valid
		out[key] = f
	}
	must(p.t, rows.Err())
	return out
}

// pick is the n-th of the rows whose keys begin so and that are not NULL.
func (p *changingStore) pick(prefix string, n int) (key, value string, ok bool) {
	var keys []string
	all := p.all()
	for k, f := range all {
		if strings.HasPrefix(k, prefix) && !f.null {
			keys = append(keys, k)
		}
	}
	if len(keys) == 0 {
		return "", "", false
	}
	slices.Sort(keys)
	key = keys[n%len(keys)]
	return key, all[key].value, true
}

// put writes a row as Cursor does: the row is replaced and gets a new rowid.
func (p *changingStore) put(key string, value any) {
	if d, ok := value.(doc); ok {
		text, err := json.Marshal(d)
		must(p.t, err)
		value = string(text)
	}
	delete(p.removed, key)
	p.exec(`REPLACE INTO cursorDiskKV (key, value) VALUES (?, ?)`, key, value)
}

func (p *changingStore) remove(key, value string) {
	p.removed[key] = []byte(value)
	p.exec(`DELETE FROM cursorDiskKV WHERE key = ?`, key)
}

// head is the n-th conversation that has a usable document.
func (p *changingStore) head(n int) (id string, head doc, ok bool) {
	key, value, ok := p.pick("composerData:", n)
	if !ok || json.Unmarshal([]byte(value), &head) != nil {
		return "", nil, false
	}
	return strings.TrimPrefix(key, "composerData:"), head, true
}

func (p *changingStore) putHead(id string, head doc) bool {
	p.put("composerData:"+id, head)
	return true
}

// at is a time of a conversation or message: some are minutes, some hours apart.
func (p *changingStore) at(n int) int64 { return 1760000000000 + int64(n%97)*11*60_000 }

func (p *changingStore) newConversation(n int) bool {
	id := fmt.Sprintf("c%03d", p.next())
	head := doc{"_v": 13, "name": p.token(), "createdAt": p.at(n), "status": "completed", "unifiedMode": "agent",
		"fullConversationHeadersOnly": []any{}}
	if n%3 > 0 {
		head["workspaceIdentifier"] = doc{"id": pastWorkspaces[n%len(pastWorkspaces)]}
	}
	if n%5 == 0 {
		head["isDraft"], head["text"] = true, p.token()
	}
	return p.putHead(id, head)
}

func headersOf(head doc) []any { list, _ := head["fullConversationHeadersOnly"].([]any); return list }

func (p *changingStore) append(n int) bool {
	id, head, ok := p.head(n)
	if !ok {
		return false
	}
	p.appendTo(id, head, n)
	return true
}

func (p *changingStore) appendTo(id string, head doc, n int) {
	bubble := fmt.Sprintf("b%03d", p.next())
	b := doc{"_v": 2, "type": 1 + n%2, "bubbleId": bubble, "text": p.token()}
	if n%4 > 0 {
		b["createdAt"] = p.at(n + 3)
	}
	switch n % 5 {
	case 1:
		b["toolFormerData"] = doc{"tool": 15, "name": "run_terminal_command_v2", "status": "completed",
			"params": `{"command":"` + p.token() + `"}`}
	case 2:
		b["context"] = doc{"fileSelections": []any{doc{"relativeWorkspacePath": p.token()},
			doc{"relativeWorkspacePath": "x.go"}}}
	case 3:
		b["tokenCount"] = doc{"inputTokens": n, "outputTokens": n + 1}
	}
	p.put("bubbleId:"+id+":"+bubble, b)
	head["fullConversationHeadersOnly"] = append(headersOf(head), doc{"bubbleId": bubble, "type": 1 + n%2})
	p.putHead(id, head)
}

// addRow adds a row of one of the other families to a conversation.
func (p *changingStore) addRow(n, m int) bool {
	id, head, ok := p.head(n)
	if !ok {
		return false
	}
	part := fmt.Sprintf("x%03d", p.next())
	hunk := doc{
		"newModelDiffWrtV0": []any{doc{"original": doc{"startLineNumber": 1,
			"endLineNumberExclusive": 100000 + p.next()}, "modified": []any{"a"}}},
	}
	switch m % 5 {
	case 0:
		p.put("checkpointId:"+id+":"+part, doc{"files": []any{doc{"uri": doc{"path": p.token()}}}})
	case 1:
		bubble, _, ok := p.pick("bubbleId:"+id+":", n)
		if ok {
			part = strings.TrimPrefix(bubble, "bubbleId:"+id+":")
		}
		p.put("messageRequestContext:"+id+":"+part, doc{"bubbleId": part, "gitDiffs": []any{doc{"path": p.token()}}})
	case 2:
		p.put("codeBlockDiff:"+id+":"+part, hunk)
	case 3:
		p.put("codeBlockDiff:"+part, hunk)
		head["codeBlockData"] = doc{"file:///src/x.go": doc{"e" +
			part: doc{"codeblockId": "e" + part, "status": "accepted", "diffId": part, "languageId": p.token()}}}
		p.putHead(id, head)
	case 4:
		p.put("codeBlockPartialInlineDiffFates:"+id+":"+part,
			doc{"fates": []any{doc{"fate": "accepted", "addedLines": []any{"a"}}}})
	}
	return true
}

var equalLength = regexp.MustCompile(`z\d{6}|Exclusive":1\d{5}|"accepted"|"rejected"`)

// other is a value of equal length that means something else.
func (p *changingStore) other(value string) (string, bool) {
	at := equalLength.FindStringIndex(value)
	if at == nil {
		return "", false
	}
	var with string
	switch was := value[at[0]:at[1]]; was[0] {
	case 'z':
		with = p.token()
	case 'E':
		with = fmt.Sprintf(`Exclusive":%d`, 100000+p.next())
	default:
		with = map[string]string{`"accepted"`: `"rejected"`, `"rejected"`: `"accepted"`}[was]
	}
	return value[:at[0]] + with + value[at[1]:], true
}

// rowFamilies begin the keys of a small store.
var rowFamilies = []string{"bubbleId:", "composerData:", "checkpointId:", "messageRequestContext:", "codeBlockDiff:",
	"codeBlockPartialInlineDiffFates:"}

// change is the n-th row of some family with another value.
func (p *changingStore) change(n, m int) (key, old, value string, ok bool) {
	if key, old, ok = p.pick(rowFamilies[m%len(rowFamilies)], n); ok {
		value, ok = p.other(old)
	}
	return key, old, value, ok
}

// folder writes a workspace.json.
func (p *changingStore) folder(ws string, n int) {
	text := fmt.Sprintf(`{"folder":"file:///src/p%d"}`, n%5)
	must(p.t, os.WriteFile(filepath.Join(p.user, "workspaceStorage", ws, "workspace.json"), []byte(text), 0o600))
}

// items writes what a workspace's store names.
func (p *changingStore) items(ws, key string, value any) {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(p.user, "workspaceStorage", ws, "state.vscdb"))
	must(p.t, err)
	defer func() { must(p.t, db.Close()) }()
	text, err := json.Marshal(value)
	must(p.t, err)
	_, err = db.Exec(`REPLACE INTO ItemTable (key, value) VALUES (?, ?)`, key, string(text))
	must(p.t, err)
}

// name puts a conversation into the list (or the panes) of one workspace and out of those of the others; an empty
// workspace: out of all.
func (p *changingStore) name(lists map[string][]string, id, ws string) {
	for _, other := range pastWorkspaces {
		had := lists[other]
		now := slices.DeleteFunc(slices.Clone(had), func(s string) bool { return s == id })
		if other == ws {
			now = append(now, id)
		}
		if slices.Equal(had, now) {
			continue
		}
		lists[other] = now
		panes, all := doc{}, []any{}
		for _, c := range p.panes[other] {
			panes["workbench.panel.aichat.view."+c] = doc{}
		}
		for _, c := range p.lists[other] {
			all = append(all, doc{"composerId": c, "subtitle": "listed in " + other})
		}
		p.items(other, "composer.composerData", doc{"allComposers": all})
		p.items(other, "workbench.panel.composerChatViewPane.1", panes)
	}
}

// tableRow changes a conversation's row of composerHeaders, made if it is not there.
func (p *changingStore) tableRow(id, column string, value any) bool {
	p.exec(`INSERT OR IGNORE INTO composerHeaders (composerId) VALUES (?)`, id)
	p.exec(`UPDATE composerHeaders SET `+column+` = ? WHERE composerId = ?`, value, id)
	return true
}

// ids are all conversations that rows name.
func (p *changingStore) ids() []string {
	set := map[string]bool{}
	for key := range p.all() {
		if _, rest, _ := strings.Cut(key, ":"); strings.HasPrefix(rest, "c") {
			id, _, _ := strings.Cut(rest, ":")
			set[id] = true
		}
	}
	return slices.Sorted(maps.Keys(set))
}

func (p *changingStore) rowsOf(id string) map[string]fact {
	all := p.all()
	maps.DeleteFunc(all, func(key string, _ fact) bool { return conversationOf(key) != id })
	return all
}

// conversationOf is the conversation in a key, "" for none.
func conversationOf(key string) string {
	family, rest, _ := strings.Cut(key, ":")
	id, _, two := strings.Cut(rest, ":")
	if !two && family != "composerData" {
		return ""
	}
	return id
}
