//go:build !linux && !darwin

package extract

import (
	"errors"
	"os"
)

// cloneOpen is not to be had here.
func cloneOpen(*os.File, string) error { return errors.ErrUnsupported }

// cloneInto is not to be had here: nor is a clone at all.
func cloneInto(_, _ *os.File) error { return errors.ErrUnsupported }
