package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"pipeline/extract"
	"pipeline/testdata/gen/storetest"
)

// A store like those that people have, where the other one is smooth: of nine chats one is long and its list of headers
// was trimmed, three have a graph beside their bubbles and have lost 3 of 10 bubbles, five are plain. 60 of 100 values
// are BLOBs, texts repeat little, code is given with each prompt, checkpoints are of up to 80 kB. Some bubbles have no
// chat, some rows cannot be used.
const (
	realChats        = 9    // a group of chats
	longChatMessages = 1500 // messages of the long one
	// messages at the beginning of the long chat that its list of headers has lost: Cursor keeps at most the last 1,000
	// headers, and the first of them is a prompt's
	headersLost       = 504
	plainChatMessages = 400
	realTurns         = 60 // of a chat with a graph, each of 6 messages
	realTurn          = 18 // messages of a turn of the other chats, with the prompt
	realOrphans       = 12 // bubbles without a chat, in each group
	realBroken        = 14 // rows that cannot be used, in each group

	realMessages = longChatMessages + 3*6*realTurns + 5*plainChatMessages // of a group
)

// real is the task that writes such a store. Counts has what a load must find in it.
func real(ctx context.Context, o taskOptions) (r result, err error) {
	if err := storetest.WriteStore(globalStore(o.dir), nil, storetest.StoreOptions{}); err != nil &&
		!errors.Is(err, fs.ErrExist) {
		return r, err
	}
	groups, lost := max(1, (o.messages+realMessages/2)/realMessages), int64(0)
	for n := range groups * realChats {
		w := &realWriter{r: rand.New(rand.NewPCG(o.seed, uint64(n))), n: n}
		switch {
		case n%realChats == 0:
			id := w.chat(longChatMessages, headersLost)
			w.orphans()
			w.broken(id)
		case n%realChats < 4:
			lost += w.graph(o.seed)
		default:
			w.chat(plainChatMessages, 0)
		}
		if _, err := putRows(ctx, o.dir, w.rows); err != nil {
			return r, err
		}
	}
	g := int64(groups)
	r.Counts = map[string]int64{"conversations": g * realChats, "messages": g * realMessages,
		"orphans": g * realOrphans, "quarantined": g * realBroken, "unlisted": g * headersLost, "graph_only": lost}
	return r, nil
}

// realWriter makes the rows of one chat.
type realWriter struct {
	r    *rand.Rand
	n    int // number of the chat
	rows []storetest.Row
}

// put adds a row. With the blobs of the graphs, 60 of 100 values are BLOBs.
func (w *realWriter) put(family, key, value string) {
	row := storetest.Row{Key: family + ":" + key, Value: value}
	if w.r.IntN(100) < 40 {
		row.Value = []byte(value)
	}
	w.rows = append(w.rows, row)
}

func (w *realWriter) uuid() string {
	return fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x", w.r.Uint32(), w.r.IntN(1<<16), w.r.IntN(1<<12), w.r.IntN(1<<12),
		w.r.Int64N(1<<48))
}

// size is a size of a long tail: half of all are larger than the median, few are near the largest.
func (w *realWriter) size(median, largest float64) int {
	return int(min(largest, median*math.Exp(1.3*w.r.NormFloat64())))
}

