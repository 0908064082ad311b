package transform

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"pipeline/extract"
	"pipeline/sql/schema"
	"pipeline/transform/jsondoc"
)

// sharedOf reads shared rows that hold one ItemTable value of a workspace and one row of the header table.
func sharedOf(item, header string) *Shared {
	raw := &extract.Shared{Workspaces: []extract.Workspace{{ID: "w", JSON: []byte(`{"folder":"file:///src/a"}`)}}}
	if item != "" {
		raw.Items = append(raw.Items, &extract.Document{Store: "workspace/w", Table: "ItemTable",
			Family: "composer.composerData", Key: "composer.composerData", Type: "text", Value: []byte(item)})
	}
	if header != "" {
		raw.Headers = append(raw.Headers, &extract.Document{Store: extract.GlobalStore, Table: "composerHeaders",
			Family: extract.FamilyHeader, Key: "c", Type: "text", Value: []byte(header)})
	}
	return ReadShared("s", raw, nil)
}

// FuzzNormalize gives any bytes as every kind of row: nothing panics, nothing is lost, what comes out is as the data
// dictionary has it.
func FuzzNormalize(f *testing.F) {
	bubbles := []string{eraSeeds[7], eraSeeds[8], eraSeeds[9], `{"type":1,"text":"hi","requestId":"r"}`,
		`{"bubbleId":"b2","createdAt":1700000000}`}
	for i, head := range eraSeeds {
		f.Add([]byte(head), []byte(bubbles[i%5]), []byte(bubbles[(i+1)%5]), []byte(eraSeeds[9]),
			[]byte(`{"files":[1]}`), []byte(eraSeeds[11]), []byte(eraSeeds[10]), []byte(``))
		f.Add([]byte(eraSeeds[2]), []byte(head), []byte(head), []byte(head), []byte(head), []byte(head), []byte(head),
			[]byte(head))
		f.Add([]byte(``), []byte(bubbles[i%5]), []byte(head), []byte(`{}`), []byte(`{}`), []byte(`{}`), []byte(`{}`),
			[]byte(`{"allComposers":[{"composerId":"c","conversation":[`+head+`,{"bubbleId":"b"},{"bubbleId":"b"}]}]}`))
	}
	f.Add([]byte(
		`{"conversationMap":{"b":{"text":"x"},"\u0000":{}},"conversation":[{"id":"b"},{"id":"b"},{"id":"b~2"}]}`),
		[]byte(`{}`), []byte(`{}`), []byte(`{}`), []byte(`{}`), []byte(`{}`), []byte(`{}`), []byte(`{}`))
	f.Fuzz(func(t *testing.T, head, b1, b2, context, checkpoint, diff, fate, item []byte) {
		conv := conversationOf("c", string(head), bubble("b", string(b1)), bubble("b2", string(b2)),
			part{extract.FamilyContext + "/r", string(context)},
			part{extract.FamilyCheckpoint + "/k", string(checkpoint)}, part{extract.FamilyDiff + "/d", string(diff)},
			part{extract.FamilyFate + "/e", string(fate)})
		shared := sharedOf(string(item), "")
		rows := collect(t, &Normalizer{SourceID: "s", Shared: shared}, conv)
		checkAccounted(t, conv, shared, rows)
		checkRows(t, rows)
		compareRuns(t, shared, conv, rows)
		checkClean(t, reflect.ValueOf(*rows))
		for _, q := range shared.Quarantine {
			checkClean(t, reflect.ValueOf(q))
		}
	})
}

