package main

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"pipeline/extract"
	"pipeline/testdata/gen/graphtest"
	"pipeline/testdata/gen/storetest"
)

// A store of Cursor 3.x at scale 1: each conversation is a graph of blobs with bubbles beside it, and each turn has
// left one blob that nothing names any more.
const (
	agentConversations = 200
	agentTurns         = 100
	staleBytes         = 20_000
)

// measureAgentGraphs measures first and further loads of a store in which nearly everything is a blob of the agent's
// graph.
func (b *bench) measureAgentGraphs(ctx context.Context) (err error) {
	dir := filepath.Join(b.dir, fmt.Sprintf("agents-%g-%d", b.scale, b.seed), "User")
	p := point{store: store{scale: b.scale, dir: dir, file: globalStore(dir)}, runs: kinds{},
		changed: map[string]result{}, change: "change-agents",
		nights: []night{nights[0], {"next load, 1 % of the conversations go on", "", 0.01}}}
	defer func() {
		err = errors.Join(err, os.RemoveAll(filepath.Dir(dir)), os.RemoveAll(filepath.Join(b.dir, "run")))
	}() // the runs change it
	b.progress("generating a store of %.0f conversations", agentConversations*b.scale)
	made, err := b.task(ctx, false, "agents", "-dir", dir, "-messages",
		strconv.Itoa(max(1, int(agentConversations*b.scale))), "-seed", strconv.FormatUint(b.seed, 10))
	if err != nil {
		return fmt.Errorf("generate the store: %w", err)
	}
	info, err := os.Stat(p.store.file)
	if err != nil {
		return err
	}
	p.store.bytes = info.Size()
	t := sheet{title: "A store of agents", header: []string{"rows", "count", "MB"}}
	t.note = fmt.Sprintf("Generated with seed %d: %d conversations of %d turns, %s MB in the file of the global "+
		"store. A run reads no stale blob.", b.seed, made.Counts["conversations"], agentTurns, megabytes(p.store.bytes))
	for _, name := range []string{"bubbles", "blobs of the graph", "stale blobs"} {
		t.add(name, count(made.Families[name].Rows), megabytes(made.Families[name].Bytes))
	}
	b.report.add(t)
	if err := b.growFirst(ctx, &p, b.hasMemory(ctx)); err != nil {
		return err
	}
	if err := b.growNext(ctx, &p); err != nil {
		return err
	}
	b.report.add(growthTable([]point{p}, b.runs))
	return nil
}

// agentPrefix is what the ids of conversations with a graph begin with.
const agentPrefix = "a9e00000-0000-4000-8000-"

// agentID is the id of a conversation.
func agentID(n int) string { return fmt.Sprintf("%s%012d", agentPrefix, n) }

// textOf makes a text of a length.
type textOf func(r *rand.Rand, length int) string

// agentChat is a conversation with its first turns. A turn has a prompt, a thought, a read file, a command, an edit and
// an answer, each as large as in a store that people have.
func agentChat(seed uint64, n, turns int, prose textOf) graphtest.Chat {
	r := rand.New(rand.NewPCG(seed, uint64(n)))
	const day, began = 86_400_000, 1_772_000_000_000
	chat := graphtest.Chat{Mode: 1, Workspaces: []string{"/home/ann/project" + strconv.Itoa(n%9)},
		StartedAt: began + int64(n)*day/2, TimeZone: "Europe/Berlin"}
	for i := range turns {
		at := chat.StartedAt + int64(i)*600_000
		call := func(k int, tool graphtest.Tool, name, args, result string) graphtest.Step {
			return graphtest.Step{Kind: "tool", From: at + int64(k)*1000, To: at + int64(k)*1000 + 800,
				Call: &graphtest.Call{ID: fmt.Sprintf("toolu_%d_%d_%d", n, i, k), Name: name, IDIn: "call", Tool: tool,
					Args: args, Result: encoded(result)}}
		}
		path := fmt.Sprintf("/home/ann/project%d/file%d.go", n%9, r.IntN(50))
		content, output := prose(r, 15_000+r.IntN(20_000)), prose(r, 4_000+r.IntN(16_000))
		chat.Turns = append(chat.Turns, graphtest.Turn{Request: fmt.Sprintf("request-%d-%d", n, i),
			Model: "composer-2.5", User: graphtest.User{ID: fmt.Sprintf("prompt-%d-%d", n, i), Text: prose(r, 300),
				At: at},
			Steps: []graphtest.Step{{Kind: "thinking", Text: prose(r, 800), From: at + 100, To: at + 900,
				Duration: 800},
				call(1, graphtest.ReadTool(path, content), "Read", `{"path":"`+path+`"}`, content),
				call(2, graphtest.ShellTool("", "make test", output, "", 0), "Shell", `{"command":"make test"}`,
					output),
				call(3, graphtest.EditTool(path, 4, 2), "StrReplace", `{"path":"`+path+`"}`, "done"),
				{Kind: "assistant", Text: prose(r, 900), From: at + 5000, To: at + 6000}}})
	}
	return chat
}

