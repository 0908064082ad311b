package notify

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const secret = "5bf66975-d4c7-4bf5-bcc8-b8d8a82ea278"

// A monitor is a server that keeps what it was asked.
type monitor struct {
	*httptest.Server
	mu    sync.Mutex
	asked []string
}

func newMonitor(t *testing.T, answer http.HandlerFunc) *monitor {
	t.Helper()
	m := &monitor{}
	m.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // one that is cut off is another body than the wanted one
		m.mu.Lock()
		m.asked = append(m.asked, fmt.Sprintf("%s %s %s", r.Method, r.URL, body))
		m.mu.Unlock()
		answer(w, r)
	}))
	t.Cleanup(m.Close)
	return m
}

func (m *monitor) told() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]string(nil), m.asked...)
}

// ping is one that does not wait long.
func ping(t *testing.T, to string) *Ping {
	t.Helper()
	u, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	p := NewPing(u, "the monitor", "1.0")
	p.client.Timeout, p.pauses.First, p.pauses.Most = time.Second, time.Millisecond, 2*time.Millisecond
	return p
}

// TestPing: the beginning, success and failure are told as healthchecks.io takes them, whatever the URL looks like.
func TestPing(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ url, begin, good, bad string }{
		{"/" + secret, "/" + secret + "/start", "/" + secret, "/" + secret + "/75"},
		{"/" + secret + "/", "/" + secret + "/start", "/" + secret + "/", "/" + secret + "/75"},
		{"/key/my%2Fslug?create=1", "/key/my%2Fslug/start?create=1", "/key/my%2Fslug?create=1",
			"/key/my%2Fslug/75?create=1"},
		{"", "/start", "/", "/75"},
	} {
		m := newMonitor(t, func(http.ResponseWriter, *http.Request) {})
		p := ping(t, m.URL+test.url)
		for _, err := range []error{p.Start(t.Context(), "a"), p.End(0, "b", 0), p.End(75, "c", 0),
			p.End(1, "d", time.Second)} {
			if err != nil {
				t.Error(err)
			}
		}
		want := []string{"POST " + test.begin + " a", "POST " + test.good + " b", "POST " + test.bad + " c",
			"POST " + strings.Replace(test.bad, "/75", "/1", 1) + " d"}
		if diff := cmp.Diff(want, m.told()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.url, diff)
		}
	}
}

// TestPingFails: what passes is tried again, three times in all; what does not is not. No error has more of the URL
// than its host.
func TestPingFails(t *testing.T) {
	t.Parallel()
	elsewhere := newMonitor(t, func(http.ResponseWriter, *http.Request) {})
	silent, end := context.WithCancel(context.Background())
	t.Cleanup(end)
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
	}
	to := func(place string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, place, http.StatusTemporaryRedirect) }
	}
	for _, test := range []struct {
		name   string
		answer http.HandlerFunc
		tries  int
		want   string // "": it goes well
	}{
		{"the server has a moment", status(503), 3, "503"},
		{"too often", status(429), 3, "429"},
		{"no such check", status(404), 1, "404 Not Found; is the URL as your monitor shows it?"},
		{"not found, with 200", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "OK (not found)") }, 1,
			"does not know this URL"},
		{"another 2xx", status(204), 1, ""},
		{"no answer", func(_ http.ResponseWriter, r *http.Request) {
			select {
			case <-silent.Done():
			case <-r.Context().Done():
			}
		}, 3, "there was no answer in time"},
		{"an answer that breaks off", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "9")
			fmt.Fprint(w, "O")
		}, 3, "unexpected EOF"},
		{"it hangs up", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, 3, "EOF"},
		{"another place here", func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/other" {
				to("/other")(w, r)
			}
		}, 2, ""},
		{"another host", to(elsewhere.URL + "/" + secret), 3, "it redirects to another host"},
		{"round and round", to("/again"), 12, "it redirects again and again"},
		{"a place that is none", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "http://[/"+secret)
			w.WriteHeader(302)
		}, 3, "Location"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			m := newMonitor(t, test.answer)
			p := ping(t, m.URL+"/"+secret)
			if test.name == "no answer" {
				p.client.Timeout = 50 * time.Millisecond
			}
			err := p.End(3, "", 0)
			if tries := len(m.told()); tries != test.tries {
				t.Errorf("%d tries, want %d", tries, test.tries)
			}
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want %q", err, test.want)
			}
			if err != nil && (strings.Contains(err.Error(), secret) ||
				!strings.Contains(err.Error(), "the ping to the monitor did not come through: ")) {
				t.Errorf("it says %v", err)
			}
		})
	}
	t.Cleanup(func() {
		if asked := elsewhere.told(); len(asked) > 0 {
			t.Errorf("another host was asked: %q", asked)
		}
	})
}