// chat writes a chat of so many messages, of which the first ones are not in its list.
func (w *realWriter) chat(messages, trimmed int) (id string) {
	id = w.uuid()
	began := time.UnixMilli(1_772_000_000_000).Add(time.Duration(w.n) * 12 * time.Hour).UTC()
	var headers []map[string]any
	for i := range messages {
		key, at := w.uuid(), began.Add(time.Duration(i)*20*time.Second)
		body := map[string]any{"_v": 3, "bubbleId": key, "type": 2, "createdAt": at.Format("2006-01-02T15:04:05.000Z")}
		switch {
		case i%realTurn == 0:
			w.prompt(id, key, body)
		case w.r.IntN(100) < 41:
			w.call(body)
		case w.r.IntN(100) < 48:
			body["text"], body["thinking"] = "", map[string]any{"text": words(w.r, w.size(400, 8_000))}
		default:
			body["text"] = words(w.r, w.size(500, 12_000))
		}
		if w.r.IntN(3) == 0 {
			checkpoint := w.uuid()
			body["checkpointId"] = checkpoint
			w.put(extract.FamilyCheckpoint, id+":"+checkpoint,
				encoded(map[string]any{"nonExistentFiles": []any{}, "newlyCreatedFolders": []any{},
					"activeInlineDiffs": []any{}, "files": []any{map[string]any{
						"uri": map[string]any{"scheme": "file", "path": "/w/" + word(w.r) + ".go"},
						"originalModelDiffWrtV0": []any{map[string]any{
							"original": map[string]any{"startLineNumber": 1, "endLineNumberExclusive": 2},
							"modified": strings.SplitAfter(code(w.r, w.size(900, 66_000)), "\n")}},
					}}}))
		}
		if i >= trimmed {
			headers = append(headers, map[string]any{"bubbleId": key, "type": body["type"]})
		}
		w.put(extract.FamilyBubble, id+":"+key, encoded(body))
	}
	w.put(extract.FamilyComposer, id,
		encoded(map[string]any{"_v": 13, "composerId": id, "name": words(w.r, 30), "createdAt": began.UnixMilli(),
			"unifiedMode": "agent", "status": "completed",
			"lastUpdatedAt":               began.Add(time.Duration(messages) * 20 * time.Second).UnixMilli(),
			"fullConversationHeadersOnly": headers}))
	return id
}

// prompt makes a message a prompt, with code beside it.
func (w *realWriter) prompt(id, key string, body map[string]any) {
	given := func() map[string]any {
		return map[string]any{"relativeWorkspacePath": fmt.Sprintf("src/%s.go", word(w.r)),
			"startLineNumber": w.r.IntN(900), "lines": strings.SplitAfter(code(w.r, 2_000), "\n")}
	}
	body["type"], body["text"], body["requestId"] = 1, words(w.r, w.size(300, 6_000)), w.uuid()
	body["attachedCodeChunks"] = []any{given(), given()}
	body["context"] = map[string]any{"selections": []any{
		map[string]any{"uri": map[string]any{"scheme": "file", "path": "/w/" + word(w.r) + ".go"},
			"text": code(w.r, 2_000), "range": map[string]any{"selectionStartLineNumber": 3, "positionLineNumber": 60}},
	}}
	w.put(extract.FamilyContext, id+":"+key,
		encoded(map[string]any{"attachedFoldersListDirResults": []any{},
			"cursorRules": []any{map[string]any{"filename": ".cursor/rules/a.mdc"}},
			"terminalFiles": []any{map[string]any{"relativePath": "t/1.txt",
				"content": code(w.r, w.size(3_000, 40_000))}}}))
}

// call makes a message a call of a tool.
func (w *realWriter) call(body map[string]any) {
	path := fmt.Sprintf("src/%s/%s.go", word(w.r), word(w.r))
	call := map[string]any{"toolCallId": "toolu_" + strings.ReplaceAll(w.uuid(), "-", ""), "status": "completed",
		"toolIndex": 0}
	switch w.r.IntN(3) {
	case 0:
		call["name"], call["tool"], call["params"] = "read_file_v2", 40, encoded(map[string]any{"targetFile": path})
		call["result"] = encoded(map[string]any{"contents": code(w.r, w.size(2_500, 60_000))})
	case 1:
		call["name"], call["tool"], call["params"] = "run_terminal_command_v2", 15,
			encoded(map[string]any{"command": "go test ./" + word(w.r) + " -run " + word(w.r)})
		call["result"] = encoded(map[string]any{"output": code(w.r, w.size(800, 60_000)), "exitCode": w.r.IntN(10) / 9})
	default:
		call["name"], call["tool"], call["params"] = "edit_file_v2", 38,
			encoded(map[string]any{"relativeWorkspacePath": path, "streamingContent": code(w.r, w.size(900, 30_000))})
		call["result"] = encoded(map[string]any{"afterContentId": "composer.content." +
			fmt.Sprintf("%016x", w.r.Uint64())})
	}
	body["text"], body["toolFormerData"] = "", call
}

