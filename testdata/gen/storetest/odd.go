package storetest

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// An Odd is a user directory with what no sound Cursor writes, and with figures that say what a warehouse makes of it:
// every number and every time at its extremes and as something else (texts, flags, objects), differences whose lines
// are known, and workspaces of every kind.
type Odd struct {
	rows, items             []Row
	headers                 []map[string]any // rows of composerHeaders
	list, tabs, generations []string         // heads, chat tabs and generations, JSON
	workspaces              []*workspace
	queries                 map[string]*Query
}

// An oddValue is a value where a store has a number or a time, and what it means there; "" for NULL. The meanings are
// those that the data dictionary states, and are written here by hand.
type oddValue struct {
	json  string
	count string // of a count, a size, a duration, a place
	cents string // of a cost
	ms    int64  // of a time
}

var oddValues = []oddValue{
	{json: `0`, count: "0", cents: "0"},
	{json: `-0`, count: "0", cents: "0"},
	{json: `1`, count: "1", cents: "1"},
	{json: `12`, count: "12", cents: "12"},
	{json: `1.0`, count: "1", cents: "1"},
	{json: `12.75`, count: "12", cents: "12.75"},
	{json: `1e2`, count: "100", cents: "100"},
	{json: `0.25`, count: "0", cents: "0.25"},
	{json: `1e-400`, count: "0", cents: "0"},
	{json: `"12"`, count: "12", cents: "12"},
	{json: `" 12 "`, count: "12", cents: "12"},
	{json: `-1`, cents: "-1"},
	{json: `"-1"`, cents: "-1"},
	{json: `999999999999`, count: "999999999999", cents: "999999999999"},
	{json: `1000000000000`, count: "1000000000000", cents: "1000000000000"},
	{json: `-1000000000000`, cents: "-1000000000000"},
	{json: `1000000000001`},
	{json: `4503599627370497.5`},
	{json: `9223372036854775806`},
	{json: `9223372036854775807`},
	{json: `9223372036854775808`},
	{json: `"9223372036854775807"`},
	{json: `-9223372036854775807`},
	{json: `-9223372036854775808`},
	{json: `-9223372036854775809`},
	{json: `18446744073709551616`},
	{json: `1e308`},
	{json: `-1e308`},
	{json: `1e400`},
	{json: `-1e400`},
	{json: `"NaN"`}, {json: `"nan"`}, {json: `"Infinity"`}, {json: `"-inf"`}, {json: `"1e400"`}, {json: `"0x1p4"`},
	{json: `"1_000"`}, {json: `"twelve"`}, {json: `"12 tokens"`}, {json: `"2025-13-45T99:99:99Z"`},
	{json: `"0001-01-01T00:00:00Z"`}, {json: `"9999-12-31T23:59:59Z"`}, {json: `"2014-12-31T23:59:59.999Z"`},
	{json: `""`}, {json: `true`}, {json: `false`}, {json: `null`}, {json: `{}`}, {json: `{"value":12}`}, {json: `[]`},
	{json: `[12]`}, {json: `[{"value":12}]`}, {json: `1420070399999`}, {json: `1420070400000`, ms: 1420070400000},
	{json: `1700000000`, count: "1700000000", cents: "1700000000", ms: 1700000000000},
	{json: `"1700000000000"`, ms: 1700000000000},
	{json: `1700000000000.75`, ms: 1700000000000},
	{json: `"2025-03-10T09:00:00Z"`, ms: 1741597200000},
	{json: `"2025-03-10 10:00:00+01:00"`, ms: 1741597200000},
	{json: `4102444799999`, ms: 4102444799999},
	{json: `4102444800000`},
	{json: `99999999999`, count: "99999999999", cents: "99999999999"},
}

// NewOdd plans an odd user directory; it is always the same.
func NewOdd() *Odd {
	o := &Odd{queries: map[string]*Query{}}
	for i, v := range oddValues {
		o.figures(fmt.Sprintf("odd-head-%02d", i), v)
		o.heads(i, v)
		o.shared(i, v)
	}
	o.differences()
	o.places()
	return o
}

