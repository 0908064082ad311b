package pipelines_test

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pipeline/load/rawlog"
	"pipeline/pipelines"
	"pipeline/sql/schema"
)

// refusesRebuild checks that the warehouse is not made anew out of a layer that lacks something, and that the message
// knows the way out.
func (l *fixture) refusesRebuild(parts ...string) {
	l.t.Helper()
	before := l.files()
	_, err := pipelines.Rebuild(l.t.Context(), pipelines.Options{Warehouse: l.warehouse(), ToolVersion: "test"}, false)
	var usage *pipelines.UsageError
	if !errors.As(err, &usage) {
		l.t.Fatalf("a rebuild got %v", err)
	}
	says(l.t, err, append(parts, "--force", "plain run")...)
	same(l.t, "the files after a rebuild that was refused", before, l.files())
}

// last is what the layer says of each row in the end, without those that are gone.
func (l *fixture) last() map[string]string {
	out := map[string]string{}
	for row, versions := range l.stories(0) {
		if v := versions[len(versions)-1]; v != "gone" {
			out[row] = strings.TrimPrefix(v, "back: ")
		}
	}
	return out
}

// stored is what the layer must say in the end of a user directory of texts.
func stored(w *userDir) map[string]string {
	out := map[string]string{}
	for key, value := range w.rows {
		out["global "+key] = "text " + value.(string)
	}
	for id, f := range w.workspaces {
		out["workspace/"+id+" workspace.json"] = "text " + f.json
		for key, value := range f.items {
			out["workspace/"+id+" "+key] = "text " + value.(string)
		}
	}
	return out
}

// loadColumns say by which load something came: a layer that began later knows only later loads.
var loadColumns = []string{"load_id", "changed_at", "last_seen_at", "first_seen_at", "deleted_at"}

// restored puts a copy of the warehouse back after a run that made a file which the copy does not name.
func (l *fixture) backup() (restore func()) {
	l.t.Helper()
	b, err := os.ReadFile(l.warehouse())
	must(l.t, err)
	return func() { must(l.t, os.WriteFile(l.warehouse(), b, 0o600)) }
}

func (l *fixture) rawNamed() (names []string) {
	for _, row := range l.ask(`SELECT path FROM raw_files ORDER BY path`) {
		names = append(names, row[0])
	}
	return names
}

func (l *fixture) rawFound() (names []string) {
	found, err := filepath.Glob(filepath.Join(rawlog.Dir(l.warehouse()), "*", "*.parquet"))
	must(l.t, err)
	for _, name := range found {
		names = append(names, filepath.Base(filepath.Dir(name))+"/"+filepath.Base(name))
	}
	slices.Sort(names)
	return names
}

// TestRawAdopted: files that a warehouse from a backup does not know are taken in by its next run; no version is lost
// or written twice.
func TestRawAdopted(t *testing.T) {
	t.Parallel()
	long(t)
	base := baseUserDir().with("ofsContent:o", "one").withFolder("ws2", folder{json: `{"folder":"file:///src/two"}`})
	b := base.replaced(t, keyA2, "An answer", "Answer B").without(keyB1).
		with("composerData:delta", `{"name":"Delta"}`, "ofsContent:o", "two", "ofsContent:p", "new",
			"composer.content.c", "new").
		withFolder("ws3", folder{json: `{"folder":"file:///src/three"}`})
	for name, next := range map[string]*userDir{
		"another change": base.replaced(t, keyA2, "An answer", "Answer C").
			with("composerData:epsilon", `{}`, "ofsContent:o", "three"),
		"the same change":    b,
		"as in the backup":   base,
		"everything is gone": baseUserDir().without(keyAlpha, keyA1, keyA2, keyA3, keyBeta, keyB1, keyB2),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newFixture(t)
			l.run(base)
			before, err := os.ReadFile(filepath.Join(l.user, "globalStorage", "state.vscdb"))
			must(t, err)
			restore := l.backup()
			l.run(b)
			restore()
			if next.write(t, l.user); name == "as in the backup" { // to the byte, so that no rowid tells
				must(t, os.WriteFile(filepath.Join(l.user, "globalStorage", "state.vscdb"), before, 0o600))
			}
			l.run(nil, acceptDeletes)
			same(t, "the named files", l.rawFound(), l.rawNamed())
			same(t, "the layer in the end", stored(next), l.last())
			times := map[string]int{}
			for row, versions := range l.stories(0) {
				for _, v := range versions {
					times[row+" "+v]++
				}
			}
			for _, w := range []*userDir{base, b, next} {
				for row, v := range stored(w) {
					if times[row+" "+v] != 1 {
						t.Errorf("the layer has %d times %s %s", times[row+" "+v], row, v)
					}
				}
			}
			l.adds("quiet", nil, nil)
			l.rebuilt()
		})
	}
}

