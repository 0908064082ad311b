package pipelines_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pipeline/pipelines"
	"pipeline/testdata/gen/graphtest"
	"pipeline/testdata/gen/storetest"
)

// besideGraph is a chat of the editor with a graph, and what its messages must be.
type besideGraph struct {
	turns   []graphtest.Turn
	headers string           // ids, by spaces; a prompt's begins with p, and ends with * if the program wrote it
	rows    []map[string]any // with an id
	lost    string           // what the blob that is gone says: the request of a turn, or an answer
	missing int              // headers whose message nobody has
	// a line a message: its id or text, with - if no list names it, and * if the program wrote it
	want string
}

const graphT = int64(1788220000000)

// turnOf is a turn that begins at a second, with an answer each second later.
func turnOf(prompt string, second int64, answers ...string) graphtest.Turn {
	t := graphtest.Turn{Request: "r-" + prompt,
		User: graphtest.User{ID: prompt, Text: "Text of " + prompt, At: graphT + second*1000}}
	for i, answer := range answers {
		at := t.User.At + int64(i+1)*1000
		t.Steps = append(t.Steps, graphtest.Step{Kind: "assistant", Text: answer, From: at, To: at + 300})
	}
	return t
}

// bubble is a row. second is its time; negative for none. more are further fields, as name and value.
func bubble(id, text string, second int64, more ...any) map[string]any {
	o := map[string]any{"id": id, "type": 2, "text": text}
	if strings.HasPrefix(id, "p") {
		o["type"] = 1
	}
	if second >= 0 {
		o["createdAt"] = graphT + second*1000
	}
	for i := 0; i < len(more); i += 2 {
		o[more[i].(string)] = more[i+1]
	}
	return o
}

