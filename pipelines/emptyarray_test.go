package pipelines_test

import "testing"

// TestByte0IsRemembered: Cursor's empty array stays one while its store cannot be read, and when the warehouse is made
// anew.
func TestByte0IsRemembered(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	w := itemOfOne("composer.composerData", []byte{0})(t, baseUserDir()).
		with("codeBlockPartialInlineDiffFates:alpha:e1", []byte{0})
	l.run(w)
	same(t, "the families with rows that hold nothing",
		[][]string{{"codeBlockPartialInlineDiffFates", "1"}, {"composer.composerData", "1"}},
		l.ask(`SELECT family, null_rows FROM key_families WHERE null_rows > 0 ORDER BY family`))
	w = w.withFolder("ws1", folder{json: w.workspaces["ws1"].json, garbage: true})
	l.run(w.with(keyA2, `{"type":2,"text":"Another answer"}`))
	same(t, "the quarantine", nil, l.ask(`SELECT key, reason FROM quarantine`))
	l.rebuilt()
	same(t, "the quarantine after a rebuild", nil, l.ask(`SELECT key, reason FROM quarantine`))
}