// checkAccounted: every row that went in is a row that came out, or is in quarantine with its reason.
func checkAccounted(t *testing.T, conv *extract.Conversation, shared *Shared, rows *schema.Rows) {
	t.Helper()
	whole := map[string]bool{} // hashes of documents
	for d := range conv.Parts {
		whole[hash128(d.Value)] = true
	}
	if conv.Head != nil {
		whole[hash128(conv.Head.Value)] = true
	}
	refused := map[string]string{}
	for _, q := range rows.Quarantine {
		if !whole[q.ValueHash] { // an element of a list
			if q.Reason != jsondoc.ErrNotObject.Error() {
				t.Errorf("an element of %s is in quarantine for %q", *q.Key, q.Reason)
			}
			continue
		}
		if refused[*q.Key] != "" {
			t.Errorf("%s is in quarantine twice", *q.Key)
		}
		refused[*q.Key] = q.Reason
	}
	ids := map[string]bool{}
	for _, m := range rows.Messages {
		ids[m.MessageID] = true
	}
	expect := func(d *extract.Document, made bool) {
		t.Helper()
		reason := ""
		if err := objectReason(d.Value); err != nil {
			reason = err.Error()
		}
		if refused[d.Key] != reason {
			t.Errorf("%s is in quarantine for %q, want %q", d.Key, refused[d.Key], reason)
		}
		delete(refused, d.Key)
		if made != (reason == "") {
			t.Errorf("%s: a row was made: %v, reason %q", d.Key, made, reason)
		}
	}
	for d := range conv.Parts {
		switch d.Family {
		case extract.FamilyBubble:
			inline := ids[d.ID] && objectReason(d.Value) != nil // the id may be met in the conversation document too
			expect(d, ids[d.ID] && !inline)
		case extract.FamilyContext:
			expect(d, objectReason(d.Value) == nil)
		case extract.FamilyCheckpoint:
			expect(d, len(rows.Checkpoints) == 1)
		case extract.FamilyDiff:
			expect(d, len(rows.CodeDiffs) == 1)
		case extract.FamilyFate:
			made := slices.ContainsFunc(rows.CodeEdits, func(e schema.CodeEdit) bool { return e.EditID == d.ID })
			expect(d, made && objectReason(d.Value) == nil)
		}
	}
	if conv.Head != nil {
		copied := len(shared.Of("c").copies) > 0
		exists := len(rows.Conversations) == 1 && deref(rows.Conversations[0].Status) != statusOrphaned
		expect(conv.Head, exists && (!copied || objectReason(conv.Head.Value) == nil) ||
			objectReason(conv.Head.Value) == nil && len(rows.Conversations) == 1)
	}
	if len(refused) > 0 {
		t.Errorf("in quarantine without cause: %v", refused)
	}
}

// reasonFor is what is wrong with a document, by encoding/json.
func reasonFor(raw []byte) error {
	switch {
	case len(raw) == 0:
		return jsondoc.ErrEmpty
	case !utf8.Valid(raw):
		return jsondoc.ErrNotUTF8
	case jsondoc.Depth(raw) > jsondoc.MaxDepth:
		return jsondoc.ErrTooDeep
	case !json.Valid(raw):
		return jsondoc.ErrBadJSON
	}
	return nil
}

// objectReason is why a document cannot be an object, by encoding/json.
func objectReason(raw []byte) error {
	if err := reasonFor(raw); err != nil {
		return err
	}
	if !strings.HasPrefix(strings.TrimLeft(string(raw), " \t\r\n"), "{") {
		return jsondoc.ErrNotObject
	}
	return nil
}

// checkRows: what the data dictionary says of the rows of any conversation.
func checkRows(t *testing.T, rows *schema.Rows) {
	t.Helper()
	if len(rows.Conversations) > 1 || len(rows.Messages) > 0 && len(rows.Conversations) == 0 {
		t.Errorf("%d messages of %d conversations", len(rows.Messages), len(rows.Conversations))
	}
	byID := map[string]schema.Message{}
	var turn int64
	for i, m := range rows.Messages {
		if _, twice := byID[m.MessageID]; twice || m.MessageID == "" {
			t.Errorf("message id %q twice, or none", m.MessageID)
		}
		byID[m.MessageID] = m
		if m.Role == "user" {
			turn++
		}
		if deref(m.Position) != int64(i) || m.Position == nil || deref(m.Turn) != turn {
			t.Errorf("message %d: position %s, turn %s, want turn %d", i, show(m.Position), show(m.Turn), turn)
		}
		if (m.CreatedAt == nil) != (m.CreatedAtSource == nil) ||
			m.CreatedAt != nil && (*m.CreatedAt < schema.Earliest || *m.CreatedAt >= schema.Latest) {
			t.Errorf("message %d: time %s from %s", i, show(m.CreatedAt), show(m.CreatedAtSource))
		}
		if i > 0 && m.IsListed && !rows.Messages[i-1].IsListed {
			t.Errorf("message %d is listed behind one that is not", i)
		}
	}
	calls := map[string]int64{}
	for _, c := range rows.ToolCalls {
		m := byID[c.MessageID]
		if m.Kind != "tool_call" || deref(m.Position) != deref(c.Position) || c.CallIndex != calls[c.MessageID] ||
			c.ToolNumber == nil && c.Name == nil {
			t.Errorf("call %+v of message %+v", c, m)
		}
		calls[c.MessageID]++
	}
	ordinals := map[string]int64{}
	for _, a := range rows.Attachments {
		id := orNull(a.MessageID)
		if _, ok := byID[id]; !ok && a.MessageID != nil || a.Ordinal != ordinals[id] {
			t.Errorf("attachment %s: ordinal %d, want %d", show(a.MessageID), a.Ordinal, ordinals[id])
		}
		ordinals[id]++
	}
	edits := map[string]bool{}
	for _, e := range rows.CodeEdits {
		if edits[e.EditID] || e.EditID == "" {
			t.Errorf("edit %q twice, or none", e.EditID)
		}
		edits[e.EditID] = true
	}
}

