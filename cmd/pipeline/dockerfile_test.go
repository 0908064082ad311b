package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// instruction is a line of the Dockerfile, with those that it is continued on.
type instruction struct{ name, rest string }

func dockerfile(t *testing.T) (out []instruction) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "Dockerfile"))
	must(t, err)
	for l := range strings.Lines(strings.ReplaceAll(string(text), "\\\n", " ")) {
		if name, rest, ok := strings.Cut(strings.TrimSpace(l), " "); ok && name != "#" {
			out = append(out, instruction{name, strings.TrimSpace(rest)})
		}
	}
	return out
}

// TestDockerfile looks for what makes an image wrong without a word: what is copied is there and reaches the builder,
// the bases are pinned and come from no registry by name, nobody is root, and the container's own commands are ones
// that the program understands.
func TestDockerfile(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	ignore, err := os.ReadFile(filepath.Join(root, ".dockerignore"))
	must(t, err)
	sent := strings.Fields(string(ignore))
	last := map[string]string{}
	for _, i := range dockerfile(t) {
		last[i.name] = i.rest
		words := strings.Fields(i.rest)
		switch i.name {
		case "FROM":
			if image, tag, ok := strings.Cut(words[0], ":"); !ok || tag == "latest" ||
				strings.ContainsAny(image, "./") {
				t.Errorf("FROM %s: want NAME:TAG, of no registry", words[0])
			}
		case "COPY":
			if strings.HasPrefix(words[0], "--from=") {
				continue
			}
			for _, source := range words[:len(words)-1] {
				if _, err := os.Stat(filepath.Join(root, source)); err != nil {
					t.Error(err)
				}
				if !slices.Contains(sent, "!"+source) {
					t.Errorf(".dockerignore keeps %s from the builder", source)
				}
			}
		}
	}
	if user := last["USER"]; user == "" || user == "root" || strings.HasPrefix(user, "0") {
		t.Errorf("USER %q: want one that is not root", user)
	}
	if last["VOLUME"] != "/data" || !strings.Contains(last["ENV"], "PIPELINE_WAREHOUSE=/data/") {
		t.Errorf("VOLUME %s, ENV %s: want the warehouse on the volume", last["VOLUME"], last["ENV"])
	}
	if last["ENTRYPOINT"] != `["pipeline"]` {
		t.Errorf("ENTRYPOINT %s", last["ENTRYPOINT"])
	}
	_, check, _ := strings.Cut(last["HEALTHCHECK"], "CMD pipeline ")
	check, _, _ = strings.Cut(check, " >")
	healthy(t, strings.Fields(check))
}

// healthy runs the container's health check: it must fail for want of a warehouse, not of a flag.
func healthy(t *testing.T, args []string) {
	t.Helper()
	var out, errs bytes.Buffer
	code := realMain(append([]string{"pipeline"},
		append(args, "--warehouse", filepath.Join(t.TempDir(), "none.duckdb"))...), &out, &errs)
	if len(args) == 0 || code != exitSource || !strings.Contains(errs.String(), "there is no warehouse at") {
		t.Errorf("%v: exit code %d, %s", args, code, errs.String())
	}
}
