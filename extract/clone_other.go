//go:build !linux && !darwin

package extract

import (
	"errors"
	"os"
)

// cloneOpen is not supported here.
func cloneOpen(*os.File, string) error { return errors.ErrUnsupported }

// cloneInto is not supported here.
func cloneInto(_, _ *os.File) error { return errors.ErrUnsupported }