// TestPingNobody: where there is no server it is tried again, and not once more is done, or where there is no time.
func TestPingNobody(t *testing.T) {
	t.Parallel()
	gone := httptest.NewServer(nil)
	gone.Close()
	p := ping(t, gone.URL+"/"+secret)
	done, stop := context.WithCancel(t.Context())
	stop()
	withUser := ping(t, strings.Replace(gone.URL, "://", "://"+secret+"@", 1)+"/x")
	for _, err := range []error{p.Start(done, ""), p.End(0, "", 0), p.End(0, "", time.Second), withUser.End(0, "", 0)} {
		if err == nil || strings.Contains(err.Error(), secret) || !strings.Contains(err.Error(), "refused") {
			t.Errorf("it says %v", err)
		}
	}
	silent := newMonitor(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	begin := time.Now()
	if err := ping(t, silent.URL).End(130, "", 20*time.Millisecond); err == nil ||
		time.Since(begin) > 900*time.Millisecond {
		t.Errorf("%v after %v", err, time.Since(begin))
	}
}

// TestPingRedirect: a redirect may lead to https, and not away from it.
func TestPingRedirect(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		from, to string
		ok       bool
	}{{"https://a/1", "http://a/2", false}, {"http://a/1", "https://a/2", true},
		{"https://a/1", "https://a:444/1", false}, {"https://a/1", "https://a/2", true}} {
		from, err1 := http.NewRequest(http.MethodPost, test.from, nil)
		to, err2 := http.NewRequest(http.MethodPost, test.to, nil)
		if err1 != nil || err2 != nil || (sameHost(to, []*http.Request{from}) == nil) != test.ok {
			t.Errorf("%+v", test)
		}
	}
}

// TestCommand runs lines in the real shell.
func TestCommand(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the lines are for sh")
	}
	t.Setenv("PIPELINE_ON_END", "again")
	t.Setenv("PIPELINE_ERROR", "another's")
	file := filepath.Join(t.TempDir(), "it's here")
	facts := map[string]string{"PIPELINE_EXIT_CODE": "3", "PIPELINE_ERROR": "no\nstore \"a\" $HOME `b`\x00", "TO": file,
		"LONG": strings.Repeat("é", 1<<20), "HOME": "/fact"}
	var out bytes.Buffer
	run := func(line string, limit time.Duration) error {
		return Command{line, &out, limit}.Run(facts, "PIPELINE_ON_END")
	}
	if err := run(
		`printf '%s|%s|%s|%s' "$PIPELINE_EXIT_CODE" "$PIPELINE_ERROR" "${#LONG}" "$HOME" > "$TO"; echo done; echo oops >&2; cat`, 0); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(file)
	if err != nil || !strings.HasPrefix(string(got), "3|no\nstore \"a\" $HOME `b` |") ||
		!strings.HasSuffix(string(got), "|/fact") {
		t.Errorf("%q %v", got, err)
	}
	if out.String() != "done\noops\n" {
		t.Errorf("it printed %q", out.String())
	}
	for line, want := range map[string]string{"exit 7": "exit status 7", "kill -9 $$": "killed",
		"no-such-program-here": "exit status 127"} {
		if err := run(line, 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
	begin := time.Now()
	if err := run(`(sleep 1; echo late > "$TO.late") & sleep 60`, 100*time.Millisecond); err == nil ||
		!strings.Contains(err.Error(), "was stopped") || time.Since(begin) > 10*time.Second {
		t.Errorf("a command that hangs: %v after %v", err, time.Since(begin))
	}
	time.Sleep(time.Until(begin.Add(1500 * time.Millisecond)))
	if _, err := os.Stat(file + ".late"); err == nil {
		t.Error("what it had started went on")
	}
	if err := run(`test -z "${PIPELINE_ON_END+set}"`, 0); err != nil {
		t.Error("a run that the command starts would run it again: ", err)
	}
}
