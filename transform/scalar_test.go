package transform

import (
	"strings"
	"testing"
	"time"

	"pipeline/sql/schema"
	"pipeline/transform/jsondoc"
)

func TestTimes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ in, want string }{ // want: UTC, or NULL
		{`1700000000`, "2023-11-14T22:13:20Z"}, {`1700000000123`, "2023-11-14T22:13:20.123Z"},
		{`1700000000.5`, "2023-11-14T22:13:20.5Z"}, {`1700000000123.9`, "2023-11-14T22:13:20.123Z"},
		{`1.7e12`, "2023-11-14T22:13:20Z"}, {`"1700000000"`, "2023-11-14T22:13:20Z"},
		{`"1700000000123"`, "2023-11-14T22:13:20.123Z"}, {`"2023-11-14T22:13:20Z"`, "2023-11-14T22:13:20Z"},
		{`"2023-11-14T22:13:20.123Z"`, "2023-11-14T22:13:20.123Z"},
		{`"2023-11-14T22:13:20.123456Z"`, "2023-11-14T22:13:20.123Z"},
		{`"2023-11-15T00:13:20+02:00"`, "2023-11-14T22:13:20Z"},
		{`"2023-11-14T16:43:20-05:30"`, "2023-11-14T22:13:20Z"}, {`"2023-11-14T22:13:20"`, "2023-11-14T22:13:20Z"},
		{`"2023-11-14T22:13:20.5"`, "2023-11-14T22:13:20.5Z"}, {`"2023-11-14 22:13:20"`, "2023-11-14T22:13:20Z"},
		{`"2023-11-14 22:13:20.5"`, "2023-11-14T22:13:20.5Z"}, {`"2023-11-14"`, "2023-11-14T00:00:00Z"},
		{`"2026-05-01T10:00:00-0800"`, "2026-05-01T18:00:00Z"},
		{`"2026-05-01T10:00:00.25-0800"`, "2026-05-01T18:00:00.25Z"},
		{`"2026-05-01T10:00:00-08"`, "2026-05-01T18:00:00Z"}, {`"2026-05-01 10:00:00+0530"`, "2026-05-01T04:30:00Z"},
		{`"2026-05-01 10:00:00 -0800"`, "2026-05-01T18:00:00Z"},
		{`"2026-05-01 10:00:00 +02:00"`, "2026-05-01T08:00:00Z"}, {`"2026-05-01T10:00+0200"`, "2026-05-01T08:00:00Z"},
		{`"2026-05-01T10:00-08"`, "2026-05-01T18:00:00Z"}, {`"2026-05-01 10:00"`, "2026-05-01T10:00:00Z"},
		{`"20260501T100000Z"`, "2026-05-01T10:00:00Z"}, {`"20260501T100000.5-0800"`, "2026-05-01T18:00:00.5Z"},
		{`"20260501T1000"`, "2026-05-01T10:00:00Z"}, {`"2026-05-01T10:00:00,123Z"`, "2026-05-01T10:00:00.123Z"},
		{`"2026-05-01t10:00:00z"`, "2026-05-01T10:00:00Z"}, {`"2026-05-01T10Z"`, "2026-05-01T10:00:00Z"},
		{`"2026-121"`, "2026-05-01T00:00:00Z"}, {`"2026-05-01T10:00:00-8"`, "NULL"},
		{`"2026-05-01T10:00:00 PST"`, "NULL"}, {`"05/01/2026"`, "NULL"}, {`"2026-05"`, "NULL"},
		{`"v2026-05-01"`, "NULL"},

		{`1420070400000`, "2015-01-01T00:00:00Z"}, {`1420070399999`, "NULL"}, {`1420070400`, "2015-01-01T00:00:00Z"},
		{`1420070399`, "NULL"}, {`4102444799999`, "2099-12-31T23:59:59.999Z"}, {`4102444800000`, "NULL"},
		{`4102444799`, "2099-12-31T23:59:59Z"}, {`4102444800`, "NULL"}, {`"2014-12-31T23:59:59.999Z"`, "NULL"},
		{`"2015-01-01T00:00:00Z"`, "2015-01-01T00:00:00Z"},
		// seconds of the year 5138, milliseconds of 1973
		{`"2100-01-01T00:00:00Z"`, "NULL"}, {`99999999999`, "NULL"}, {`100000000000`, "NULL"},
		{`0`, "NULL"}, {`-1`, "NULL"}, {`-1700000000`, "NULL"}, {`12345.6`, "NULL"}, {`1e300`, "NULL"},
		{`1e999`, "NULL"}, {`-1e300`, "NULL"}, {`true`, "NULL"}, {`false`, "NULL"}, {`""`, "NULL"}, {`null`, "NULL"},
		{``, "NULL"}, {`"soon"`, "NULL"}, {`"0"`, "NULL"}, {`[1700000000]`, "NULL"}, {`1e308`, "NULL"},
		{`-1e308`, "NULL"}, {`9223372036854775807`, "NULL"}, {`9007199254740993`, "NULL"}, {`{"a":1}`, "NULL"},
		{`"2023-13-45"`, "NULL"}, {`"2023-11-14T22:13:20Z and more"`, "NULL"},
	} {
		got := "NULL"
		if ms := timeOf(val(t, test.in)); ms != nil {
			got = time.UnixMilli(int64(*ms)).UTC().Format(time.RFC3339Nano)
		}
		if got != test.want {
			t.Errorf("%s is %s, want %s", test.in, got, test.want)
		}
	}
}