// Queries are the figures, as queries on a warehouse that holds this directory.
func (o *Odd) Queries() []Query {
	var qs []Query
	for _, q := range o.queries {
		slices.SortFunc(q.Rows, slices.Compare)
		qs = append(qs, *q)
	}
	slices.SortFunc(qs, func(a, b Query) int { return strings.Compare(a.Name, b.Name) })
	return qs
}

// want adds a row to what a query must give.
func (o *Odd) want(name, query string, cells ...any) {
	if o.queries[name] == nil {
		o.queries[name] = &Query{Name: name, SQL: query}
	}
	o.queries[name].Rows = append(o.queries[name].Rows, row(cells...))
}

// Write makes the user directory.
func (o *Odd) Write(userDir string) error {
	lists := &workspace{id: "odd", tabs: o.tabs,
		items: []Row{{ItemTable, "aiService.generations", list(o.generations)}}}
	rows := append(append(o.rows, o.items...),
		Row{ItemTable, "composer.composerHeaders", `{"allComposers":` + list(o.list) + `}`})
	p := &Plan{}
	for _, w := range append(o.workspaces, lists) {
		if err := p.writeWorkspace(w, filepath.Join(userDir, "workspaceStorage", w.id)); err != nil {
			return err
		}
	}
	global := filepath.Join(userDir, "globalStorage")
	return errors.Join(WriteStore(filepath.Join(global, "state.vscdb"), rows,
		StoreOptions{HeaderColumns: HeaderColumns10, HeaderRows: o.headers}),
		os.WriteFile(filepath.Join(global, "state.vscdb.options.json"), []byte(`{"useWAL": false}`), 0o666))
}

func (o *Odd) add(key, value string) { o.rows = append(o.rows, Row{Key: key, Value: value}) }

