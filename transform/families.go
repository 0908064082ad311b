package transform

import (
	"pipeline/extract"
	"pipeline/transform/jsondoc"
)

// family says how the rows of a key family become rows of the warehouse.
type family struct {
	// table is the table for the family's rows, and id its column with the row's id. Both are "" if a row becomes rows
	// of several tables, or none.
	table, id string
	// read adds the content of a row's document to the assembly. It is nil if the assembly reads such rows itself.
	read func(a *assembly, id string, o jsondoc.Value)
}

// families are the families of a conversation's rows. A new family needs a line here and one in the grammar of keys
// (package extract).
var families = map[string]family{
	extract.FamilyComposer: {table: "conversations", id: "conversation_id"},
	extract.FamilyCLIMeta:  {table: "conversations", id: "conversation_id"},
	extract.FamilyBubble: {"messages", "message_id", func(a *assembly, id string, o jsondoc.Value) {
		a.place(id, o)
		if b := readBody(id, o, a.v1[id]); !a.skip(b, inRow) {
			a.hold(b)
		}
	}},
	extract.FamilyContext: {"attachments", "message_id", func(a *assembly, id string, o jsondoc.Value) {
		a.holdContext(id, attachments(o, nil))
	}},
	extract.FamilyCheckpoint: {"checkpoints", "checkpoint_id", func(a *assembly, id string, o jsondoc.Value) {
		a.holdCheckpoint(checkpoint(id, o))
	}},
	extract.FamilyDiff: {"code_diffs", "diff_id",
		func(a *assembly, id string, o jsondoc.Value) {
			a.rows.CodeDiffs = append(a.rows.CodeDiffs, codeDiff(id, o))
		}},
	extract.FamilyFate: {"code_edits", "edit_id",
		func(a *assembly, id string, o jsondoc.Value) { a.fates = append(a.fates, readFate(id, o)) }},
	extract.FamilyCommit:       {read: func(a *assembly, _ string, o jsondoc.Value) { a.commit(o) }},
	extract.FamilyPlace:        {read: func(a *assembly, _ string, o jsondoc.Value) { a.gitPlace(o) }},
	extract.FamilyScoredCommit: {read: func(a *assembly, _ string, o jsondoc.Value) { a.scoredCommit(o) }},
	extract.FamilyCodeHash:     {read: func(a *assembly, _ string, o jsondoc.Value) { a.codeHash(o) }},
	extract.FamilyPlan:         {read: func(a *assembly, file string, o jsondoc.Value) { a.plan(file, o) }},
	extract.FamilyUsageEvent:   {read: func(a *assembly, id string, o jsondoc.Value) { a.usageRecord(id, o) }},
	extract.FamilyUsageProblem: {read: func(a *assembly, _ string, o jsondoc.Value) { a.usageProblem(o) }},
	extract.FamilyUsageFile:    {read: func(a *assembly, _ string, o jsondoc.Value) { a.usageFile(o) }},
	extract.FamilySummary:      {read: func(a *assembly, _ string, o jsondoc.Value) { a.summary(o) }},
}

// TableOf returns the table for the rows of a key family, and its column with the row's id. ok is false if there is no
// such table.
func TableOf(name string) (table, id string, ok bool) {
	f := families[name]
	return f.table, f.id, f.table != ""
}