func TestScalars(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		read func(jsondoc.Value) any
		want map[string]string
	}{
		{"role", func(v jsondoc.Value) any {
			name, ok :=
				role(v)
			return name + map[bool]string{true: "", false: " (none)"}[ok]
		}, map[string]string{
			`1`: "user", `"1"`: "user", `"HUMAN"`: "user", `"user"`: "user", `2`: "assistant", `"2"`: "assistant",
			`"AI"`: "assistant", `"ai"`: "assistant", `"assistant"`: "assistant", `3`: "unknown", `"system"`: "unknown",
			`true`: "unknown", ``: "unknown (none)", `null`: "unknown (none)",
		}},
		{"mode", func(v jsondoc.Value) any { return mode(v) }, map[string]string{
			`1`: "chat", `2`: "agent", `5`: "plan", `"1"`: "chat", `"agent"`: "agent", `"Agent"`: "agent",
			`"EDIT"`: "edit", `3`: "edit", `4`: "custom", `6`: "debug", `7`: "7", `2.0`: "agent", `5.0`: "plan",
			`true`: "NULL", `""`: "NULL", `null`: "NULL", ``: "NULL",
		}},
		{"model", func(v jsondoc.Value) any { return modelName(v) }, map[string]string{
			`"gpt-4"`: "gpt-4", `""`: "auto", `"default"`: "auto", `"Default"`: "Default", `null`: "NULL", ``: "NULL",
			`5`: "NULL", `"gpt-5, claude-4.6-opus"`: "gpt-5", `"default,default"`: "auto", `",composer-1"`: "composer-1",
			`"gpt-5.5[context=1m,fast=false]"`:       "gpt-5.5[context=1m,fast=false]",
			`"a[effort=high,fast=false],b[x=1,y=2]"`: "a[effort=high,fast=false]",
		}},
		{"plain text", func(v jsondoc.Value) any { return plainText(v) }, map[string]string{
			`"{\"root\":{\"children\":[{\"type\":\"paragraph\",\"children\":[{\"text\":\"a\"},{\"text\":\"b\"}]},{\"type\":\"paragraph\",\"children\":[{\"text\":\"c\"}]}]}}"`: "ab\nc",
			`{"root":{"children":[{"type":"paragraph","children":[{"text":"a"},{"type":"linebreak"},{"text":"b"}]}]}}`:                                                         "a\nb",
			`"not JSON"`: "not JSON", `{}`: "", ``: "", `{"root":{"children":[]}}`: "",
			`{"type":"doc","content":[{"type":"paragraph","content":[{"type":"text","text":"a "},{"type":"mention","attrs":{"id":"x.go","label":"@x"}},{"type":"hardBreak"},{"type":"text","text":"b"}]},{"type":"bulletList","content":[{"type":"listItem","content":[{"type":"paragraph","content":[{"type":"text","text":"c"}]}]}]}]}`: "a @x\nb\nc",
			`{"type":"doc"}`: "", `{"type":"doc","content":{}}`: "",
		}},
		{"count", func(v jsondoc.Value) any { return v.Count() }, map[string]string{
			`"0x1p4"`: "NULL", `"1_000"`: "NULL", `"1e2"`: "100",
			`7`: "7", `0`: "0", `-1`: "NULL", `"7"`: "7", `7.9`: "7", `9223372036854775807`: "NULL",
			`9223372036854775808`: "NULL", `999999999999`: "999999999999", `1000000000000`: "1000000000000",
			`1000000000001`: "NULL", `1e12`: "1000000000000", `1.0000001e12`: "NULL", `-0.0`: "0", `1e308`: "NULL",
			`1e999`: "NULL", `true`: "NULL", `""`: "NULL", `null`: "NULL",
		}},
		{"cents", func(v jsondoc.Value) any { return costIn(v) },
			map[string]string{`12.5`: "12.5", `-3`: "-3", `1e13`: "NULL", `-1e308`: "NULL", `1e999`: "NULL",
				`"NaN"`: "NULL", `"7"`: "7"}},
		{"boolean", func(v jsondoc.Value) any { return v.Boolean() },
			map[string]string{`true`: "true", `false`: "false", `1`: "true", `0`: "false", `null`: "NULL", `""`: "NULL",
				`"yes"`: "NULL", `"true"`: "true", `"false"`: "false"}},
	} {
		for in, want := range test.want {
			if got := show(test.read(val(t, in))); got != want {
				t.Errorf("%s: %s is %q, want %q", test.name, in, got, want)
			}
		}
	}
}

