//go:build linux || darwin

package extract

import "golang.org/x/sys/unix"

// FreeSpace is how much a folder's file system has room for, in bytes, for whoever runs this.
func FreeSpace(folder string) (int64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(folder, &s); err != nil {
		return 0, err
	}
	return int64(s.Bavail) * int64(s.Bsize), nil
}
