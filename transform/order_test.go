package transform

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pipeline/sql/schema"
)

// places are a conversation's messages as "position id, listed, turn".
func places(rows *schema.Rows) []string {
	var out []string
	for _, m := range rows.Messages {
		listed := "unlisted"
		if m.IsListed {
			listed = "listed"
		}
		out = append(out, fmt.Sprint(show(m.Position), " ", m.MessageID, " ", listed))
	}
	return out
}

func TestOrder(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, head string
		parts      []part
		want       []string
		missing    int64
		headers    int64
		format     string
	}{
		{"in header order, never by key",
			`{"fullConversationHeadersOnly":[{"bubbleId":"z"},{"bubbleId":"a"},{"bubbleId":"m"}]}`,
			[]part{bubble("a", `{}`), bubble("m", `{}`), bubble("z", `{}`)},
			[]string{"0 z listed", "1 a listed", "2 m listed"}, 0, 3, "rows"},
		{"a header without a body is missing",
			`{"fullConversationHeadersOnly":[{"bubbleId":"z"},{"bubbleId":"gone"},{"bubbleId":"a"}]}`,
			[]part{bubble("a", `{}`), bubble("z", `{}`)}, []string{"0 z listed", "1 a listed"}, 1, 3, "rows"},
		{"a header twice counts once, at its first place",
			`{"fullConversationHeadersOnly":[{"bubbleId":"b"},{"bubbleId":"a"},{"bubbleId":"b"}]}`,
			[]part{bubble("a", `{}`), bubble("b", `{}`)}, []string{"0 b listed", "1 a listed"}, 0, 2, "rows"},
		{"a header names the id inside the body",
			`{"fullConversationHeadersOnly":[{"bubbleId":"inner"},{"bubbleId":"a"}]}`,
			[]part{bubble("a", `{"bubbleId":"other"}`), bubble("k", `{"bubbleId":"inner"}`)},
			[]string{"0 k listed", "1 a listed"}, 0, 2, "rows"},
		{"also an empty one", `{"fullConversationHeadersOnly":[{"bubbleId":"a"},{"bubbleId":""}]}`,
			[]part{bubble("a", `{"bubbleId":""}`), bubble("k", `{"bubbleId":""}`)},
			[]string{"0 a listed", "1 k listed"}, 0, 2, "rows"},
		{"not where two rows have it", `{"fullConversationHeadersOnly":[{"bubbleId":"inner"}]}`,
			[]part{bubble("k", `{"bubbleId":"inner"}`), bubble("l", `{"bubbleId":"inner"}`)},
			[]string{"0 k listed", "1 l listed"}, 1, 1, "rows"},
		{"the key beats the body", `{"fullConversationHeadersOnly":[{"bubbleId":"k"}]}`,
			[]part{bubble("a", `{"bubbleId":"k"}`), bubble("k", `{"bubbleId":"x"}`)},
			[]string{"0 k listed", "1 a unlisted"}, 0, 1, "rows"},
		{"a row that a header names by key is no candidate for another",
			`{"fullConversationHeadersOnly":[{"bubbleId":"inner"},{"bubbleId":"k"}]}`,
			[]part{bubble("k", `{"bubbleId":"inner"}`)}, []string{"0 k listed"}, 1, 2, "rows"},
		{"unlisted: by own time, without a time last, then by id", `{"fullConversationHeadersOnly":[{"bubbleId":"z"}]}`,
			[]part{bubble("a", `{}`), bubble("b", `{"createdAt":1700000002000}`),
				bubble("c", `{"createdAt":1700000001000}`),
				bubble("d", `{"timingInfo":{"clientStartTime":1700000000000}}`),
				bubble("e", `{"createdAt":1700000001000}`), bubble("z", `{"createdAt":1700000009000}`)},
			[]string{"0 z listed", "1 c unlisted", "2 e unlisted", "3 b unlisted", "4 a unlisted", "5 d unlisted"}, 0,
			1, "rows"},
		{"an orphan's rows are all listed", "", []part{bubble("b", `{}`), bubble("a", `{}`)},
			[]string{"0 a listed", "1 b listed"}, 0, 0, "rows"},
		{"map entries with headers",
			`{"conversationMap":{"a":{"bubbleId":"x"},"b":{}},"fullConversationHeadersOnly":[{"bubbleId":"b"},{"bubbleId":"a"}]}`, nil, []string{"0 b listed", "1 a listed"}, 0, 2, "map"},
		{"map entries without headers", `{"conversationMap":{"b":{},"a":{}}}`, nil,
			[]string{"0 a listed", "1 b listed"}, 0, 0, "map"},
		{"inline",
			`{"conversation":[{"bubbleId":"z"},{"id":"y"},{"type":2},{"bubbleId":"z"},{"bubbleId":"","id":"y"},{"text":"last"},{"bubbleId":"z"}]}`, nil, []string{"0 z listed", "1 y listed", "2 #2 listed", "3 z~2 listed", "4 y~2 listed", "5 #5 listed",
				"6 z~3 listed"}, 0, 0, "inline"},
		{"inline ids that look like ours", `{"conversation":[{"id":"z"},{"id":"z"},{"id":"z~2"},{"id":"#4"},{}]}`,
			nil, []string{"0 z listed", "1 z~2 listed", "2 z~2~2 listed", "3 #4 listed", "4 #4~2 listed"}, 0, 0,
			"inline"},
		{"tabs", `{"tabs":[{"bubbles":[{"id":"b"},{"id":"a"}]},{"bubbles":[{"id":"c"}]}]}`, nil,
			[]string{"0 b listed", "1 a listed", "2 c listed"}, 0, 0, "inline"},
		{"a row of its own beats the map and the array",
			`{"conversationMap":{"a":{"text":"map"}},"conversation":[{"bubbleId":"b","text":"inline"}]}`,
			[]part{bubble("a", `{"text":"row"}`), bubble("b", `{"text":"row"}`)},
			[]string{"0 b listed", "1 a unlisted"}, 0, 0, "inline"},
		{"headers before the inline array",
			`{"conversation":[{"bubbleId":"a"},{"bubbleId":"b"}],"fullConversationHeadersOnly":[{"bubbleId":"b"}]}`,
			nil, []string{"0 b listed", "1 a listed"}, 0, 1, "inline"},
		{"no message", `{"conversation":[],"fullConversationHeadersOnly":[{"bubbleId":"a"}]}`, nil, nil, 1, 1, "rows"},
	} {
		rows := normalized(t, conversationOf("c", test.head, test.parts...))
		if got := places(rows); !slices.Equal(got, test.want) {
			t.Errorf("%s:\n got %q\nwant %q", test.name, got, test.want)
		}
		checkRows(t, rows)
		c := rows.Conversations[0]
		if c.MissingMessageCount != test.missing || c.HeaderCount != test.headers || c.Format != test.format {
			t.Errorf("%s: %d headers, %d missing, format %s; want %d, %d, %s", test.name, c.HeaderCount,
				c.MissingMessageCount, c.Format, test.headers, test.missing, test.format)
		}
		for _, m := range rows.Messages {
			if test.name == "a row of its own beats the map and the array" && deref(m.Text) != "row" {
				t.Errorf("%s: %s holds %s", test.name, m.MessageID, show(m.Text))
			}
		}
	}
}

