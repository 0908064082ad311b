//go:build !linux && !darwin

package extract

import (
	"errors"
	"os"
)

// cloneOpen is not to be had here.
func cloneOpen(*os.File, string) error { return errors.ErrUnsupported }
