package transform

import "pipeline/extract"

// readers are who reads the rows of the families that conversations are made of: each adds to the assembly what the document of a row's id holds. A new
// family has a line here and one in the grammar of keys (package extract).
var readers = map[string]func(a *assembly, id string, o object){
	extract.FamilyBubble: func(a *assembly, id string, o object) { a.hold(readBody(id, o, a.v1[id])) },
	extract.FamilyContext: func(a *assembly, id string, o object) {
		a.contexts = append(a.contexts, contextRow{id, attachments(o, nil)})
	},
	extract.FamilyCheckpoint: func(a *assembly, id string, o object) {
		a.rows.Checkpoints = append(a.rows.Checkpoints, checkpoint(id, o))
	},
	extract.FamilyDiff:         func(a *assembly, id string, o object) { a.rows.CodeDiffs = append(a.rows.CodeDiffs, codeDiff(id, o)) },
	extract.FamilyFate:         func(a *assembly, id string, o object) { a.fates = append(a.fates, readFate(id, o)) },
	extract.FamilyCommit:       func(a *assembly, _ string, o object) { a.commit(o) },
	extract.FamilyPlace:        func(a *assembly, _ string, o object) { a.place(o) },
	extract.FamilyScoredCommit: func(a *assembly, _ string, o object) { a.scoredCommit(o) },
	extract.FamilyCodeHash:     func(a *assembly, _ string, o object) { a.codeHash(o) },
}
