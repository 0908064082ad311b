//go:build unix

package engine

import (
	"os"
	"os/user"
	"strconv"
	"syscall"
)

// otherOwner names the user whom a file belongs to, and who runs this process; ok is false if they are one, or not
// known.
func otherOwner(path string) (owner, self string, ok bool) {
	info, err := os.Stat(path)
	if err != nil {
		return "", "", false
	}
	of, known := info.Sys().(*syscall.Stat_t)
	if !known || int(of.Uid) == os.Geteuid() {
		return "", "", false
	}
	return userNamed(strconv.Itoa(int(of.Uid))), userNamed(strconv.Itoa(os.Geteuid())), true
}

func userNamed(id string) string {
	if u, err := user.LookupId(id); err == nil {
		return u.Username
	}
	return "user " + id
}
