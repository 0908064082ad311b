package pipelines_test

import (
	"errors"
	"testing"

	"pipeline/pipelines"
)

// TestUnlistedFoldersShared: where the workspace folders cannot be listed, what they said of the global store's
// conversations stays too.
func TestUnlistedFoldersShared(t *testing.T) {
	t.Parallel()
	list := `{"allComposers":[{"composerId":"beta","name":"Beta, as listed","unifiedMode":"chat","createdAt":1760086400000}]}`
	l := newFixture(t)
	l.run(baseUserDir().
		with(keyBeta,
			`{"_v":13,"fullConversationHeadersOnly":[{"bubbleId":"b1","type":1},{"bubbleId":"b2","type":2}]}`).
		withFolder("ws2", folder{`{"folder":"file:///src/two"}`, map[string]any{"composer.composerData": list}, false}))
	before := l.dump(contentTables...)
	l.run(nil, full, func(o *pipelines.Options) {
		o.Sources[0].Workspaces, o.Sources[0].Err = nil, errors.New("workspaceStorage may not be listed")
	})
	same(t, "the rows", before.drop("changed_at"), l.dump(contentTables...).drop("changed_at"))
}
