package transcripttest

import "strings"

// A Case is a named shape of a transcript, written by hand.
type Case struct {
	Name             string
	Path             string // relative to the folder projects
	Slug, ID, Parent string // what the path says
	Text             []byte
	Want             []string // what a reader must find
}

// Cases are all shapes by name.
func Cases() (all []Case) {
	for _, c := range cases {
		made := Case{Name: c.name, Path: c.path, Text: []byte(c.text), Want: c.want}
		names := strings.Split(c.path, "/")
		made.Slug = names[0]
		made.ID, _, _ = strings.Cut(names[len(names)-1], ".")
		if made.ID == "transcript" {
			made.ID = names[2]
		}
		if len(names) == 5 {
			made.Parent = names[2]
		}
		all = append(all, made)
	}
	return all
}

// Places of the cases, one of each layout.
const (
	nested = "home-ann-w/agent-transcripts/7c1e/7c1e.jsonl"
	flat   = "home-ann-w/agent-transcripts/7c1e.jsonl"
	child  = "home-ann-w/agent-transcripts/7c1e/subagents/99aa.jsonl"
	old    = "empty-window/agent-transcripts/7c1e.txt"
	single = "home-ann-w/agent-transcripts/0f5ea4e5-5d5c-4e3b-8f0b-2b1f6a2f0c1d.json"
)

// body is a text of lines.
func body(all ...string) string { return strings.Join(all, "\n") + "\n" }

