package file_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"pipeline/pipelines/file"
)

var update = flag.Bool("update", false, "write golden files anew")

// onceUponATime is when the files of the tests are read: before the clocks of Europe go forward.
func onceUponATime() time.Time { return time.Date(2026, 3, 27, 12, 0, 0, 0, time.UTC) }

func reading(name string) file.Reading {
	return file.Reading{Name: name, Dir: "/etc/pipelines", Home: "/home/ada", Now: onceUponATime()}
}

// pipelineFiles are the files of a folder of testdata.
func pipelineFiles(t *testing.T, folder string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", folder, "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatal("there are no files in", folder, err)
	}
	return files
}

func contents(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestBadPipelines: each broken file is refused with the message that is kept beside it, which names the line, points
// at it, and says what to write.
func TestBadPipelines(t *testing.T) {
	t.Parallel()
	files := pipelineFiles(t, "bad")
	for _, path := range files {
		p, err := reading(filepath.Base(path)).Read(contents(t, path))
		var wrong *file.Error
		if !errors.As(err, &wrong) || p != nil {
			t.Errorf("%s is accepted: %v", path, err)
			continue
		}
		golden(t, strings.TrimSuffix(path, ".yaml")+".want", wrong.Error()+"\n")
	}
	if len(files) < 20 {
		t.Errorf("%d broken files, want twenty", len(files))
	}
}

// TestEveryKey reads a file with every key of the format.
func TestEveryKey(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the paths of the file are those of Unix")
	}
	text := contents(t, filepath.Join("testdata", "good", "every_key.yaml"))
	got, err := reading("every_key.yaml").Read(text)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, filepath.Join("testdata", "good", "every_key.want"), whatIsSaid(got))
	for _, s := range file.Settings() {
		if s.Key != "" && got.Lines[s.Key] == 0 {
			t.Errorf("testdata/good/every_key.yaml lacks the key %s", s.Key)
		}
		if s.Key != "" && s.Flag != "" && len(got.Values[s.Key]) == 0 {
			t.Errorf("%s has no values", s.Key)
		}
	}
}

// whatIsSaid lists what a pipeline says: the line, the key and the values of each.
func whatIsSaid(p *file.Pipeline) string {
	var lines []string
	for key, line := range p.Lines {
		lines = append(lines, fmt.Sprintf("%3d %s %q", line, key, p.Values[key]))
	}
	slices.Sort(lines)
	return fmt.Sprintf("%s: %q, schedule %+v\n%s\n", p.Name, p.Description, *p.Schedule, strings.Join(lines, "\n"))
}

// golden compares a text with that of a file, which -update writes anew.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(contents(t, path)), got); diff != "" {
		t.Errorf("%s differs; look at it and run go test ./pipelines/file -update (-want +got):\n%s", path, diff)
	}
}

