package main

import (
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"pipeline/cmd/pipeline/internal/faulttest"
	"pipeline/testdata/gen/storetest"
)

// TestPublicationReader: who resolves current once and reads all files below it reads one publication whole, also while
// others are published.
func TestPublicationReader(t *testing.T) {
	long(t)
	polls := 1000
	w := newCLITest(t)
	parquet := filepath.Join(w.dir, "parquet")
	w.store(talk("a", "0"), storetest.StoreOptions{})
	w.run(0, "--parquet", parquet)
	stop, stopped := make(chan struct{}), make(chan int)
	go func() { // each publication has as many loads as its name says, and as many messages
		n := 1
		defer func() { stopped <- n }()
		for {
			select {
			case <-stop:
				return
			default:
			}
			n++
			if err := setRow(filepath.Dir(w.user), fmt.Sprintf("bubbleId:a:m%d", n), `{"text":"x"}`); err != nil {
				t.Error(err)
				return
			}
			w.run(0, "--parquet", parquet)
		}
	}()
	db, err := sql.Open("duckdb", "")
	w.must(err)
	defer db.Close()
	seen := map[string]bool{}
	for poll, late := 0, time.Now().Add(time.Minute); poll < polls || len(seen) < 2 && time.Now().Before(late); poll++ {
		folder, err := filepath.EvalSymlinks(filepath.Join(parquet, "current"))
		w.must(err)
		var number, loads, messages, conversations int
		if _, err := fmt.Sscanf(filepath.Base(folder), "v-%d", &number); err != nil {
			t.Fatalf("current is %s", folder)
		}
		names, err := filepath.Glob(filepath.Join(folder, "*.parquet"))
		w.must(err)
		err = db.QueryRow(
			`SELECT (SELECT count(*) FROM read_parquet($1)), (SELECT count(*) FROM read_parquet($2)), (SELECT count(*) FROM read_parquet($3))`,
			filepath.Join(folder, "loads.parquet"), filepath.Join(folder, "messages", "*", "*.parquet"),
			filepath.Join(folder, "conversations.parquet")).Scan(&loads, &messages, &conversations)
		if err != nil || loads != number || messages != number || conversations != 1 || len(names) != 36 {
			t.Fatalf("%s: %d files, %d loads, %d messages, %d conversations: %v", folder, len(names), loads, messages,
				conversations, err)
		}
		seen[folder] = true
	}
	close(stop)
	t.Logf("%d polls saw %d of %d publications, each whole", polls, len(seen), <-stopped)
	if len(seen) < 2 {
		t.Error("nothing was published meanwhile")
	}
}

// alterations are what may become of a file that a user has.
var alterations = map[string]func(path string) error{
	"removed":   os.Remove,
	"emptied":   storetest.WriteZeroBytes,
	"truncated": func(path string) error { return truncate(path, func(n int64) int64 { return n / 2 }) },
	"other rows": func(path string) error { // sound Parquet
		db, err := sql.Open("duckdb", "")
		if err != nil {
			return err
		}
		defer db.Close()
		_, err = db.Exec(
			fmt.Sprintf(
				`CREATE TABLE t AS SELECT * REPLACE ('edited' AS text) FROM read_parquet('%[1]s'); COPY t TO '%[1]s' (FORMAT parquet)`, strings.ReplaceAll(path, "'", "''")))
		return err
	},
	"a folder": func(path string) error {
		if err := os.Remove(path); err != nil {
			return err
		}
		return os.Mkdir(path, 0o700)
	},
}

// TestAlteredParquet: a published file that is altered or removed is named by verify, and the next publication is
// whole.
func TestAlteredParquet(t *testing.T) {
	long(t)
	for name, alter := range alterations {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newCLITest(t)
			parquet := filepath.Join(w.dir, "parquet")
			w.store(talk("a", "hello"), storetest.StoreOptions{})
			w.run(0, "--parquet", parquet)
			altered := publishedFiles(t, filepath.Join(parquet, "current"), "messages")
			if len(altered) != 1 {
				t.Fatalf("the messages are in %q", altered)
			}
			w.must(alter(altered[0]))
			printed, _ := w.does(4, "check", "--deep", "--warehouse", w.warehouse, "--parquet", parquet)
			if strings.Count(printed, "DAMAGED") != 1 ||
				!strings.Contains(printed, filepath.Join("messages", filepath.Base(filepath.Dir(altered[0])),
					"part-0.parquet")) || !strings.Contains(printed, "repair: pipeline run --parquet") {
				t.Errorf("verify prints %s", printed)
			}
			w.run(0, "--parquet", parquet)
			w.does(0, "check", "--deep", "--warehouse", w.warehouse, "--parquet", parquet)
		})
	}
}

