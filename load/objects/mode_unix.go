//go:build unix

package objects

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// umask is that of the user. The program may take a stricter one for all else that it makes, and the programs that it
// starts have that one: so a variable goes before.
var umask = userUmask()

// Umask is the umask with which the objects of a folder are made, as UmaskVariable has it.
func Umask() string { return fmt.Sprintf("%04o", umask) }

func userUmask() fs.FileMode {
	mask := syscall.Umask(0o077) // there is no other way to read it
	syscall.Umask(mask)
	if given, err := strconv.ParseUint(os.Getenv(UmaskVariable), 8, 9); err == nil {
		mask = int(given)
	}
	return fs.FileMode(mask)
}

// share gives a file or folder that was made just now the permissions that the user's umask leaves, and below a folder
// with setgid, which is a group's, those that the group has there: none writes into an object again. Where a file
// system or a list of access has given others, these stay.
func share(path string) error {
	made, err := os.Lstat(path)
	if err != nil {
		return err
	}
	above, err := os.Stat(filepath.Dir(path))
	if err != nil {
		return err
	}
	all, ofGroup := fs.FileMode(0o666), fs.FileMode(0o040)
	if made.IsDir() {
		all, ofGroup = 0o777, 0o070
	}
	if have := made.Mode().Perm(); have != all&^0o077 && have != all&^umask {
		return nil
	}
	want := all &^ umask
	if above.Mode()&fs.ModeSetgid != 0 {
		want |= above.Mode().Perm() & ofGroup
	}
	if want == made.Mode().Perm() {
		return nil
	}
	err = os.Chmod(path, want|made.Mode()&fs.ModeSetgid)
	for _, unable := range []error{syscall.EPERM, syscall.ENOTSUP, syscall.ENOSYS} {
		// the file system has no permissions
		if errors.Is(err, unable) {
			return nil
		}
	}
	return err
}
