package pipelines_test

import (
	"testing"

	"pipeline/pipelines"
)

// TestNewNames: fields and families of keys that no reader knows are named by the load that first meets them, and
// counted by each that reads them.
func TestNewNames(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	w := baseUserDir()
	const fields = `SELECT family, path, type, rows, first_load_id, last_load_id FROM unknown_fields ORDER BY ALL`
	r := l.run(w)
	same(t, "what is new in the base store", [][]string(nil), l.ask(fields))
	same(t, "what is said to be new", 0, len(r.NewFields)+len(r.NewFamilies))

	w = w.with("brandNewFamily:550e8400-e29b-41d4-a716-446655440000", "{}",
		"brandNewFamily:550e8400-e29b-41d4-a716-446655440001", "{}", "cursorAuth/brandNew", "x", keyA2,
		`{"type":2,"bubbleId":"a2","text":"x","brandNewField":{"id-1":1},"toolFormerData":{"brandNewInner":1}}`, keyB1,
		`{"bubbleId":"b1","text":"x","brandNewField":"y"}`)
	r = l.run(w)
	new2 := [][]string{{"bubbleId", "$.brandNewField", "object, string", "2", "2", "2"},
		{"bubbleId", "$.toolFormerData.brandNewInner", "number", "1", "2", "2"}}
	same(t, "the new fields", new2, l.ask(fields))
	same(t, "what is said of them",
		[]pipelines.NewField{{SourceID: "test", Family: "bubbleId", Path: "$.brandNewField", Type: "object, string",
			Rows: 2},
			{SourceID: "test", Family: "bubbleId", Path: "$.toolFormerData.brandNewInner", Type: "number", Rows: 1}},
		r.NewFields)
	same(t, "the new families", []pipelines.NewFamily{{SourceID: "test", Family: "brandNewFamily:<uuid>", Rows: 2}},
		r.NewFamilies)
	same(t, "the families that are not loaded",
		[][]string{{"brandNewFamily:<uuid>", "2", "unknown"}, {"cursorAuth", "1", "refused"}}, l.ask(
			`SELECT family, rows, handling FROM key_families WHERE handling IN ('unknown', 'refused') AND load_id = 2 ORDER BY ALL`))

	r = l.run(w)
	same(t, "the fields after a run that read nothing", new2, l.ask(fields))
	same(t, "what is said to be new then", 0, len(r.NewFields)+len(r.NewFamilies))

	w = w.with(keyB1, `{"bubbleId":"b1","text":"y","brandNewField":3,"other":1}`)
	r = l.run(w)
	same(t, "the fields after one that read beta",
		[][]string{{"bubbleId", "$.brandNewField", "number", "1", "2", "4"},
			{"bubbleId", "$.other", "number", "1", "4", "4"}, new2[1]}, l.ask(fields))
	same(t, "what is said to be new then",
		[]pipelines.NewField{{SourceID: "test", Family: "bubbleId", Path: "$.other", Type: "number", Rows: 1}},
		r.NewFields)
	l.rebuilt()
}

// TestNewSharedNames: so it is with what conversations share, which is counted when it changes.
func TestNewSharedNames(t *testing.T) {
	long(t)
	t.Parallel()
	l := newFixture(t)
	list := func(head string) func(*testing.T, *userDir) *userDir {
		return itemOfOne("composer.composerData",
			`{"allComposers":[{"composerId":"alpha","type":"head"`+head+
				`}],"selectedComposerIds":[],"brandNewList":[]}`)
	}
	w := list("")(t, baseUserDir())
	w.headers = []map[string]any{{"composerId": "gamma", "value": `{"composerId":"gamma","brandNewInTable":1}`}}
	l.run(w)
	const fields = `SELECT family, path, type, rows, first_load_id, last_load_id FROM unknown_fields ORDER BY ALL`
	want := [][]string{{"composer.composerData", "$.brandNewList", "array", "1", "1", "1"},
		{"composerHeaders", "$.value.brandNewInTable", "number", "1", "1", "1"}}
	same(t, "the new fields", want, l.ask(fields))
	l.run(w.with(keyA2, `{"type":2,"text":"x"}`))
	same(t, "the fields after a run in which nothing shared changed", want, l.ask(fields))
	l.run(list(`,"brandNewHead":true`)(t, w))
	want[0][5] = "3"
	same(t, "the fields after one in which the list did",
		[][]string{{"composer.composerData", "$.allComposers[].brandNewHead", "boolean", "1", "3", "3"}, want[0],
			want[1]}, l.ask(fields))
	l.rebuilt()
}
