package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// This file translates the engine's errors, and says what a person can do about them. The errors have no types, so it
// goes by their words.

// ErrBusy says that another process holds the warehouse. Nothing was changed.
var ErrBusy = errors.New("the warehouse is in use")

// engineError explains an error of opening, and says what to do.
func engineError(path string, err error) error {
	text := err.Error()
	switch {
	case strings.Contains(text, "Could not set lock on file"), strings.Contains(text, "Conflicting lock"),
		strings.Contains(text, "File is already open in"), IsHeld(path):
		return fmt.Errorf("%w: another program has %s open (an idle duckdb CLI or a notebook, say); close it there "+
			"and run again: %w", ErrBusy, path, err)
	case strings.Contains(text, "not a valid DuckDB database file"), strings.Contains(text, "Serialization Error"),
		strings.Contains(text, "Could not read enough bytes"), strings.Contains(text, "sqlite"),
		strings.Contains(text, "Could not read all bytes"): // what it says on Windows
		return fmt.Errorf("%s is not a warehouse that this version can open; move it away or name another with "+
			"--warehouse: %w", path, err)
	}
	return WithRemedyOf(path, fmt.Errorf("open the warehouse %s: %w", path, err))
}

// denied are the words of the system for missing rights.
var denied = []string{"permission denied", "operation not permitted", "access is denied"}

// WithRemedyOf is WithRemedy for an error about a warehouse.
func WithRemedyOf(path string, err error) error {
	advice := OwnerAdvice(path)
	if advice == "" || err == nil || !slices.ContainsFunc(denied, func(sign string) bool {
		return strings.Contains(strings.ToLower(err.Error()), sign)
	}) {
		return WithRemedy(err)
	}
	return &remediedError{err, "Nothing was changed. " + advice}
}

// OwnerAdvice returns what to do about a warehouse of another user, "" if it is of this one.
func OwnerAdvice(path string) string {
	owner, self, other := otherOwner(path)
	if !other {
		return ""
	}
	return fmt.Sprintf("The file belongs to %[1]s, and you are %[2]s: if a run with sudo has made it, have %[1]s give "+
		"it to you, with all files that begin with its name (sudo chown %[2]s '%[3]s'*), or name another with "+
		"--warehouse", owner, self, path)
}

// A remediedError is an error and what to do about it.
type remediedError struct {
	err    error
	remedy string
}

func (e *remediedError) Error() string { return e.err.Error() + "\n" + e.remedy }
func (e *remediedError) Unwrap() error { return e.err }

// Remedy returns what an error says to do, or "" if nothing is known.
func Remedy(err error) string {
	if of, ok := errors.AsType[*remediedError](err); ok {
		return of.remedy
	}
	return ""
}

// MessageWithoutRemedy returns the text of an error without its remedy.
func MessageWithoutRemedy(err error) string {
	said := err.Error()
	if remedy := Remedy(err); remedy != "" {
		said, _, _ = strings.Cut(said, "\n"+remedy)
	}
	return said
}

// WithRemedy adds a remedy to an error that a person can mend. An error that has one already stays as it is.
func WithRemedy(err error) error {
	if err == nil || Remedy(err) != "" {
		return err
	}
	text := strings.ToLower(err.Error())
	switch {
	case strings.Contains(text, "could not set lock on file"):
		// of the log: a program that holds the file which was replaced has written to it
		return fmt.Errorf("%w: another program writes to it; close it there and run again: %w", ErrBusy, err)
	case strings.Contains(text, "violates unique constraint"),
		strings.Contains(text, "violates primary key constraint"):
		// no table of ours has one
		return &remediedError{err, "Nothing was changed. An index of your own forbids what the load writes: remove " +
			"it with DROP INDEX (FROM duckdb_indexes() lists them)"}
	case strings.Contains(text, "existing object") && strings.Contains(text, "trying to replace with type"):
		return &remediedError{err, "Nothing was changed. Something of your own has a name that this tool uses: give " +
			"it another one with ALTER ... RENAME TO"}
	}
	if advice := Advice(err); advice != "" {
		return &remediedError{err, "Nothing was changed. " + advice + " (--warehouse)"}
	}
	return err
}

// Advice returns what a person can do about an error of a disk, of rights or of a limit, in any operation. It returns
// "" if nothing is known.
func Advice(err error) string {
	text := strings.ToLower(err.Error())
	for _, a := range advices {
		for _, sign := range a.signs {
			if strings.Contains(text, sign) {
				return a.advice
			}
		}
	}
	return ""
}

// advices go by the words of the system, because the engine passes on nothing else.
var advices = []struct {
	signs  []string
	advice string
}{
	{[]string{"no space left on device", "disk is full", "not enough space on the disk", "disk quota exceeded"},
		"The disk is full, or holds as many files as it can: make room, or name a place on another disk"},
	{[]string{"file too large"}, "No file may grow so large here (ulimit -f, or the file system): raise the limit, " +
		"or name a place on another disk"},
	{[]string{"read-only file system"}, "That disk can only be read: make it writable, or name a place on another one"},
	{denied,
		"Check the rights and the attributes of the file and its folder, or name another place"},
	{[]string{"too many open files"}, "This process may open few files at a time: run again with a larger limit " +
		"(ulimit -n 256)"},
	{[]string{"file name too long"}, "The name is too long for this file system: choose a shorter one"},
	{[]string{"not a directory"}, "On the way to that place lies a file where a folder belongs: name another place"},
	{[]string{"bad allocation", "allocation failure"},
		"The system gave no more memory: raise the limit of this process (ulimit -v), or end other programs"},
}

// OutOfMemory reports whether the engine needed more memory than its limit.
func OutOfMemory(err error) bool {
	// its advice: not each of these errors says what it is
	return err != nil && strings.Contains(err.Error(), "(SET memory_limit=")
}