// prose is text of a length, with line ends, as easily compressed as code.
func prose(r *rand.Rand, length int) string {
	words := [...]string{"return", "err", "context", "the", "value", "of", "store", "func", "if", "nil", "rows", "and",
		"is", "not", "conversation", "message"}
	var b strings.Builder
	for b.Len() < length {
		b.WriteString(words[r.IntN(len(words))])
		b.WriteString(strconv.Itoa(r.IntN(300)))
		b.WriteByte(" \n"[r.IntN(12)/11])
	}
	return b.String()
}

// agentRows are the rows of a conversation: its document, a bubble a message with what the graph has in full left out,
// and the blobs.
func agentRows(seed uint64, n, turns int, prose textOf) (rows []storetest.Row) {
	chat, id := agentChat(seed, n, turns, prose), agentID(n)
	g := chat.Build()
	var headers []map[string]any
	bubble := func(key string, body map[string]any) {
		body["bubbleId"], body["_v"] = key, 3
		headers = append(headers, map[string]any{"bubbleId": key, "type": body["type"]})
		rows = append(rows, storetest.Row{Key: extract.FamilyBubble + ":" + id + ":" + key, Value: encoded(body)})
	}
	for i, t := range chat.Turns {
		bubble(t.User.ID, map[string]any{"type": 1, "text": t.User.Text, "requestId": t.Request,
			"richText": prose(rand.New(rand.NewPCG(1, uint64(i))), 600)})
		for k, s := range t.Steps {
			body := map[string]any{"type": 2, "requestId": t.Request}
			switch {
			case s.Call != nil:
				body["toolFormerData"] = map[string]any{"name": s.Call.Tool.Name, "toolCallId": s.Call.ID,
					"status": "completed", "rawArgs": s.Call.Args}
			case s.Kind == "thinking":
				body["thinking"] = map[string]any{"text": s.Text}
			default:
				body["text"] = s.Text
			}
			bubble(fmt.Sprintf("%s-%d", t.User.ID, k), body)
		}
	}
	rows = append(rows, storetest.Row{Key: extract.FamilyComposer + ":" + id,
		Value: encoded(map[string]any{"_v": 18, "composerId": id, "name": "Agent " + strconv.Itoa(n),
			"createdAt": chat.StartedAt, "fullConversationHeadersOnly": headers,
			"conversationState": "~" + base64.StdEncoding.EncodeToString(g.Root)})})
	blobs := len(rows)
	for name, blob := range g.Blobs {
		rows = append(rows, storetest.Row{Key: extract.FamilyNode + ":" + hex.EncodeToString(name[:]), Value: blob})
	}
	// They lie in an order of the seed's: in that of their names, a scan by key would be faster than in a store that
	// people have.
	slices.SortFunc(rows[blobs:], func(a, b storetest.Row) int {
		return strings.Compare(a.Key.(string), b.Key.(string))
	})
	rand.New(rand.NewPCG(seed, uint64(n))).Shuffle(len(rows)-blobs,
		func(i, j int) { rows[blobs+i], rows[blobs+j] = rows[blobs+j], rows[blobs+i] })
	return rows
}

