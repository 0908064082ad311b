//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"pipeline/cmd/pipeline/internal/serve"
	"pipeline/testdata/gen/night"
	"pipeline/testdata/gen/storetest"
)

// served is 'pipeline serve' in a process of its own, over a store and a pipeline of its own.
type served struct {
	t         *testing.T
	cmd       *exec.Cmd
	user      string
	warehouse string
	env       []string
	events    chan serve.Event
	said      bytes.Buffer // of standard error: complete when it has ended
}

// serving starts it.
func serving(t *testing.T, cron string, args ...string) *served {
	t.Helper()
	dir := t.TempDir()
	s := &served{t: t, user: filepath.Join(dir, "User"), warehouse: filepath.Join(dir, "w.duckdb"),
		events: make(chan serve.Event, 1000)}
	must(t, storetest.New(storetest.Options{Seed: 8, Messages: 400}).Write(s.user))
	file := filepath.Join(dir, "night.yaml")
	text := fmt.Sprintf("sources: [demo=%s]\nwarehouse: %s\n", s.user, s.warehouse)
	if cron != "" {
		text += fmt.Sprintf("schedule: {cron: '%s', timezone: UTC}\n", cron)
	}
	must(t, os.WriteFile(file, []byte(text), 0o600))
	return s.start(append([]string{"serve", file, "--json"}, args...)...)
}

// start starts the program, in the environment env; nil: that of the test.
func (s *served) start(args ...string) *served {
	t := s.t
	t.Helper()
	s.cmd = exec.Command("pipeline", args...) // TestMain put it into the PATH
	s.cmd.Stderr, s.cmd.Env = &s.said, s.env
	out, err := s.cmd.StdoutPipe()
	must(t, err)
	must(t, s.cmd.Start())
	form, failure := strictly(t, "serve"), strictly(t, "error")
	go func() {
		defer close(s.events)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			var e serve.Event
			if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
				e.Message = "no JSON: " + lines.Text()
			}
			if err := form.judge(lines.Bytes()); err != nil && failure.judge(lines.Bytes()) != nil {
				t.Errorf("%v: %s", err, lines.Text())
			}
			s.events <- e
		}
	}()
	t.Cleanup(func() { _ = s.cmd.Process.Kill() })
	return s
}

// next waits for an event of a kind, and returns it.
func (s *served) next(kind string) serve.Event {
	s.t.Helper()
	for timeout := time.After(patience); ; {
		select {
		case e, ok := <-s.events:
			if !ok {
				_ = s.cmd.Wait()
				s.t.Fatalf("it ended before %q: %s", kind, s.said.String())
			}
			if e.Kind == kind {
				return e
			}
		case <-timeout:
			s.t.Fatalf("no %q", kind)
		}
	}
}

// ends waits for the end, and returns the exit code and the events before it.
func (s *served) ends() (code int, events []serve.Event) {
	s.t.Helper()
	for timeout := time.After(patience); ; {
		select {
		case e, ok := <-s.events:
			if !ok {
				_ = s.cmd.Wait() // the code says how
				return s.cmd.ProcessState.ExitCode(), events
			}
			events = append(events, e)
		case <-timeout:
			s.t.Fatal("it does not end")
		}
	}
}

func (s *served) signal(signal syscall.Signal) {
	s.t.Helper()
	must(s.t, s.cmd.Process.Signal(signal))
}

// loads are those that the warehouse has.
func (s *served) loads() string {
	s.t.Helper()
	var out, errs bytes.Buffer
	if realMain([]string{"pipeline", "sql", "--warehouse", s.warehouse, "--format", "csv",
		"SELECT count(*) AS n FROM loads"}, &out, &errs) != 0 {
		return strings.TrimSpace(errs.String())
	}
	return strings.TrimPrefix(strings.TrimSpace(out.String()), "n\n")
}

