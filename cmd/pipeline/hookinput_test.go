package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// with is the end of a turn with something in front of its other fields.
func with(id, fields string) string {
	return `{` + fields + `"conversation_id":"c","generation_id":"` + id +
		`","model":"m","input_tokens":10,"output_tokens":1,"cache_read_tokens":4,"cache_write_tokens":0,"hook_event_name":"afterAgentResponse"}`
}

// hookInputs are what Cursor may say, and whether it leaves a line.
func hookInputs() map[string]struct {
	payload string
	lines   int
} {
	type input = struct {
		payload string
		lines   int
	}
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	return map[string]input{
		"nothing":         {"", 0},
		"spaces":          {strings.Repeat(" \n", 50_000), 0},
		"no JSON":         {"what?", 0},
		"a list":          {`[{"generation_id":"list","hook_event_name":"stop","input_tokens":1}]`, 0},
		"null":            {"null", 0},
		"a text":          {`"CANARY"`, 0},
		"a number":        {"7", 0},
		"an empty object": {"{}", 0},
		"another event": {`{"hook_event_name":"afterAgentThought","generation_id":"thought","input_tokens":1}`,
			0},
		"a payload cut off":   {with("cut", "")[:100], 0},
		"NUL bytes":           {strings.Repeat("\x00", 1000), 0},
		"NUL in a payload":    {with("nul\x00", ""), 0},
		"too deep":            {with("deeper", `"tool_input":`+deep(20_000)+`,`), 0},
		"longer than is read": {with("longest", `"text":"`+strings.Repeat("CANARY ", 10<<20)+`",`), 0},
		"damage, then more":   {`{"text":` + strings.Repeat("CANARY ", 100_000), 0},
		"50 MB":               {with("large", `"text":"`+strings.Repeat("CANARY ", 50_000_000/7)+`",`), 1},
		"deep":                {with("deep", `"tool_input":`+deep(5000)+`,`), 1},
		"no UTF-8":            {with("no-utf8", "\"text\":\"CANARY \xff\xfe\","), 1},
		"a name of no UTF-8":  {with("odd-\xff\xfe", ""), 1},
		"an escaped NUL":      {with(`null-\u0000-`, ""), 1},
		// PowerShell puts it there, and Cursor on Windows starts hooks by it
		"a mark of order": {"\uFEFF" + with("mark", ""), 1},
		"two marks":       {"\uFEFF\uFEFF" + with("marks", ""), 1},       // so do two of them
		"two payloads":    {with("one", "") + "\n" + with("two", ""), 1}, // the first
		"numbers as texts": {
			`{"generation_id":"texts","hook_event_name":"stop","input_tokens":"10","output_tokens":"1","cache_read_tokens":"4"}`, 1,
		},
		"texts for numbers": {
			`{"generation_id":"words","hook_event_name":"stop","input_tokens":"CANARY","output_tokens":1,"cache_read_tokens":true,"cache_write_tokens":[4]}`, 1,
		},
		"negative numbers": {
			`{"generation_id":"negative","hook_event_name":"stop","input_tokens":-10,"output_tokens":1}`, 1,
		},
		"huge numbers": {
			`{"generation_id":"huge","hook_event_name":"stop","input_tokens":1e300,"output_tokens":` +
				strings.Repeat("9", 300) + `}`, 1,
		},
		"a fraction": {
			`{"generation_id":"fraction","hook_event_name":"stop","input_tokens":1.5,"output_tokens":1}`, 1,
		},
		"names of other types": {
			`{"generation_id":"types","conversation_id":7,"model":{"id":"CANARY"},"status":["CANARY"],"hook_event_name":"stop","input_tokens":10,"output_tokens":1,"cache_read_tokens":4}`, 1,
		},
		"long names": {`{"generation_id":"long","model":"` + strings.Repeat("CANARY ", 1000) +
			`","hook_event_name":"stop","input_tokens":10,"output_tokens":1}`, 1},
		"a field twice": {
			`{"generation_id":"twice","hook_event_name":"stop","input_tokens":1,"input_tokens":10,"output_tokens":1}`,
			1,
		},
	}
}

