package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pipeline/testdata/gen/storetest"
)

// hookLog is the logger as it is installed in a home without Cursor, and what a run makes of its log.
type hookLog struct {
	*cliTest
	env             []string
	command, folder string
}

// installHook installs the program, and takes the command from hooks.json as Cursor does.
func installHook(t *testing.T, program string, env ...string) *hookLog {
	t.Helper()
	w := newCLITest(t)
	home := filepath.Join(w.dir, "home")
	w.must(os.Mkdir(home, 0o700))
	h := &hookLog{cliTest: w, folder: filepath.Join(home, ".local", "share", "pipeline", "hooks")}
	h.env = append([]string{"PATH=" + os.Getenv("PATH"), "PIPELINE_LOG=none", "TZ=UTC", "HOME=" + home,
		"TMPDIR=" + w.dir}, env...) // the program of a test is in the usual folder for temporary files
	for _, e := range env {
		if data, ok := strings.CutPrefix(e, "XDG_DATA_HOME="); ok {
			h.folder = filepath.Join(data, "pipeline", "hooks")
		}
	}
	install := exec.Command(program, "hook", "install")
	install.Env = h.env
	succeeds(t, install)
	text, err := os.ReadFile(filepath.Join(home, ".cursor", "hooks.json"))
	w.must(err)
	var file struct {
		Version int
		Hooks   map[string][]struct{ Command string }
	}
	w.must(json.Unmarshal(text, &file))
	stop, response := file.Hooks["stop"], file.Hooks["afterAgentResponse"]
	if file.Version != 1 || len(file.Hooks) != 2 || len(stop) != 1 || len(response) != 1 || stop[0] != response[0] {
		t.Fatalf("hooks.json is %s", text)
	}
	h.command = stop[0].Command
	return h
}

// hookPatience is the longest that a call may take, whatever it is given. It is much longer than it should: machines
// are busy.
const hookPatience = 30 * time.Second

// call does what Cursor does at an event. The call ends well, and Cursor reads nothing.
func (h *hookLog) call(what string, payload io.Reader) {
	h.t.Helper()
	h.calls(what, h.command, payload)
}

// calls is call with another command.
func (h *hookLog) calls(what, command string, payload io.Reader) {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), hookPatience)
	defer cancel()
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	cmd.Env, cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = h.env, h.dir, payload, &said, &said,
		time.Second
	if err := cmd.Run(); err != nil && !errors.Is(err, exec.ErrWaitDelay) || said.Len() > 0 {
		h.t.Errorf("%s: the call ended with %v and said %q", what, err, said.String())
	}
}

// lines are the lines of the log and of those set aside. Those that are no whole JSON come back as torn.
func (h *hookLog) lines() (lines []string, torn int) {
	h.t.Helper()
	names, err := filepath.Glob(filepath.Join(h.folder, "*.jsonl"))
	h.must(err)
	for _, name := range names {
		if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() {
			continue
		}
		text, err := os.ReadFile(name)
		h.must(err)
		for line := range strings.SplitSeq(string(text), "\n") {
			switch {
			case json.Valid([]byte(line)):
				lines = append(lines, line)
			case line != "":
				torn++
			}
		}
	}
	return lines, torn
}

// loads runs the program over a store of Cursor's; it is told nothing of the log.
func (h *hookLog) loads() {
	h.t.Helper()
	if _, err := os.Stat(h.user); err != nil {
		h.store(talk("demo", "hello", "well"), storetest.StoreOptions{})
	}
	cmd := exec.Command("pipeline", "run", "--quiet", "--source", "test="+h.user, "--warehouse", h.warehouse)
	cmd.Env, cmd.Dir = h.env, h.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		h.t.Errorf("the run: %v: %s", err, out)
	}
}

// requests are the turns of which the warehouse has tokens, in their order.
func (h *hookLog) requests() (ids []string) {
	h.t.Helper()
	for _, row := range h.ask("SELECT request_id FROM usage_events WHERE origin = 'hook' AND is_counted ORDER BY 1") {
		ids = append(ids, row[0])
	}
	return ids
}

// turn is what Cursor says at the end of a turn.
func turn(id string) io.Reader {
	return strings.NewReader(`{"conversation_id":"c","generation_id":"` + id +
		`","model":"m","status":"completed","loop_count":0,"input_tokens":10,"output_tokens":1,"cache_read_tokens":4,"cache_write_tokens":0,"hook_event_name":"stop","user_email":"CANARY"}`)
}

