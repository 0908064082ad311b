package pipelines_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pipeline/pipelines"
	"pipeline/testdata/gen/storetest"
)

// defect is one thing wrong with the base store, and what that changes in the rows and in the result.
type defect struct {
	name    string
	userDir func(t *testing.T, w *userDir) *userDir
	change  cells  // of the four content tables
	reason  string // of the one quarantine row; "" for none
	key     string // of the quarantine row
	nulls   int64
	changed counts // against the base's 3 conversations, 5 messages, 1 tool call
}

// counts are what a run says it loaded.
type counts struct{ conversations, orphans, messages, calls int64 }

var baseCounts = counts{conversations: 3, messages: 5, calls: 1}

// withoutA2 are the rows where the second message of alpha is lost: its header is still there, what follows closes up.
var withoutA2 = cells{
	"messages[alpha a2]": gone, "messages[alpha a3].position": "1", "tool_calls[alpha a3 0].position": "1",
	"conversations[alpha].message_count": "2", "conversations[alpha].assistant_message_count": "1",
	"conversations[alpha].missing_message_count": "1", "conversations[alpha].completeness": "partial",
}

// orphanedAlpha are the rows where alpha's own row cannot be used: its messages stay, with nothing known of what they
// belong to.
var orphanedAlpha = cells{
	"conversations[alpha].status": "orphaned", "conversations[alpha].title": "NULL",
	"conversations[alpha].display_title": "First question", "conversations[alpha].mode": "NULL",
	"conversations[alpha].model": "NULL", "conversations[alpha].project_uri": "NULL",
	"conversations[alpha].project": "NULL", "conversations[alpha].project_path": "NULL",
	"conversations[alpha].project_source": "NULL", "conversations[alpha].workspace_id": "NULL",
	"conversations[alpha].format_version": "NULL", "conversations[alpha].created_at": "NULL",
	"conversations[alpha].updated_at": "NULL", "conversations[alpha].session_id": "NULL",
	"conversations[alpha].last_activity_at": "2025-10-09 08:56:20Z", "conversations[alpha].header_count": "0",
}

// unlisted is one more message of alpha, at the end, that no header names.
func unlisted(id string) cells {
	c := cells{"conversations[alpha].message_count": "4", "conversations[alpha].assistant_message_count": "3",
		"conversations[alpha].unlisted_message_count": "1"}
	for column, v := range map[string]string{"conversation_id": "alpha", "message_id": id, "position": "3",
		"is_listed": "false", "is_repeat": "false", "turn": "1", "role": "assistant", "kind": "text", "text": "odd",
		"origin": "bubble", "created_at": "2025-10-09 08:56:20Z", "created_at_source": "previous"} {
		c["messages[alpha "+id+"]."+column] = v
	}
	for _, column := range []string{"thinking", "thinking_duration_ms", "turn_duration_ms", "model", "mode",
		"request_id", "usage_id", "context_session_id", "input_tokens", "output_tokens", "cache_read_tokens",
		"cache_write_tokens", "context_tokens_used", "is_agentic", "error_code", "error", "summary", "checkpoint_id",
		"extra", "deleted_at"} {
		c["messages[alpha "+id+"]."+column] = "NULL"
	}
	c["messages[alpha "+id+"].is_simulated"] = "false"
	return c
}

const oddBubble = `{"type":2,"text":"odd"}`

func set(key string, value any) func(*testing.T, *userDir) *userDir {
	return func(_ *testing.T, w *userDir) *userDir { return w.with(key, value) }
}

func replace(key, old, new string) func(*testing.T, *userDir) *userDir {
	return func(t *testing.T, w *userDir) *userDir { return w.replaced(t, key, old, new) }
}

func row(key, value any) func(*testing.T, *userDir) *userDir {
	return func(_ *testing.T, w *userDir) *userDir {
		w.extra = append(w.extra, storetest.Row{Key: key, Value: value})
		return w
	}
}

func execute(statement string) func(*testing.T, *userDir) *userDir {
	return func(_ *testing.T, w *userDir) *userDir {
		w.exec = append(w.exec, statement)
		return w
	}
}

