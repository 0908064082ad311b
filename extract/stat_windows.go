package extract

import (
	"errors"
	"path/filepath"
	"strings"
	"syscall"
	"unsafe"
)

// driveRemote is DRIVE_REMOTE of GetDriveTypeW.
const driveRemote = 4

// isRemoteFS reports whether path lies on a network share (\\server\share, \\wsl$\...) or a mapped network drive.
func isRemoteFS(path string) (bool, error) {
	volume := filepath.VolumeName(path)
	if strings.HasPrefix(volume, `\\`) {
		return true, nil
	}
	root, err := syscall.UTF16PtrFromString(volume + `\`)
	if err != nil {
		return false, err
	}
	kind, _, _ := syscall.NewLazyDLL("kernel32.dll").NewProc("GetDriveTypeW").Call(uintptr(unsafe.Pointer(root)))
	return kind == driveRemote, nil
}

func isDiskFull(err error) bool {
	const errorHandleDiskFull, errorDiskFull = syscall.Errno(39), syscall.Errno(112)
	return errors.Is(err, errorHandleDiskFull) || errors.Is(err, errorDiskFull)
}

// fileID would have to open the file, which this look from outside must not do.
func fileID(string) string { return "" }