// A role is the body's, else the header's; a turn counts user messages.
func TestRolesAndTurns(t *testing.T) {
	t.Parallel()
	head := `{"fullConversationHeadersOnly":[{"bubbleId":"a","type":2},{"bubbleId":"b","type":1},{"bubbleId":"c","type":2},{"bubbleId":"d","type":1},{"bubbleId":"e","type":1},{"bubbleId":"f"}]}`
	rows := normalized(t, conversationOf("c", head, bubble("a", `{}`), bubble("b", `{}`), bubble("c", `{"type":1}`),
		bubble("d", `{"type":"ai"}`), bubble("e", `{"type":99}`), bubble("f", `{}`)))
	want := []string{"a | assistant | 0", "b | user | 1", "c | user | 2", "d | assistant | 2", "e | unknown | 2",
		"f | unknown | 2"}
	for i, m := range rows.Messages {
		if got := shows(m.MessageID, m.Role, m.Turn); got != want[i] {
			t.Errorf("message %d: %s, want %s", i, got, want[i])
		}
	}
}

// TestSimulatedHeaders: a header says that the program wrote its message; then the user has, whatever the type, and it
// begins no turn.
func TestSimulatedHeaders(t *testing.T) {
	t.Parallel()
	head := `{"fullConversationHeadersOnly":[{"bubbleId":"a","type":1},{"bubbleId":"b","type":2,"grouping":{"isSimulatedMsg":true}},{"bubbleId":"c","type":1,"grouping":{"isSimulatedMsg":true}},{"bubbleId":"d","type":1,"grouping":{"isSimulatedMsg":false}}]}`
	rows := normalized(t, conversationOf("c", head, bubble("a", `{"type":1,"text":"A"}`),
		bubble("b", `{"type":2,"text":"B"}`), bubble("c", `{"type":1,"text":"C"}`),
		bubble("d", `{"type":1,"text":"D"}`)))
	want := []string{"a | user | false | 1", "b | user | true | 1", "c | user | true | 1", "d | user | false | 2"}
	for i, m := range rows.Messages {
		if got := shows(m.MessageID, m.Role, m.IsSimulated, m.Turn); got != want[i] {
			t.Errorf("message %d: %s, want %s", i, got, want[i])
		}
	}
}

