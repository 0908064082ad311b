package transform

import "pipeline/extract"

// family is how the rows of a key family become rows of the warehouse.
type family struct {
	// table is where a row ends up, and id its column that has the row's id; "" where one row becomes many, or none.
	table, id string
	// read adds to the assembly what the document of a row holds; nil where the assembly reads it itself.
	read func(a *assembly, id string, o object)
}

// families are those that conversations are made of. A new one has a line here and one in the grammar of keys (package extract).
var families = map[string]family{
	extract.FamilyComposer: {table: "conversations", id: "conversation_id"},
	extract.FamilyBubble:   {"messages", "message_id", func(a *assembly, id string, o object) { a.hold(readBody(id, o, a.v1[id])) }},
	extract.FamilyContext: {"attachments", "message_id", func(a *assembly, id string, o object) {
		a.contexts = append(a.contexts, contextRow{id, attachments(o, nil)})
	}},
	extract.FamilyCheckpoint: {"checkpoints", "checkpoint_id", func(a *assembly, id string, o object) {
		a.rows.Checkpoints = append(a.rows.Checkpoints, checkpoint(id, o))
	}},
	extract.FamilyDiff:         {"code_diffs", "diff_id", func(a *assembly, id string, o object) { a.rows.CodeDiffs = append(a.rows.CodeDiffs, codeDiff(id, o)) }},
	extract.FamilyFate:         {"code_edits", "edit_id", func(a *assembly, id string, o object) { a.fates = append(a.fates, readFate(id, o)) }},
	extract.FamilyCommit:       {read: func(a *assembly, _ string, o object) { a.commit(o) }},
	extract.FamilyPlace:        {read: func(a *assembly, _ string, o object) { a.place(o) }},
	extract.FamilyScoredCommit: {read: func(a *assembly, _ string, o object) { a.scoredCommit(o) }},
	extract.FamilyCodeHash:     {read: func(a *assembly, _ string, o object) { a.codeHash(o) }},
}

// TableOf is the table that the rows of a key family end up in, and its column that has the row's id; ok is false where there is no such table.
func TableOf(name string) (table, id string, ok bool) {
	f := families[name]
	return f.table, f.id, f.table != ""
}
