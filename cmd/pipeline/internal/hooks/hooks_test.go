package hooks

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const call = `'/opt/pipeline' hook log '/home/ann/hooks'`

// commandsOf are the commands of an event in a file of hooks, as another reader sees them.
func commandsOf(t *testing.T, text []byte, event string) (commands []string) {
	t.Helper()
	var file struct {
		Version int
		Hooks   map[string][]struct{ Command string }
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	for _, h := range file.Hooks[event] {
		commands = append(commands, h.Command)
	}
	return commands
}

// TestInstall: the command is in each list once, also where it was with another path; what else there was stays, and is
// the same text again when the command is removed.
func TestInstall(t *testing.T) {
	for name, before := range map[string]string{
		"no hooks": `{"version":1}`,
		"other hooks": "{\n  \"version\": 1,\n  \"hooks\": {\n    \"stop\": [\n      {\n        \"command\": \"say " +
			"'done'\",\n        \"timeout\": 5\n      }\n    ],\n    \"beforeReadFile\": [\n      {\n" +
			"        \"command\": \"./check.sh\"\n      }\n    ]\n  }\n}\n",
		"odd layout": "{ \"hooks\" : {\"afterAgentResponse\":[ {\"command\":\"x\"} ],\n\t\"stop\": " +
			"[{\"command\":\"y \\u00e9\"}]}, \"version\": 1, \"more\": [1.50, null] }",
		"much beside":  `{"$schema":"https://example.org/hooks.json","version":1,"hooks":{"stop":[{"command":"a"},{"command":"b"}],"hook log ":[{"command":"c"}]}}`,
		"line of tabs": "{\n\t\"version\": 1,\n\t\"hooks\": {\n\t\t\"stop\": [{\"command\": \"a\"}]\n\t}\n}",
	} {
		out, err := Install([]byte(before), call)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, event := range events {
			want := append(commandsOf(t, []byte(before), event), call)
			if diff := cmp.Diff(want, commandsOf(t, out, event)); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", name, event, diff)
			}
		}
		if again, err := Install(out, call); err != nil || string(again) != string(out) {
			t.Errorf("%s: a second time it writes %s, %v", name, again, err)
		}
		moved, err := Install(out, Command("/new/pipeline", "/home/ann/hooks", "linux"))
		if got := commandsOf(t, moved, "stop"); err != nil ||
			got[len(got)-1] != `'/new/pipeline' hook log '/home/ann/hooks'` ||
			len(got) != len(commandsOf(t, out, "stop")) {
			t.Errorf("%s: after a move %v, %v", name, got, err)
		}
		back, n, err := Remove(moved)
		if err != nil || n != 2 {
			t.Errorf("%s: %d were removed, %v", name, n, err)
		}
		if name != "no hooks" && string(back) != before {
			t.Errorf("%s: it was\n%s\nand is\n%s", name, before, back)
		}
	}
	out, err := Install(nil, call)
	if err != nil || len(commandsOf(t, out, "stop")) != 1 || !strings.Contains(string(out), `"version": 1`) {
		t.Errorf("a new file: %s, %v", out, err)
	}
}

// TestVersion: a file without a version gets one, without which Cursor takes none of it.
func TestVersion(t *testing.T) {
	out, err := Install([]byte(`{"hooks":{"stop":[{"command":"x"}]}}`), call)
	var file struct{ Version any }
	if err != nil || json.Unmarshal(out, &file) != nil || file.Version != 1.0 {
		t.Errorf("%s, %v", out, err)
	}
}

// TestVersionAsText: a version in quotes is refused with what is wrong about it.
func TestVersionAsText(t *testing.T) {
	_, err := Install([]byte(`{"version":"1"}`), call)
	if err == nil || !strings.Contains(err.Error(), `is the text "1", and Cursor takes a number`) {
		t.Error(err)
	}
}