func encoded(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // texts and numbers only
	}
	return string(b)
}

// agents is the task that writes a store of agents.
func agents(ctx context.Context, o taskOptions) (r result, err error) {
	if err := storetest.WriteStore(globalStore(o.dir), nil, storetest.StoreOptions{}); err != nil &&
		!errors.Is(err, fs.ErrExist) {
		return r, err
	}
	r.Families = map[string]family{}
	add := func(name string, size int) {
		f := r.Families[name]
		r.Families[name] = family{f.Rows + 1, f.Bytes + int64(size)}
	}
	for n := range o.messages {
		rows := agentRows(o.seed, n, agentTurns, prose)
		for _, row := range rows {
			switch value := row.Value.(type) {
			case []byte:
				add("blobs of the graph", len(value))
			case string:
				if strings.HasPrefix(row.Key.(string), extract.FamilyBubble) {
					add("bubbles", len(value))
				}
			}
		}
		noise := rand.New(rand.NewPCG(o.seed, uint64(n)<<32))
		for i := range agentTurns {
			rows = append(rows, storetest.Row{Key: fmt.Sprintf("%s:%064x", extract.FamilyNode, n*agentTurns+i),
				Value: []byte(prose(noise, staleBytes))})
			add("stale blobs", staleBytes)
		}
		if _, err := putRows(ctx, o.dir, rows); err != nil {
			return r, err
		}
	}
	r.Counts = map[string]int64{"conversations": int64(o.messages)}
	return r, nil
}

// changeAgents is the task that has a share of the conversations go on by a turn. Rows are those that were written.
func changeAgents(ctx context.Context, o taskOptions) (r result, err error) {
	all, before, err := countAgents(ctx, o.dir)
	if err != nil {
		return r, err
	}
	changed := int64(float64(all) * o.share)
	if o.share > 0 {
		changed = max(1, changed)
	}
	for n := range changed {
		written, err := putRows(ctx, o.dir, agentRows(o.seed, int(n), agentTurns+o.mark, prose))
		if err != nil {
			return r, err
		}
		r.Rows += written
	}
	_, after, err := countAgents(ctx, o.dir)
	r.Counts = map[string]int64{"changed": changed, "conversations": all, "messages": after - before}
	return r, err
}

// countAgents counts the conversations of a store and their bubbles.
func countAgents(ctx context.Context, dir string) (conversations, bubbles int64, err error) {
	db, err := openSQLite(globalStore(dir), true)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	err = db.QueryRowContext(ctx,
		`SELECT (SELECT count(*) FROM cursorDiskKV WHERE key >= 'composerData:' AND key < 'composerData;'),
		(SELECT count(*) FROM cursorDiskKV WHERE key >= 'bubbleId:' AND key < 'bubbleId;')`).
		Scan(&conversations, &bubbles)
	return conversations, bubbles, err
}

// putRows writes rows, those that differ from what is there.
func putRows(ctx context.Context, dir string, rows []storetest.Row) (written int64, err error) {
	db, err := openSQLite(globalStore(dir), false)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer func() { _ = tx.Rollback() }() // after Commit it does nothing
	put, err := tx.PrepareContext(ctx,
		`INSERT OR REPLACE INTO cursorDiskKV (key, value) SELECT $1, $2 WHERE NOT EXISTS (SELECT 1 FROM cursorDiskKV WHERE key = $1 AND value = $2)`)
	if err != nil {
		return 0, err
	}
	for _, row := range rows {
		done, err := put.ExecContext(ctx, row.Key, row.Value)
		if err != nil {
			return 0, err
		}
		n, err := done.RowsAffected()
		if err != nil {
			return 0, err
		}
		written += n
	}
	return written, tx.Commit()
}