// told are the payloads that Cursor of a version sends (testdata/hooks). Their form is that of public recordings, their
// values are made up.
func told(t *testing.T, version string) (payloads []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "hooks", "cursor-"+version+".jsonl"))
	must(t, err)
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// TestHookEvents: of all that Cursor may say, each end of a turn leaves one line, nothing else leaves any, and no line
// has what people or models have written. The next run has the tokens.
func TestHookEvents(t *testing.T) {
	t.Parallel()
	h := installHook(t, "pipeline")
	for _, version := range []string{"1.7", "3.1", "2026.10"} {
		for _, payload := range told(t, version) {
			var event struct {
				Name string `json:"hook_event_name"`
			}
			h.must(json.Unmarshal([]byte(payload), &event))
			want := 0
			if event.Name == "stop" || event.Name == "afterAgentResponse" {
				want = 1
			}
			before, _ := h.lines()
			h.call(event.Name, strings.NewReader(payload))
			after, torn := h.lines()
			if len(after)-len(before) != want || torn > 0 {
				t.Errorf("%s of %s: %d lines, want %d; %d are torn", event.Name, version, len(after)-len(before), want,
					torn)
			}
		}
	}
	h.private()
	h.loads()
	const ids = "7d1f6a52-3b0e-4c8d-9a41-5e2b8c0f1a01"
	h.same("what the run has read", [][]string{ // by hand: fresh input is the input without what the cache has
		{"1a7c94e0-52d3-4f6b-8e19-c03d7b6a2f11", ids, "composer-2.5", "completed", "5700", "500", "12000", "340",
			"true"},
		// it was killed: there is no stop
		{"2b8da5f1-63e4-4a7c-9f2a-d14e8c7b3a22", ids, "composer-2.5", "NULL", "100", "0", "9000", "77", "true"},
		{"3c9eb6a2-74f5-4b8d-8a3b-e25f9d8c4b33", ids, "gpt-5.1-codex", "aborted", "4000", "0", "0", "12", "true"},
		// its parts are more than the whole
		{"4daf07b3-85a6-4c9e-9b4c-f36a0e9d5c44", ids, "composer-2.5", "error", "100", "NULL", "NULL", "5", "true"},
	}, h.ask(
		`SELECT request_id, conversation_id, model, kind_raw, fresh_input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, is_counted FROM usage_events
		WHERE origin = 'hook' AND now() - occurred_at BETWEEN INTERVAL 0 SECONDS AND INTERVAL 1 HOUR ORDER BY 1`))
	h.same("what the run could not read", [][]string(nil), h.ask("SELECT key, reason FROM quarantine"))
	h.loads()
	h.same("the turns after a second run", [][]string{{"4"}}, h.ask("SELECT count(*) FROM usage_events"))
}

// private holds that the log is its owner's, and that nothing is in its folder that somebody has written.
func (h *hookLog) private() {
	h.t.Helper()
	h.must(filepath.WalkDir(h.folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if d.IsDir() {
			h.same("the folder's mode", fs.FileMode(0o700), info.Mode().Perm())
			return nil
		}
		h.same("the log's mode", fs.FileMode(0o600), info.Mode().Perm())
		text, err := os.ReadFile(path)
		if bytes.Contains(bytes.ToUpper(append(text, path...)), []byte("CANARY")) {
			h.t.Errorf("%s has what is nobody's business: %s", path, text)
		}
		return err
	}))
}

// TestHookSessions: eight sessions that end their turns at once lose no line and tear none. Nor do they where the log
// becomes full among them.
func TestHookSessions(t *testing.T) {
	long(t)
	for name, room := range map[string]int{"one log": 8 << 20, "the log becomes full": 20_000} {
		t.Run(name, func(t *testing.T) {
			h := installHook(t, "pipeline")
			h.call("the first", turn("first"))
			if fill := 8<<20 - room; fill > 0 { // what another version wrote: it has no tokens
				line :=
					`{"ts":"2026-10-01T10:00:00.000Z","payload":{"hook_event_name":"stop","status":"completed","generation_id":"` + strings.Repeat("o", 900) + `"}}` + "\n"
				f, err := os.OpenFile(filepath.Join(h.folder, "turns.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
				h.must(err)
				_, err = f.WriteString(strings.Repeat(line, fill/len(line)))
				h.must(errors.Join(err, f.Close()))
			}
			before, _ := h.lines()
			want := []string{"first"}
			var sessions sync.WaitGroup
			for s := range 8 {
				for i := range 25 {
					want = append(want, fmt.Sprintf("s%d-%d", s, i))
				}
				sessions.Go(func() {
					for i := range 25 {
						h.call("a session", turn(fmt.Sprintf("s%d-%d", s, i)))
					}
				})
			}
			sessions.Wait()
			lines, torn := h.lines()
			if len(lines)-len(before) != 200 || torn > 0 {
				t.Errorf("%d lines of 200 are there, %d are torn", len(lines)-len(before), torn)
			}
			logs, err := filepath.Glob(filepath.Join(h.folder, "*.jsonl"))
			h.must(err)
			t.Logf("%d logs", len(logs))
			if (len(logs) > 1) != (room < 8<<20) {
				t.Errorf("the logs are %v", logs)
			}
			h.loads()
			slices.Sort(want)
			h.same("the turns that the run has", want, h.requests())
		})
	}
}

// TestHookTime prints how long a call takes, with the shell that Cursor starts it by and with the start of the program.
func TestHookTime(t *testing.T) {
	long(t)
	binary := filepath.Join(t.TempDir(), "pipeline")
	succeeds(t, exec.Command("go", "build", "-o", binary, "."))
	h := installHook(t, binary)
	var took, bare []time.Duration
	for i := range 100 {
		began := time.Now()
		h.call("a turn", turn(fmt.Sprint(i)))
		took = append(took, time.Since(began))
		began = time.Now()
		h.calls("nothing", "exit 0", strings.NewReader("{}"))
		bare = append(bare, time.Since(began))
	}
	lines, torn := h.lines()
	h.same("the lines", []int{100, 0}, []int{len(lines), torn})
	for name, times := range map[string][]time.Duration{"a call": took, "of it the shell": bare} {
		slices.Sort(times)
		t.Logf("%s: median %v, 95%% %v, at most %v", name, times[50], times[94], times[99])
	}
}
