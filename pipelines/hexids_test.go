package pipelines_test

import (
	"encoding/hex"
)

// hexStories: ids are hex digits, and stay what they are, whatever these would be as text. Hex digits are decoded where
// a value may be, if they are a JSON object.
func hexStories() map[string]func(*story) {
	all := map[string]func(*story){"hex-that-is-no-json": hexThatIsNoJSON}
	object := hex.EncodeToString([]byte(`{"a":1}`)) // as an id it is as good as any
	for _, id := range []string{"7b5764b3d0cd83a72ff9019a09c5fff6", "7b7d", object, "5b5764b3d0cd83a72ff9019a09c5fff6",
		"7c5764b3d0cd83a72ff9019a09c5fff6"} {
		all["hex-"+id] = func(s *story) {
			w := baseUserDir().with(keyBeta, hex.EncodeToString([]byte(betaHead)), keyB2,
				[]byte(hex.EncodeToString([]byte(bubbleB2)))).
				withFolder(id, folder{json: `{"folder":"file:///src/hex"}`})
			w.headers = []map[string]any{{"composerId": "beta", "workspaceId": id,
				"value": hex.EncodeToString([]byte(`{"composerId":"beta"}`))}}
			s.run(w, first)
			same(s.t, "where the chat belongs", [][]string{{"file:///src/hex", id, "headers_table", "Beta",
				"2"}}, s.ask(
				`SELECT project_uri, workspace_id, project_source, title, message_count FROM conversations WHERE conversation_id = 'beta'`))
		}
	}
	return all
}

// Digits that begin like an object and are none are not usable as one, and stay in the log as they are.
func hexThatIsNoJSON(s *story) {
	const digits = "7b5764b3d0cd83a72ff9019a09c5fff6"
	s.quarantines(1)
	s.run(baseUserDir().with(keyB2, digits), first)
	same(s.t, "its quarantine", [][]string{{"bad_json", digits}}, s.ask(`SELECT reason, head FROM quarantine`))
}

// Cursor's empty array stays one while its store cannot be read, and when the warehouse is made anew.
func byte0IsRemembered(s *story) {
	w := itemOfOne("composer.composerData", []byte{0})(s.t, baseUserDir()).
		with("codeBlockPartialInlineDiffFates:alpha:e1", []byte{0})
	s.run(w, first)
	same(s.t, "the families with rows that hold nothing",
		[][]string{{"codeBlockPartialInlineDiffFates", "1"}, {"composer.composerData", "1"}},
		s.ask(`SELECT family, null_rows FROM key_families WHERE null_rows > 0 ORDER BY family`))
	w = w.withFolder("ws1", folder{json: w.workspaces["ws1"].json, garbage: true}).
		with(keyA2, `{"type":2,"text":"Another answer"}`)
	s.unreadable(1, 0)
	s.run(w, changed(1))
	same(s.t, "the quarantine", nil, s.ask(`SELECT key, reason FROM quarantine`))
	s.unreadable(0, 0)
	s.run(itemOfOne("composer.composerData", []byte{0})(s.t, w), unchanged(3))
}
