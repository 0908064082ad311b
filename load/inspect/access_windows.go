package inspect

import (
	"io/fs"
)

// mayWrite always returns nil on Windows: only writing shows whether it is allowed.
func mayWrite(string, bool) error { return nil }

// tooWide is always false: modes say nothing on Windows, where a file in the user's profile is the user's.
func tooWide(fs.FileMode) bool { return false }