// TestPipelineBytes: what editors and other systems make of a file. What is only another form of the same is read; the
// rest is refused.
func TestPipelineBytes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, text, want string }{
		{"BOM", "\ufeffsince: 7d\n", ""},
		{"CRLF", "since: 7d\r\nschedule:\r\n  cron: '@daily'\r\n", ""},
		{"BOM and an error", "\ufeffsinse: 7d\n",
			"x.yaml:1:1: there is no key \"sinse\"; did you mean \"since\"?\n   1 | sinse: 7d\n     | ^^^^^"},
		{"CRLF and an error", "git: true\r\nsince: soon\r\n",
			"x.yaml:2:8: since: \"soon\" is no time; write 7d, 36h, 2w, yesterday, last-run, 2026-03-01 or " +
				"2026-03-01T09:00:00Z\n   2 | since: soon\n     |        ^^^^"},
		{"no line end", "since: 7d", ""},
		{"nothing", "", "x.yaml is empty: write at least 'description: ...'; 'pipeline pipelines show nightly " +
			"--yaml' prints one to start from"},
		{"only an end", "---\n", "x.yaml is empty: write at least 'description: ...'; 'pipeline pipelines show " +
			"nightly --yaml' prints one to start from"},
		{"UTF-16", "\xff\xfes\x00", "x.yaml is UTF-16: save it as UTF-8"},
		{"Latin 1", "git: true\ndescription: t\xe4glich\n",
			"x.yaml:2:1: the line is no UTF-8: save the file as UTF-8\n   2 | description: t\ufffdglich\n" +
				"     | ^^^^^^^^^^^^^^^^^^^^"},
		{"NUL", "since: 7d\x00\n", "x.yaml:1:10: a control character (U+0000) has no place here: remove it\n" +
			"   1 | since: 7d\x00\n     |          ^"},
		{"large", strings.Repeat("# nothing\n", 10000), "x.yaml is larger than 64 kB: that is no pipeline"},
		{"deep", "sources: " + strings.Repeat("[", 30000), "x.yaml:1:"},
		{"directive", "%YAML 1.2\n---\nsince: 7d\n",
			"x.yaml:1:1: a directive (%) has no place here: leave the line out\n   1 | %YAML 1.2\n     | ^"},
		{"long line", "description: '" + strings.Repeat("x", 300) + "' y\n", "x.yaml:1:"},
	} {
		p, err := reading("x.yaml").Read([]byte(test.text))
		got := ""
		if err != nil {
			got = err.Error()
		} else if !slices.Equal(p.Values["since"], []string{"7d"}) {
			t.Errorf("%s: since is %q", test.name, p.Values["since"])
		}
		if strings.HasSuffix(test.want, ":") && strings.HasPrefix(got, test.want) {
			if longest := len(slices.MaxFunc(strings.Split(got, "\n"),
				func(a, b string) int { return len(a) - len(b) })); longest > 260 {
				t.Errorf("%s: a line of %d characters is printed", test.name, longest)
			}
			continue
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestPipelineFiles: what keeps a file from being read, and by which name it is found.
func TestPipelineFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	lib := file.Library{Folder: filepath.Join(dir, "mine"), Home: "/home/ada", Now: onceUponATime()}
	write := func(name, text string) string {
		t.Helper()
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700),
			os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	said := func(arg string) string {
		_, err := lib.Find(arg)
		return fmt.Sprint(err)
	}
	if all, err := lib.List(); err != nil || len(all) != 3 {
		t.Error("without a folder there are the shipped ones: ", all, err)
	}
	mine := write("mine/nightly.yaml", "since: 1d\n")
	other := write("mine/other.yaml", "name: another\n")
	short := write("mine/short.yml", "since: 1d\n")
	odd := write("mine/odd name.yaml", "since: 1d\n")
	elsewhere := write("elsewhere/work.yaml", "name: work-2\n")
	if p, err := lib.Find("nightly"); err != nil || !slices.Equal(p.Values["since"], []string{"1d"}) || p.Shipped ||
		p.File != mine {
		t.Error("one's own is not found first: ", p, err)
	}
	if p, err := lib.Find("weekly"); err != nil || !p.Shipped || !p.Full() {
		t.Error("the shipped one is not found: ", p, err)
	}
	if p, err := lib.Find(elsewhere); err != nil || p.Name != "work-2" {
		t.Error("a file with a name in it: ", p, err)
	}
	if p, err := lib.Find(short); err != nil || p.Name != "short" {
		t.Error("a file by its path: ", p, err)
	}
	for _, test := range []struct{ arg, want string }{
		{"other", other + ":1:1: name is \"another\" and the file is called other.yaml: give them the same name, or " +
			"leave the key out\n   1 | name: another\n     | ^^^^"},
		{"nigtly", `there is no pipeline "nigtly"; did you mean "nightly"?`},
		{"zebra", `there is no pipeline "zebra" among nightly, other, recent, weekly, and no ` +
			filepath.Join(lib.Folder, "zebra.yaml")},
		{"..", `there is no pipeline ".." among nightly, other, recent, weekly, and no ` +
			filepath.Join(lib.Folder, "...yaml") + "; to read a folder use --source .."},
		{filepath.Join(dir, "gone.yaml"), filepath.Join(dir, "gone.yaml") +
			" does not exist; 'pipeline pipelines list' lists the pipelines"},
		{dir + "/mine", dir + "/mine is a folder, not a pipeline's file; to read Cursor's history there use --source " +
			dir + "/mine"},
	} {
		if diff := cmp.Diff(test.want, said(test.arg)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.arg, diff)
		}
	}
	all, err := lib.List()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range all {
		got = append(got, fmt.Sprintf("%s %v %v", l.Name, l.Replaces, l.Err != nil))
	}
	if diff := cmp.Diff([]string{"nightly true false", "other false true", "recent false false", "weekly false false",
		"odd name.yaml false true", "short.yml false true"}, got); diff != "" {
		t.Error(diff)
	}
	if want := odd + " is not read: a pipeline's name has letters, digits, '.', '_' and '-' " +
		"only"; all[4].Err.Error() != want {
		t.Error(all[4].Err)
	}
	if want := short + " is not read: its name must end in .yaml"; all[5].Err.Error() != want {
		t.Error(all[5].Err)
	}
}

