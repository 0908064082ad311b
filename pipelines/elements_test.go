package pipelines_test

import (
	"fmt"
	"testing"

	"pipeline/pipelines"
)

// TestOddElements: elements of lists that can be no row are in quarantine, in every kind of document, until they are
// gone.
func TestOddElements(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	sound := itemOfOne("aiService.prompts", []byte(`[{"text":"one"},null]`))(t, baseUserDir())
	l.run(sound)
	open := func() [][]string {
		return l.ask(
			`SELECT store, key, head FROM quarantine WHERE reason = 'not_object' AND resolved_load_id IS NULL ORDER BY ALL`)
	}
	same(t, "of a sound store", nil, open())
	same(t, "the messages", [][]string{{"5", "5"}},
		l.ask(`SELECT seen, rows FROM load_elements WHERE family = 'messages'`))
	odd := itemOfOne("aiService.prompts", []byte(`[{"text":"one"},"two",null]`))(t, sound).
		with("composerData:odd",
			`{"composerId":"odd","conversation":[{"type":1,"text":"taken"},"not taken",7],"usageData":{"m":8}}`)
	want := [][]string{{"global", "composerData:odd", `"not taken"`}, {"global", "composerData:odd", "7"},
		{"global", "composerData:odd", "8"}, {"workspace/ws1", "aiService.prompts", `"two"`}}
	for i, w := range []*userDir{odd, odd.with(keyA2, `{"type":2,"text":"Another answer"}`)} {
		w.write(t, l.user)
		r := mustRun(t, l.options())
		if len(r.Failures) > 0 || r.Status != "ok" {
			t.Fatalf("run %d: %s with %v", i, r.Status, r.Failures)
		}
		same(t, fmt.Sprint("run ", i), want, open())
	}
	l.run(sound.with("composerData:odd", nil))
	same(t, "once they are gone", nil, open())
}

// TestOddElementsAlone: a conversation with an element that can be no row is usable, also if it is the only one.
func TestOddElementsAlone(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	(&userDir{
		rows: map[string]any{"composerData:odd": `{"composerId":"odd","conversation":[{"type":1,"text":"taken"},7]}`},
	}).write(t, l.user)
	for i := range 3 {
		r := mustRun(t, l.options())
		if len(r.Failures) > 0 || r.Status != "ok" {
			t.Errorf("run %d: %s with %v", i, r.Status, r.Failures)
		}
	}
	same(t, "in quarantine", [][]string{{"7", "element"}},
		l.ask(`SELECT head, value_type FROM quarantine WHERE resolved_load_id IS NULL`))
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
