//go:build unix

package outpath

import "syscall"

// Unwaiting is the flag that opens a pipe without waiting for its other end.
const Unwaiting = syscall.O_NONBLOCK

const unfollowing = syscall.O_NOFOLLOW
