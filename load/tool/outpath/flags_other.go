//go:build !unix

package outpath

// Unwaiting is 0, because the file systems of this system have no pipes.
const Unwaiting = 0

const unfollowing = 0
