package maintain

import "pipeline/load/tool/failpoint"

// These are the failpoints of maintenance, in the order in which it reaches them. The failpoints of putting a warehouse in its place come among them.
const (
	beforeRewriteName   failpoint.Point = "before-rewrite-name"   // files of the raw layer are written anew, under scratch names
	afterRewriteName    failpoint.Point = "after-rewrite-name"    // one has its name, and counts in the place of others that are still there
	beforeRewriteCommit failpoint.Point = "before-rewrite-commit" // the warehouse does not know of them
	afterRewriteCommit  failpoint.Point = "after-rewrite-commit"  // it does; what they replace is still there
	afterDiscard        failpoint.Point = "after-discard"         // a file that was replaced is removed, others are not
	beforeShrunk        failpoint.Point = "before-shrunk"         // the smaller warehouse is whole, beside the one that it replaces
	afterShrunk         failpoint.Point = "after-shrunk"
)

// Failpoints lists the failpoints of maintenance.
func Failpoints() []failpoint.Point {
	return []failpoint.Point{beforeRewriteName, afterRewriteName, beforeRewriteCommit, afterRewriteCommit, afterDiscard, beforeShrunk, afterShrunk}
}
