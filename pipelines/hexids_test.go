package pipelines_test

import (
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"pipeline/pipelines"
)

// TestHexIDs: ids are hex digits, and stay what they are, whatever these would be as text. Hex digits are decoded where
// a value may be, if they are a JSON object.
func TestHexIDs(t *testing.T) {
	t.Parallel()
	object := hex.EncodeToString([]byte(`{"a":1}`)) // as an id it is as good as any
	l, users := newFixture(t), map[string]string{}
	var want [][]string
	for i, id := range []string{"7b5764b3d0cd83a72ff9019a09c5fff6", "7b7d", object, "5b5764b3d0cd83a72ff9019a09c5fff6",
		"7c5764b3d0cd83a72ff9019a09c5fff6"} {
		w := baseUserDir().with(keyBeta, hex.EncodeToString([]byte(betaHead)), keyB2,
			[]byte(hex.EncodeToString([]byte(bubbleB2)))).
			withFolder(id, folder{json: `{"folder":"file:///src/hex"}`})
		w.headers = []map[string]any{{"composerId": "beta", "workspaceId": id,
			"value": hex.EncodeToString([]byte(`{"composerId":"beta"}`))}}
		user := fmt.Sprint("s", i)
		users[user] = w.at(t, filepath.Join(l.dir, user))
		want = append(want, []string{"file:///src/hex", id, "headers_table", "Beta", "2"})
	}
	l.run(nil, func(o *pipelines.Options) { o.Sources = sources(t, users) })
	slices.SortFunc(want, slices.Compare)
	same(t, "where the chats belong", want, l.ask(
		`SELECT project_uri, workspace_id, project_source, title, message_count FROM conversations WHERE conversation_id = 'beta'`))
	l.checked("after the run")
	l.rebuilt()
}

// TestHexThatIsNoJSON: digits that begin like an object and are none are not usable as one, and stay in the log as they
// are.
func TestHexThatIsNoJSON(t *testing.T) {
	t.Parallel()
	const digits = "7b5764b3d0cd83a72ff9019a09c5fff6"
	l := newFixture(t)
	l.run(baseUserDir().with(keyB2, digits))
	same(t, "its quarantine", [][]string{{"bad_json", digits}}, l.ask(`SELECT reason, head FROM quarantine`))
	l.checked("after the run")
}
