package pipelines_test

import (
	"errors"
	"testing"

	"pipeline/pipelines"
)

// TestUnlistedFolders: where the workspace folders cannot be listed, what they gave stays; where a folder is gone, it
// is gone.
func TestUnlistedFolders(t *testing.T) {
	long(t)
	t.Parallel()
	list := `{"allComposers":[{"composerId":"inline","name":"Inline","createdAt":1760000000000,"conversation":[{"type":1,"text":"Hello"}]}]}`
	l := newFixture(t)
	l.run(baseUserDir().withFolder("ws2", folder{`{"folder":"file:///src/two"}`,
		map[string]any{"composer.composerData": list}, false}))
	deleted := func() [][]string {
		return l.ask(`SELECT conversation_id FROM conversations WHERE deleted_at IS NOT NULL`)
	}
	r := l.run(nil, func(o *pipelines.Options) {
		o.Sources[0].Workspaces, o.Sources[0].Err = nil, errors.New("workspaceStorage may not be listed")
	})
	same(t, "what a run without the folders says is deleted", int64(0), r.Conversations.Deleted)
	same(t, "what it deleted", nil, deleted())
	r = l.run(baseUserDir())
	same(t, "what a run says when the folder is gone", int64(1), r.Conversations.Deleted)
	same(t, "what it deleted", [][]string{{"inline"}}, deleted())
}
