//go:build !linux && !darwin && !windows

package extract

// isRemoteFS does not know this operating system's file systems, and takes each for a local one.
func isRemoteFS(string) (bool, error) { return false, nil }

func isDiskFull(error) bool { return false }

// fileID is not known here.
func fileID(string) string { return "" }