// figures is a conversation that has the value in each of its own fields, and in those of its messages, calls, edits
// and costs.
func (o *Odd) figures(id string, v oddValue) {
	j, at := v.json, ms(v.ms)
	o.add("composerData:"+id, `{"_v":`+j+`,"composerId":"`+id+`","name":"`+id+`","createdAt":`+j+`,"lastUpdatedAt":`+j+
		`,"conversationCheckpointLastUpdatedAt":`+j+
		`,"contextTokensUsed":`+j+`,"contextTokenLimit":`+j+`,"totalLinesAdded":`+j+`,"totalLinesRemoved":`+j+
		`,"filesChangedCount":`+j+
		`,"promptTokenBreakdown":{"totalUsedTokens":`+j+`,"maxTokens":`+j+
		`,"categories":[{"id":"rules","label":"Rules","estimatedTokens":`+j+`}]}`+
		`,"usageData":{"some-model":{"costInCents":`+j+`,"amount":`+j+`}}`+
		`,"codeBlockData":{"file:///x.go":{"`+id+`-edit":{"codeblockId":"`+id+`-edit","createdAt":`+j+`}}}`+
		`,"fullConversationHeadersOnly":[{"bubbleId":"m0","type":1,"grouping":{"turnDurationMs":`+j+
		`}},{"bubbleId":"m1","type":2,"createdAt":`+j+`},`+
		`{"bubbleId":"m2","type":2,"startedAtMs":`+j+`,"completedAtMs":`+j+`},{"bubbleId":"m3","type":2}]}`)
	bubble := func(n, fields string) {
		o.add("bubbleId:"+id+":"+n, `{"bubbleId":"`+n+`","text":"t","unifiedMode":`+j+`,"thinkingDurationMs":`+j+
			`,"tokenCount":{"inputTokens":`+j+`,"outputTokens":`+j+
			`},"contextWindowStatusAtCreation":{"tokensUsed":`+j+`},`+fields+`}`)
	}
	bubble("m0", `"type":1,"createdAt":`+j+`,"context":{"selections":[{"path":"x.go","range":{"startLineNumber":`+j+
		`,"endLineNumber":`+j+`}}]}`)
	bubble("m1", `"type":2`)
	bubble("m2", `"type":2,"toolFormerData":{"name":"odd_tool","tool":`+j+`,"status":"completed","params":{"timeout":`+
		j+`,"startLineOneIndexed":`+j+`},`+
		`"result":{"exitCodeV2":`+j+`,"diff":{"chunks":[{"linesAdded":`+j+`,"linesRemoved":`+j+`}]}}}`)
	bubble("m3", `"type":2,"timingInfo":{"clientStartTime":`+j+`}`)
	o.add("codeBlockDiff:"+id+":"+id+"-diff",
		`{"newModelDiffWrtV0":[{"original":{"startLineNumber":1,"endLineNumberExclusive":`+j+`},"modified":["one"]}]}`)

	tokens := v.count
	if tokens == "0" { // where Cursor does not count it writes zeros
		tokens = ""
	}
	o.want("figures of conversations",
		`SELECT conversation_id, epoch_ms(created_at), epoch_ms(updated_at), epoch_ms(last_activity_at), context_tokens_used, context_token_limit,
lines_added, lines_removed, files_changed, cost_cents + 0.0, input_tokens, output_tokens, message_count FROM conversations WHERE conversation_id LIKE 'odd-head-%'`,
		id, at, at, at, v.count, v.count, v.count, v.count, v.count, v.cents, times(tokens, 4), times(tokens, 4), 4)
	for i, source := range []string{"message", "header", "header", "timing"} {
		if v.ms == 0 {
			source = ""
		}
		turn := ""
		if i == 0 {
			turn = v.count
		}
		o.want("figures of messages",
			`SELECT conversation_id, message_id, epoch_ms(created_at), created_at_source, thinking_duration_ms, turn_duration_ms, input_tokens, output_tokens,
context_tokens_used FROM messages WHERE conversation_id LIKE 'odd-head-%'`, id, "m"+itoa(i), at, source, v.count, turn,
			tokens, tokens, v.count)
	}
	took := ""
	if v.ms != 0 {
		took = "0"
	}
	o.want("figures of calls",
		`SELECT conversation_id, tool_number, name, epoch_ms(started_at), duration_ms, lines_added, lines_removed FROM tool_calls
WHERE conversation_id LIKE 'odd-head-%'`, id, tokens, "odd_tool", at, took, v.count, v.count)
	o.want("figures of selections",
		`SELECT conversation_id, start_line, end_line FROM attachments WHERE conversation_id LIKE 'odd-head-%'`, id,
		v.count, v.count)
	o.want("figures of edits", `SELECT edit_id, epoch_ms(created_at) FROM code_edits WHERE edit_id LIKE 'odd-head-%'`,
		id+"-edit", at)
	o.want("figures of differences",
		`SELECT diff_id, hunks, lines_added, lines_removed FROM code_diffs WHERE diff_id LIKE 'odd-head-%'`, id+"-diff",
		1, 1, v.before())
	o.want("figures of usage",
		`SELECT conversation_id, cost_cents + 0.0, requests FROM model_usage WHERE conversation_id LIKE 'odd-head-%'`,
		id, v.cents, v.count)
	o.want("figures of context parts",
		`SELECT conversation_id, tokens FROM context_parts WHERE conversation_id LIKE 'odd-head-%'`, id, v.count)
}

// before is the number of lines from the first up to the count, without it.
func (v oddValue) before() string {
	n, err := strconv.ParseInt(v.count, 10, 64)
	if err != nil {
		return ""
	}
	return strconv.FormatInt(max(n-1, 0), 10)
}

// times is a count n times over.
func times(count string, n int64) string {
	c, err := strconv.ParseInt(count, 10, 64)
	if err != nil {
		return ""
	}
	return strconv.FormatInt(c*n, 10)
}