// nested is a2 with another member that nests so deep that the whole document is n deep.
func nested(n int) string {
	return strings.Replace(bubbleA2, `"_v":2`, `"_v":2,"deep":`+strings.Repeat("[", n-1)+strings.Repeat("]", n-1), 1)
}

// lostA2 is a value of a2 that cannot be used.
func lostA2(name string, value any, reason string) defect {
	return defect{name, set(keyA2, value), withoutA2, reason, keyA2, 0, counts{messages: -1}}
}

// extraByte0 is one more row that holds Cursor's empty array, where an object is meant.
func extraByte0(key string) defect {
	return defect{"byte 0 at " + key, set(key, []byte{0}), nil, "", "", 1, counts{}}
}

// itemOfOne is a row in the ItemTable of the workspace's store.
func itemOfOne(key string, value any) func(*testing.T, *userDir) *userDir {
	return func(_ *testing.T, w *userDir) *userDir {
		return w.withFolder("ws1", folder{json: w.workspaces["ws1"].json, items: map[string]any{key: value}})
	}
}

// equal is another spelling of the same.
func equal(name string, userDir func(*testing.T, *userDir) *userDir) defect {
	return defect{name: name, userDir: userDir}
}

// textOfA2 is a2 with a text of its own, as JSON and as it must be stored.
func textOfA2(name, json, stored, kind string) defect {
	return defect{name: name, userDir: replace(keyA2, `"An answer"`, json),
		change: cells{"messages[alpha a2].text": stored, "messages[alpha a2].kind": kind}}
}

