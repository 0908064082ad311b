package pipelines_test

import (
	"testing"

	"pipeline/pipelines"
)

// Elements of lists that can be no row are in quarantine, in every kind of document, until they are gone.
func oddElements(s *story) {
	sound := itemOfOne("aiService.prompts", []byte(`[{"text":"one"},null]`))(s.t, baseUserDir())
	s.run(sound, first)
	open := func() [][]string {
		return s.ask(
			`SELECT store, key, head FROM quarantine WHERE reason = 'not_object' AND resolved_load_id IS NULL ORDER BY ALL`)
	}
	same(s.t, "of a sound store", nil, open())
	same(s.t, "the messages", [][]string{{"5", "5"}},
		s.ask(`SELECT seen, rows FROM load_elements WHERE family = 'messages'`))
	odd := itemOfOne("aiService.prompts", []byte(`[{"text":"one"},"two",null]`))(s.t, sound).
		with("composerData:odd",
			`{"composerId":"odd","conversation":[{"type":1,"text":"taken"},"not taken",7],"usageData":{"m":8}}`)
	want := [][]string{{"global", "composerData:odd", `"not taken"`}, {"global", "composerData:odd", "7"},
		{"global", "composerData:odd", "8"}, {"workspace/ws1", "aiService.prompts", `"two"`}}
	s.quarantines(4)
	s.run(odd, pipelines.ConversationCount{New: 1, Unchanged: 3})
	same(s.t, "quarantined", want, open())
	s.run(odd.with(keyA2, `{"type":2,"text":"Another answer"}`), pipelines.ConversationCount{Changed: 1, Unchanged: 3})
	same(s.t, "quarantined, when another row changes", want, open())
	s.run(sound.with("composerData:odd", nil), pipelines.ConversationCount{Deleted: 1, Changed: 1, Unchanged: 2})
	same(s.t, "once they are gone", nil, open())
}

// A conversation with an element that can be no row is usable, also if it is the only one.
func oddElementsAlone(s *story) {
	s.quarantines(1)
	s.run(&userDir{
		rows: map[string]any{"composerData:odd": `{"composerId":"odd","conversation":[{"type":1,"text":"taken"},7]}`},
	}, pipelines.ConversationCount{New: 1})
	same(s.t, "in quarantine", [][]string{{"7", "element"}},
		s.ask(`SELECT head, value_type FROM quarantine WHERE resolved_load_id IS NULL`))
}

// TestLostElements: a difference fails the check until what it was found in has been read again, and no longer.
func TestLostElements(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ what, where, heals string }{
		{"in conversations", "family = 'messages'", ""},
		{"in shared rows", "family = 'aiService.prompts'", "prompts"},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			l := newFixture(t)
			w := itemOfOne("aiService.prompts", []byte(`[{"text":"one"}]`))(t, baseUserDir())
			l.run(w)
			l.change(`UPDATE load_elements SET seen = seen + 1 WHERE ` + c.where)
			w = w.with(keyA2, `{"type":2,"text":"Another answer"}`) // one conversation of several
			w.write(t, l.user)
			for i := range 2 { // the second has nothing to do, and looks again as the first has failed
				r := mustRun(t, l.options())
				if len(r.Failures) != 1 || r.Failures[0].Check != "load_elements" || r.Failures[0].Rows != 1 {
					t.Fatalf("run %d: %v", i, r.Failures)
				}
			}
			var r *pipelines.Result
			if c.heals == "prompts" {
				itemOfOne("aiService.prompts", []byte(`[{"text":"one"},{"text":"two"}]`))(t, w).write(t, l.user)
				r = mustRun(t, l.options())
			} else {
				r = mustRun(t, l.options(full))
			}
			if len(r.Failures) > 0 {
				t.Errorf("after it was read again: %v", r.Failures)
			}
		})
	}
}
