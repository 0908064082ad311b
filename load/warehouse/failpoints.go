package warehouse

import (
	"slices"

	"pipeline/load/rawindex"
	"pipeline/load/sinks"
	"pipeline/load/tool/failpoint"
)

// These are the failpoints of a load, in the order in which a run reaches them.
const (
	beforeCopy failpoint.Point = "before-copy" // a reader holds the warehouse; it is not copied yet
	afterCopy  failpoint.Point = "after-copy"  // it is copied
	// the copy of a warehouse of an earlier version is whole, and has no name
	beforeKept     failpoint.Point = "before-kept"
	afterKept      failpoint.Point = "after-kept" // it has its name; nothing is migrated
	beforeMigrated failpoint.Point = "before-migrated"
	// the engine's log has all tables as they are declared now; nothing is loaded
	afterMigrated failpoint.Point = "after-migrated"
	beforeAppends failpoint.Point = "before-appends" // the transaction has begun, nothing is in it
	afterAppends  failpoint.Point = "after-appends"  // the rows are in their tables; nothing is merged
	beforeCommit  failpoint.Point = "before-commit"
	afterCommit   failpoint.Point = "after-commit" // the engine's log has it all
	afterFold     failpoint.Point = "after-fold"   // and folded into the file
	beforePlace   failpoint.Point = "before-place" // a new file is whole, beside the one that it replaces
	afterPlace    failpoint.Point = "after-place"
	BeforeReport  failpoint.Point = "before-report" // all is done, nobody has been told
)

// Failpoints lists the failpoints of a load, with those of the raw layer and of a publication.
func Failpoints() []failpoint.Point {
	return slices.Concat([]failpoint.Point{beforeCopy, afterCopy, beforeKept, afterKept, beforeMigrated, afterMigrated,
		beforeAppends, afterAppends, rawindex.BeforeName, rawindex.AfterName, beforeCommit, afterCommit, afterFold,
		beforePlace, afterPlace}, sinks.Failpoints(), []failpoint.Point{BeforeReport})
}