// heads are conversations whose figures are only in composerHeaders (its columns, its value) or in the list of heads.
func (o *Odd) heads(i int, v oddValue) {
	plain := func(id string) string {
		o.add("composerData:"+id, `{"_v":13,"composerId":"`+id+`","fullConversationHeadersOnly":[]}`)
		return id
	}
	figures := func(id string) string {
		return `{"composerId":"` + id + `","createdAt":` + v.json + `,"lastUpdatedAt":` + v.json +
			`,"conversationCheckpointLastUpdatedAt":` + v.json + `,"contextTokensUsed":` + v.json +
			`,"totalLinesAdded":` + v.json + `,"totalLinesRemoved":` + v.json + `,"filesChangedCount":` + v.json + `}`
	}
	id := plain(fmt.Sprintf("odd-columns-%02d", i))
	o.headers = append(o.headers, map[string]any{"composerId": id, "createdAt": v.sqlite(), "lastUpdatedAt": v.sqlite(),
		"recency": v.sqlite(), "checkpointAt": v.sqlite(), "isArchived": v.sqlite(), "value": `{}`})
	o.want("times in columns",
		`SELECT conversation_id, epoch_ms(created_at), epoch_ms(updated_at) FROM conversations WHERE conversation_id LIKE 'odd-columns-%'`, id, ms(v.ms), ms(v.ms))
	for _, kind := range []string{"table", "item"} {
		id := plain(fmt.Sprintf("odd-%s-%02d", kind, i))
		if kind == "table" {
			o.headers = append(o.headers, map[string]any{"composerId": id, "value": figures(id)})
		} else {
			o.list = append(o.list, figures(id))
		}
		o.want("figures of heads",
			`SELECT conversation_id, epoch_ms(created_at), epoch_ms(updated_at), context_tokens_used, lines_added, lines_removed, files_changed
FROM conversations WHERE conversation_id LIKE 'odd-table-%' OR conversation_id LIKE 'odd-item-%'`, id, ms(v.ms),
			ms(v.ms), v.count, v.count, v.count, v.count)
	}
}

// sqlite is the value as a column of SQLite holds it.
func (v oddValue) sqlite() any {
	if n, err := strconv.ParseInt(v.json, 10, 64); err == nil {
		return n
	}
	if f, err := strconv.ParseFloat(v.json, 64); err == nil || math.IsInf(f, 0) {
		return f
	}
	if v.json == "null" {
		return nil
	}
	return strings.Trim(v.json, `"`)
}

// shared are the figures of rows that belong to no conversation alone, and those of an old chat tab.
func (o *Odd) shared(i int, v oddValue) {
	date := isoText(base + int64(i)*day)[:10]
	o.items = append(o.items, Row{ItemTable, "aiCodeTracking.dailyStats.v1.5." + date,
		`{"date":"` + date + `","tabSuggestedLines":` + v.json + `,"tabAcceptedLines":` + v.json +
			`,"composerSuggestedLines":` + v.json + `,"composerAcceptedLines":` + v.json + `}`})
	o.want("daily figures",
		`SELECT date, tab_suggested_lines, tab_accepted_lines, composer_suggested_lines, composer_accepted_lines FROM daily_edit_stats`, date, v.count, v.count, v.count, v.count)
	id := fmt.Sprintf("odd-%02d", i)
	o.generations = append(o.generations, `{"unixMs":`+v.json+`,"generationUUID":"`+id+
		`","type":"composer","textDescription":"made"}`)
	o.want("times of generations", `SELECT prompt_id, epoch_ms(created_at) FROM prompts`, id, ms(v.ms))
	tab := "odd-tab-" + itoa(i)
	o.tabs = append(o.tabs, `{"tabId":"`+tab+`","chatTitle":"a tab","lastSendTime":`+v.json+
		`,"bubbles":[{"id":"b","type":"user","text":"t","timestamp":`+v.json+`}]}`)
	source := ""
	if v.ms != 0 {
		source = "message"
	}
	o.want("times of tabs",
		`SELECT conversation_id, epoch_ms(c.created_at), epoch_ms(c.updated_at), epoch_ms(m.created_at), m.created_at_source
FROM conversations c JOIN messages m USING (source_id, conversation_id) WHERE c.format = 'chat_tab'`, tab, "", ms(v.ms),
		ms(v.ms), source)
}