// TestHookInput: whatever Cursor says, the call ends well and in silence, and takes all that it is given; what is no
// end of a turn leaves nothing, and no line keeps a run from the others. A number that cannot be used costs itself
// alone; an event without any is none.
func TestHookInput(t *testing.T) {
	long(t)
	h := installHook(t, "pipeline")
	h.call("the first", turn("first"))
	for name, input := range hookInputs() {
		before, _ := h.lines()
		h.call(name, strings.NewReader(input.payload))
		after, torn := h.lines()
		if len(after)-len(before) != input.lines || torn > 0 {
			t.Errorf("%s: %d lines, want %d; %d are torn", name, len(after)-len(before), input.lines, torn)
		}
	}
	h.calls("no input at all", h.command+" <&-", nil)
	h.calls("no output at all", h.command+" >&- 2>&-", turn("closed"))
	h.calls("no home", "unset HOME; "+h.command, turn("homeless"))
	h.calls("no environment", "exec env -i "+h.command, turn("bare"))
	h.private()
	h.loads()
	want := []string{"first", "negative", "fraction", "large", "deep", "no-utf8", "odd-\uFFFD\uFFFD", "null-␀-", "mark",
		"marks", "one", "texts", "words", "types", "long", "twice", "closed", "homeless", "bare"}
	slices.Sort(want)
	h.same("the turns that the run has", want, h.requests())
	h.same("the tokens of those whose names or numbers are written in another way",
		[][]string{{"texts", "NULL", "6", "4", "1"}, {"types", "NULL", "6", "4", "1"},
			{"words", "NULL", "NULL", "NULL", "1"}},
		h.ask("SELECT request_id, conversation_id, fresh_input_tokens, cache_read_tokens, output_tokens FROM "+
			"usage_events WHERE request_id IN ('texts', 'types', 'words') ORDER BY 1"))
}

// TestHookOpenInput: where Cursor leaves the input open, a whole payload is written down at once, and a call that gets
// none, or never gets to its end, ends nevertheless. Where the payload is no use, Cursor can write it all the same.
func TestHookOpenInput(t *testing.T) {
	long(t)
	t.Parallel()
	h := installHook(t, "pipeline")
	endless := func(w io.Writer) error {
		_, err := io.WriteString(w, `{"text":"`)
		for err == nil {
			time.Sleep(time.Millisecond)
			_, err = io.WriteString(w, strings.Repeat("CANARY ", 1000))
		}
		return nil // the call has ended
	}
	say := func(text string) func(w io.Writer) error {
		return func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return err
		}
	}
	for _, c := range []struct {
		name  string
		say   func(w io.Writer) error
		lines int
		soon  bool
	}{
		{"a payload", say(with("open", "")), 1, true},
		{"nothing", say(""), 0, false},
		{"a part of a payload", say(with("part", "")[:50]), 0, false},
		{"no end of it", endless, 0, false},
		{"a payload and more", func(w io.Writer) error {
			_, err := io.WriteString(w, with("more", ""))
			if err == nil {
				time.Sleep(10 * time.Millisecond)
				_, err = io.WriteString(w, "\r\n") // as a shell may
			}
			return err
		}, 1, true},
		{"a lot that is damaged", say("{]" + strings.Repeat("CANARY ", 1<<20)), 0, false},
	} {
		before, _ := h.lines()
		took := h.open(c.name, c.say)
		after, torn := h.lines()
		t.Logf("%s: %v", c.name, took)
		if len(after)-len(before) != c.lines || torn > 0 || c.soon && took > 2*time.Second {
			t.Errorf("%s: %d lines, want %d, in %v", c.name, len(after)-len(before), c.lines, took)
		}
	}
}

// open is call with an input that stays open. It returns how long the call took.
func (h *hookLog) open(what string, say func(w io.Writer) error) time.Duration {
	h.t.Helper()
	r, w, err := os.Pipe()
	h.must(err)
	defer func() { _ = w.Close() }() // it may be closed
	cmd := exec.Command("sh", "-c", h.command)
	cmd.Env, cmd.Dir, cmd.Stdin = h.env, h.dir, r
	began := time.Now()
	h.must(cmd.Start())
	h.must(r.Close())
	kill := time.AfterFunc(hookPatience, func() {
		_ = cmd.Process.Kill()
		_ = w.Close() // ends what the shell has started
	})
	defer kill.Stop()
	said := make(chan error, 1)
	go func() { said <- say(w) }()
	if err := cmd.Wait(); err != nil {
		h.t.Errorf("%s: the call ended with %v", what, err)
	}
	if err := <-said; err != nil {
		h.t.Error(fmt.Errorf("%s: Cursor could not write it: %w", what, err))
	}
	return time.Since(began)
}

// TestHookNoHome: without a home nothing is installed, or removed, at a place that is nobody's.
func TestHookNoHome(t *testing.T) {
	t.Parallel()
	w := newCLITest(t)
	for _, home := range []string{"", "HOME=", "HOME=here"} {
		for _, command := range []string{"install", "remove"} {
			cmd := exec.Command("pipeline", "hook", command)
			cmd.Dir, cmd.Env = w.dir, []string{"PATH=" + os.Getenv("PATH"), "TMPDIR=" + t.TempDir(), home}
			code, said := output(t, cmd)
			if code != exitUsage || !strings.Contains(said, "HOME") {
				t.Errorf("%s with %q: exit code %d: %s", command, home, code, said)
			}
		}
	}
	w.same("what is written", map[string]string{w.dir: "folder"}, files(t, w.dir))
}