// TestShippedPipelines: each is right, says what it is for and when it runs, and means the same wherever it is copied
// to.
func TestShippedPipelines(t *testing.T) {
	t.Parallel()
	all, err := file.Library{Folder: filepath.Join(t.TempDir(), "none"), Home: "/home/ada", Data: "/home/ada/data",
		Now: onceUponATime()}.List()
	if err != nil || len(all) < 3 {
		t.Fatal(all, err)
	}
	for _, l := range all {
		if l.Err != nil {
			t.Error(l.Err)
			continue
		}
		p := l.Pipeline
		if p.Description == "" || p.Schedule == nil || !p.Shipped {
			t.Errorf("%s: %+v", l.Name, p)
		}
		if got := p.Values["parquet"]; l.Name == "nightly" && !slices.Equal(got, []string{"/home/ada/data/parquet"}) {
			t.Errorf("nightly publishes in %v", got)
		}
		for _, place := range slices.Concat(p.Values["warehouse"], p.Values["parquet"], p.Values["sources"]) {
			if place != "" && !filepath.IsAbs(place) {
				t.Errorf("%s has the path %s, which is another wherever the file is", l.Name, place)
			}
		}
	}
}

// onlyTheProgram are the broken files that a JSON schema cannot tell from good ones, and why.
func onlyTheProgram() map[string]string {
	form := "the form of times, schedules, zones, paths and globs is the program's to judge"
	yamlOnly := "it is about YAML: as data the file is right, or the schema's reader does not see it"
	return map[string]string{
		"not_a_time": form, "cron_six_fields": form, "cron_four_fields": form, "cron_range": form, "cron_word": form,
		"cron_every": form, "cron_zone": form, "cron_never": form, "timezone": form, "glob": form, "wide_letters": form,
		"variable_in_path": form, "home_of_another": form, "since_after_until": "two values contradict each other",
		"little_memory": "how much is enough is the program's to judge", "anchor": yamlOnly, "tag": yamlOnly,
		"merge_key": yamlOnly, "two_documents": yamlOnly,
	}
}

