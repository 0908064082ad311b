package pipelines_test

import (
	"testing"

	"pipeline/pipelines"
)

// Fields and families of keys that no reader knows are named by the load that first meets them, and
// counted by each that reads them.
func newNames(s *story) {
	w := baseUserDir()
	const fields = `SELECT family, path, type, rows, first_load_id, last_load_id FROM unknown_fields ORDER BY ALL`
	s.run(w, first)
	same(s.t, "what is new in the base store", [][]string(nil), s.ask(fields))
	same(s.t, "what is said to be new", 0, len(s.newFields())+len(s.newFamilies()))

	w = w.with("brandNewFamily:550e8400-e29b-41d4-a716-446655440000", "{}",
		"brandNewFamily:550e8400-e29b-41d4-a716-446655440001", "{}", "cursorAuth/brandNew", "x", keyA2,
		`{"type":2,"bubbleId":"a2","text":"x","brandNewField":{"id-1":1},"toolFormerData":{"brandNewInner":1}}`, keyB1,
		`{"bubbleId":"b1","text":"x","brandNewField":"y"}`)
	s.run(w, pipelines.ConversationCount{Changed: 2, Unchanged: 1})
	new2 := [][]string{{"bubbleId", "$.brandNewField", "object, string", "2", "2", "2"},
		{"bubbleId", "$.toolFormerData.brandNewInner", "number", "1", "2", "2"}}
	same(s.t, "the new fields", new2, s.ask(fields))
	same(s.t, "what is said of them",
		[]pipelines.NewField{{SourceID: s.name, Family: "bubbleId", Path: "$.brandNewField", Type: "object, string",
			Rows: 2},
			{SourceID: s.name, Family: "bubbleId", Path: "$.toolFormerData.brandNewInner", Type: "number", Rows: 1}},
		s.newFields())
	same(s.t, "the new families", []pipelines.NewFamily{{SourceID: s.name, Family: "brandNewFamily:<uuid>", Rows: 2}},
		s.newFamilies())
	same(s.t, "the families that are not loaded",
		[][]string{{"brandNewFamily:<uuid>", "2", "unknown"}, {"cursorAuth", "1", "refused"}}, s.ask(
			`SELECT family, rows, handling FROM key_families WHERE handling IN ('unknown', 'refused') AND load_id = 2 ORDER BY ALL`))

	s.run(w, unchanged(3))
	same(s.t, "the fields after a run that read nothing", new2, s.ask(fields))
	same(s.t, "what is said to be new then", 0, len(s.newFields())+len(s.newFamilies()))

	w = w.with(keyB1, `{"bubbleId":"b1","text":"y","brandNewField":3,"other":1}`)
	s.run(w, changed(1))
	same(s.t, "the fields after one that read beta",
		[][]string{{"bubbleId", "$.brandNewField", "number", "1", "2", "4"},
			{"bubbleId", "$.other", "number", "1", "4", "4"}, new2[1]}, s.ask(fields))
	same(s.t, "what is said to be new then",
		[]pipelines.NewField{{SourceID: s.name, Family: "bubbleId", Path: "$.other", Type: "number", Rows: 1}},
		s.newFields())
}

// So it is with what conversations share, which is counted when it changes.
func newSharedNames(s *story) {
	list := func(head string) func(*testing.T, *userDir) *userDir {
		return itemOfOne("composer.composerData",
			`{"allComposers":[{"composerId":"alpha","type":"head"`+head+
				`}],"selectedComposerIds":[],"brandNewList":[]}`)
	}
	w := list("")(s.t, baseUserDir())
	w.headers = []map[string]any{{"composerId": "gamma", "value": `{"composerId":"gamma","brandNewInTable":1}`}}
	s.run(w, first)
	const fields = `SELECT family, path, type, rows, first_load_id, last_load_id FROM unknown_fields ORDER BY ALL`
	want := [][]string{{"composer.composerData", "$.brandNewList", "array", "1", "1", "1"},
		{"composerHeaders", "$.value.brandNewInTable", "number", "1", "1", "1"}}
	same(s.t, "the new fields", want, s.ask(fields))
	s.run(w.with(keyA2, `{"type":2,"text":"x"}`), changed(1))
	same(s.t, "the fields after a run in which nothing shared changed", want, s.ask(fields))
	s.run(list(`,"brandNewHead":true`)(s.t, w), changed(1))
	want[0][5] = "3"
	same(s.t, "the fields after one in which the list did",
		[][]string{{"composer.composerData", "$.allComposers[].brandNewHead", "boolean", "1", "3", "3"}, want[0],
			want[1]}, s.ask(fields))
}
