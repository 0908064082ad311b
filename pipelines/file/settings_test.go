package file_test

import (
	"net/url"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"pipeline/load/sinks"
	"pipeline/pipelines"
	"pipeline/pipelines/file"
)

// TestSettings: no two settings share a key, a flag or a variable, each says what it is, and takes its own default and
// example.
func TestSettings(t *testing.T) {
	t.Parallel()
	taken := map[string]bool{}
	for _, s := range file.Settings() {
		for _, name := range []string{"key " + s.Key, "flag " + s.Flag, "flag " + s.Short, "variable " + s.Env} {
			if taken[name] && !slices.Contains([]string{"key ", "flag ", "variable "}, name) {
				t.Errorf("two settings have the %s", name)
			}
			taken[name] = true
		}
		if s.Doc == "" || s.Flag != "" && s.Usage == "" {
			t.Errorf("%s has no documentation", s.Name())
		}
		for _, value := range []string{s.Default, s.Example} {
			if value == "" || s.Shape == file.Group {
				continue
			}
			if err := new(file.Run).Take(s, value); err != nil {
				t.Errorf("%s does not take %q, which is its default or its example: %v", s.Name(), value, err)
			}
		}
	}
}

// TestTake: what a file says of each setting goes to its place in a run.
func TestTake(t *testing.T) {
	t.Parallel()
	p, err := reading("every_key.yaml").Read(contents(t, filepath.Join("testdata", "good", "every_key.yaml")))
	if err != nil {
		t.Fatal(err)
	}
	values := map[string][]string{"accept-deletes": {"true"}, "user-data-dir": {"/data"}}
	for key, v := range p.Values {
		values[key] = v
	}
	got := &file.Run{}
	for _, s := range file.Settings() {
		if s.Shape != file.Group {
			err = got.Take(s, values[s.Name()]...)
		}
		if err != nil {
			t.Error(err)
		}
	}
	if parquet := got.Target(sinks.Named("parquet")); parquet.Dir != "/etc/pipelines/out/parquet" ||
		parquet.Keep != -1 {
		t.Errorf("Parquet is published in %s, and kept for %v", parquet.Dir, parquet.Keep)
	}
	got.Targets = nil
	hour, yes := time.Hour, true
	want := &file.Run{
		Options: pipelines.Options{Projects: p.Values["projects"], Warehouse: "/home/ada/cursor.duckdb",
			SessionGap: 90 * time.Minute, Git: true, CommitWindow: 24 * hour, Estimate: &yes, Memory: 1e9,
			AcceptDeletes: true},
		Sources: p.Values["sources"], Usage: p.Values["usage"], Prices: "/home/ada/prices.csv", UserDataDir: "/data",
		Since: "2026-01-01", Until: "2026-06-30T12:00:00+02:00", Timezone: "Europe/Berlin",
		Report:   "/home/ada/cursor.html",
		Markdown: file.Markdown{Dir: "/home/ada/chats", Redact: true}, Strict: true,
		Push: file.Push{To: "s3://team-cursor/laptops", Endpoint: "https://s3.example.org", Region: "eu-central-1",
			Level: "metadata", Since: "365d", Projects: []string{"my-app", "tide-*"},
			Deny: []string{"*/secret-project*"}},
		Ping:    &url.URL{Scheme: "https", Host: "hc-ping.com", Path: "/5bf66975-d4c7-4bf5-bcc8-b8d8a82ea278"},
		Command: `notify-send "$PIPELINE_ERROR"`, When: file.NotifyChange, Log: "/etc/pipeline.log",
	}
	if diff := cmp.Diff(want, got, cmp.Comparer(sameOptions)); diff != "" {
		t.Error(diff)
	}
}

// sameOptions compares what settings say of options: the rest of them are functions and what a run keeps.
func sameOptions(a, b pipelines.Options) bool {
	said := func(o pipelines.Options) []any {
		return []any{o.Projects, o.Full, o.Warehouse, o.SessionGap, o.Git, o.CommitWindow, o.Estimate, o.Memory,
			o.AcceptDeletes}
	}
	return cmp.Equal(said(a), said(b))
}