// TestRawTruncated: a file that somebody cut short is left alone, and what it held is there again as far as the store
// holds it.
func TestRawTruncated(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	base := baseUserDir()
	l.run(base)
	restore := l.backup()
	next := base.replaced(t, keyA2, "An answer", "Answer B")
	l.run(next)
	restore()
	orphan := filepath.Join(rawlog.Dir(l.warehouse()), "test", "00000002-2.parquet")
	info, err := os.Stat(orphan)
	must(t, err)
	must(t, os.Truncate(orphan, info.Size()/2))
	cut, err := os.ReadFile(orphan)
	must(t, err)
	var warned []string
	warn := func(o *pipelines.Options) {
		o.Warn = func(format string, args ...any) { warned = append(warned, fmt.Sprintf(format, args...)) }
	}
	l.run(nil, warn)
	if len(warned) != 1 || !strings.Contains(warned[0], orphan) {
		t.Errorf("the run warned of %q", warned)
	}
	after, err := os.ReadFile(orphan)
	must(t, err)
	same(t, "the file", cut, after)
	same(t, "the named files", []string{"test/00000001-1.parquet", "test/00000002-3.parquet"}, l.rawNamed())
	l.run(nil)
	must(t, os.Remove(orphan))
	same(t, "the layer", stored(next), l.last())
	l.rebuilt()
}

// TestRawLost: a file that is gone is missed; what the stores hold of it is written again, once, also when only a later
// run can.
func TestRawLost(t *testing.T) {
	t.Parallel()
	long(t)
	narrow := func(o *pipelines.Options) { o.Projects = []string{"one"} }
	for name, runs := range map[string][]func(*pipelines.Options){"plain": {func(*pipelines.Options) {}},
		"narrowed, then plain": {narrow, func(*pipelines.Options) {}}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newFixture(t)
			base := baseUserDir().with("ofsContent:o", "file").
				withFolder("ws2", folder{`{"folder":"file:///src/two"}`,
					map[string]any{"aiService.prompts": `[{"text":"p"}]`}, false})
			l.run(base)
			next := base.replaced(t, keyA2, "An answer", "Answer B")
			l.run(next)
			must(t, os.Remove(filepath.Join(rawlog.Dir(l.warehouse()), "test", "00000001-1.parquet")))
			l.refusesRebuild("00000001-1.parquet")
			var warned []string
			for i, change := range runs {
				l.run(nil, change, func(o *pipelines.Options) {
					o.Warn = func(format string, args ...any) { warned = append(warned, fmt.Sprintf(format, args...)) }
				})
				if i+1 < len(runs) {
					l.refusesRebuild()
				}
			}
			if len(warned) != 1 || !strings.Contains(warned[0], "00000001-1.parquet") {
				t.Errorf("the run warned of %q", warned)
			}
			same(t, "the layer", stored(next), l.last())
			for row, versions := range l.stories(0) {
				same(t, "the versions of "+row, 1, len(versions))
			}
			l.adds("quiet", nil, nil)
			l.rebuilt(loadColumns...)
		})
	}
}

