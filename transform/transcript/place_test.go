package transcript_test

import (
	"slices"
	"strings"
	"testing"

	"pipeline/transform/transcript"
)

// TestLocate: paths of transcripts, and of files beside them.
func TestLocate(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]transcript.File{
		"s/agent-transcripts/a/a.jsonl":           {Slug: "s", ID: "a"},
		"s/agent-transcripts/a.jsonl":             {Slug: "s", ID: "a"},
		"s/agent-transcripts/a.txt":               {Slug: "s", ID: "a", Form: transcript.Text},
		"s/agent-transcripts/a/a.txt":             {Slug: "s", ID: "a", Form: transcript.Text},
		"s/agent-transcripts/a/transcript.jsonl":  {Slug: "s", ID: "a"},
		"s/agent-transcripts/a/transcript.txt":    {Slug: "s", ID: "a", Form: transcript.Text},
		"s/agent-transcripts/transcript.jsonl":    {Slug: "s", ID: "transcript"},
		"s/agent-transcripts/a/subagents/b.jsonl": {Slug: "s", ID: "b", Parent: "a"},
		"s/agent-transcripts/a/subagents/b.txt": {Slug: "s", ID: "b", Parent: "a",
			Form: transcript.Text},
		"s/agent-transcripts/agent-transcripts/agent-transcripts.jsonl": {Slug: "s", ID: "agent-transcripts"},
		"1788000000000/agent-transcripts/task-a.b/task-a.b.jsonl":       {Slug: "1788000000000", ID: "task-a.b"},
		"s/agent-transcripts/a/b.jsonl":                                 {},
		"s/agent-transcripts/a/notes.txt":                               {},
		"s/agent-transcripts/a.json":                                    {},
		"s/agent-transcripts/a.JSONL":                                   {},
		"s/agent-transcripts/.jsonl":                                    {},
		"s/agent-transcripts/._a.jsonl":                                 {},
		"s/agent-transcripts/../a.jsonl":                                {},
		"s/agent-transcripts/subagents/b.jsonl":                         {},
		"s/agent-transcripts/a/subagents/a.jsonl":                       {},
		"s/agent-transcripts/a/children/b.jsonl":                        {},
		"s/agent-transcripts/a/subagents/b/subagents/c.jsonl":           {},
		"s/agent-transcripts//subagents/b.jsonl":                        {},
		"/s/agent-transcripts/a.jsonl":                                  {},
		"/agent-transcripts/a.jsonl":                                    {},
		"s/terminals/1.txt":                                             {},
		"agent-transcripts/a.jsonl":                                     {},
		"s/agent-transcripts":                                           {},
		"s/agent-transcripts/\xff.jsonl":                                {},
		"":                                                              {},
	} {
		if f, ok := transcript.Locate(path); f != want || ok != (want.ID != "") {
			t.Errorf("%q is %+v, %v", path, f, ok)
		}
	}
}

// TestSlugs: names of a project's folder, the likeliest first.
func TestSlugs(t *testing.T) {
	t.Parallel()
	for path, want := range map[string][]string{
		"/home/ann/w":             {"home-ann-w"},
		"/home/ann/.config/a--b/": {"home-ann-config-a-b", "home-ann-config-a--b"},
		"/Users/ann/my_app v2.0":  {"Users-ann-my-app-v2-0", "Users-ann-my_app v2-0"},
		"/home/zoë/日本/x":          {"home-zo-x", "home-zoë-日本-x"},
		`C:\Users\Ann\w`:          {"C-Users-Ann-w", "c-Users-Ann-w"},
		"d:/1/Backend":            {"d-1-Backend", "D-1-Backend"},
		"/c:/w":                   {"c-w", "C-w"},
		`\\server\share`:          {"server-share"},
		"/a:b":                    {"a-b", "A-b"},
		"/1:b":                    {"1-b"},
		"/":                       nil,
		"":                        nil,
		"/_":                      {"_"},
		"/" + strings.Repeat("folder/", 12) +
			"12_45": {strings.Repeat("folder-", 12) + "12-45", strings.Repeat("folder-", 12) + "12_45",
			strings.Repeat("folder-", 12) + "-8959ce5"},
	} {
		if got := transcript.Slugs(path); !slices.Equal(got, want) {
			t.Errorf("%q may be %q, want %q", path, got, want)
		}
	}
}