var cases = []struct {
	name, path, text string
	want             []string
}{
	{"transcript_jsonl", nested, body(
		`{"role":"user","message":{"content":[{"type":"text","text":"<timestamp>Sunday, Apr 26, 2026, 9:53 PM (UTC-4)</timestamp>\n<user_query>\nRead <b>a.go</b>\n</user_query>"}]}}`,
		`{"role":"assistant","message":{"content":[{"type":"text","text":"Reading."},{"type":"tool_use","name":"Read","input":{"path":"/w/a.go","limit":20}},{"type":"tool_use","id":"toolu_1","name":"Grep","input":{}},{"type":"text","text":"Done."}]}}`,
		`{"type":"turn_ended","status":"success"}`),
		[]string{`#1 user text="Read <b>a.go</b>" at=1777254780000`,
			`#2 assistant text="Reading.\nDone."`,
			`call Read args={"path":"/w/a.go","limit":20}`, `call Grep id="toolu_1" args={}`,
			`end 3 status="success" error=""`}},
	{"transcript_notification", nested, body(
		`{"role":"user","message":{"content":[{"type":"text","text":"<timestamp>Sunday, Apr 26, 2026, 9:53 PM (UTC-4)</timestamp>\n<system_notification>\nThe following task has finished.\n\n<task>\nkind: shell\n</task>\n</system_notification>\n<user_query>Inform the user.</user_query>"}]}}`,
		`{"role":"user","message":{"content":"<system_notification>a shell ended</system_notification>"}}`,
		`{"role":"user","message":{"content":"<user_query>What is a <system_notification>?</user_query>"}}`,
		`{"role":"user","message":{"content":"<system_notification>a</system_notification>\nWhy do I see this?"}}`,
		`{"role":"user","message":{"content":"<system_notification>a</system_notification>\n<user_query>b</user_query>\nAnd c?"}}`),
		[]string{`#1 user text="Inform the user." at=1777254780000 notice`,
			`#2 user text="<system_notification>a shell ended</system_notification>" notice`,
			`#3 user text="What is a <system_notification>?"`,
			`#4 user text="<system_notification>a</system_notification>\nWhy do I see this?"`, `#5 user text="b"`}},
	{"transcript_of_a_subagent", child, body(`{"role":"user","message":{"content":"Look around."}}`,
		`{"role":"assistant","message":{"content":[{"type":"tool_use","name":"LS","input":null,"id":null}]}}`),
		[]string{`#1 user text="Look around."`, `#2 assistant text=""`, `call LS`}},
	{"transcript_plain_content", flat, body(`{"role":"user","message":{"content":"hi"}}`,
		`{"role":"assistant","status":7,"message":{"content":{"type":"text","id":1,"text":"yes"}}}`,
		`{"role":"assistant","message":{"content":["a",{"type":"text","text":""},{"type":"text","text":"b"}]}}`),
		[]string{`#1 user text="hi"`, `#2 assistant text="yes"`, `#3 assistant text="a\n\nb"`}},
	{"transcript_turn_ends", flat, body(`{"type":"turn_ended","status":"aborted"}`,
		`{"type":"error","error":"Provider Error: upstream timeout"}`,
		`{"type":"turn_ended","status":"error","error":{"code":7}}`, `{"type":"turn_ended","error":null}`),
		[]string{`end 1 status="aborted" error=""`,
			`end 2 status="" error="Provider Error: upstream timeout"`,
			`end 3 status="error" error="{\"code\":7}"`, `end 4 status="" error=""`}},
	{"transcript_redacted", flat, body(
		`{"role":"assistant","message":{"content":[{"type":"text","text":"[REDACTED]"}]}}`,
		`{"role":"assistant","message":{"content":[{"type":"text","text":"I look.\n\n[REDACTED]"},{"type":"text","text":" [REDACTED]\n[REDACTED] \n"},{"type":"text","text":"It is [REDACTED]"},{"type":"text","text":"[REDACTED] is a word"}]}}`,
		`{"role":"user","message":{"content":"a\n[REDACTED]"}}`),
		[]string{`#1 assistant text=""`,
			`#2 assistant text="I look.\nIt is\n[REDACTED] is a word"`, `#3 user text="a\n[REDACTED]"`}},
	{"transcript_thoughts", flat, body(
		`{"role":"assistant","message":{"content":[{"type":"thinking","thinking":"Hm."},{"type":"thinking","thinking":""},{"type":"text","text":"Yes."},{"type":"thinking","thinking":"Oh."}]}}`),
		[]string{`#1 assistant text="Yes." thinking="Hm.\nOh."`}},
	{"transcript_unknown_types", flat, body(`{"type":"checkpoint","at":1}`,
		`{"role":"assistant","message":{"content":[{"type":"image","data":"x"},7,null,{"text":"no type"},{"type":"image"}]}}`, `{"role":"system","message":{"content":"<rules>Be brief.</rules>"}}`),
		[]string{`#2 assistant text=""`, `#3 system text="<rules>Be brief.</rules>"`, `unknown line.checkpoint 1`,
			`unknown part. 3`, `unknown part.image 2`}},
	{"transcript_other_lines", flat, body(`{"role":"user","content":"flat"}`,
		`{"role":"assistant","content":[{"type":"text","text":"list"}]}`,
		`{"type":"user","message":{"role":"user","content":"nested"}}`,
		`{"type":"assistant","message":{"content":[{"type":"text","text":"by type"}]}}`,
		`{"type":"summary","content":"x"}`, `{"type":"user"}`),
		[]string{`#1 user text="flat"`, `#2 assistant text="list"`, `#3 user text="nested"`,
			`#4 assistant text="by type"`, `unknown line.summary 1`, `unknown line.user 1`}},
	{"transcript_results", nested, body(
		`{"role":"assistant","message":{"content":[{"type":"tool_use","name":"Shell","input":{},"id":"a"},{"type":"tool_use","name":"Read","input":{},"id":"b"},{"type":"tool_use","name":"LS","input":{},"id":"c"},{"type":"turn_ended","status":"aborted"}]}}`,
		`{"role":"user","message":{"content":[{"type":"tool_result","tool_use_id":"b","content":[{"type":"text","text":"one"},{"type":"text","text":"two"}]},{"type":"tool_result","tool_use_id":"a","is_error":true,"content":"FAIL"}]}}`,
		`{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","is_error":false,"content":[{"type":"image"}]},{"type":"text","text":"and this"}]}}`,
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"z","content":"lost"}]}`),
		[]string{`#1 assistant text="" ended="aborted"`, `call Shell id="a" args={} result="FAIL" is_error=true`,
			`call Read id="b" args={} result="one\ntwo"`,
			`call LS id="c" args={} result="[{\"type\":\"image\"}]" is_error=false`, `#3 user text="and this"`,
			`unknown part.tool_result 1`, "only results 2"}},
	{"transcript_of_its_own_name", "home-ann-w/agent-transcripts/7c1e/transcript.jsonl", body(
		`{"role":"user","message":{"content":"hi"}}`), []string{`#1 user text="hi"`}},
	{"transcript_without_a_workspace", "agent-transcripts/7c1e/7c1e.jsonl", body(
		`{"role":"user","message":{"content":"Run a quick smoke test"}}`),
		[]string{`#1 user text="Run a quick smoke test"`}},
	{"transcript_cut_off", nested, "\n" + `{"role":"user","message":{"content":"hi"}}` + "\r\n \r\n" +
		`{"role":"assistant","message":{"content":[{"type":"text","te`,
		[]string{`#2 user text="hi"`,
			`problem bad_line 4 "{\"role\":\"assistant\",\"message\":{\"content\":[{\"type\":\"text\",\"te"`}},
	{"transcript_bad_lines", flat, body("\x00\x00\x00", `[]`, `"text"`, `null`, `{"a":1}`, `{"role":"user"}`,
		`{"role":"user","message":"hi"}`, `{"role":"user","message":{"content":7}}`,
		`{"role":7,"message":{"content":"x"}}`, `{"role":"user","message":{"content":"a`+"\x00"+`"}}`,
		`{"role":"user","message":{"content":"ok"}} {}`, strings.Repeat("é", 60), "\xff\xfe",
		strings.Repeat("x", 79)+"éé"),
		[]string{`problem bad_line 1 "\x00\x00\x00"`, `problem bad_line 2 "[]"`, `problem bad_line 3 "\"text\""`,
			`problem bad_line 4 "null"`, `problem bad_line 5 "{\"a\":1}"`,
			`problem bad_line 6 "{\"role\":\"user\"}"`,
			`problem bad_line 7 "{\"role\":\"user\",\"message\":\"hi\"}"`,
			`problem bad_line 8 "{\"role\":\"user\",\"message\":{\"content\":7}}"`,
			`problem bad_line 9 "{\"role\":7,\"message\":{\"content\":\"x\"}}"`,
			`problem bad_line 10 "{\"role\":\"user\",\"message\":{\"content\":\"a\x00\"}}"`,
			`problem bad_line 11 "{\"role\":\"user\",\"message\":{\"content\":\"ok\"}} {}"`,
			`problem bad_line 12 "` + strings.Repeat("é", 40) + `"`, `problem bad_line 13 "` + "\uFFFD" + `"`,
			`problem bad_line 14 "` + strings.Repeat("x", 79) + `"`}},
	{"transcript_odd_characters", flat, "\uFEFF" + body(
		`{"role":"user","message":{"content":"a`+"\xff\xff"+`b\ud800c\u0000d"}}`,
		`{"role":"assistant","message":{"content":[{"type":"tool_use","name":"R`+"\xc3"+`","input":{"p":"`+
			"\xff"+`\ud800"}}]}}`),
		[]string{`#1 user text="a` + "\uFFFDb\uFFFD" + `c\x00d"`, `#2 assistant text=""`,
			`call R` + "\uFFFD" + ` args={"p":"` + "\uFFFD" + `\ud800"}`}},
	{"transcript_words_alone", old, body(
		"user:", "<user_query>", "Fix it", "user:", "  x: 1", "</user_query>", "", "assistant:",
		"[Thinking] Hm.", "  More.", "I look.", "", "  indented", "[Tool call] Read", "  path=/w/a.go",
		"  limit=5", "[Tool call] Shell", "  command=go test", "    ./...", "", "  echo a=b",
		"[Tool result] Shell", "  ok", "", "  [Tool call] none", "    user:", "[Tool result] Read",
		"[Tool result] Read", "  again", "A: it works.", "user: no speaker", "assistant: \t", "user:", "",
		"thanks", "assistant:", "[Thinking]no mark", "[REDACTED]", "[Tool call] Read", "user:", "go on",
		"assistant:", "[Tool result] Read"),
		[]string{`#1 user text="Fix it\nuser:\n  x: 1"`,
			`#8 assistant text="I look.\n\n  indented\nA: it works.\nuser: no speaker" thinking="Hm.\nMore."`,
			`call Read args={"path":"/w/a.go","limit":"5"} result=""`,
			`call Shell args={"command":"go test\n  ./...\n\necho a=b"} result="ok\n\n[Tool call] none\n  user:"`,
			`#32 assistant text=""`, `#33 user text="thanks"`, `#36 assistant text="[Thinking]no mark"`,
			`call Read`, `#40 user text="go on"`, `#42 assistant text=""`}},
	{"transcript_words_inline", old, body(
		"user: Fix it", "and that", "A: [Thinking] Hm.", "A: I look.", "A:nothing", "assistant:",
		"[Tool call] Read", "[Tool call] Read", "\tpath=b", "[Tool result]", "\tone", "A: [Tool result] Read",
		"\ttwo", "user:", "thanks"),
		[]string{`#1 user text="Fix it\nand that"`, `#3 assistant text="" thinking="Hm."`,
			`#4 assistant text="I look.\nA:nothing"`, `#6 assistant text=""`, `call Read result="one"`,
			`call Read args={"path":"b"} result="two"`, `#12 assistant text=""`, `#14 user text="thanks"`}},
	{"transcript_words_mixed", old, body("user:", "<user_query>", "hi", "</user_query>", "", "A:",
		"Yes."), []string{`#1 user text="hi"`, `#6 assistant text="Yes."`}},
	{"transcript_text_arguments", old, body(
		"assistant:", "[Tool call] ApplyPatch", "  *** Begin Patch", "  -a=1", "    b",
		"[Tool call] Write", `  {"path":"a","n":1}`, "[Tool call] Edit", "  a=<x>", "  a=second", "  b-2.c=",
		"  1=2"),
		[]string{`#1 assistant text=""`, `call ApplyPatch args="*** Begin Patch\n-a=1\n  b"`,
			`call Write args={"path":"a","n":1}`, `call Edit args={"a":"<x>\na=second","b-2.c":"\n1=2"}`}},
	{"transcript_text_arguments_with_colons", old, body(
		"assistant:", "[Tool call] CallMcpTool", "  server: user-hitl-hil", "  toolName: send_message_only",
		`  arguments: {"message":"a: b"}`, "", "[Tool result] CallMcpTool", "", "[Tool call] Read path=foo.py",
		"[Tool call] Write", "  path: /a=b", "  contents:", "  http://c", "  one", "[Tool call] Grep",
		"  http://a", "[Tool call] Read the file", "  x", "[Tool call] Shell", "  Note: this", "  TODO: that"),
		[]string{`#1 assistant text=""`,
			`call CallMcpTool args={"server":"user-hitl-hil","toolName":"send_message_only","arguments":"{\"message\":\"a: b\"}"} result=""`,
			`call Read args={"path":"foo.py"}`, `call Write args={"path":"/a=b","contents":"\nhttp://c\none"}`,
			`call Grep args="http://a"`, `call Read the file args="x"`, `call Shell args="Note: this\nTODO: that"`}},
	{"transcript_text_before_a_speaker", old, body("", "Transcript of 2025", "more", "user:", "hi"),
		[]string{`#4 user text="hi"`,
			`problem bad_line 2 "Transcript of 2025"`}},
	{"transcript_open_query", old, body(
		"user:", "<user_query>", "hi", "assistant:", "Yes.", "user:", "<user_query>", "b",
		"</user_query>", "user:", "<user_query>c</user_query>", "assistant:", "</user_query>"),
		[]string{`#1 user text="hi"`, `#4 assistant text="Yes."`, `#6 user text="b"`, `#10 user text="c"`,
			`#12 assistant text="</user_query>"`}},
	{"transcript_prompts_only", old, body("user:", "user: a\xff\xffb"),
		[]string{`#1 user text="user: a` + "\uFFFD" + `b"`}},
	{"transcript_array", single, body(`[`,
		`  {"role":"user","text":"<attached_files>a</attached_files>\n<user_query>\nSolve build errors please\n</user_query>"},`,
		`  {"role":"assistant","text":"","toolCalls":[{"toolName":"Read","args":{"path":"/src/app.tsx"}},{"toolName":"Read","args":null}]},`,
		`  {"role":"tool","text":"","toolResult":{"toolName":"Read"}},`,
		`  {"role":"tool","text":"","toolResult":{"toolName":"Read","result":"file contents..."}},`,
		`  {"role":"tool","toolResult":{"toolName":"Read","result":"of no call"}},`,
		`  {"role":"assistant","text":"Response text","thinking":"**Planning something**"},`,
		`  {"role":"assistant","thinking":"**Next**","toolCalls":[{"toolName":"mcp_Notion_search","args":{}}]}`, `]`),
		[]string{`#1 user text="Solve build errors please"`, `#2 assistant text=""`,
			`call Read args={"path":"/src/app.tsx"}`, `call Read result="file contents..."`,
			`#6 assistant text="Response text" thinking="**Planning something**"`,
			`#7 assistant text="" thinking="**Next**"`, `call mcp_Notion_search args={}`,
			`unknown part.tool_result 1`, "only results 3"}},
	{"transcript_array_cut_off", single, `[{"role":"user","text":"hi"},7,{"text":"nobody's"},{"role":"assistant","te`,
		[]string{`#1 user text="hi"`, `problem bad_line 2 "7"`, `problem bad_line 3 "{\"text\":\"nobody's\"}"`,
			`problem bad_line 4 "{\"role\":\"assistant\",\"te"`}},
	{"transcript_array_cut_off_between", single, `[{"role":"user","text":"hi"}`,
		[]string{`#1 user text="hi"`, `problem bad_line 2 ""`}},
	{"transcript_array_and_more", single, `[{"role":"user","text":"hi"}] [{"role":"user","text":"ho"}]`,
		[]string{`#1 user text="hi"`, `problem bad_line 2 "[{\"role\":\"user\",\"text\":\"ho\"}]"`}},
	{"transcript_no_array", single, `{"messages":[]}`, []string{`problem bad_line 1 "{\"messages\":[]}"`}},
	{"transcript_array_empty", single, " \n", nil},
	{"transcript_empty", flat, "\uFEFF\r\n\n", nil},
}
