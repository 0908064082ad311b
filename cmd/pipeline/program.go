package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// programPath is the path by which this program was called. It may be a link that an installer updates: the link still
// works after an upgrade, while its present target may be gone.
func programPath() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find this program's own path: %w", err)
	}
	called, err := exec.LookPath(os.Args[0])
	if err != nil && !errors.Is(err, exec.ErrDot) {
		return self, nil
	}
	if called, err = filepath.Abs(called); err != nil {
		return self, nil
	}
	a, err1 := os.Stat(called)
	b, err2 := os.Stat(self)
	if err1 != nil || err2 != nil || !os.SameFile(a, b) {
		return self, nil
	}
	return called, nil
}