func TestTokens(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{ // input, output, read from the cache, written to it
		`{"inputTokens":5,"outputTokens":7}`:   "5 | 7 | NULL | NULL",
		`{"input_tokens":5,"output_tokens":7}`: "5 | 7 | NULL | NULL",
		`{"inputTokens":5,"outputTokens":0}`:   "5 | 0 | NULL | NULL", `{"inputTokens":5}`: "5 | NULL | NULL | NULL",
		`{"inputTokens":0,"outputTokens":0}`: "NULL | NULL | NULL | NULL",
		`{"outputTokens":0}`:                 "NULL | NULL | NULL | NULL", `{}`: "NULL | NULL | NULL | NULL",
		``: "NULL | NULL | NULL | NULL",
		`{"inputTokens":5,"outputTokens":7,"cacheReadTokens":9,"cacheWriteTokens":0}`: "5 | 7 | 9 | 0",
		`{"cache_read_tokens":9,"cache_write_tokens":3}`:                              "NULL | NULL | 9 | 3",
		`{"inputTokens":0,"outputTokens":0,"cacheReadTokens":0,"cacheWriteTokens":0}`: "NULL | NULL | NULL | NULL",
		`{"inputTokens":0} {"input_tokens":12,"output_tokens":3}`:                     "12 | 3 | NULL | NULL",
		`{"inputTokens":5} {"input_tokens":12}`:                                       "5 | NULL | NULL | NULL",
	} {
		var m schema.Message
		count, usage, _ := strings.Cut(in, " ")
		readTokens(&m, val(t, count), val(t, usage))
		if got := shows(m.InputTokens, m.OutputTokens, m.CacheReadTokens, m.CacheWriteTokens); got != want {
			t.Errorf("%s is %s, want %s", in, got, want)
		}
	}
}

