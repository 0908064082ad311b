package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pipeline/load/engine"
	"pipeline/load/objects/s3test"
	"pipeline/load/push"
	"pipeline/sql/schema"
)

// pushFaults has a warehouse in two states and an S3 server behind a proxy. Of each case, the first state is in the
// store, and the push of the second one meets a fault.
type pushFaults struct {
	*cliTest
	server  *s3test.Server
	proxy   *s3test.Proxy
	environ []string  // with the credentials
	states  [2]string // copies of the warehouse after its first load and after its second one
	cases   int
	folder  string // of the case
	pushed  string // warehouse that is pushed
}

func newPushFaults(t *testing.T) *pushFaults {
	server := s3test.Start(t)
	p := &pushFaults{cliTest: newCLITest(t), server: server, environ: s3test.Environ(t, server.Key, server.Secret),
		proxy: s3test.NewProxy(t, server.Endpoint)}
	mustWriteStore(p.t, filepath.Join(p.dir, "demo"), 120, 4)
	p.user = filepath.Join(p.dir, "demo", "User")
	p.run(0, "--quiet")
	p.does(0, p.arguments(p.warehouse)...) // it becomes a machine
	for i := range p.states {
		p.states[i] = filepath.Join(p.dir, fmt.Sprintf("state-%d.duckdb", i+1))
	}
	p.copyOf(p.states[0], p.warehouse)
	p.exec(`DELETE FROM cursorDiskKV WHERE key LIKE 'bubbleId:%' AND rowid % 7 = 0`)
	p.exec(`UPDATE cursorDiskKV SET value = replace(value, '"text":"', '"text":"Edited. ') WHERE key LIKE 'bubbleId:%' AND rowid % 5 = 0`)
	p.run(0, "--quiet")
	p.copyOf(p.states[1], p.warehouse)
	return p
}

// target is where the case pushes to.
func (p *pushFaults) target() string {
	return fmt.Sprintf("s3://%s/case-%d", p.server.Bucket, p.cases)
}

// begin begins a case: the store has the first state, and the warehouse has the second one.
func (p *pushFaults) begin() {
	p.t.Helper()
	p.cases++
	p.folder = filepath.Join(p.dir, fmt.Sprintf("case-%d", p.cases))
	p.must(os.Mkdir(p.folder, 0o700))
	p.pushed = filepath.Join(p.folder, "w.duckdb")
	p.proxy.On(nil)
	p.copyOf(p.pushed, p.states[0])
	p.push(0)
	p.copyOf(p.pushed, p.states[1])
}

// arguments are those of a push of a warehouse.
func (p *pushFaults) arguments(warehouse string, more ...string) []string {
	return append([]string{"push", "--to", p.target(), "--endpoint", p.proxy.URL, "--warehouse", warehouse, "--level",
		"full", "--json"}, more...)
}