// TestOrderMark: a mark of the order of bytes, which JSON has none of, is no reason to refuse a file, and goes.
func TestOrderMark(t *testing.T) {
	const before = `{"version":1,"hooks":{"stop":[{"command":"x"}]}}`
	out, err := Install([]byte("\uFEFF"+before), call)
	if err != nil || string(out[:1]) != "{" {
		t.Fatalf("%q, %v", out, err)
	}
	if diff := cmp.Diff([]string{"x", call}, commandsOf(t, out, "stop")); diff != "" {
		t.Error(diff)
	}
	if back, n, err := Remove(append([]byte("\uFEFF"), out...)); err != nil || n != 2 || string(back) != before {
		t.Errorf("%q, %d, %v", back, n, err)
	}
}

// TestEmpty: what is left of a file that was made for the commands is known, and so are the programs in a file.
func TestEmpty(t *testing.T) {
	out, err := Install(nil, `'/opt/it'\''s/pipeline' hook log '/h'`)
	must(t, err)
	if diff := cmp.Diff([]string{"/opt/it's/pipeline"}, Programs(append([]byte("\uFEFF"), out...))); diff != "" {
		t.Error(diff)
	}
	back, _, err := Remove(out)
	if err != nil || !IsEmpty(back) || IsEmpty(out) || IsEmpty([]byte(`{"version":1,"more":2}`)) {
		t.Errorf("%s, %v", back, err)
	}
	other := `{"hooks":{"stop":[{"command":"./mine.sh"},{"command":"& 'C:\\My Tools\\pipeline.exe' hook log 'C:\\h'"}]}}`
	if diff := cmp.Diff([]string{`C:\My Tools\pipeline.exe`}, Programs([]byte(other))); diff != "" {
		t.Error(diff)
	}
}

// TestOthers: a command of another program stays, whatever words are in it, and this program's is added beside it and
// removed alone.
func TestOthers(t *testing.T) {
	for _, other := range []string{`/opt/mytool hook log /var/log/x`, `mytool hook log /var/log/x`,
		`sh -c 'pipeline hook log /x'`, `sudo /usr/bin/pipeline hook log /x`, `'/opt/my pipeline tool' hook log '/x'`,
		`echo before; pipeline hook log /x`, `/opt/pipeline-wrapper hook log /x`} {
		before, err := json.Marshal(map[string]any{"version": 1,
			"hooks": map[string]any{"stop": []any{map[string]any{"command": other}}}})
		must(t, err)
		out, err := Install(before, call)
		if diff := cmp.Diff([]string{other, call}, commandsOf(t, out, "stop")); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", other, err, diff)
		}
		if left, n, err := Remove(out); err != nil || n != 2 || string(left) != string(before) {
			t.Errorf("%s: %d removed, left is %s, %v", other, n, left, err)
		}
	}
	for _, own := range []string{call, `/usr/local/bin/pipeline hook log /home/ann/hooks`,
		`C:\bin\pipeline.exe hook log C:\h`, `& 'C:\My Tools\pipeline.exe' hook log 'C:\h'`} {
		if !isOurs(own) {
			t.Errorf("%s is not known as this program's", own)
		}
	}
}

// TestRefused: a file that cannot be changed safely is left.
func TestRefused(t *testing.T) {
	for _, text := range []string{`{"version":1,} `, "// mine\n{}", `[]`, `{"version":2}`, `{"hooks":[]}`,
		`{"hooks":{"stop":{"command":"x"}}}`, `"x"`} {
		if out, err := Install([]byte(text), call); err == nil {
			t.Errorf("%s became %s", text, out)
		}
		if out, _, err := Remove([]byte(text)); err == nil {
			t.Errorf("%s became %s", text, out)
		}
	}
}