func TestMessageError(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{ // code, message
		`{"error":"ERROR_X","message":"m"}`: "ERROR_X | m", `{"code":7,"errorDetails":{"detail":"d"}}`: "7 | d",
		`"text"`: "NULL | text", ``: "NULL | NULL",
		`{"error":{"error":57,"details":{"title":"LLM provider error","detail":"400 level not supported"}}}`: "57 | " +
			"LLM provider error: 400 level not supported",
		`{"error":"{\"error\":\"ERROR_USER_ABORTED_REQUEST\",\"details\":{\"title\":\"User aborted request.\"}}","message":"Error"}`: "ERROR_USER_ABORTED_REQUEST | User aborted request.", `{"error":{"name":"E","details":"{\"detail\":\"d\"}"}}`: "E | d",
		`{"error":{"error":{"error":"DEEP","details":{"title":"x","detail":"y"}}}}`:               "DEEP | x: y",
		`{"error":"\"{\\\"error\\\":\\\"TWICE\\\",\\\"details\\\":{\\\"title\\\":\\\"x\\\"}}\""}`: "TWICE | x",
		`{"error":{},"code":"C","message":"m"}`:                                                   "C | m",
		`{"error":[1]}`:                                                                           "NULL | NULL",
	} {
		code, message := messageError(val(t, in))
		if got := shows(code, message); got != want {
			t.Errorf("%s is %s, want %s", in, got, want)
		}
	}
}

// shownAfterwards is what Cursor hangs on the last message of a turn that has ended: an offer with a button.
const shownAfterwards = `{"title":"Try it","message":"Now faster.","requestId":"","error":{"error":"ERROR_CUSTOM_MESSAGE",` +
	`"details":{"title":"Try it","detail":"Now faster.","additionalInfo":{"hideIcon":"true","hideKeybindings":"true"}}}}`

// What Cursor itself says beside a message is neither its text nor an error, and is kept.
func TestServiceMessages(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{ // code, error, what is kept
		`{"text":"a","errorDetails":` + shownAfterwards + `}`:                `NULL | NULL | {"errorDetails":` + shownAfterwards + `}`,
		`{"errorDetails":` + shownAfterwards + `}`:                           "ERROR_CUSTOM_MESSAGE | Try it: Now faster. | NULL",
		`{"text":"a","errorDetails":{"error":"ERROR_OPENAI","message":"m"}}`: "ERROR_OPENAI | m | NULL",
		`{"serviceStatusUpdate":{"message":"Setting up"},"toolResults":[1]}`: "NULL | NULL | " +
			`{"toolResults":[1],"serviceStatusUpdate":{"message":"Setting up"}}`,
	} {
		m := readBody("b", val(t, in).Object(), jsondoc.Value{}).message
		if got := shows(m.ErrorCode, m.Error, m.Extra); got != want {
			t.Errorf("%s\n got %s\nwant %s", in, got, want)
		}
	}
}

// What an estimate before the prompt was sent says of the context counts where nothing better is recorded.
func TestContextTokens(t *testing.T) {
	t.Parallel()
	const dry = `"promptDryRunInfo":"{\"userMessageTokenCount\":{\"numTokens\":488},\"fullConversationTokenCount\":{\"numTokens\":17862},\"barFraction\":0.005}"`
	for in, want := range map[string]string{
		`{` + dry + `}`: "17862", `{"contextWindowStatusAtCreation":{"tokensUsed":52554},` + dry + `}`: "52554",
		`{"promptDryRunInfo":"{\"fullConversationTokenCount\":{\"numTokens\":0}}"}`: "NULL", `{}`: "NULL",
	} {
		if got := show(readBody("b", val(t, in).Object(), jsondoc.Value{}).message.ContextTokensUsed); got != want {
			t.Errorf("%s is %s, want %s", in, got, want)
		}
	}
}

