package maintain

import "pipeline/load/tool/failpoint"

// These are the failpoints of maintenance, in the order in which it reaches them. The failpoints of putting a warehouse
// in its place come among them.
const (
	beforeMergeName failpoint.Point = "before-merge-name" // files of the raw layer are merged, under scratch names
	// one has its name, and covers others that are still there
	afterMergeName    failpoint.Point = "after-merge-name"
	beforeMergeCommit failpoint.Point = "before-merge-commit" // the warehouse does not know of them
	afterMergeCommit  failpoint.Point = "after-merge-commit"  // it does; what they cover is still there
	afterDiscard      failpoint.Point = "after-discard"       // a file that is covered is removed, others are not
	// the smaller warehouse is whole, beside the one that it replaces
	beforeShrunk failpoint.Point = "before-shrunk"
	afterShrunk  failpoint.Point = "after-shrunk"
)

// Failpoints lists the failpoints of maintenance.
func Failpoints() []failpoint.Point {
	return []failpoint.Point{beforeMergeName, afterMergeName, beforeMergeCommit, afterMergeCommit, afterDiscard,
		beforeShrunk, afterShrunk}
}