// TestCommand: a shell takes both paths as they are: sh, and on Windows PowerShell.
func TestCommand(t *testing.T) {
	for want, got := range map[string]string{
		`'/a b/it'\''s' hook log '/c $d'`:                Command("/a b/it's", "/c $d", "linux"),
		`& 'C:\Program Files\p.exe' hook log 'D:\it''s'`: Command(`C:\Program Files\p.exe`, `D:\it's`, "windows"),
		`& 'C:\p.exe' hook log 'C:\Ann Lee\hooks'`:       Command(`C:\p.exe`, `C:\Ann Lee\hooks`, "windows"),
		`C:\Users\Zoë\p.exe hook log C:\hooks`:           Command(`C:\Users\Zoë\p.exe`, `C:\hooks`, "windows"),
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// lines are those of every log in a folder.
func lines(t *testing.T, folder string) (all []string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
	must(t, err)
	for _, name := range names {
		text, err := os.ReadFile(name)
		must(t, err)
		all = append(all, strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")...)
	}
	return all
}

// TestLog: a call leaves its figures and nothing else of what it says; figures that are none are left out.
func TestLog(t *testing.T) {
	folder, now := filepath.Join(t.TempDir(), "new"), time.UnixMilli(1_790_000_000_123)
	for _, c := range []struct{ call, want string }{
		{`{"hook_event_name":"stop","conversation_id":"c","generation_id":"g","model":"m","status":"completed","loop_count":0,"input_tokens":25758,"output_tokens":7,"cache_read_tokens":16563,"cache_write_tokens":0,"user_email":"ann@example.com","prompt":"SECRET","text":"SECRET","workspace_roots":["/home/ann"],"transcript_path":"/home/ann/t"}`,
			`{"ts":"2026-09-21T14:13:20.123Z","payload":{"hook_event_name":"stop","conversation_id":"c","generation_id":"g","model":"m","status":"completed","loop_count":0,"input_tokens":25758,"output_tokens":7,"cache_read_tokens":16563,"cache_write_tokens":0}}`},
		{`{"generation_id":"` + strings.Repeat("x", 300) +
			`","model":"m","input_tokens":"SECRET","output_tokens":{"a":"SECRET"},"loop_count":` +
			strings.Repeat("1", 99) + `}`,
			`{"ts":"2026-09-21T14:13:20.123Z","payload":{"model":"m"}}`},
	} {
		must(t, os.RemoveAll(folder))
		if err := Log(folder, strings.NewReader(c.call), now); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff([]string{c.want}, lines(t, folder)); diff != "" {
			t.Error(diff)
		}
	}
	info, err := os.Stat(filepath.Join(folder, logName))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the log has mode %v, %v", info.Mode(), err)
	}
}

// TestLogTogether: calls at the same time, a log that is full, and a line that was cut off lose no line.
func TestLogTogether(t *testing.T) {
	folder := t.TempDir()
	must(t, os.WriteFile(filepath.Join(folder, logName),
		append(make([]byte, 0, maxLog), []byte(strings.Repeat("x\n", maxLog/2-10)+"cut o")...), 0o600))
	var all sync.WaitGroup
	for i := range 200 {
		all.Go(func() {
			if err := Log(folder, strings.NewReader(fmt.Sprintf(`{"generation_id":"g%d","input_tokens":1}`, i)),
				time.Now()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	seen := map[string]bool{}
	for _, line := range lines(t, folder) {
		var r record
		if json.Unmarshal([]byte(line), &r) == nil {
			seen[r.Payload.GenerationID] = true
		}
	}
	if len(seen) != 200 {
		t.Errorf("%d of 200 lines are there", len(seen))
	}
	if names, _ := filepath.Glob(filepath.Join(folder, "*.jsonl")); len(names) < 2 {
		t.Errorf("the full log was not set aside: %v", names)
	}
}

// TestCalled: whatever Cursor says, and wherever the log is, the call is done and Cursor hears nothing.
func TestCalled(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, nil, 0o600))
	for _, text := range []string{"", "no JSON", "[]", `{"generation_id":7}`, `{"generation_id":"g"}`} {
		if !Called([]string{"pipeline", "hook", "log", filepath.Join(file, "below a file")}, strings.NewReader(text),
			time.Now()) {
			t.Errorf("%q was not taken for a call", text)
		}
	}
	for _, args := range [][]string{{"pipeline"}, {"pipeline", "hook", "log"}, {"pipeline", "hook", "install", "x"},
		{"pipeline", "hook", "log", "a", "b"}} {
		if Called(args, strings.NewReader("{}"), time.Now()) {
			t.Errorf("%v was taken for a call", args)
		}
	}
}

// must ends a test that cannot go on.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
