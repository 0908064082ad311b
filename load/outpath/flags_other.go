//go:build !unix

package outpath

// Unwaiting is for systems that have pipes among their files.
const Unwaiting = 0

const unfollowing = 0
