package extract

import "testing"

// TestLocateTranscript: paths of transcripts, and of files beside them.
func TestLocateTranscript(t *testing.T) {
	t.Parallel()
	const uuid = "0f5ea4e5-5d5c-4e3b-8f0b-2b1f6a2f0c1d"
	for path, want := range map[string]struct{ id, parent string }{
		"s/agent-transcripts/a/a.jsonl":                                 {"a", ""},
		"s/agent-transcripts/a.jsonl":                                   {"a", ""},
		"s/agent-transcripts/a.txt":                                     {"a", ""},
		"s/agent-transcripts/a/a.txt":                                   {"a", ""},
		"s/agent-transcripts/a/transcript.jsonl":                        {"a", ""},
		"s/agent-transcripts/a/transcript.txt":                          {"a", ""},
		"s/agent-transcripts/transcript.jsonl":                          {"transcript", ""},
		"s/agent-transcripts/a/subagents/b.jsonl":                       {"b", "a"},
		"s/agent-transcripts/a/subagents/b.txt":                         {"b", "a"},
		"s/agent-transcripts/agent-transcripts/agent-transcripts.jsonl": {"agent-transcripts", ""},
		"1788000000000/agent-transcripts/task-a.b/task-a.b.jsonl":       {"task-a.b", ""},
		"s/agent-transcripts/a/b.jsonl":                                 {},
		"s/agent-transcripts/a/notes.txt":                               {},
		"s/agent-transcripts/a.json":                                    {},
		"s/agent-transcripts/" + uuid + ".json":                         {uuid, ""},
		"agent-transcripts/" + uuid + ".json":                           {uuid, ""},
		"s/agent-transcripts/" + uuid + "/" + uuid + ".json":            {},
		"s/agent-transcripts/" + uuid + "/subagents/" + uuid + ".json":  {},
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
		"agent-transcripts/a.jsonl":                                     {"a", ""},
		"agent-transcripts/a/a.jsonl":                                   {"a", ""},
		"agent-transcripts/a/subagents/b.jsonl":                         {"b", "a"},
		"agent-transcripts/a/b.jsonl":                                   {},
		"agent-transcripts/agent-transcripts/a.jsonl":                   {"a", ""},
		"s/agent-transcripts":                                           {},
		"s/agent-transcripts/\xff.jsonl":                                {},
		"":                                                              {},
	} {
		if id, parent, ok := LocateTranscript("projects/" + path); id != want.id || parent != want.parent ||
			ok != (id != "") {
			t.Errorf("%q is of %q, %q, %v", path, id, parent, ok)
		}
	}
}
