package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pipeline/testdata/gen/storetest"
)

// TestMarkdown: a run keeps a file for each conversation. It writes those that changed, and no others; one that has
// another title has another name; what Cursor deletes stays; a secret goes where that is asked.
func TestMarkdown(t *testing.T) {
	t.Parallel()
	const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	w := newCLITest(t)
	dir := filepath.Join(w.dir, "chats")
	run := func(wrote string, args ...string) {
		t.Helper()
		out, said := w.does(0, append([]string{"run", "--warehouse", w.warehouse, "--source", "test=" + w.user,
			"--markdown", dir}, args...)...)
		if !strings.Contains(out, "Markdown: "+wrote+" written to "+dir) || strings.Contains(said, "warning") {
			t.Errorf("want %s, it says %s%s", wrote, out, said)
		}
	}
	read := func() map[string]string {
		t.Helper()
		files := map[string]string{}
		w.must(filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || d.Name() == markdownNote {
				return err
			}
			text, err := os.ReadFile(path)
			name, _ := filepath.Rel(dir, path)
			files[filepath.ToSlash(name)[:len("no-project/2025-10-09_alpha")]] = string(text)
			return err
		}))
		return files
	}
	names := func(want ...string) {
		t.Helper()
		var got []string
		for name := range read() {
			got = append(got, strings.TrimPrefix(name, "no-project/2025-10-09_"))
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("there are %q, want %q", got, want)
		}
	}
	alpha, gamma := talk("alpha", "one", "the token is "+secret), talk("gamma", "three", "four")
	w.store(slices.Concat(alpha, gamma), storetest.StoreOptions{})
	run("2 files")
	names("alpha", "gamma")
	if text := read()["no-project/2025-10-09_alpha"]; !strings.Contains(text, secret) ||
		!strings.HasPrefix(text, "# alpha\n") {
		t.Errorf("the file is %s", text)
	}
	run("0 files")
	longer := talk("gamma", "three", "four", "five")
	w.store(slices.Concat(alpha, longer), storetest.StoreOptions{})
	run("1 file")
	if text := read()["no-project/2025-10-09_gamma"]; !strings.Contains(text, "five") {
		t.Errorf("the file is %s", text)
	}
	longer[0].Value = strings.Replace(longer[0].Value.(string), `"name":"gamma"`, `"name":"delta"`, 1)
	w.store(slices.Concat(alpha, longer), storetest.StoreOptions{})
	run("1 file")
	names("alpha", "delta")
	w.store(alpha, storetest.StoreOptions{})
	run("0 files")
	names("alpha", "delta")
	run("1 file", "--markdown-redact")
	if text := read()["no-project/2025-10-09_alpha"]; strings.Contains(text, secret) {
		t.Errorf("the file is %s", text)
	}
	w.must(os.Remove(filepath.Join(dir, markdownNote)))
	run("0 files", "--markdown-redact") // all are as they should be
	w.does(2, "run", "--warehouse", w.warehouse, "--source", "test="+w.user, "--markdown", w.user)
}