// TestRawNarrowed: a narrowed run keeps the rows of what it loads and ends nothing; the next plain run does the rest.
func TestRawNarrowed(t *testing.T) {
	t.Parallel()
	long(t)
	since := schema.Millis(1760086400000) // of beta
	for name, narrow := range map[string]func(*pipelines.Options){"project": func(o *pipelines.Options) {
		o.Projects = []string{"one"}
	}, "since": func(o *pipelines.Options) { o.Since = &since }} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newFixture(t)
			base := baseUserDir().with("ofsContent:o", "file", "codeBlockDiff:loose", `{}`)
			l.run(base, narrow)
			wanted := map[string]bool{"alpha": name == "project", "gamma": name == "project", "beta": name == "since"}
			for row := range l.stories(0) {
				if id, ok := strings.CutPrefix(row, "global "); ok && !wanted[strings.SplitN(id, ":", 3)[1]] {
					t.Errorf("the layer has %s", row)
				}
			}
			l.run(nil)
			same(t, "the layer after a plain run", stored(base), l.last())
			next := base.without("composerData:gamma", keyA2, keyB2, "ofsContent:o", "codeBlockDiff:loose").
				with(keyA1, `{"type":1,"text":"A"}`, keyB1, `{"type":1,"text":"B"}`)
			n := l.rawCount()
			l.run(next, narrow)
			a, b := stories{"global " + keyA1: {`text {"type":1,"text":"A"}`}, "global " + keyA2: {"gone"}},
				stories{"global " + keyB1: {`text {"type":1,"text":"B"}`}, "global " + keyB2: {"gone"}}
			if name == "since" {
				a, b = b, a
			}
			same(t, "a narrowed run", a, l.stories(n))
			b["global composerData:gamma"], b["global ofsContent:o"], b["global codeBlockDiff:loose"] = []string{
				"gone",
			}, []string{"gone"}, []string{"gone"}
			l.adds("the next plain run", b, nil)
			l.adds("quiet", nil, nil)
			same(t, "the layer in the end", stored(next), l.last())
			l.rebuilt()
		})
	}
}

// TestRawUnreadable: a store that cannot be read has lost nothing.
func TestRawUnreadable(t *testing.T) {
	t.Parallel()
	long(t)
	l := newFixture(t)
	two := folder{`{"folder":"file:///src/two"}`, map[string]any{"aiService.prompts": `[{"text":"p"}]`}, false}
	base := baseUserDir().with("ofsContent:o", "file").withFolder("ws2", two).
		withFolder("ws3", folder{json: `{"folder":"file:///src/three"}`, garbage: true}).
		replaced(t, "composerData:gamma", "ws1", "ws3")
	l.run(base)
	l.rebuilt() // what is known of ws3 is its workspace.json
	badGlobal, badTwo := base.clone(), base.withFolder("ws2", folder{json: two.json, garbage: true})
	badGlobal.garbage = true
	l.adds("the global store is garbage", nil, badGlobal)
	l.adds("and is back", nil, base)
	l.adds("a workspace's store is garbage", nil, badTwo)
	l.adds("and is back", nil, base)
	badGlobal.garbage, badGlobal.noGlobal = false, true
	l.adds("the global store is missing", nil, badGlobal)
	l.adds("and is back", nil, base)
	l.rebuilt("last_seen_at") // runs that cannot read a store have nothing to keep, and still have seen the source
}

// TestRawReaders: the files are the owner's alone, and plain Parquet to other programs.
func TestRawReaders(t *testing.T) {
	concurrent(t)
	t.Parallel()
	l := newFixture(t)
	l.run(baseUserDir().with("bubbleId:alpha:bin", []byte("\xff\x00")))
	l.run(baseUserDir())
	dir := rawlog.Dir(l.warehouse())
	must(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		must(t, err)
		info, err := d.Info()
		must(t, err)
		want := os.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		}
		same(t, "the mode of "+d.Name(), want, info.Mode().Perm())
		return nil
	}))
	files := filepath.Join(dir, "*", "*.parquet")
	db, err := sql.Open("duckdb", "")
	must(t, err)
	var got [4]string
	must(t, db.QueryRow(
		`SELECT count(*), count(*) FILTER (value_type = 'gone'), max(hex(value)) FILTER ("key" = 'bubbleId:alpha:bin'), min(epoch_ms(observed_at))
		FROM read_parquet('`+files+`')`).Scan(&got[0], &got[1], &got[2], &got[3]))
	must(t, db.Close())
	same(t, "what DuckDB reads", [4]string{"11", "1", "FF00", "1767229200000"}, got)
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	const script = `import sys, pyarrow.parquet as q
rows = [r for f in sys.argv[1:] for r in q.read_table(f).to_pylist()]
print(len(rows), sum(r["value_type"] == "gone" for r in rows), [r["value"].hex() for r in rows if r["key"] == "bubbleId:alpha:bin" and r["value"]])`
	names, err := filepath.Glob(files)
	must(t, err)
	out, err := exec.Command(python, append([]string{"-c", script}, names...)...).CombinedOutput()
	if err != nil && strings.Contains(string(out), "No module named 'pyarrow'") {
		t.Skip("python3 has no pyarrow")
	}
	same(t, "what pyarrow reads", "11 1 ['ff00']\n", string(out))
}
