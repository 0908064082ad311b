//go:build linux || darwin

package extract

import "golang.org/x/sys/unix"

// FreeSpace is how many bytes this user can still write to a folder's file system.
func FreeSpace(folder string) (int64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(folder, &s); err != nil {
		return 0, err
	}
	return int64(s.Bavail) * int64(s.Bsize), nil
}