var defects = []defect{
	// Texts that a warehouse cannot hold as they are.
	textOfA2("lone high surrogate", `"An \ud83d answer"`, "An \ufffd answer", "text"),
	textOfA2("lone low surrogate", `"An \ude00 answer"`, "An \ufffd answer", "text"),
	textOfA2("surrogates in the wrong order", `"\ude00\ud83d"`, "\ufffd\ufffd", "text"),
	textOfA2("surrogate pair is whole", `"\ud83d\ude00"`, "\U0001f600", "text"),
	textOfA2("U+0000 in a text", `"An \u0000 answer"`, "An \u2400 answer", "text"),
	textOfA2("U+0000 at the end", `"An answer\u0000"`, "An answer\u2400", "text"),
	textOfA2("only white space", `" \n\t\u00a0 "`, " \n\t\u00a0 ", "empty"),
	textOfA2("white space around", `"\n  An answer \r\n"`, "\n  An answer \r\n", "text"),

	// Values that cannot be used.
	{"NULL is a deletion", set(keyA2, nil), withoutA2, "", "", 1, counts{messages: -1}},
	{"NULL composer is a deletion", set(keyAlpha, nil), orphanedAlpha, "", "", 1,
		counts{conversations: -1, orphans: 1, messages: -3, calls: -1}},
	{"byte 0 is a deletion", set(keyA2, []byte{0}), withoutA2, "", "", 1, counts{messages: -1}},
	{"byte 0 as a text is a deletion", set(keyA2, "\x00"), withoutA2, "", "", 1, counts{messages: -1}},
	{"byte 0 as a composer is a deletion", set(keyAlpha, []byte{0}), orphanedAlpha, "", "", 1,
		counts{conversations: -1, orphans: 1, messages: -3, calls: -1}},
	extraByte0("composerData:delta"), extraByte0("messageRequestContext:alpha:a1"), extraByte0("checkpointId:alpha:c1"),
	extraByte0("codeBlockDiff:alpha:d1"), extraByte0("codeBlockDiff:d2"),
	extraByte0("codeBlockPartialInlineDiffFates:alpha:e1"),
	{"byte 0 as a workspace's list", itemOfOne("composer.composerData", []byte{0}), nil, "", "", 1, counts{}},
	{"byte 0 as a pane", itemOfOne("workbench.panel.composerChatViewPane.x", []byte{0}), nil, "", "", 1, counts{}},
	{"byte 0 as a head in the header table", func(_ *testing.T, w *userDir) *userDir {
		w.headers = []map[string]any{{"composerId": "gamma", "value": []byte{0}}}
		return w
	}, nil, "", "", 0, counts{}},
	lostA2("two bytes 0", []byte{0, 0}, "bad_json"),
	lostA2("empty text", "", "empty"),
	lostA2("empty blob", []byte{}, "empty"),
	lostA2("truncated", bubbleA2[:60], "bad_json"),
	lostA2("truncated by a byte", bubbleA2[:len(bubbleA2)-1], "bad_json"),
	lostA2("bytes behind the object", bubbleA2+"}", "bad_json"),
	lostA2("two objects", bubbleA2+bubbleA2, "bad_json"),
	lostA2("trailing comma", strings.Replace(bubbleA2, `20Z"}`, `20Z",}`, 1), "bad_json"),
	lostA2("only white space as a value", "  \n", "bad_json"),
	lostA2("array", "["+bubbleA2+"]", "not_object"),
	lostA2("string", `"An answer"`, "not_object"),
	lostA2("null in JSON", `null`, "not_object"),
	lostA2("INTEGER", int64(42), "not_object"),
	lostA2("REAL", 1.5, "not_object"),
	lostA2("invalid UTF-8 in a blob", []byte(strings.Replace(bubbleA2, "An answer", "An \xe9 answer", 1)), "not_utf8"),
	lostA2("invalid UTF-8 in a text", strings.Replace(bubbleA2, "An answer", "An \xff answer", 1), "not_utf8"),
	lostA2("invalid UTF-8 and truncated", []byte(`{"text":"An `+"\xe9"), "not_utf8"),
	lostA2("10,001 deep", nested(10_001), "too_deep"),
	lostA2("100,000 deep", nested(100_000), "too_deep"),
	lostA2("100,000 deep and truncated", nested(100_000)[:150_000], "too_deep"),
	{"over 64 MiB", execute(`UPDATE cursorDiskKV SET value = zeroblob(67108865) WHERE key = '` + keyA2 + `'`),
		withoutA2, "too_large", keyA2, 0, counts{messages: -1}},
	{"invalid UTF-8 in a composer", set(keyAlpha, []byte(strings.Replace(alphaHead, `"Alpha"`, "\"Alph\xe9\"", 1))),
		orphanedAlpha, "not_utf8", keyAlpha, 0, counts{conversations: -1, orphans: 1, messages: -3, calls: -1}},
	{"array as a composer", set(keyAlpha, "["+alphaHead+"]"), orphanedAlpha, "not_object", keyAlpha, 0,
		counts{conversations: -1, orphans: 1, messages: -3, calls: -1}},
	{"extra bad composer", set("composerData:delta", `{"composerId":"delta","name":`), nil, "bad_json",
		"composerData:delta", 0, counts{}},
	{"extra empty composer", set("composerData:delta", ``), nil, "empty", "composerData:delta", 0, counts{}},
	{"extra bad checkpoint", set("checkpointId:alpha:c1", `{"files":[`), nil, "bad_json", "checkpointId:alpha:c1", 0,
		counts{}},
	{"extra bad context", set("messageRequestContext:alpha:a1", `[]`), nil, "not_object",
		"messageRequestContext:alpha:a1", 0, counts{}},
	{"bad bubble without a conversation", set("bubbleId:nobody:n1", `{`), nil, "bad_json", "bubbleId:nobody:n1", 0,
		counts{}},

	// Other spellings of the same.
	equal("10,000 deep", set(keyA2, nested(10_000))),
	equal("numeric time in the body", replace(keyA2, `"2025-10-09T08:55:20Z"`, `1760000120000`)),
	equal("numeric time as a string", replace(keyA2, `"2025-10-09T08:55:20Z"`, `"1760000120000"`)),
	equal("time in seconds", replace(keyA2, `"2025-10-09T08:55:20Z"`, `1760000120`)),
	equal("ISO time with a zone", replace(keyA2, `"2025-10-09T08:55:20Z"`, `"2025-10-09T10:55:20.000+02:00"`)),
	equal("ISO time without a zone", replace(keyA2, `"2025-10-09T08:55:20Z"`, `"2025-10-09T08:55:20"`)),
	equal("timestamp in the body", replace(keyA2, `"createdAt":"2025-10-09T08:55:20Z"`, `"timestamp":1760000120000`)),
	equal("numeric time in the header", replace(keyBeta, `"2025-10-10T08:54:20Z"`, `1760086460000`)),
	equal("timestamp in the header", replace(keyBeta, `"createdAt":"2025-10-10T08:54:20Z"`,
		`"timestamp":"1760086460000"`)),
	equal("ISO time of the conversation", replace(keyAlpha, `"createdAt":1760000000000`,
		`"createdAt":"2025-10-09T08:53:20.000Z"`)),
	equal("a time that is none", replace(keyBeta, `"bubbleId":"b1","type":1,`,
		`"bubbleId":"b1","type":1,"startedAtMs":12.5,`)),
	equal("string type in the body", replace(keyA1, `"type":1`, `"type":"1"`)),
	equal("type user", replace(keyA1, `"type":1`, `"type":"user"`)),
	equal("type HUMAN", replace(keyA1, `"type":1`, `"type":"HUMAN"`)),
	equal("type ai", replace(keyA2, `"type":2`, `"type":"ai"`)),
	equal("type assistant", replace(keyA2, `"type":2`, `"type":"assistant"`)),
	equal("string type in the header", replace(keyBeta, `"bubbleId":"b1","type":1`, `"bubbleId":"b1","type":"1"`)),
	equal("type user in the header", replace(keyBeta, `"bubbleId":"b1","type":1`, `"bubbleId":"b1","type":"user"`)),
	equal("header twice", replace(keyAlpha, `{"bubbleId":"a3","type":2}`,
		`{"bubbleId":"a3","type":2},{"bubbleId":"a1","type":1}`)),
	equal("thinking is a string", replace(keyB2, `{"text":"Let me think.","signature":"s"}`, `"Let me think."`)),
	equal("toolFormerData is a string", replace(keyA3, toolA3, quoted(toolA3))),
	equal("params are an object", replace(keyA3, `"{\"command\":\"ls\"}"`, `{"command":"ls"}`)),
	equal("result is an object", replace(keyA3, `"{\"output\":\"ok\"}"`, `{"output":"ok"}`)),
	equal("duplicate keys, the last wins", replace(keyA2, `"text":"An answer"`,
		`"text":"Not this","type":1,"text":"An answer","type":2`)),
	equal("integers over 2^63", replace(keyA2, `"_v":2`,
		`"_v":2,"tokenCount":{"inputTokens":9223372036854775808,"outputTokens":18446744073709551616},"thinkingDurationMs":9223372036854775808`)),
	equal("a number over any range", replace(keyA2, `"_v":2`,
		`"_v":2,"tokenCount":{"inputTokens":1e400,"outputTokens":-1e400},"timestamp":1e400,"thinkingDurationMs":1e400`)),
	equal("blob", set(keyA2, []byte(bubbleA2))),
	equal("hex digits", set(keyA2, fmt.Sprintf("%x", bubbleA2))),
	equal("hex digits in a blob", set(keyA2, []byte(fmt.Sprintf("%X", bubbleA2)))),
	equal("white space around the object", set(keyA2, "\n "+bubbleA2+"\n")),
	equal("unknown family", set("some.new.thing:alpha:a2", "\xff")),

	{"header without a body", replace(keyAlpha, `{"bubbleId":"a2","type":2}`,
		`{"bubbleId":"nobody","type":2},{"bubbleId":"a2","type":2}`),
		cells{"conversations[alpha].header_count": "4", "conversations[alpha].missing_message_count": "1",
			"conversations[alpha].completeness": "partial"}, "", "", 0, counts{}},
	{"toolFormerData is garbage", replace(keyA3, toolA3, `"{\"tool\":15,"`),
		cells{"tool_calls[alpha a3 0]": gone, "messages[alpha a3].kind": "empty",
			"conversations[alpha].tool_call_count": "0"}, "", "", 0, counts{calls: -1}},
	// the header's counts
	{"type is an object", replace(keyA2, `"type":2`, `"type":{"x":2}`), nil, "", "", 0, counts{}},
	{"type of the future", replace(keyA2, `"type":2`, `"type":7`),
		cells{"messages[alpha a2].role": "unknown", "conversations[alpha].assistant_message_count": "1"}, "", "", 0,
		counts{}},

	// Keys.
	{"key with NUL", set("bubbleId:alpha:o\x00dd", oddBubble), unlisted("o\u2400dd"), "", "", 0, counts{messages: 1}},
	{"key with a quote", set("bubbleId:alpha:o'd\"d", oddBubble), unlisted("o'd\"d"), "", "", 0, counts{messages: 1}},
	{"key with a semicolon", set("bubbleId:alpha:o;dd", oddBubble), unlisted("o;dd"), "", "", 0, counts{messages: 1}},
	{"key with a newline", set("bubbleId:alpha:o\ndd", oddBubble), unlisted("o\ndd"), "", "", 0, counts{messages: 1}},
	{"key with ../", set("bubbleId:alpha:../../odd", oddBubble), unlisted("../../odd"), "", "", 0, counts{messages: 1}},
	{"key with a colon", set("bubbleId:alpha:o:dd", oddBubble), unlisted("o:dd"), "", "", 0, counts{messages: 1}},
	{"key of 64 KB", set("bubbleId:alpha:"+strings.Repeat("odd", 22_000), oddBubble),
		unlisted(strings.Repeat("odd", 22_000)), "", "", 0, counts{messages: 1}},
	{"key is NULL", row(nil, oddBubble), nil, "bad_key", "NULL", 0, counts{}},
	{"key is NULL twice", func(t *testing.T, w *userDir) *userDir {
		return row(nil, oddBubble)(t, row(nil, oddBubble)(t, w))
	}, nil, "bad_key", "NULL", 0, counts{}},
	{"key is a blob", row([]byte("bubbleId:alpha:odd"), oddBubble), nil, "bad_key", "bubbleId:alpha:odd", 0, counts{}},
	{"key is no UTF-8", set("bubbleId:alpha:o\xffdd", oddBubble), nil, "bad_key", `bubbleId:alpha:o\xffdd`, 0,
		counts{}},
	{"bubble key of two parts", set("bubbleId:odd", oddBubble), nil, "bad_key", "bubbleId:odd", 0, counts{}},
	{"bubble key without an id", set("bubbleId:alpha:", oddBubble), nil, "bad_key", "bubbleId:alpha:", 0, counts{}},
	{"composer key without an id", set("composerData:", alphaHead), nil, "bad_key", "composerData:", 0, counts{}},
}