// TestServe: it loads at the start, shows it, and again when an editor has written, once for a burst; make test has a
// schedule in its place, which waits for no quiet, and TestWatchNotices for the burst. Told to stop, it waits for the
// run in hand.
func TestServe(t *testing.T) {
	t.Parallel()
	cron, args := "", []string{"--listen", "127.0.0.1:0", "--watch", "--min-pause", "0"}
	trigger, keeps, loads, wanted := "watch", "when its stores change", "2", "stopping ended"
	if testing.Short() {
		cron, args = "@daily", args[:2]
		trigger, keeps, loads, wanted = "catch-up", "@daily", "1", "stopping"
	}
	s := serving(t, cron, args...)
	at := regexp.MustCompile(`http://127\.0\.0\.1:\d+`).FindString(s.next(serve.EventServing).Message)
	if e := s.next(serve.EventEnded); e.Trigger != trigger || e.Run.ExitCode == nil || *e.Run.ExitCode != 0 {
		t.Fatalf("%+v", e)
	}
	for path, want := range map[string]string{"/healthz": "ok", "/readyz": "ok",
		"/metrics": `pipeline_runs_total{exit_code="0",pipeline="night",trigger="` + trigger + `"} 1`,
		"/":        keeps, "/api/pipelines": `"name": "night"`,
		"/report": "<title>Your work with Cursor"} {
		if code, body := ask(t, at+path); code != 200 || !strings.Contains(body, want) {
			t.Errorf("%s: %d %.500s", path, code, body)
		}
	}
	if !testing.Short() {
		editor := cliTest{t: t, user: s.user}
		for i := range 20 {
			editor.exec("PRAGMA journal_mode = WAL", fmt.Sprintf(
				`INSERT OR REPLACE INTO cursorDiskKV (key, value) VALUES ('composerData:late', '{"name":"late %d"}')`,
				i))
			time.Sleep(100 * time.Millisecond)
		}
		s.next(serve.EventStarted)
	}
	s.signal(syscall.SIGTERM)
	code, events := s.ends()
	var kinds []string
	for _, e := range events {
		kinds = append(kinds, e.Kind)
		if e.Kind == serve.EventEnded && *e.Run.ExitCode != 0 {
			t.Errorf("%+v", e.Run)
		}
	}
	if got := strings.Join(kinds, " "); code != 0 || got != wanted {
		t.Errorf("exit code %d: %s: %s", code, got, s.said.String())
	}
	if got := s.loads(); got != loads {
		t.Errorf("%s loads", got)
	}
	if said := s.said.String(); !strings.Contains(said, "night | First load: ") ||
		loads == "2" && !strings.Contains(said, "night | Load 2 done.") {
		t.Errorf("what the run says is not told: %s", s.said.String())
	}
}

// TestServeStops: a second signal interrupts the run in hand, which leaves nothing half done. One that is killed leaves
// no run behind.
func TestServeStops(t *testing.T) {
	t.Parallel()
	s := serving(t, "@daily", "--listen", "none")
	s.next(serve.EventStarted)
	s.signal(syscall.SIGINT)
	s.next(serve.EventStopping)
	s.signal(syscall.SIGINT)
	if e := s.next(serve.EventEnded); *e.Run.ExitCode != exitInterrupted {
		t.Errorf("the run ended with %d: %s", *e.Run.ExitCode, s.said.String())
	}
	if code, _ := s.ends(); code != exitInterrupted {
		t.Errorf("exit code %d: %s", code, s.said.String())
	}
	if got := s.loads(); !strings.Contains(got, "there is no warehouse") {
		t.Error(got)
	}
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("elsewhere a run that is left behind finishes")
	}
	s = serving(t, "@daily", "--listen", "none")
	_, pid, _ := strings.Cut(s.next(serve.EventStarted).Run.ID, "-")
	if _, err := strconv.Atoi(pid); err != nil {
		t.Fatal(err)
	}
	time.Sleep(300 * time.Millisecond) // it has read its flags
	s.signal(syscall.SIGKILL)
	state := ""
	for until := time.Now().Add(10 * time.Second); time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
		text, err := os.ReadFile("/proc/" + pid + "/stat")
		if state = string(text); err != nil || strings.Contains(state, ") Z ") {
			state = ""
			break
		}
	}
	if state != "" {
		t.Errorf("the run is left behind: %s", state)
	}
	if got := s.loads(); !strings.Contains(got, "there is no warehouse") {
		t.Error(got)
	}
}

// TestServeMinutes runs it for real through two scheduled minutes.
func TestServeMinutes(t *testing.T) {
	if !night.On() {
		t.Skip("it takes two minutes: set PIPELINE_ENDURANCE")
	}
	t.Parallel()
	s := serving(t, "* * * * *", "--listen", "none")
	began := time.Now()
	var minutes []time.Time
	for time.Since(began) < 3*time.Minute && len(minutes) < 2 {
		e := s.next(serve.EventStarted)
		t.Logf("%s %s: %s (%s)", e.Time.Format(time.RFC3339Nano), e.Kind, e.Message, e.Trigger)
		if e.Trigger != "schedule" {
			t.Errorf("trigger %s", e.Trigger)
		}
		if end := s.next(serve.EventEnded); *end.Run.ExitCode != 0 {
			t.Errorf("%+v", end)
		}
		if e.Time.Sub(began) > 2*time.Second { // the one at the start is for the minute before
			minutes = append(minutes, e.Time)
		}
	}
	s.signal(syscall.SIGTERM)
	if code, _ := s.ends(); code != 0 || len(minutes) != 2 {
		t.Fatalf("exit code %d, %v: %s", code, minutes, s.said.String())
	}
	for _, at := range minutes {
		if late := at.Sub(at.Truncate(time.Minute)); late > 5*time.Second {
			t.Errorf("%v after its minute", late)
		}
	}
	if apart := minutes[1].Truncate(time.Minute).Sub(minutes[0].Truncate(time.Minute)); apart != time.Minute {
		t.Errorf("%v apart", apart)
	}
	t.Log(s.said.String())
}

