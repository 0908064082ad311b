package load

// A Failpoint is a moment of a run at which a test has it fail. Only a program that is built with the tag failpoints stops there: if the
// environment has PIPELINE_FAILPOINT=NAME=kill it kills itself, with NAME=error the run meets an error. Every other program goes on, and
// the compiler leaves nothing of the call.
type Failpoint string

// The moments, in the order in which a run comes to them.
const (
	beforeCopy     Failpoint = "before-copy" // a reader holds the warehouse; it is not copied yet
	afterCopy      Failpoint = "after-copy"  // it is copied
	beforeKept     Failpoint = "before-kept" // the copy of a warehouse of an earlier version is whole, and has no name
	afterKept      Failpoint = "after-kept"  // it has its name; nothing is migrated
	beforeMigrated Failpoint = "before-migrated"
	afterMigrated  Failpoint = "after-migrated" // the engine's log has all tables as they are declared now; nothing is loaded
	beforeAppends  Failpoint = "before-appends" // the transaction has begun, nothing is in it
	afterAppends   Failpoint = "after-appends"  // the rows are in their tables; nothing is merged
	beforeRawName  Failpoint = "before-raw-name"
	afterRawName   Failpoint = "after-raw-name" // a file of the raw layer has its name; no load names it
	beforeCommit   Failpoint = "before-commit"
	afterCommit    Failpoint = "after-commit" // the engine's log has it all
	afterClose     Failpoint = "after-close"  // the engine's log is folded into the file
	beforePlace    Failpoint = "before-place" // a new file is whole, beside the one that it replaces
	afterPlace     Failpoint = "after-place"
	beforeManifest Failpoint = "before-manifest" // the tables of a publication are written or linked, the list of its files is not
	afterParquet   Failpoint = "after-parquet"   // the files of a publication are written, in a folder without a name
	beforeSwitch   Failpoint = "before-switch"   // the folder has its name; current is the one before
	afterLink      Failpoint = "after-link"      // the link that becomes current is made
	afterSwitch    Failpoint = "after-switch"    // older publications are not removed yet
	BeforeReport   Failpoint = "before-report"   // all is done, nobody has been told
)

// The moments of housekeeping, in the order in which it comes to them; afterClose, beforePlace and afterPlace are among them.
const (
	beforeRewriteName   Failpoint = "before-rewrite-name"   // files of the raw layer are written anew, under scratch names
	afterRewriteName    Failpoint = "after-rewrite-name"    // one has its name, and stands for others that are still there
	beforeRewriteCommit Failpoint = "before-rewrite-commit" // the warehouse does not know of them
	afterRewriteCommit  Failpoint = "after-rewrite-commit"  // it does; what they replace is still there
	afterDiscard        Failpoint = "after-discard"         // a file that was replaced is removed, others are not
	beforeShrunk        Failpoint = "before-shrunk"         // the smaller warehouse is whole, beside the one that it replaces
	afterShrunk         Failpoint = "after-shrunk"
)

// HouseFailpoints lists those that only housekeeping comes to.
func HouseFailpoints() []Failpoint {
	return []Failpoint{beforeRewriteName, afterRewriteName, beforeRewriteCommit, afterRewriteCommit, afterDiscard, beforeShrunk, afterShrunk}
}

// Failpoints lists them.
func Failpoints() []Failpoint {
	return []Failpoint{beforeCopy, afterCopy, beforeKept, afterKept, beforeMigrated, afterMigrated, beforeAppends, afterAppends, beforeRawName, afterRawName, beforeCommit, afterCommit, afterClose,
		beforePlace, afterPlace, beforeManifest, afterParquet, beforeSwitch, afterLink, afterSwitch, BeforeReport}
}
