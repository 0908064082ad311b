package engine

import (
	"os"
	"path"
	"strconv"
	"strings"
	"sync"
)

// groupMemory is how much memory the group that this process is in may have (cgroups of Linux, as of a container); 0 if
// nothing limits it.
var groupMemory = sync.OnceValue(func() (least int64) {
	text, _ := os.ReadFile("/proc/self/cgroup") // other systems have none
	for line := range strings.Lines(string(text)) {
		_, rest, _ := strings.Cut(strings.TrimSpace(line), ":")
		of, folder, _ := strings.Cut(rest, ":")
		root, name := "/sys/fs/cgroup", "memory.max"
		switch of {
		case "":
		case "memory":
			root, name = root+"/memory", "memory.limit_in_bytes"
		default:
			continue
		}
		for ; ; folder = path.Dir(folder) {
			// a group has no more than those that it is in; in a container, what is above its own cannot be seen
			limit, err := os.ReadFile(path.Join(root, folder, name))
			if n, numberErr := strconv.ParseInt(strings.TrimSpace(string(limit)), 10, 64); err == nil &&
				numberErr == nil && (least == 0 || n < least) {
				least = n
			}
			if folder == "/" || folder == "." {
				break
			}
		}
	}
	return least
})

// memoryLimit is the engine's limit for commands that set none. In a group that may have little, the engine gets half:
// a report's questions need more than 100 MB, and the program the rest. The system kills a process of a group that
// takes more; the engine says what it lacks.
func memoryLimit() int64 {
	if group := groupMemory(); group > 0 {
		return min(MemoryLimit, group/2)
	}
	return MemoryLimit
}

// MemoryLimits are the limits with which work is tried whose rows may be large, one after the other while memory runs
// out: the engine's own (0), and twice as much as the one before. In a group of little memory there is no more.
func MemoryLimits() []int64 {
	if memoryLimit() < MemoryLimit {
		return []int64{0}
	}
	return []int64{0, MemoryLimit << 1, MemoryLimit << 2, MemoryLimit << 3, MemoryLimit << 4}
}