// TestHeaderFigures: a header says how long a thought took and how many lines an edit changed, where the message does
// not, and that a message without words is a thought.
func TestHeaderFigures(t *testing.T) {
	t.Parallel()
	grouping := func(id, of string) string { return `{"bubbleId":"` + id + `","type":2,"grouping":{` + of + `}}` }
	head := `{"fullConversationHeadersOnly":[` + strings.Join([]string{
		grouping("a", `"capabilityType":30,"thinkingDurationMs":2564`), grouping("b", `"thinkingDurationMs":2564`),
		grouping("c", `"capabilityType":30,"thinkingDurationMs":-1`), grouping("d", `"capabilityType":30`),
		grouping("e", `"editLinesAdded":12,"editLinesRemoved":3`),
		grouping("f", `"editLinesAdded":12,"editLinesRemoved":3`),
		grouping("g", `"editLinesAdded":12`), grouping("h", `"thinkingDurationMs":0`),
		grouping("i", `"thinkingDurationMs":0,"editLinesAdded":0,"editLinesRemoved":0`)}, ",") + `]}`
	edit := func(more string) string { return `{"toolFormerData":{"tool":38,"name":"edit_file_v2"` + more + `}}` }
	rows := normalized(t, conversationOf("c", head, bubble("a", `{"thinking":{"text":"Hm."}}`),
		bubble("b", `{"thinking":"Hm.","thinkingDurationMs":7}`), bubble("c", `{}`), bubble("d", `{"text":"Yes."}`),
		bubble("e", edit("")),
		bubble("f", edit(`,"result":{"diff":{"chunks":[{"linesAdded":1,"linesRemoved":0}]}}`)),
		bubble("g", edit("")), bubble("h", `{"text":"Yes."}`),
		bubble("i", `{"toolFormerData":{"tool":40,"name":"read_file_v2"}}`)))
	want := []string{"a | thinking | 2564", "b | thinking | 7", "c | thinking | NULL", "d | text | NULL",
		"e | tool_call | NULL", "f | tool_call | NULL", "g | tool_call | NULL", "h | text | NULL",
		"i | tool_call | NULL"}
	for i, m := range rows.Messages {
		if got := shows(m.MessageID, m.Kind, m.ThinkingDurationMs); got != want[i] {
			t.Errorf("message %d: %s, want %s", i, got, want[i])
		}
	}
	for i, want := range []string{"e | 12 | 3", "f | 1 | 0", "g | 12 | NULL", "i | NULL | NULL"} {
		if c := rows.ToolCalls[i]; shows(c.MessageID, c.LinesAdded, c.LinesRemoved) != want {
			t.Errorf("call %d: %s, want %s", i, shows(c.MessageID, c.LinesAdded, c.LinesRemoved), want)
		}
	}
}