// graph writes a chat with a graph, of which 3 of 10 bubbles are lost: the graph alone has their messages.
func (w *realWriter) graph(seed uint64) (lost int64) {
	for _, row := range agentRows(seed, w.n, realTurns, words) {
		key := row.Key.(string)
		if strings.HasPrefix(key, extract.FamilyBubble+":") && w.r.IntN(10) < 3 {
			lost++
			continue
		}
		if value, ok := row.Value.(string); ok {
			family, id, _ := strings.Cut(key, ":")
			w.put(family, id, value)
			continue
		}
		w.rows = append(w.rows, row)
	}
	return lost
}

// orphans writes bubbles of a chat that is gone.
func (w *realWriter) orphans() {
	id := w.uuid()
	for range realOrphans {
		key := w.uuid()
		w.put(extract.FamilyBubble, id+":"+key,
			encoded(map[string]any{"_v": 3, "bubbleId": key, "type": 1 + w.r.IntN(2), "text": words(w.r, 200)}))
	}
}

// broken writes rows that cannot be used: cut JSON, an array, words. Half are of a chat, half of one that is gone.
func (w *realWriter) broken(id string) {
	for i := range realBroken {
		if i == realBroken/2 {
			id = w.uuid()
		}
		value := [...]string{`{"_v":3,"type":2,"text":"` + words(w.r, 300), `[{"type":2}]`, words(w.r, 40)}[i%3]
		w.put(extract.FamilyBubble, id+":"+w.uuid(), value)
	}
}

// A vocabulary is made once, of syllables. Words come as in a language: the k-th word about 1/k as often as the first.
var vocabulary = func() (all []string) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 4_000 {
		var b strings.Builder
		for range 1 + r.IntN(3) {
			b.WriteByte("bcdfghjklmnprstvwz"[r.IntN(18)])
			b.WriteByte("aeiou"[r.IntN(5)])
			if r.IntN(3) == 0 {
				b.WriteByte("nrslt"[r.IntN(5)])
			}
		}
		all = append(all, b.String())
	}
	return all
}()

func word(r *rand.Rand) string {
	return vocabulary[int(math.Pow(float64(len(vocabulary)), r.Float64()))-1]
}

// words is prose of a length.
func words(r *rand.Rand, length int) string {
	var b strings.Builder
	for b.Len() < length {
		b.WriteString(word(r))
		b.WriteString([...]string{" ", " ", " ", " ", " ", ", ", ". ", "\n"}[r.IntN(8)])
	}
	return b.String()
}

// code is lines of code of a length.
func code(r *rand.Rand, length int) string {
	var b bytes.Buffer
	for b.Len() < length {
		b.WriteString(strings.Repeat("\t", r.IntN(4)))
		switch r.IntN(4) {
		case 0:
			fmt.Fprintf(&b, "if err := %s.%s(%s); err != nil {\n", word(r), word(r), word(r))
		case 1:
			fmt.Fprintf(&b, "%s := %s[%d] + %s\n", word(r), word(r), r.IntN(5000), word(r))
		case 2:
			fmt.Fprintf(&b, "// %s\n", strings.TrimSpace(words(r, 40)))
		default:
			fmt.Fprintf(&b, "return %s(%q, 0x%s)\n", word(r), word(r)+" "+word(r),
				strconv.FormatUint(r.Uint64()>>uint(24+r.IntN(40)), 16))
		}
	}
	return b.String()
}