// TestServeAtHome: somebody without a pipeline of their own is served the shipped ones: the first run comes at once,
// and all is told of it. So is the container's default, in the environment that the Dockerfile gives it.
func TestServeAtHome(t *testing.T) {
	t.Parallel()
	long(t)
	for _, args := range [][]string{{"container"}, {"serve", "nightly"}, {"serve", "--watch"},
		{"serve", "nightly", "--watch"}} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			t.Parallel()
			s := atHome(t)
			if args[0] == "container" {
				args = s.inContainer()
			}
			s.start(append(args, "--json", "--listen", "127.0.0.1:0")...)
			at := regexp.MustCompile(`http://127\.0\.0\.1:\d+`).FindString(s.next(serve.EventServing).Message)
			if e := s.next(serve.EventEnded); e.Pipeline != "nightly" || *e.Run.ExitCode != 0 || e.Run.Messages == 0 {
				t.Fatalf("%+v %s", e, s.said.String())
			}
			for path, want := range map[string]string{"/readyz": "ok", "/api/pipelines": `"name": "nightly"`,
				"/report": "<title>Your work with Cursor"} {
				if code, body := ask(t, at+path); code != 200 || !strings.Contains(body, want) {
					t.Errorf("%s: %d %.300s", path, code, body)
				}
			}
			s.signal(syscall.SIGTERM)
			if code, _ := s.ends(); code != 0 || s.loads() != "1" {
				t.Errorf("exit code %d, %s loads: %s", code, s.loads(), s.said.String())
			}
		})
	}
}

// atHome prepares a process in a home folder that has a store and nothing else.
func atHome(t *testing.T) *served {
	t.Helper()
	home := t.TempDir()
	s := &served{t: t, user: filepath.Join(home, ".config", "Cursor", "User"),
		warehouse: filepath.Join(home, ".local", "share", "pipeline", "warehouse.duckdb"),
		events:    make(chan serve.Event, 1000)}
	must(t, storetest.New(storetest.Options{Seed: 8, Messages: 40}).Write(s.user))
	// No variable of this machine's user gets in the way. The source is named: no other Cursor of this machine is read.
	s.env = []string{"PATH=" + os.Getenv("PATH"), "TMPDIR=" + os.TempDir(), "HOME=" + home,
		"PIPELINE_SOURCE=test=" + s.user, "PIPELINE_GIT=false"}
	return s
}

// inContainer gives the process the environment that the Dockerfile has, with its folders put into the home, and
// returns the default arguments.
func (s *served) inContainer() (args []string) {
	s.t.Helper()
	home := s.env[2][len("HOME="):]
	data := filepath.Join(home, "data")
	must(s.t, os.Mkdir(data, 0o700))
	places := strings.NewReplacer("=/data", "="+data, "=/cursor", "="+s.user)
	s.warehouse = filepath.Join(data, "warehouse.duckdb")
	for _, i := range dockerfile(s.t) {
		switch i.name {
		case "ENV":
			s.env = append(s.env[:2], strings.Fields(places.Replace(i.rest))...)
		case "CMD":
			must(s.t, json.Unmarshal([]byte(i.rest), &args))
		}
	}
	return args
}

// ask asks for a page.
func ask(t *testing.T, url string) (code int, body string) {
	t.Helper()
	answer, err := http.Get(url)
	must(t, err)
	text, err := io.ReadAll(answer.Body)
	must(t, errors.Join(err, answer.Body.Close()))
	return answer.StatusCode, string(text)
}

// TestServeNothing: a server that would serve nothing does not begin. What is wrong with the only pipeline is said, for
// programs in a line that is no event.
func TestServeNothing(t *testing.T) {
	t.Parallel()
	s := atHome(t)
	s.env = append(s.env, "PIPELINE_CONFIG="+t.TempDir())
	folder := filepath.Join(s.env[len(s.env)-1][len("PIPELINE_CONFIG="):], "pipelines")
	must(t, errors.Join(os.Mkdir(folder, 0o700),
		os.WriteFile(filepath.Join(folder, "nightly.yaml"), []byte("schedul: x\n"), 0o600)))
	s.start("serve", "--json", "--listen", "none")
	code, events := s.ends()
	if said := s.said.String(); code != exitUsage || len(events) != 1 || events[0] != (serve.Event{}) ||
		!strings.Contains(said, `there is no key "schedul"`) ||
		!strings.Contains(said, "there is no pipeline to serve") {
		t.Errorf("exit code %d, %v: %s", code, events, said)
	}
}