// The first that is there and not empty counts; white space is text, byte for byte, but no reason to call a message
// text.
func TestMessageText(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ in, want string }{ // text, thinking, kind
		{`{"text":"a","rawText":"b","content":"c","message":"d"}`, "a | NULL | text"},
		{`{"text":"","rawText":"b","content":"c"}`, "b | NULL | text"},
		{`{"content":"c","message":"d"}`, "c | NULL | text"}, {`{"message":"d","richText":"e"}`, "d | NULL | text"},
		{`{"text":"","richText":"{\"root\":{\"children\":[{\"text\":\"e\"}]}}"}`, "e | NULL | text"},
		{`{"text":" \n\t "}`, " \n\t  | NULL | empty"}, {`{"text":" ","thinking":"t"}`, "  | t | thinking"},
		{`{"thinking":{"text":"t","signature":"s"}}`, "NULL | t | thinking"},
		{`{"thinking":{"signature":"s"}}`, "NULL | NULL | empty"},
		{`{"allThinkingBlocks":[{"text":"t"},"u"]}`, "NULL | t\n\nu | thinking"},
		{`{"text":"a","errorDetails":{"message":"m"}}`, "a | NULL | error"},
		{`{"text":"a","errorDetails":{}}`, "a | NULL | text"},
		{`{"text":"a","errorDetails":` + shownAfterwards + `}`, "a | NULL | text"},
		{`{"text":"","errorDetails":` + shownAfterwards + `}`, "NULL | NULL | error"},
		{`{"text":"","serviceStatusUpdate":{"message":"Setting up worktree","codicon":"info"}}`, "NULL | NULL | empty"},
		{`{"text":"a","errorDetails":{"message":"m"},"toolFormerData":{"tool":5}}`, "a | NULL | tool_call"},
		{`{"text":"a","toolFormerData":{"tool":0,"name":""}}`, "a | NULL | text"},
		{`{"text":[{"type":"text","text":"a"},"b",{"type":"image"}]}`, "a\nb | NULL | text"},
		{`{"text":7.5}`, "7.5 | NULL | text"}, {`{"text":true,"rawText":[]}`, "NULL | NULL | empty"},
		{`{"text":"Chat context summarized.","capabilityType":22}`, "Chat context summarized. | NULL | compaction"},
		{`{"text":"a","capabilityType":22,"toolFormerData":{"tool":5}}`, "a | NULL | tool_call"},
		{`{}`, "NULL | NULL | empty"}, {`{"text":"a\u0000b\ud800"}`, "a\u2400b\ufffd | NULL | text"},
		{`{"text":"\udc00\ud83d\ude42\ud83d"}`, "\ufffd\U0001f642\ufffd | NULL | text"},
		{`{"text":"why","isThought":true}`, "NULL | why | thinking"},
		{`{"text":"why","isThought":true,"thinking":{"text":"first"}}`, "NULL | first\n\nwhy | thinking"},
		{`{"text":"a","isThought":false}`, "a | NULL | text"},
		{`{"text":"so far","isSummarization":true}`, "NULL | NULL | compaction"},
		{`{"thinking":{"text":"","redactedThinking":"x"}}`, "NULL | NULL | thinking"},
		{`{"thinking":{"text":"","redactedThinking":""}}`, "NULL | NULL | empty"},
		{`{"text":"","redactedThinking":"x"}`, "NULL | NULL | thinking"},
		{`{"text":"a","redactedThinking":"x"}`, "a | NULL | text"},
		{`{"text":"","capabilityType":30}`, "NULL | NULL | thinking"},
		{`{"text":"a","capabilityType":30}`, "a | NULL | text"},
	} {
		b := readBody("b", val(t, test.in).Object(), jsondoc.Value{})
		if got := shows(b.message.Text, b.message.Thinking, b.kind()); got != test.want {
			t.Errorf("%s\n got %q\nwant %q", test.in, got, test.want)
		}
	}
}

func TestMessageModel(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"modelInfo":{"modelName":"a"},"modelName":"b","modelType":"c","model":"d"}`: "a",
		`{"modelName":"b","modelType":"c","model":"d"}`:                               "b",
		`{"modelType":"c","model":"d"}`:                                               "c", `{"model":"d"}`: "d",
		`{"modelInfo":{"modelName":""}}`: "auto", `{"modelInfo":{"modelName":"default"}}`: "auto",
		`{"modelInfo":{}}`: "NULL", `{}`: "NULL", `{"modelInfo":null,"model":"d"}`: "d",
	} {
		if got := show(messageModel(val(t, in).Object())); got != want {
			t.Errorf("%s is %s, want %s", in, got, want)
		}
	}
}