// The chain of times: own, header's, timing, the nearest earlier real one, the conversation's.
func TestTimeChain(t *testing.T) {
	t.Parallel()
	const zero = 1700000000000
	header := func(id, fields string) string { return `{"bubbleId":"` + id + `"` + fields + `}` }
	head := func(conversation string, headers ...string) string {
		out := `{` + conversation + `"fullConversationHeadersOnly":[`
		for i, h := range headers {
			if i > 0 {
				out += ","
			}
			out += h
		}
		return out + `]}`
	}
	for _, test := range []struct {
		name, head string
		parts      []part
		want       []string // seconds after zero, and the source
	}{
		{"own, then timestamp", head("", header("a", ""), header("b", "")),
			[]part{bubble("a", `{"createdAt":1700000001000,"timestamp":1700000002000}`),
				bubble("b", `{"timestamp":1700000002000}`)}, []string{"1 message", "2 message"}},
		{"own before the header's", head("", header("a", `,"createdAt":1700000005000`)),
			[]part{bubble("a", `{"createdAt":1700000001000}`)}, []string{"1 message"}},
		{"the header's three", head("", header("a", `,"createdAt":1700000001000,"startedAtMs":1700000002000`),
			header("b", `,"startedAtMs":1700000003000,"timestamp":1700000004000`),
			header("c", `,"timestamp":"2023-11-14T22:13:25Z"`)),
			[]part{bubble("a", `{"timingInfo":{"clientStartTime":1700000009000}}`), bubble("b", `{}`),
				bubble("c", `{}`)}, []string{"1 header", "3 header", "5 header"}},
		{"timing; a relative one does not count", head(`"createdAt":1700000000000,`, header("a", ""), header("b", "")),
			[]part{bubble("a", `{"timingInfo":{"clientStartTime":12345.6}}`),
				bubble("b", `{"timingInfo":{"clientStartTime":1700000003000.5}}`)},
			[]string{"0 conversation", "3 timing"}},
		{"timing, by the first of its four", head("", header("a", ""), header("b", ""), header("c", "")),
			[]part{
				bubble("a",
					`{"timingInfo":{"clientStartTime":7,"clientRpcSendTime":1700000003000,"clientSettleTime":1700000004000}}`), bubble("b", `{"timingInfo":{"clientSettleTime":1700000005000,"clientEndTime":1700000006000}}`),
				bubble("c", `{"timingInfo":{"clientRpcSendTime":0,"clientEndTime":1700000007000}}`),
			},
			[]string{"3 timing", "5 timing", "7 timing"}},
		{"the nearest earlier real one, not the latest",
			head(`"createdAt":1700000000000,`, header("a", ""), header("b", ""), header("c", ""), header("d", ""),
				header("e", "")), []part{bubble("a", `{}`), bubble("b", `{"createdAt":1700000005000}`),
				bubble("c", `{"createdAt":1700000002000}`), bubble("d", `{}`), bubble("e", `{}`)},
			[]string{"0 conversation", "5 message", "2 message", "2 previous", "2 previous"}},
		{"the conversation's update where it has no creation", head(`"lastUpdatedAt":1700000007000,`, header("a", "")),
			[]part{bubble("a", `{}`)}, []string{"7 conversation"}},
		{"none", head("", header("a", "")), []part{bubble("a", `{"createdAt":true,"timestamp":""}`)}, []string{"NULL"}},
		{"an unlisted message has no header, but one before it", head("", header("a", `,"createdAt":1700000001000`)),
			[]part{bubble("a", `{}`), bubble("b", `{}`)}, []string{"1 header", "1 previous"}},
	} {
		var got []string
		for _, m := range normalized(t, conversationOf("c", test.head, test.parts...)).Messages {
			if m.CreatedAt == nil {
				got = append(got, "NULL")
				continue
			}
			got = append(got, fmt.Sprint((int64(*m.CreatedAt)-zero)/1000, " ", *m.CreatedAtSource))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}
