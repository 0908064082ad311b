package pipelines_test

import (
	"strings"
	"testing"
)

// TestElementsThatNoReaderTakes: elements of lists that become no row fail a check, which names the family and the list, also after later loads.
func TestElementsThatNoReaderTakes(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	sound := itemOfOne("aiService.prompts", []byte(`[{"text":"one"},null]`))(t, baseUserDir())
	l.run(sound)
	lost := func() [][]string {
		return l.ask(`SELECT family, list, seen, rows FROM load_elements WHERE seen <> rows + quarantined + duplicates + skipped ORDER BY ALL`)
	}
	same(t, "what a sound store loses", nil, lost())
	same(t, "the messages", [][]string{{"5", "5"}}, l.ask(`SELECT seen, rows FROM load_elements WHERE family = 'messages'`))
	odd := itemOfOne("aiService.prompts", []byte(`[{"text":"one"},"two",null]`))(t, sound).
		with("composerData:odd", `{"composerId":"odd","conversation":[{"type":1,"text":"taken"},"not taken",7]}`)
	want := [][]string{{"aiService.prompts", "[]", "2", "1"}}
	for i, w := range []*userDir{odd, odd.with(keyA2, `{"type":2,"text":"Another answer"}`)} {
		w.write(t, l.user)
		r := mustRun(t, l.options())
		same(t, "what is lost", want, lost())
		if len(r.Failures) != 1 || r.Failures[0].Check != "load_elements" || r.Failures[0].Rows != 1 || r.Status != "check_failed" {
			t.Fatalf("run %d: %s with %v", i, r.Status, r.Failures)
		}
		same(t, "messages that are no objects", [][]string{{`"not taken"`}, {"7"}},
			l.ask(`SELECT head FROM quarantine WHERE conversation_id = 'odd' AND reason = 'not_object' AND resolved_load_id IS NULL ORDER BY head`))
		if first := r.Failures[0].First; !strings.Contains(first, "/test/aiService.prompts/[]") || !strings.Contains(first, "2 seen, 1 accounted for") {
			t.Errorf("the check says %s", first)
		}
	}
	// Once the elements are gone and everything was read anew, nothing is lost any more.
	sound.with("composerData:odd", nil).write(t, l.user)
	mustRun(t, l.options(full))
	r := mustRun(t, l.options(full))
	if len(r.Failures) > 0 {
		t.Errorf("after all: %v", r.Failures)
	}
}