// compareRuns: the same rows on another run, and when the memory is short.
func compareRuns(t *testing.T, shared *Shared, conv *extract.Conversation, rows *schema.Rows) {
	t.Helper()
	for _, budget := range []int64{0, 1, 900} {
		again := collect(t, &Normalizer{SourceID: "s", Shared: shared, Budget: budget}, conv)
		if diff := cmp.Diff(rows, again); diff != "" {
			t.Errorf("budget %d: other rows:\n%s", budget, diff)
		}
	}
}

// TestBudget: a conversation that is larger than the memory for it comes in several batches, and has the same rows.
func TestBudget(t *testing.T) {
	t.Parallel()
	var parts []part
	var headers []string
	for i := range 60 {
		id := fmt.Sprintf("b%02d", i)
		text := strings.Repeat("x", 1<<20)
		if i%3 == 0 {
			text = "short"
		}
		parts = append(parts,
			bubble(id,
				fmt.Sprintf(
					`{"type":%d,"text":%q,"requestId":"r%d","checkpointId":"k%d","fileSelections":[{"uri":{"fsPath":"/%d"}}],`+
						`"toolFormerData":{"tool":38,"params":{"relativeWorkspacePath":"/f%d"},"additionalData":{"codeblockId":"e%d"}},"conversationSummary":{"summary":"s%d"}}`, 1+i%2, text, i, i%7, i, i, i, i)))
		if i%5 != 0 {
			headers = append([]string{fmt.Sprintf(`{"bubbleId":%q,"startedAtMs":%d,"completedAtMs":%d}`, id,
				1700000000000+i*1000, 1700000000000+i*1000+5)}, headers...)
		}
	}
	large := strings.Repeat("y", 1<<19)
	for i := range 7 { // the last context names no message
		parts = append(parts, part{extract.FamilyContext + fmt.Sprintf("/r%d", i*10),
			fmt.Sprintf(`{"cursorRules":[{"name":"one","text":%q},{"name":"two"}]}`, large)},
			part{extract.FamilyCheckpoint + fmt.Sprintf("/k%d", i), fmt.Sprintf(`{"files":[%q]}`, large)},
			part{extract.FamilyFate + fmt.Sprintf("/e%d", i), `{"fates":[{"fate":"accepted"}]}`})
	}
	conv := conversationOf("c", `{"createdAt":1700000000000,"fullConversationHeadersOnly":[`+strings.Join(headers, ",")+
		`]}`, parts...)
	shared := sharedOf("", "")
	want := collect(t, &Normalizer{SourceID: "s", Shared: shared, Budget: 1 << 40}, conv)
	checkRows(t, want)
	if len(want.Messages) != 60 || len(want.ToolCalls) != 60 || len(want.Attachments) != 60+14 ||
		len(want.Checkpoints) != 7 {
		t.Fatalf("%d messages, %d calls, %d attachments, %d checkpoints", len(want.Messages), len(want.ToolCalls),
			len(want.Attachments), len(want.Checkpoints))
	}
	for _, budget := range []int64{1, 10 << 20} {
		n := &Normalizer{SourceID: "s", Shared: shared, Budget: budget}
		var conversations []int // in each batch
		var position int64
		for rows, err := range n.Normalize(conv) {
			if err != nil {
				t.Fatal(err)
			}
			if conversations = append(conversations, len(rows.Conversations)); len(rows.Checkpoints) > 3 ||
				len(rows.Attachments) > 9 {
				t.Errorf("budget %d: a batch with %d checkpoints and %d attachments", budget, len(rows.Checkpoints),
					len(rows.Attachments))
			}
			for _, m := range rows.Messages {
				if *m.Position != position {
					t.Fatalf("budget %d: message %s has position %d, and comes as number %d", budget, m.MessageID,
						*m.Position, position)
				}
				position++
			}
		}
		if len(conversations) < 3 || conversations[0] != 1 || slices.Max(conversations[1:]) != 0 {
			t.Errorf("budget %d: the conversation's row in batches %v", budget, conversations)
		}
		whole := cmp.Comparer(func(a, b schema.JSON) bool { return bytes.Equal(a, b) }) // not byte by byte
		if diff := cmp.Diff(want, collect(t, n, conv), whole); diff != "" {
			t.Errorf("budget %d: other rows:\n%.2000s", budget, diff)
		}
	}
}

