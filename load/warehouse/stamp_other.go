//go:build !linux

package warehouse

// stampOf returns no stamp here: each run compares the tables and views.
func stampOf(string) stamp { return "" }
