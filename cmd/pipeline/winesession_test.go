package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// pipeline calls the program, which must end with a code, and returns what it prints.
func (w *wine) pipeline(t *testing.T, code int, args ...string) string {
	t.Helper()
	out, got := w.run(t, "", "wine", append([]string{w.program}, args...)...)
	logCall(t, args, out, got)
	if got != code {
		t.Errorf("pipeline %s ended with %d, want %d", strings.Join(args, " "), got, code)
	}
	return out
}

func logCall(t *testing.T, args []string, out string, code int) {
	t.Helper()
	t.Logf("\n$ pipeline %s\n%s[exit code %d]", strings.Join(args, " "), out, code)
}

// A call is a command line, how it ends, and something of what it prints.
type call struct {
	args string
	code int
	says string
}

func (w *wine) calls(t *testing.T, calls []call) {
	t.Helper()
	for _, c := range calls {
		if got := w.pipeline(t, c.code, strings.Fields(c.args)...); !strings.Contains(got, c.says) {
			t.Errorf("pipeline %s does not say %q", c.args, c.says)
		}
	}
}

// session loads a year twice, and calls what reads it. The answers are those of this system.
func (w *wine) session(t *testing.T) {
	const run = "run --source demo --usage demo/usage"
	w.calls(t, []call{
		{"version", 0, "windows/amd64"},
		{"version", 0, distVersion},
		{"demo --out demo", 0, "A synthetic year is in demo"},
		{run, 0, "166 new, 0 changed, 0 deleted, 0 unchanged"},
		{run, 0, "0 new, 0 changed, 0 deleted, 166 unchanged"},
	})
	w.compare(t)
	must(t, os.Mkdir(filepath.Join(w.dir, "shared"), 0o700))
	w.calls(t, []call{
		{"status", 0, "last good    load 2"},
		{"check --deep", 0, "all is well"},
		{"report -o report.html", 0, "report.html: 2026-04-02 to 2026-06-30 (UTC)"},
		{"report -o report.html", 0, "report.html: 2026-04-02 to 2026-06-30 (UTC)"},
		{"show --last", 0, "19 messages, 2 of the user; 11 tool calls, 2 failed"},
		{"search migration", 0, "11 messages match"},
		{"search migration", 0, "11 messages match"},
		{"export csv csv", 0, "60 written"},
		{"export csv csv", 0, "current.json"},
		{"export csv csv", 0, "60 files, was there already"},
		{"export parquet parquet", 0, "60 written"},
		{"export conversations --format markdown --out chats", 0, "161 files written to chats"},
		{"export conversations --format markdown --out chats", 0, "0 files written to chats, 161 unchanged"},
		{"push --to shared", 0, "228 of 228 sent"},
		{"push --to shared", 0, "Nothing to push: shared has all 228 units"},
		{"run --full --source demo", 0, "166 read again"},
		{"rebuild", 0, "Rebuilt from 2 loads."},
		{"prune --apply", 0, "raw layer"},
		{"doctor --source demo", 0, "all well"},
		{"check --deep", 0, "all is well"},
		{"sql NONSENSE", 1, "Parser Error"},
		{"show nothing-of-this-id", 2, "there is no conversation nothing-of-this-id"},
		{"run --nonsense", 2, "nonsense"},
		{"schedule install --dry-run", 0, "schtasks /Create /F /TN pipeline-nightly"},
		{"schedule exec --log task.log -- status --of-nothing", 2, ""}, // as a task does
	})
	for file, want := range map[string]string{"task.log": "of-nothing", "report.html": "</html>"} {
		if text, err := os.ReadFile(filepath.Join(w.dir, file)); !strings.Contains(string(text), want) {
			t.Errorf("%s, %d bytes, %v, has no %s", file, len(text), err, want)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(w.dir, "demo.duckdb.new-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// compare asks both systems the same questions.
func (w *wine) compare(t *testing.T) {
	own := newDocHome(t)
	own.sh(t, "pipeline demo --out demo && pipeline run --source demo --usage demo/usage --warehouse demo.duckdb")
	for _, query := range []string{
		"SELECT count(*), count(DISTINCT conversation_id), sum(length(text)), max(created_at)::VARCHAR FROM " +
			"live_messages",
		"SELECT tool, count(*), count(*) FILTER (status = 'error') FROM live_tool_calls GROUP BY ALL ORDER BY ALL",
		"FROM answers.tool_failures_short", "FROM answers.billed_by_model_short", "",
	} {
		args := []string{"answers", "--warehouse", "demo.duckdb", "--timezone", "UTC"}
		if query != "" {
			args = append(args, "--format", "csv", query)
			args[0] = "sql"
		}
		want := own.run(t, "", "pipeline", args...)
		if diff := cmp.Diff(want, w.pipeline(t, 0, args...)); diff != "" {
			t.Errorf("%s (-here +Windows):\n%s", query, diff)
		}
	}
}

// hooks: what Cursor calls is written once, and writes down what it is told, as PowerShell gives it.
func (w *wine) hooks(t *testing.T) {
	w.calls(t, []call{{"hook install", 0, "hooks.json"}, {"hook install", 0, "is there already"}})
	if folder := regexp.MustCompile(`\S+\.cursor\\`).FindString(w.pipeline(t, 0, "hook", "install")); folder == "" {
		t.Error("it does not name the folder")
	} else { // which is the same in capital letters
		w.calls(t, []call{{"export csv " + strings.ToUpper(folder) + "csv", 2, "where pipeline never writes"}})
	}
	payload := "\xef\xbb\xbf" +
		`{"conversation_id":"c1","generation_id":"g1","model":"gpt","hook_event_name":"stop","status":"completed","input_tokens":12,"output_tokens":3}`
	out, code := w.run(t, payload, "wine", w.program, "hook", "log", "hooks")
	if logCall(t, []string{"hook", "log", "hooks"}, out, code); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if text, err := os.ReadFile(filepath.Join(w.dir, "hooks", "turns.jsonl")); err != nil ||
		bytes.Count(text, []byte("\n")) != 1 || !bytes.Contains(text, []byte(`"g1"`)) {
		t.Errorf("%v: %s", err, text)
	}
	w.calls(t, []call{{"hook remove", 0, "hooks.json"}})
}

// start starts the program. said returns what it has printed until then; end presses Ctrl-C, after which it must end
// with 0, and returns what it has printed.
func (w *wine) start(t *testing.T, args ...string) (said, end func() string) {
	t.Helper()
	file, err := os.Create(filepath.Join(w.dir, args[0]+".log"))
	must(t, err)
	defer file.Close()
	ctx, kill := context.WithCancel(t.Context())
	cmd := w.command(ctx, "wine", append([]string{w.program}, args...)...)
	cmd.Stdout, cmd.Stderr = file, file
	must(t, cmd.Start())
	said = func() string {
		text, err := os.ReadFile(file.Name())
		must(t, err)
		return withoutWine(string(text))
	}
	end = func() string {
		defer time.AfterFunc(time.Minute, kill).Stop()
		_ = cmd.Process.Signal(os.Interrupt) // Wine makes a Ctrl-C of it, for this one program
		_ = cmd.Wait()
		code := cmd.ProcessState.ExitCode()
		if logCall(t, args, said(), code); code != 0 {
			t.Errorf("pipeline %s ended with %d", args[0], code)
		}
		return said()
	}
	return said, end
}

// pageOf returns a page as soon as it is there: at first, some say that they are not ready.
func pageOf(t *testing.T, address string) string {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(200 * time.Millisecond) {
		var text []byte
		answer, err := http.Get(address)
		if err == nil {
			text, err = io.ReadAll(answer.Body)
			_ = answer.Body.Close()
			if err == nil && answer.StatusCode == http.StatusOK {
				t.Logf("%s: %d, %d bytes", address, answer.StatusCode, len(text))
				return string(text)
			}
		}
		if time.Now().After(end) {
			t.Errorf("%s: %v\n%s", address, err, text)
			return string(text)
		}
	}
}

// serves: it makes up for the run that was missed, its pages are there, and it ends when it is asked to.
func (w *wine) serves(t *testing.T) {
	const text = "sources: [demo]\nwarehouse: demo.duckdb\nschedule:\n  cron: \"0 0 1 1 *\"\n"
	must(t, os.WriteFile(filepath.Join(w.dir, "yearly.yaml"), []byte(text), 0o600))
	const address = "127.0.0.1:18787"
	_, end := w.start(t, "serve", "./yearly.yaml", "--listen", address)
	for _, page := range [][2]string{{"readyz", ""}, {"healthz", ""}, {"", distVersion}, {"report", "</html>"},
		{"metrics", distVersion}, {"api/pipelines", "yearly"}, {"api/runs?n=2", "166"}} {
		if got := pageOf(t, "http://"+address+"/"+page[0]); !strings.Contains(got, page[1]) {
			t.Errorf("/%s has no %q:\n%.2000s", page[0], page[1], got)
		}
	}
	said := end()
	for _, want := range []string{"serving", "started", "ended", "stopping"} {
		if !strings.Contains(said, want) {
			t.Errorf("it does not say %q", want)
		}
	}
}

// opens: the list of chats leads to the pages of each, and to the report.
func (w *wine) opens(t *testing.T) {
	said, end := w.start(t, "open", "--no-browser", "--port", "18788")
	address := ""
	for begin := time.Now(); address == "" && time.Since(begin) < time.Minute; time.Sleep(200 * time.Millisecond) {
		address = regexp.MustCompile(`http://127\.0\.0\.1:18788/\S+/\n`).FindString(said())
	}
	if address = strings.TrimSpace(address); address == "" {
		t.Errorf("there is no address: %s", said())
	} else {
		ids := chatsListed(pageOf(t, address))
		if len(ids) == 0 {
			t.Fatal("no chat is listed")
		}
		if got := pageOf(t, address+"chat/"+ids[0]); !strings.Contains(got, "Upgrades are billed for the full month") {
			t.Errorf("the newest chat is\n%.2000s", got)
		}
		if got := pageOf(t, address+"report"); !strings.Contains(got, "</html>") {
			t.Errorf("the report ends before its end: %d bytes", len(got))
		}
	}
	end()
}
