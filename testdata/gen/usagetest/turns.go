package usagetest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"pipeline/testdata/gen/graphtest"
)

// Turn is a turn of the agent, as hooks or the command line tell it.
type Turn struct {
	ID, Conversation, Model    string
	At                         int64
	Fresh, Write, Read, Output int64
	Wrong                      bool // the parts that hooks say are larger than the whole, which is Fresh
	Stops, Answers             int  // how often each hook is called; the last call counts
	Suffix                     bool // hooks have a number behind the id
	Silent                     bool // the hooks have no tokens
}

// Turns makes turns. The same seed gives the same ones.
func Turns(seed uint64, many int) (all []Turn) {
	r := rand.New(rand.NewPCG(seed, 11))
	at := time.Date(2026, 9, 1, 8, 0, 0, 0, time.UTC).UnixMilli()
	for i := range many {
		at += 1000 + r.Int64N(600_000)
		t := Turn{
			ID:           fmt.Sprintf("%08x-0000-4000-8000-%012x", seed, i),
			Conversation: fmt.Sprintf("c0ffee00-0000-4000-8000-%012x", i/3),
			Model:        []string{"composer-2.5", "default"}[r.IntN(2)], At: at, Fresh: small(r), Write: small(r),
			Read: small(r), Output: small(r), Stops: r.IntN(3), Answers: r.IntN(3), Suffix: r.IntN(3) == 0,
			Silent: r.IntN(8) == 0,
		}
		if r.IntN(6) == 0 {
			t.Wrong = true
			t.Read = t.Fresh + 1
		}
		all = append(all, t)
	}
	return all
}

// Hooks writes a log of hooks in one of the ways that programs have: bare, tab, payload (an object) or stdin_preview (a
// text). It says what is in it.
func Hooks(turns []Turn, way string) ([]byte, []Told) {
	f, told := newFile(), []Told(nil)
	call := func(t Turn, event, own string) {
		id := t.ID
		if t.Suffix && event == "afterAgentResponse" {
			id += "-0-6ati"
		}
		name := `"hook_event_name":` + graphtest.Quoted(event) + ","
		if way == "tab" {
			name = ""
		}
		payload := fmt.Sprintf(
			`{"conversation_id":%q,"generation_id":%q,"model":%q,%s%s,"user_email":"ann@example.com","workspace_roots":["/w"]}`, t.Conversation, id, t.Model, name, own)
		at := time.UnixMilli(t.At).UTC().Format("2006-01-02T15:04:05.000Z")
		switch way {
		case "tab":
			f.add(event + "\t" + payload + "\n")
		case "payload":
			f.add(`{"ts":` + graphtest.Quoted(at) + `,"payload":` + payload + "}\n")
		case "stdin_preview":
			f.add(`{"event":` + graphtest.Quoted(event) + `,"stdin_preview":` + graphtest.Quoted(payload) + `,"started_at":` + graphtest.Quoted(at) +
				"}\n")
		default:
			f.add(payload + "\n")
		}
	}
	for _, t := range turns {
		e := t.inHooks(way)
		call(t, "beforeSubmitPrompt", `"prompt":"hi"`)
		for range t.Answers {
			e.Line = f.line
			call(t, "afterAgentResponse", `"text":"yes"`+t.counts())
		}
		for range t.Stops {
			e.Line, e.Kind = f.line, "completed"
			call(t, "stop", `"status":"completed","loop_count":0`+t.counts())
		}
		if t.Answers+t.Stops > 0 && !t.Silent {
			told = append(told, e)
		}
	}
	return []byte(f.String()), told
}

// inHooks is what hooks say of a turn.
func (t Turn) inHooks(way string) Told {
	e := Told{Origin: "hook", Model: t.Model, Conversation: t.Conversation, Request: t.ID, Fresh: t.Fresh,
		Write: t.Write, Read: t.Read, Output: t.Output, Cost: None, Charged: None}
	if t.Wrong {
		e.Write, e.Read = None, None
	}
	if way == "payload" || way == "stdin_preview" {
		e.At = t.At
	}
	return e
}

// counts are the tokens of a hook: its input includes the cache.
func (t Turn) counts() string {
	if t.Silent {
		return ""
	}
	input := t.Fresh + t.Write + t.Read
	if t.Wrong {
		input = t.Fresh
	}
	return fmt.Sprintf(`,"input_tokens":%d,"output_tokens":%d,"cache_read_tokens":%d,"cache_write_tokens":%d`, input,
		t.Output, t.Read, t.Write)
}

// Printed writes what the command line prints, and says what is in it. Alone are results without the lines before them.
func Printed(turns []Turn, alone bool) ([]byte, []Told) {
	f, told := newFile(), []Told(nil)
	for _, t := range turns {
		e := Told{Origin: "stream", Kind: "success", Conversation: t.Conversation, Request: t.ID, Fresh: t.Fresh,
			Write: t.Write, Read: t.Read, Output: t.Output, Cost: None, Charged: None, Headless: "true"}
		if !alone {
			e.At, e.Model = t.At, t.Model
			f.add(strings.Join([]string{
				fmt.Sprintf(`{"type":"system","subtype":"init","session_id":%q,"model":%q}`, t.Conversation, t.Model),
				fmt.Sprintf(`{"type":"thinking","subtype":"delta","text":"Hm","session_id":%q,"timestamp_ms":%d}`,
					t.Conversation, t.At-500),
				fmt.Sprintf(`{"type":"thinking","subtype":"completed","session_id":%q,"timestamp_ms":%d}`,
					t.Conversation, t.At),
				fmt.Sprintf(
					`{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"{}"}]},"session_id":%q}`, t.Conversation),
			}, "\n") + "\n")
		}
		e.Line = f.line
		told = append(told, e)
		f.add(
			fmt.Sprintf(
				`{"type":"result","subtype":"success","duration_ms":2778,"is_error":false,"result":"PONG","session_id":%q,"request_id":%q,"usage":{"inputTokens":%d,"outputTokens":%d,"cacheReadTokens":%d,"cacheWriteTokens":%d}}`,
				t.Conversation, t.ID, t.Fresh, t.Output, t.Read, t.Write) + "\n")
	}
	return []byte(f.String()), told
}
