package main

import (
	"fmt"
	"html"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pipeline/load/engine"
	"pipeline/load/redact/redacttest"
	"pipeline/testdata/gen/storetest"
)

// plantedStore writes a store with secrets in all its texts: in the first text of a place one of each kind, in each
// later one the next kind. Paths have what a path can have.
func (w *cliTest) plantedStore(secrets []redacttest.Secret, o storetest.Options) {
	w.t.Helper()
	seen := map[string]int{}
	o.Plant = func(place, text string) string {
		n := seen[place]
		seen[place]++
		some := secrets
		if n > 0 {
			some = some[n%len(some):][:1]
		}
		isPath := strings.ContainsAny(text, `/\`) && !strings.ContainsAny(text, " \n")
		for _, s := range some {
			switch {
			case !isPath:
				text += "\n" + s.Text
			case !strings.ContainsAny(s.Text, "/\\\n: ;=\""):
				text += "/" + s.Text
			}
		}
		return text
	}
	w.must(storetest.New(o).Write(w.user))
}

// texts are the names and the texts of all files below a folder, or of one file. Files of Parquet are read, and pages
// have their texts as people see them.
func (w *cliTest) texts(path string) string {
	w.t.Helper()
	var all strings.Builder
	db, conn, err := engine.Open(w.t.Context(), "", false)
	w.must(err)
	w.must(filepath.WalkDir(path, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Type()&fs.ModeSymlink != 0 {
			return err
		}
		if filepath.Ext(file) == ".parquet" {
			read := filepath.Join(w.t.TempDir(), "read.json")
			if _, err := conn.ExecContext(w.t.Context(),
				fmt.Sprintf("COPY (FROM read_parquet(%s)) TO %s (FORMAT json)", engine.Literal(file),
					engine.Literal(read))); err != nil {
				return err
			}
			file = read
		}
		text, err := os.ReadFile(file)
		all.WriteString(filepath.Base(file) + "\n" + html.UnescapeString(string(text)) + "\n")
		return err
	}))
	w.must(conn.Close())
	w.must(db.Close())
	return all.String()
}

// TestRedactedFiles: with --redact no piece of a secret, of any kind, is in what is written for other people, in no
// form; without it they are all there.
func TestRedactedFiles(t *testing.T) {
	long(t)
	w := newCLITest(t)
	// it is the beginning of another one
	secrets := slices.DeleteFunc(redacttest.Secrets(9),
		func(s redacttest.Secret) bool { return s.Kind == "PEM that was cut" })
	w.plantedStore(secrets, storetest.Options{Seed: 4, Messages: 60})
	w.run(0, "--quiet")
	fewest := map[string]int{"report": 15} // it has names of files and titles, and in them what a path can have
	for form, args := range map[string][]string{
		"parquet": {"export", "parquet", "parquet"},
		"csv":     {"export", "csv", "csv"},
		"markdown": {"export", "conversations", "--format", "markdown", "--full", "--all-branches", "--gone", "--out",
			"markdown"},
		"jsonl":  {"export", "conversations", "--format", "jsonl", "--all-branches", "--gone", "-o", "jsonl"},
		"openai": {"export", "conversations", "--format", "openai", "--gone", "--out", "openai"},
		"html": {"export", "conversations", "--format", "html", "--full", "--all-branches", "--gone", "--out",
			"html"},
		"page":   {"export", "conversations", "--format", "html", "--full", "--all-branches", "--gone", "-o", "page"},
		"report": {"report", "--since", "2000-01-01", "-o", "report"},
	} {
		args = append(args, "--warehouse", w.warehouse)
		w.runs(0, args...)
		place := filepath.Join(w.dir, form)
		plain := redacttest.Leaks(w.texts(place), secrets)
		want := len(secrets)
		if fewest[form] > 0 {
			want = fewest[form]
		}
		if len(plain) < want {
			t.Errorf("%s: without --redact there are %d kinds of secrets, want %d", form, len(plain), want)
		}
		w.must(os.RemoveAll(place))
		w.runs(0, append(args, "--redact")...)
		text := w.texts(place)
		for kind, around := range redacttest.Leaks(text, secrets) {
			t.Errorf("%s: with --redact there is a piece of %s: %q", form, kind, around)
		}
		if n := strings.Count(text, "redacted:"); n < want {
			t.Errorf("%s: with --redact only %d texts say that something is missing", form, n)
		}
	}
}

// TestRedactedFolder: what is redacted and what is not are never beside each other in one folder.
func TestRedactedFolder(t *testing.T) {
	w := newCLITest(t)
	w.store(talk("a", "see /home/bob/x"), storetest.StoreOptions{})
	w.run(0, "--quiet")
	out := filepath.Join(w.dir, "out")
	w.does(0, "export", "csv", out, "--redact", "--warehouse", w.warehouse)
	if text := w.texts(out); strings.Contains(text, "bob") || !strings.Contains(text, "see ~/x") ||
		strings.Contains(text, "quarantine.csv") {
		t.Errorf("a redacted publication has a name, or a table of this machine's files, or lacks the text: %.3000s",
			text)
	}
	if printed, _ := w.does(0, "export", "csv", out, "--redact", "--warehouse", w.warehouse); !strings.Contains(printed,
		"was there already") {
		t.Errorf("it is written again: %s", printed)
	}
	if _, said := w.does(1, "export", "csv", out, "--warehouse", w.warehouse); !strings.Contains(said,
		"publish there with --redact") {
		t.Errorf("of a publication with secrets beside one without was said: %s", said)
	}
	if _, said := w.run(1, "--full", "--csv", out); !strings.Contains(said, "publish there with --redact") ||
		strings.Contains(w.texts(out), "bob") {
		t.Errorf("of a run that publishes there was said: %s", said)
	}
	w.does(0, "export", "csv", out, "--redact", "--warehouse", w.warehouse)
	if printed, _ := w.does(0, "check", "--deep", "--csv", out, "--warehouse", w.warehouse); !strings.Contains(printed,
		"is redacted") {
		t.Errorf("the check says %s", printed)
	}
	plain := filepath.Join(w.dir, "plain")
	w.does(0, "export", "csv", plain, "--warehouse", w.warehouse)
	if _, said := w.does(1, "export", "csv", plain, "--redact", "--warehouse", w.warehouse); !strings.Contains(said,
		"that is not redacted") {
		t.Errorf("of a publication without secrets beside one with was said: %s", said)
	}
}