// TestPipelineSchema has another's validator judge every file by the schema that editors use: the good are valid, and
// of the broken all are refused but those that only the program can see through.
func TestPipelineSchema(t *testing.T) {
	t.Parallel()
	made, err := file.Schema()
	if err != nil {
		t.Fatal(err)
	}
	const path = "pipeline.schema.json"
	golden(t, path, string(made))
	schema, err := jsonschema.NewCompiler().Compile(path)
	if err != nil {
		t.Fatal(err)
	}
	judge := func(path string) error {
		text, err := yaml.YAMLToJSON(contents(t, path))
		if err != nil {
			return err
		}
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			return err
		}
		return schema.Validate(v)
	}
	shipped, err := filepath.Glob("*.yaml")
	if err != nil || len(shipped) < 3 {
		t.Fatal(shipped, err)
	}
	for _, path := range append(shipped, pipelineFiles(t, "good")...) {
		if err := judge(path); err != nil {
			t.Errorf("%s is refused: %v", path, err)
		}
		if _, err := reading(path).Read(contents(t, path)); err != nil {
			t.Error(err)
		}
	}
	blind, refused := onlyTheProgram(), 0
	for _, path := range pipelineFiles(t, "bad") {
		name := strings.TrimSuffix(filepath.Base(path), ".yaml")
		err := judge(path)
		if why := blind[name]; (err == nil) != (why != "") {
			t.Errorf("%s: the schema says %v, and for the program alone it is because %q", name, err, why)
		}
		if err != nil {
			refused++
		}
		delete(blind, name)
	}
	if refused < 20 || len(blind) > 0 {
		t.Errorf("the schema refuses %d files, want twenty; not there: %v", refused, blind)
	}
}

// TestSchemaRefusesNothingGood: what the program takes, the schema takes too: an editor marks nothing that runs.
func TestSchemaRefusesNothingGood(t *testing.T) {
	t.Parallel()
	schema, err := jsonschema.NewCompiler().Compile("pipeline.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	durations := []string{"1h", "+1h", "1.5h", ".5h", "1.h", "1h30m", "2w", "3d", "90s", "100ms", "5us", "5µs", "5μs",
		"0", "0s", "-0", "+0", "-0s", "1", "", "-1h", " 1h", "1 h", "1H"}
	sizes := []string{"512MB", "1GB", "1 GB", "1gib", "1Gi", "1G", "1,000MB", "300000000", "0.5gb", "1TB", " 1GB",
		"1GB ", "1  GB", "1e9", "one", "", "1.5.5GB", "1EB", "1eib"}
	taken := map[string]int{}
	for key, values := range map[string][]string{"session-gap": durations, "commit-window": durations,
		"parquet-keep": durations, "memory": sizes, "retry": durations,
		"name": {"a", "A.b-c_1", "_x", "1", "-x", ".x", "", "a b", "é"}} {
		for _, value := range values {
			_, err := reading("x.yaml").Read(fmt.Appendf(nil, "%s: %q\n", key, value))
			if err != nil {
				continue
			}
			taken[key]++
			if err := schema.Validate(map[string]any{key: value}); err != nil {
				t.Errorf("%s: %q is taken by the program and refused by the schema: %v", key, value, err)
			}
		}
	}
	for key, least := range map[string]int{"session-gap": 13, "commit-window": 13, "parquet-keep": 18, "retry": 18,
		"memory": 10, "name": 4} {
		if taken[key] < least {
			t.Errorf("of %s %d values are taken, want %d", key, taken[key], least)
		}
	}
}

// FuzzPipeline: whatever a file holds, reading it ends, with a pipeline whose values the flags take or with a place in
// the file.
func FuzzPipeline(f *testing.F) {
	for _, folder := range []string{"bad", "good"} {
		files, err := filepath.Glob(filepath.Join("testdata", folder, "*.yaml"))
		if err != nil || len(files) == 0 {
			f.Fatal(files, err)
		}
		for _, path := range files {
			text, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := reading("x.yaml").Read(text)
		var wrong *file.Error
		switch {
		case err == nil && (p == nil || len(p.Lines) == 0):
			t.Errorf("%q is a pipeline without a key", text)
		case err != nil && (!errors.As(err, &wrong) || len(wrong.Problems) == 0):
			t.Errorf("%q: %v", text, err)
		case err == nil && p.Schedule != nil:
			if _, err := p.Next(onceUponATime(), 3); err != nil {
				t.Errorf("%q: %v", text, err)
			}
		}
	})
}
