//go:build unix

package outpath

import "syscall"

// Unwaiting has a pipe opened without its other end.
const Unwaiting = syscall.O_NONBLOCK

const unfollowing = syscall.O_NOFOLLOW