// TestPublicationOfAnother: a folder with another warehouse's publication is refused before anything is loaded, with
// what to do. It stays a warehouse's own after a rebuild and in a copy.
func TestPublicationOfAnother(t *testing.T) {
	t.Parallel()
	w := newCLITest(t)
	parquet := filepath.Join(w.dir, "parquet")
	w.store(talk("a", "hello"), storetest.StoreOptions{})
	w.run(0, "--parquet", parquet)
	one := w.warehouse
	w.warehouse = filepath.Join(w.dir, "other.duckdb")
	for _, there := range []bool{false, true} {
		before := filesIn(t, parquet)
		if _, said := w.run(exitUsage, "--parquet", parquet); !strings.Contains(said, "another warehouse") ||
			!strings.Contains(said, "remove "+filepath.Join(parquet, "current")) {
			t.Errorf("a warehouse that is there: %v: %s", there, said)
		}
		w.same("the publication", before, filesIn(t, parquet))
		if _, err := os.Stat(w.warehouse); (err == nil) != there {
			t.Errorf("a warehouse that is there: %v: %v", there, err)
		}
		w.run(0)
	}
	w.runs(exitUsage, "export", "parquet", parquet, "--warehouse", w.warehouse)
	w.must(os.Remove(one))
	w.runs(0, "rebuild", "--warehouse", one)
	w.runs(0, "export", "parquet", parquet, "--warehouse", one)
	data, err := os.ReadFile(one)
	w.must(err)
	w.must(os.WriteFile(filepath.Join(w.dir, "copy.duckdb"), data, 0o600))
	w.runs(0, "export", "parquet", parquet, "--warehouse", filepath.Join(w.dir, "copy.duckdb"))
	w.must(os.Remove(filepath.Join(parquet, "current")))
	w.run(0, "--parquet", parquet)
}

// TestPublicationWithoutLinks: on a disk that has no links, a file says which publication is the latest; what reads
// publications finds it, and nothing is left over.
func TestPublicationWithoutLinks(t *testing.T) {
	all := []syscall.Errno{syscall.EPERM, syscall.EOPNOTSUPP, syscall.ENOSYS}
	if testing.Short() {
		all = all[:1]
	}
	for _, missing := range all {
		w := newCLITest(t)
		out := filepath.Join(w.dir, "csv")
		for load := range 2 {
			w.store(talk("a", "hello", strings.Repeat("again ", load)), storetest.StoreOptions{})
			links := 0
			code, said := faulttest.Run(t, exec.Command("pipeline", "run", "--source", "test="+w.user, "--warehouse",
				w.warehouse, "--csv", out, "--csv-keep", "0"), []faulttest.Kind{faulttest.Rename},
				func(call faulttest.Call) (answer faulttest.Answer) {
					if strings.HasPrefix(filepath.Base(call.Path), ".current-") {
						links++
						answer.Errno = missing
					}
					return answer
				})
			if code != 0 || links != 1 || !strings.Contains(said, "csv/current.json, ") {
				t.Fatalf("%v, %d links: the run ended with %d: %s", missing, links, code, said)
			}
		}
		text, err := os.ReadFile(filepath.Join(out, "current.json"))
		w.must(err)
		w.same("current.json", "{\"folder\":\"v-00000002\"}\n", string(text))
		entries, err := os.ReadDir(out)
		w.must(err)
		var names []string
		for _, e := range entries {
			names = append(names, e.Name())
		}
		w.same("the folder", []string{".pipeline-lock", "current.json", "v-00000002"}, names)
		printed, _ := w.does(0, "check", "--deep", "--warehouse", w.warehouse, "--csv", out)
		if !strings.Contains(printed, "CSV         38 files") {
			t.Errorf("the check says nothing of it: %s", printed)
		}
		if printed, _ = w.does(0, "doctor", "--no-plan", "--source", "test="+w.user, "--warehouse", w.warehouse,
			"--csv", out); strings.Contains(printed, "PROBLEM") {
			t.Errorf("doctor says %s", printed)
		}
	}
}
