package pipelines_test

import (
	"os"
	"path/filepath"
	"testing"

	"pipeline/pipelines"
	"pipeline/sql/schema"
)

// estimating turns estimates on, with a list of one model.
func estimating(model string, input, output float64) func(*pipelines.Options) {
	return func(o *pipelines.Options) {
		on := true
		o.Estimate, o.Prices = &on, []schema.ModelPrice{{Model: model, InputUsd: &input, OutputUsd: &output}}
	}
}

// TestEstimate: turns without usage are estimated once a run is told to, and by later runs too, until one is told not
// to. Numbers of tokens are those of OpenAI's own library for these texts.
func TestEstimate(t *testing.T) {
	t.Parallel()
	u := newUsageFixture(t)
	const (
		// 2
		question = `{"_v":2,"type":1,"bubbleId":"a1","text":"hello world","createdAt":"2025-10-09T08:54:20Z"}`
		// 6
		answer = `{"_v":2,"type":2,"bubbleId":"a2","text":"tiktoken is great!","createdAt":"2025-10-09T08:55:20Z"}`
		call   = `{"_v":2,"type":2,"bubbleId":"a3","createdAt":"2025-10-09T08:56:20Z","toolFormerData":{"tool":15,"name":"run_terminal_command_v2","toolCallId":"call-1","status":"completed",` +
			`"rawArgs":"antidisestablishmentarianism","result":"1234567890"}}` // 6 and 4
		// 7
		again = `{"_v":2,"type":1,"bubbleId":"b1","text":"2 + 2 = 4"}`
		// 1 and 2
		known = `{"_v":2,"type":2,"bubbleId":"b2","text":"Reply","thinking":{"text":"hello world"},"tokenCount":{"inputTokens":0,"outputTokens":0},"createdAt":"2025-10-10T08:55:20Z"}`
	)
	w := baseUserDir().with(keyA1, question, keyA2, answer, keyA3, call, keyB1, again, keyB2, known)
	const estimates = `SELECT conversation_id, message_id, coalesce(model, ''), input_tokens, output_tokens, method, coalesce(price_model, ''), cost_cents, load_id FROM turn_estimates ORDER BY ALL`
	all := func() cells { return u.dump("turn_estimates", "model_prices") }
	u.run(w)
	same(t, "before it is asked for", cells{}, all())
	u.run(nil, estimating("m", 10000, 20000))
	want := [][]string{{"alpha", "a1", "m-1", "6", "12", "counted", "m", "30", "2"},
		{"beta", "b1", "", "7", "3", "counted", "", "NULL", "2"}}
	same(t, "what is estimated", want, u.ask(estimates))
	before := all()
	u.run(nil)
	same(t, "after a run that was not told", before, all())
	u.run(w.with(keyA2, `{"_v":2,"type":2,"bubbleId":"a2","text":"hello world","createdAt":"2025-10-09T08:55:20Z"}`))
	want[0] = []string{"alpha", "a1", "m-1", "6", "8", "counted", "m", "22", "4"}
	same(t, "once the answer is another", want, u.ask(estimates))
	r := u.run(nil, estimating("m-1", 30000, 10000))
	want[0] = []string{"alpha", "a1", "m-1", "6", "8", "counted", "m-1", "26", "4"}
	same(t, "with other prices", want, u.ask(estimates))
	same(t, "conversations that were read for that", int64(0), r.Read)

	before = all()
	_, err := pipelines.Rebuild(t.Context(), pipelines.Options{Warehouse: u.warehouse(), ToolVersion: "test"}, false)
	must(t, err)
	// by the last load that the rebuild repeats
	counted := cells{"turn_estimates[alpha a1].load_id": "5", "turn_estimates[beta b1].load_id": "5"}
	same(t, "after a rebuild", before.change(counted), all())

	on := true
	u.run(nil, func(o *pipelines.Options) { o.Estimate = &on })
	same(t, "a list of one's own stays", before.change(counted), all())
	u.put("hook.jsonl",
		[]byte(
			`{"hook_event_name":"stop","conversation_id":"alpha","generation_id":"g","model":"m-1","status":"completed","input_tokens":50,"output_tokens":5,"cache_read_tokens":0,"cache_write_tokens":0,"timestamp":"2025-10-09T08:56:30Z"}`+"\n"))
	u.run(nil, u.read)
	same(t, "once an event is known", [][]string{{"beta"}}, u.ask(`SELECT conversation_id FROM turn_estimates`))
	must(t, os.Remove(filepath.Join(u.dir, "hook.jsonl")))
	off := false
	u.run(nil, func(o *pipelines.Options) { o.Estimate = &off })
	same(t, "once it is turned off", cells{}, all())
	u.run(nil, func(o *pipelines.Options) { o.Estimate = &on })
	same(t, "with the program's prices", [][]string{{"true", "1"}},
		u.ask(`SELECT count(*) > 1, (SELECT count(*) FROM turn_estimates) FROM model_prices`))
}

// TestReadPrices: an error names the file and the line.
func TestReadPrices(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "prices.csv")
	if _, err := pipelines.ReadPrices(path); err == nil {
		t.Error("a file that is missing")
	}
	must(t, os.WriteFile(path, []byte("model,input,output\nm,dear,2\n"), 0o600))
	if _, err := pipelines.ReadPrices(path); err == nil ||
		err.Error() != "prices "+path+
			`: line 2: input "dear" is no price: write US dollars for a million tokens, such as 1.25` {
		t.Error(err)
	}
}
