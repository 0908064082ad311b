package warehouse

import (
	"fmt"
	"os"
	"syscall"
)

// stampOf returns the stamp of a file. The time of its last change of any kind is in it, which no program can set.
func stampOf(path string) stamp {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	return stamp(fmt.Sprint(s.Dev, ".", s.Ino, ".", s.Size, ".", s.Mtim.Nano(), ".", s.Ctim.Nano()))
}