// does runs the installed program. It must end with an exit code; what it prints and says comes back.
func (p *pushFaults) does(code int, args ...string) (printed, said string) {
	p.t.Helper()
	var out, errs strings.Builder
	cmd := p.program(args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != code {
		p.t.Errorf("%q: %v, want exit code %d: %s", args, err, code, errs.String())
	}
	return out.String(), strings.TrimSpace(errs.String())
}

// program is the installed program with the credentials.
func (p *pushFaults) program(args ...string) *exec.Cmd {
	cmd := exec.Command("pipeline", args...) // TestMain put it into the PATH
	cmd.Env = p.environ
	return cmd
}

// push pushes the case's warehouse.
func (p *pushFaults) push(code int, more ...string) (r push.Result, said string) {
	p.t.Helper()
	printed, said := p.does(code, p.arguments(p.pushed, more...)...)
	if code == 0 {
		p.must(json.Unmarshal([]byte(printed), &r))
	}
	return r, said
}

// holds checks that the store has the rows of a state, in every table and no others.
func (p *pushFaults) holds(state int) {
	p.t.Helper()
	ctx := context.Background()
	db, conn, err := engine.Open(ctx, filepath.Join(p.t.TempDir(), "lake.duckdb"), false)
	p.must(err)
	defer func() { p.must(errors.Join(conn.Close(), db.Close())) }()
	views, err := push.Views("duckdb", push.Place{Target: filepath.Join(p.server.Dir, fmt.Sprintf("case-%d", p.cases))})
	p.must(err)
	for _, statement := range []string{views, "ATTACH " + engine.Literal(p.states[state]) + " AS w (READ_ONLY)"} {
		_, err := conn.ExecContext(ctx, statement)
		p.must(err)
	}
	for _, table := range schema.Tables() {
		if table.IsShared() {
			p.differ(ctx, conn, table, state)
		}
	}
}

func (p *pushFaults) differ(ctx context.Context, conn *sql.Conn, table schema.Table, state int) {
	p.t.Helper()
	var columns []string
	for _, c := range table.Columns {
		columns = append(columns, "CAST("+engine.Identifier(c.Name)+" AS VARCHAR)")
	}
	list := strings.Join(columns, ", ")
	for _, way := range [][2]string{{"temp.", "w."}, {"w.", "temp."}} {
		var n int
		p.must(
			conn.QueryRowContext(ctx,
				fmt.Sprintf("SELECT count(*) FROM (SELECT %[1]s FROM %[2]s EXCEPT ALL SELECT %[1]s FROM %[3]s)", list,
					way[0]+table.Name, way[1]+table.Name)).Scan(&n))
		if n > 0 {
			p.t.Errorf("case %d, state %d: %d rows are in %s%s and not in %s", p.cases, state+1, n, way[0], table.Name,
				way[1])
		}
	}
}

// tells logs the figures of a case.
func (p *pushFaults) tells(what string, r push.Result) {
	p.t.Logf("%s: %d PUT, %d GET, %d HEAD, %d LIST, %d bytes sent, %d files that had arrived before", what,
		r.Stats.Puts, r.Stats.Gets, r.Stats.Heads, r.Stats.Lists, r.Bytes, r.Skipped)
}

// TestPushFaults: whatever happens to a push, readers have what was there before or all of the new, the exit code and
// the message say what to do, and the next push makes up for it.
func TestPushFaults(t *testing.T) {
	long(t)
	t.Parallel()
	p := newPushFaults(t)
	p.begin()
	whole, _ := p.push(0)
	p.tells("no fault", whole)
	p.holds(1)
	again, _ := p.push(0)
	p.tells("the same again", again)
	p.nothing(again, 0)
	for _, f := range []struct {
		what  string
		fault s3test.Fault
		says  string
	}{
		{"the store is full", s3test.Fault{Status: 507, Code: "XMinioStorageFull"}, "make room"},
		{"the store refuses", s3test.Fault{Status: 403, Code: "AccessDenied"}, "s3:PutObject"},
		{"the store is busy", s3test.Fault{Status: 503, Code: "SlowDown"}, "503 SlowDown"},
		{"the store is broken", s3test.Fault{Status: 500, Code: "InternalError"}, "500 InternalError"},
		{"no network", s3test.Fault{Cut: s3test.Before}, ""},
		{"every answer is lost", s3test.Fault{Cut: s3test.Between}, ""},
	} {
		p.begin()
		const nth = 5 // some files have arrived
		p.proxy.On(func(method, _ string, n int) s3test.Fault {
			if method == http.MethodPut && n >= nth {
				return f.fault
			}
			return s3test.Fault{}
		})
		_, said := p.push(exitFailed)
		if said == "" || !strings.Contains(said, f.says) {
			t.Errorf("%s: it says %q", f.what, said)
		}
		t.Logf("%s: exit code 1, %s", f.what, said)
		p.holds(0)
		p.proxy.On(nil)
		r, _ := p.push(0)
		p.tells(f.what+", then again", r)
		if r.Seq != whole.Seq || r.Files+r.Skipped != whole.Files+whole.Skipped || r.Skipped < nth-1-sendingAtOnce ||
			r.Stats.Puts != int64(r.Files)+1 {
			// and the commit
			t.Errorf("%s, then again: %+v", f.what, r)
		}
		p.holds(1)
	}
	p.lostCommit(whole)
	p.lostCopies(whole)
	p.otherCopies(whole)
	p.refusals()
}

// sendingAtOnce is how many files are on their way at a time.
const sendingAtOnce = 4

// nothing checks that a push had nothing to do.
func (p *pushFaults) nothing(r push.Result, gets int64) {
	p.t.Helper()
	if r.Units+r.Withdrawn > 0 || r.Stats.Puts > 0 || r.Stats.Gets > gets+1 || r.Stats.Lists != 1 {
		p.t.Errorf("nothing is new: %+v", r)
	}
}

// lostCommit: the answer to the commit is lost. The program asks again, finds its own commit, and is done.
func (p *pushFaults) lostCommit(whole push.Result) {
	p.begin()
	lost := false
	p.proxy.On(func(method, path string, _ int) (f s3test.Fault) {
		if method == http.MethodPut && strings.Contains(path, "/commit/") && !lost {
			lost = true
			f.Cut = s3test.Between
		}
		return f
	})
	r, _ := p.push(0)
	p.tells("the answer to the commit is lost", r)
	if !lost || r.Seq != whole.Seq {
		p.t.Errorf("the answer to the commit is lost: %+v", r)
	}
	p.holds(1)
	again, _ := p.push(0)
	p.nothing(again, 0)
}

// lostCopies: the folder beside the warehouse is lost, or a copy in it is damaged.
func (p *pushFaults) lostCopies(whole push.Result) {
	p.must(os.RemoveAll(push.Dir(p.pushed)))
	r, _ := p.push(0)
	p.tells("the copies of the commits are lost", r)
	p.nothing(r, whole.Seq)
	p.holds(1)
}

// otherCopies: an older copy of the warehouse, a second copy that pushes at the same time, and a push while another is
// under way.
func (p *pushFaults) otherCopies(whole push.Result) {
	p.copyOf(p.pushed, p.states[0])
	_, said := p.push(exitFailed)
	p.t.Logf("an older copy: exit code 1, %s", said)
	if !strings.Contains(said, "older copy") {
		p.t.Errorf("an older copy: %s", said)
	}
	p.holds(1)

	p.begin()
	twin := filepath.Join(p.folder, "twin.duckdb")
	p.copyOf(twin, p.states[1])
	gate := make(chan struct{})
	p.proxy.On(func(method, path string, _ int) (f s3test.Fault) {
		if method == http.MethodPut && strings.Contains(path, "/commit/") {
			f.Delay = 500 * time.Millisecond
		}
		return f
	})
	go func() {
		defer close(gate)
		p.does(0, p.arguments(twin)...)
	}()
	r, _ := p.push(0)
	<-gate
	p.tells("two copies at once", r)
	p.holds(1)
	commits, err := filepath.Glob(filepath.Join(p.server.Dir, fmt.Sprintf("case-%d", p.cases), "v1",
		"machine="+r.Machine, "commit", "*"))
	p.must(err)
	if int64(len(commits)) != whole.Seq {
		p.t.Errorf("two copies of the same state have made %d commits", len(commits))
	}

	p.begin()
	p.proxy.OnNth(http.MethodPut, 0, s3test.Fault{Delay: 2 * time.Second})
	slow := p.program(p.arguments(p.pushed)...)
	p.must(slow.Start())
	for p.proxy.Count(http.MethodPut) == 0 {
		time.Sleep(10 * time.Millisecond)
	}
	_, said = p.push(exitBusy)
	p.t.Logf("another push is under way: exit code %d, %s", exitBusy, said)
	p.proxy.On(nil)
	p.must(slow.Wait())
	p.holds(1)
}

// refusals: what is asked for is more than the store allows, or the store is not there.
func (p *pushFaults) refusals() {
	policy := filepath.Join(p.server.Dir, fmt.Sprintf("case-%d", p.cases), "v1", "policy.json")
	p.must(os.WriteFile(policy, []byte(`{"min_level": "redacted"}`), 0o600))
	_, said := p.push(exitUsage)
	p.t.Logf("the policy allows less: exit code 2, %s", said)
	p.must(os.Remove(policy))
	p.holds(1)
	for what, args := range map[string][]string{
		"no bucket":  {"--to", "s3://" + p.server.Bucket + "-2"},
		"no server":  {"--endpoint", "http://127.0.0.1:1"},
		"wrong keys": nil,
	} {
		if args == nil {
			p.environ = s3test.Environ(p.t, p.server.Key, "wrong")
		}
		_, said := p.push(exitFailed, args...)
		p.t.Logf("%s: exit code 1, %s", what, said)
		if said == "" || strings.Contains(said, p.server.Secret) {
			p.t.Errorf("%s: %q", what, said)
		}
		p.environ = s3test.Environ(p.t, p.server.Key, p.server.Secret)
	}
}

// TestPushKilled kills a push at each of its PUTs in turn: readers have what was there before, or all of the new; the
// next push sends the rest.
func TestPushKilled(t *testing.T) {
	long(t)
	t.Parallel()
	p := newPushFaults(t)
	p.begin()
	whole, _ := p.push(0)
	kills, skipped := 0, 0
	for nth := 1; int64(nth) <= whole.Stats.Puts; nth++ {
		p.begin()
		reached := make(chan struct{})
		p.proxy.On(func(method, _ string, n int) (f s3test.Fault) {
			if method == http.MethodPut && n >= nth {
				if n == nth {
					close(reached)
				}
				f = s3test.Fault{Delay: 300 * time.Millisecond, Cut: s3test.Before}
			}
			return f
		})
		cmd := p.program(p.arguments(p.pushed)...)
		p.must(cmd.Start())
		<-reached
		p.must(cmd.Process.Kill())
		_ = cmd.Wait() // it was killed
		kills++
		p.holds(0)
		p.proxy.On(nil)
		r, _ := p.push(0)
		skipped += r.Skipped
		if r.Seq != whole.Seq || r.Files+r.Skipped != whole.Files+whole.Skipped || r.Skipped < nth-1-sendingAtOnce ||
			r.Stats.Puts != int64(r.Files)+1 {
			// and the commit
			t.Errorf("killed at PUT %d, then again: %+v", nth, r)
		}
		p.holds(1)
	}
	t.Logf("%d kills, one at each PUT; the pushes after them found %d files that had arrived", kills, skipped)
}

// TestPushAccess: with the policy of docs/team.md a machine pushes, and can do nothing else.
func TestPushAccess(t *testing.T) {
	long(t)
	t.Parallel()
	p := newPushFaults(t)
	docs, err := os.ReadFile(filepath.Join("..", "..", "docs", "team.md"))
	p.must(err)
	_, policy, _ := strings.Cut(string(docs), "cat > bucket-policy.json << 'END'\n")
	policy, _, found := strings.Cut(policy, "END\n")
	if !found {
		t.Fatal("docs/team.md has no policy of the bucket")
	}
	user := p.server.NewUser(t)
	p.cases++
	p.pushed = p.states[0]
	policy = strings.ReplaceAll(strings.ReplaceAll(policy, "team-cursor", p.server.Bucket), "/v1/",
		fmt.Sprintf("/case-%d/v1/", p.cases))
	// ID is nobody's
	p.server.Policy(t, strings.NewReplacer("KEY", user.Key, `["v1/`, fmt.Sprintf(`["case-%d/v1/`, p.cases)).
		Replace(policy))
	root := filepath.Join(p.server.Dir, fmt.Sprintf("case-%d", p.cases), "v1")
	p.must(os.MkdirAll(root, 0o700))
	p.must(os.WriteFile(filepath.Join(root, "policy.json"), []byte(`{}`), 0o600))
	p.environ = s3test.Environ(t, user.Key, user.Secret)
	_, said := p.push(exitFailed)
	_, id, _ := strings.Cut(said, "v1/machine=")
	id, _, _ = strings.Cut(id, "/")
	if len(id) != 16 {
		t.Fatalf("the machine's ID is not in %q", said)
	}
	p.server.Policy(t, strings.NewReplacer("KEY", user.Key, "machine=ID", "machine="+id, `["v1/`,
		fmt.Sprintf(`["case-%d/v1/`, p.cases)).Replace(policy))
	if r, _ := p.push(0); r.Machine != id || r.Seq != 1 {
		t.Errorf("its own prefix: %+v", r)
	}
	p.holds(0)
	p.copyOf(filepath.Join(p.dir, "other.duckdb"), p.states[1])
	p.pushed = filepath.Join(p.dir, "other.duckdb")
	if _, said := p.push(exitFailed, "--new-machine"); !strings.Contains(said, "AccessDenied") {
		t.Errorf("another prefix: %s", said)
	}
	p.pushed = p.states[0]
	if _, said := p.push(exitFailed, "--erase"); !strings.Contains(said, "s3:DeleteObject") {
		t.Errorf("erasure: %s", said)
	}
	p.holds(0)
}