// TestPlacesBesideGraph: where a message stands that only the graph has, or that no header names, and which headers
// have no message.
func TestPlacesBesideGraph(t *testing.T) {
	t.Parallel()
	two := []graphtest.Turn{turnOf("p1", 0, "One"), turnOf("p2", 60, "Two")}
	second := []map[string]any{bubble("p2", "Text of p2", 60, "requestId", "r-p2"), bubble("b2", "Two", 61)}
	cases := map[string]besideGraph{
		"a lost prompt without a time goes with its request": {turns: two, headers: "p2 b2",
			rows: append([]map[string]any{bubble("p1", "Text of p1", -1, "requestId", "r-p1"), bubble("b1", "One", 1)},
				second...), want: "p1, One, p2, Two"},
		"a step of a turn that no header names stands in it": {
			turns: []graphtest.Turn{turnOf("p1", 0, "Gone", "One"), turnOf("p2", 60, "Two")}, headers: "p2 b2",
			rows: append([]map[string]any{bubble("p1", "Text of p1", -1), bubble("q1", "One", -1)}, second...),
			want: "p2, Two, -p1, -Gone, -One",
		},
		"a placeholder's header holds the place": {turns: []graphtest.Turn{turnOf("p1", 0, "One", "Two")},
			headers: "p1 b1 hold b3", rows: []map[string]any{bubble("p1", "Text of p1", 0),
				bubble("b1", "Summary", 1, "isSummarization", true), bubble("hold", "", 2, "isPlaceholder", true),
				bubble("b3", "Two", 3)},
			want: "p1, Summary, One, Two"},
		"of a placeholder and a header without a row the placeholder has the step": {
			turns: []graphtest.Turn{turnOf("p1", 0, "One", "Two")}, headers: "p1 gone b1 hold b3", missing: 1,
			rows: []map[string]any{bubble("p1", "Text of p1", 0), bubble("b1", "Summary", 1, "isSummarization", true),
				bubble("hold", "", 2, "isPlaceholder", true), bubble("b3", "Two", 3)},
			want: "p1, Summary, One, Two",
		},
		"a header behind a prompt that the graph lacks is missing": {
			turns: []graphtest.Turn{turnOf("p1", 0, "One", "More")}, headers: "p1 b1 p2 b2 b3", missing: 1,
			rows: append([]map[string]any{bubble("p1", "Text of p1", 0)}, second...), want: "p1, One, More, p2, Two",
		},
		"a header has the message that the graph has there": {turns: two, headers: "p1 b1 p2 b2",
			rows: append([]map[string]any{bubble("p1", "Text of p1", 0)}, second...), want: "p1, One, p2, Two"},
		"a row that the graph lacks follows the row before it": {
			turns: append([]graphtest.Turn{turnOf("p1", 0, "One")}, turnOf("p2", 60, "Two"),
				turnOf("p3", 120, "Three")), headers: "p3 b4",
			rows: []map[string]any{bubble("p1", "Text of p1", 0), bubble("b1", "One", 1), bubble("b2", "Two", 61),
				bubble("b3", "Summary", 65, "isSummarization", true), bubble("p3", "Text of p3", 120),
				bubble("b4", "Three", 121)},
			want: "p1, One, p2, Two, Summary, p3, Three",
		},
		"a row before all prompts is of the turn that had begun": {turns: two, headers: "p2 b2",
			rows: append([]map[string]any{bubble("b1", "Summary", 5, "isSummarization", true)}, second...),
			want: "p1, One, Summary, p2, Two"},
		"a turn whose prompt is lost begins behind the error before it": {
			turns:   []graphtest.Turn{turnOf("p1", 0, "One"), turnOf("p2", 60, "Two"), turnOf("p3", 120)},
			headers: "p1 b1 e1 b2 p3", rows: []map[string]any{bubble("p1", "Text of p1", 0), bubble("b1", "One", 1),
				bubble("e1", "Broken", 5, "errorDetails", map[string]any{"message": "It broke."}),
				bubble("b2", "Two", 61), bubble("p3", "Text of p3", 120)},
			want: "p1, One, Broken, p2, Two, p3",
		},
		"equal words are of the row of their time": {
			turns: []graphtest.Turn{turnOf("p1", 0, "Done."), turnOf("p2", 60, "Done.")}, headers: "p1 b2 p2",
			rows: []map[string]any{bubble("p1", "Text of p1", 0), bubble("b1", "Done.", 1),
				bubble("p2", "Text of p2", 60), bubble("b2", "Done.", 61)}, want: "p1, Done., p2, -Done.",
		},
		"without headers the graph has the order": {turns: two,
			rows: []map[string]any{bubble("p1", "Text of p1", -1), bubble("b2", "One", -1),
				bubble("p2", "Text of p2", -1), bubble("b1", "Two", -1)}, want: "p1, One, p2, Two"},
		"a prompt is that of the header that names it, in a list out of order": {turns: two, headers: "px* p2 b2 p1",
			rows: second, missing: 1, want: "p1, One, p2, Two"},
		"a header says who wrote a prompt that only the graph has": {turns: two, headers: "p1* b1 p2 b2",
			want: "p1*, One, p2, Two"},
		"an answer is no form of the one whose step is lost": {turns: []graphtest.Turn{turnOf("p1", 0, "One", "Two")},
			headers: "p1 b2", lost: "Two", rows: []map[string]any{bubble("p1", "Text of p1", 0),
				bubble("b2", "Two", 2)}, want: "p1, One, Two"},
		"a command has the number of its turn, whatever is lost": {
			turns: []graphtest.Turn{turnOf("p1", 0, "One"), turnOf("p2", 60, "Two"),
				{Shell: &graphtest.Shell{Command: "ls"}}}, headers: "p2 b2",
			rows: second, lost: "r-p1", want: "p2, Two, turn2",
		},
	}
	l, users := newFixture(t), map[string]string{} // a source each: blobs of equal bytes are one in a store
	names := slices.Sorted(maps.Keys(cases))
	for i, name := range names {
		c, user := cases[name], fmt.Sprint("s", i)
		users[user] = filepath.Join(l.dir, user)
		writeGlobal(t, users[user], c.store())
	}
	l.run(nil, func(o *pipelines.Options) { o.Sources = sources(t, users) })
	for i, name := range names {
		of := fmt.Sprintf(" WHERE source_id = 's%d'", i)
		var got []string
		for _, m := range l.ask(
			`SELECT position + 100, if(is_listed, '', '-') || if(role = 'user', message_id, coalesce(text, summary)) || if(is_simulated, '*', '') FROM messages` + of) {
			got = append(got, m[1])
		}
		same(t, name+": messages", cases[name].want, strings.Join(got, ", "))
		same(t, name+": missing", fmt.Sprint(cases[name].missing),
			l.ask(`SELECT missing_message_count FROM conversations` + of)[0][0])
	}
}

// store are the rows of the chat.
func (c *besideGraph) store() []storetest.Row {
	j := &joined{id: "00000000-0000-4000-8000-000000000001", chat: graphtest.Chat{Turns: c.turns}}
	for _, r := range c.rows {
		body := maps.Clone(r)
		delete(body, "id")
		j.put("bubbleId:"+j.id+":"+r["id"].(string), body)
	}
	for _, id := range strings.Fields(c.headers) {
		of, isSimulated := strings.CutSuffix(id, "*")
		j.headers = append(j.headers, map[string]any{"bubbleId": of, "type": bubble(of, "", -1)["type"],
			"grouping": map[string]any{"isSimulatedMsg": isSimulated}})
	}
	j.build(c.lost)
	return j.rows
}