// quoted is s as a JSON string; it needs no other escapes.
func quoted(s string) string {
	return `"` + strings.ReplaceAll(strings.ReplaceAll(s, `\`, `\\`), `"`, `\"`) + `"`
}

// TestOneDefect: every row is loaded, or counted with its reason, and a bad one spoils nothing beside it. Each defect
// is a source of its own: hundred runs would take a minute.
func TestOneDefect(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	users := map[string]string{"base": baseUserDir().at(t, filepath.Join(l.dir, "base"))}
	for i, d := range defects {
		users[d.source(i)] = d.userDir(t, baseUserDir()).at(t, filepath.Join(l.dir, d.source(i)))
	}
	all := func(o *pipelines.Options) { o.Sources = sources(t, users) }
	r := l.run(nil, all)
	rows := l.dumpSources(contentTables...)
	bad := map[string][][]string{}
	for _, row := range l.ask(
		`SELECT source_id, store, coalesce(key, 'NULL'), reason, load_id, resolved_load_id FROM quarantine`) {
		bad[row[0]] = append(bad[row[0]], row[1:])
	}
	want, nulls, byReason := baseCounts, int64(0), map[string]int64{}
	for i, d := range defects {
		want = counts{want.conversations + baseCounts.conversations + d.changed.conversations,
			want.orphans + d.changed.orphans, want.messages + baseCounts.messages + d.changed.messages,
			want.calls + baseCounts.calls + d.changed.calls}
		nulls += d.nulls
		var quarantined [][]string
		if d.reason != "" {
			quarantined = [][]string{{"global", d.key, d.reason, "1", "NULL"}}
			byReason[d.reason]++
		}
		t.Run(d.name, func(t *testing.T) {
			same(t, "the rows", anySession(rows["base"]).change(d.change), anySession(rows[d.source(i)]))
			same(t, "the quarantine", quarantined, bad[d.source(i)])
		})
	}
	l.check(r, want, nulls, byReason)
	same(t, "the stores of which a row was read twice", nil,
		l.ask(`SELECT source_id, rows_seen, rows_read FROM load_stores WHERE rows_read > rows_seen`))
	t.Run("again", func(t *testing.T) {
		before := l.dump(allTables()...)
		r := l.run(nil, all)
		same(t, "what changed", pipelines.ConversationCount{Unchanged: want.conversations + want.orphans},
			r.Conversations)
		same(t, "the quarantined rows", int64(0), r.Quarantined)
		same(t, "the tables", before.drop("last_seen_at"), l.dump(allTables()...).drop("last_seen_at"))
	})
}

// TestSummaryOfDefect: the summary of a run over a store with one defect says what became of it.
func TestSummaryOfDefect(t *testing.T) {
	t.Parallel()
	for _, d := range defects {
		if !slices.Contains([]string{"NULL is a deletion", "invalid UTF-8 in a composer", "extra bad composer"},
			d.name) {
			continue
		}
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			l := newFixture(t)
			byReason := map[string]int64{}
			if d.reason != "" {
				byReason[d.reason] = 1
			}
			l.check(l.run(d.userDir(t, baseUserDir())),
				counts{baseCounts.conversations + d.changed.conversations, baseCounts.orphans + d.changed.orphans,
					baseCounts.messages + d.changed.messages, baseCounts.calls + d.changed.calls}, d.nulls, byReason)
		})
	}
}

// anySession tells only whether there is a session: ids differ between sources.
func anySession(c cells) cells {
	c = maps.Clone(c)
	for cell, v := range c {
		if strings.HasSuffix(cell, "].session_id") && v != "NULL" {
			c[cell] = "some"
		}
	}
	return c
}

func (d defect) source(i int) string { return fmt.Sprintf("d%03d", i) }

// check compares what the result of a first run says.
func (l *fixture) check(r *pipelines.Result, want counts, nulls int64, byReason map[string]int64) {
	l.t.Helper()
	same(l.t, "the warehouse in the summary", want,
		counts{r.Totals.Conversations, r.Totals.Orphaned, r.Totals.Messages, r.Totals.ToolCalls})
	loaded := l.ask(
		`SELECT (SELECT count(*) FROM messages), (SELECT count(*) FROM tool_calls), (SELECT count(*) FROM conversations)`)
	same(l.t, "what the summary says was loaded", loaded,
		[][]string{{fmt.Sprint(r.Messages), fmt.Sprint(r.ToolCalls), fmt.Sprint(r.Conversations.New)}})
	same(l.t, "the summary's NULL rows", nulls, r.NullRows)
	same(l.t, "the summary's quarantined rows by reason", byReason, r.Totals.Quarantine)
	var quarantined int64
	for _, n := range byReason {
		quarantined += n
	}
	same(l.t, "the summary's quarantined rows", quarantined, r.Quarantined)
	same(l.t, "the status", "ok", r.Status)
}

// jsonCases are values that a store has where the warehouse has a JSON column, and what is there then; "": valid is all
// that is asked.
var jsonCases = []struct{ name, stored, want string }{
	{"an object", `{"command":"ls"}`, `{"command":"ls"}`},
	{"an object with white space", `{ "command" : "<ls>" }`, `{ "command" : "<ls>" }`},
	{"no JSON", `ls -l "x"`, `"ls -l \"x\""`},
	{"cut off", `{"command":"l`, `"{\"command\":\"l"`},
	{"U+0000", `{"command":"a\u0000b"}`, `{"command":"a\u2400b"}`},
	{"U+0000 that is no escape", `{"command":"a\\u0000b"}`, `{"command":"a\\u0000b"}`},
	{"a lone surrogate", `{"command":"a\ud83d b"}`, `{"command":"a\ufffd b"}`},
	{"a lone low surrogate", `{"command":"a\udc00b"}`, `{"command":"a\ufffdb"}`},
	{"a pair", `{"command":"a\uD83D\uDE00b"}`, `{"command":"a\uD83D\uDE00b"}`},
	{"a lone surrogate before a pair", `{"command":"\ud83d\ud83d\ude00"}`, `{"command":"\ufffd\ud83d\ude00"}`},
	{"a number over any range", `{"command":1e999}`, ""},
	{"an integer over 2^64", `{"command":18446744073709551617}`, ""},
	{"10,000 deep", strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000), ""},
	{"10,001 deep", strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001), ""},
	{"100,000 deep", strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000), ""},
	{"duplicate keys", `{"command":"a","command":"b"}`, `{"command":"a","command":"b"}`},
	{"a number", `42`, `42`},
	{"null", `null`, "NULL"},
	{"nothing", ``, "NULL"},
	{"NaN", `NaN`, `"NaN"`},
	{"Infinity", `-Infinity`, `"-Infinity"`},
	{"a comment", `{"a":1 /* b */}`, `"{\"a\":1 /* b */}"`},
	{"a trailing comma", `{"a":1,}`, `"{\"a\":1,}"`},
	{"a byte order mark", "\ufeff{}", "\"\ufeff{}\""},
	{"a raw control character", "{\"a\":\"\x01\"}", `"{\"a\":\"\u0001\"}"`},
}

// Whatever a store holds, a JSON column holds valid JSON, and no value stops a run.
func jsonValues(s *story) {
	w := baseUserDir()
	for i, c := range jsonCases {
		stored, err := json.Marshal(c.stored)
		must(s.t, err)
		value := strings.ReplaceAll(string(stored), `\u003c`, "<")
		w.rows[fmt.Sprintf("bubbleId:alpha:j%02d", i)] = `{"type":2,"toolFormerData":{"tool":15,"params":` + value +
			`,"result":` + value + `},"toolResults":` + value +
			`,"codeBlocks":[` + value + `],"commits":[` + value + `,{"x":` + value + `}]}`
	}
	w.rows["checkpointId:alpha:c1"] = `{"files":[{"x":1e999,"y":"\u0000\ud83d"}],"nonExistentFiles":["\udc00"]}`
	s.run(w, first)
	for _, column := range []string{"tool_calls.params", "tool_calls.result", "messages.extra", "attachments.detail",
		"checkpoints.files"} {
		table, name, _ := strings.Cut(column, ".")
		got := s.ask(
			fmt.Sprintf(
				`SELECT count(*), count(%[2]s) > 0 FROM %[1]s WHERE %[2]s IS NOT NULL AND (NOT json_valid(%[2]s) OR CAST(%[2]s AS VARCHAR) = '')
			UNION ALL SELECT 0, count(%[2]s) > 0 FROM %[1]s`, table, name))
		same(s.t, "values of "+column+" that are no JSON, and whether there are any",
			[][]string{{"0", "false"}, {"0", "true"}}, got)
	}
	rows := s.dump("tool_calls")
	for i, c := range jsonCases {
		for _, column := range []string{"params", "result"} {
			if got := rows[fmt.Sprintf("tool_calls[alpha j%02d 0].%s", i, column)]; c.want != "" && got != c.want {
				s.t.Errorf("%s of %s: got %s, want %s", column, c.name, got, c.want)
			}
		}
	}
}