// One normalizer may work on many conversations at a time.
func TestConcurrent(t *testing.T) {
	t.Parallel()
	n := &Normalizer{SourceID: "s", Shared: sharedOf(`{"allComposers":[`+eraSeeds[0]+`]}`, "")}
	conv := conversationOf("c", eraSeeds[1], bubble("b", eraSeeds[7]), bubble("d", eraSeeds[8]))
	want, err := json.Marshal(collect(t, n, conv))
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan string)
	for range 8 {
		go func() {
			got, err := json.Marshal(collect(t, n, conv))
			done <- fmt.Sprint(string(got), err)
		}()
	}
	for range 8 {
		if got := <-done; got != string(want)+"<nil>" {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// eraSeeds are documents as each era wrote them.
var eraSeeds = []string{
	`{"composerId":"c","conversation":[{"type":1,"bubbleId":"b","text":"hi","timestamp":1700000000000},{"type":2,"text":"yo"}]}`,
	`{"_v":1,"composerId":"c","conversationMap":{"b":{"type":"user","text":"hi"}},"capabilities":[{"type":15,"data":{"bubbleDataMap":"{\"b\":{\"tool\":5,\"name\":\"read_file\"}}"}}]}`,
	`{"_v":3,"fullConversationHeadersOnly":[{"bubbleId":"b","type":1},{"bubbleId":"d","type":2,"startedAtMs":1700000000000,"completedAtMs":1700000001000}],"createdAt":1700000000000}`,
	`{"_v":6,"fullConversationHeadersOnly":[{"bubbleId":"b"},{"bubbleId":"b"}],"codeBlockData":{"file:///x":[{"status":"accepted"}]},"usageData":{"m":{"costInCents":4,"amount":1}}}`,
	`{"_v":10,"tabs":[{"bubbles":[{"id":"x","type":"user"},{"id":"x","type":"ai"}]}],"codeBlockData":{"file:///x":{"k":{"status":"rejected"}}}}`,
	`{"_v":"16","modelConfig":{"modelName":"default","maxMode":true},"workspaceIdentifier":{"id":"w","uri":{"external":"file:///src/a"}},"subagentComposerIds":["e"]}`,
	`{"_v":18,"richText":"{\"root\":{\"children\":[{\"type\":\"paragraph\",\"children\":[{\"text\":\"a\"}]}]}}","latestConversationSummary":{"summary":{"summary":"s"}}}`,
	`{"type":2,"bubbleId":"b","thinking":{"text":"hm","signature":"x"},"toolFormerData":{"tool":15,"name":"run_terminal_cmd","params":"{\"command\":\"ls\"}","result":"no json","status":"completed"},"createdAt":"2025-05-01T10:00:00.000Z"}`,
	`{"type":2,"toolFormerData":"{\"tool\":\"38\",\"additionalData\":{\"codeblockId\":\"e\",\"precomputedDiff\":{\"lines\":[{\"type\":\"added\"}]}}}","codeBlocks":[1],"errorDetails":{"message":"m"}}`,
	`{"fileSelections":[{"uri":{"fsPath":"/a"}}],"gitDiffs":["{\"a\":1}"],"context":{"selections":[{"range":{"startLineNumber":3}}]}}`,
	`{"fates":[{"fate":"accepted","addedLines":["a"],"removedLines":[]}]}`,
	`{"newModelDiffWrtV0":[{"original":{"startLineNumber":1,"endLineNumberExclusive":3},"modified":["x"]}]}`,
}
