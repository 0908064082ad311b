package extract

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"strings"
	"syscall"

	"modernc.org/sqlite"
)

// ErrTorn says that a store changed while it was read in place: the caller must drop every row that it has read, and
// may try again.
var ErrTorn = errors.New("the store changed while it was read")

// ErrBusy says that the store could not be read without disturbing its writer. Nothing was changed; a later run may
// succeed.
var ErrBusy = errors.New("the store is busy")

// errIndex says that a store's index is damaged, though SQLite finds no fault in its pages.
var errIndex = errors.New("the index is out of order")

// ErrKind says what is wrong with a store.
type ErrKind string

// The kinds of StoreError.
const (
	KindMissing     ErrKind = "missing"        // no such file or folder
	KindUnreadable  ErrKind = "unreadable"     // the file system or SQLite failed for an unknown reason
	KindNotDatabase ErrKind = "not_a_database" // not a SQLite file, or an encrypted one
	KindEmpty       ErrKind = "empty"          // a file of 0 bytes
	KindDamaged     ErrKind = "damaged"        // a truncated or corrupt SQLite file
	KindSalvaged    ErrKind = "salvaged"       // damaged, but what could be read of it was read
	KindBusy        ErrKind = "busy"           // wraps ErrBusy
	KindTorn        ErrKind = "torn"           // wraps ErrTorn
	KindPermission  ErrKind = "permission"     // the operating system forbids it
	KindNoTable     ErrKind = "no_table"       // a SQLite file, but not a store of Cursor's
	KindStrange     ErrKind = "strange"        // its tables are defined in a way that this version does not know
	KindLimit       ErrKind = "limit"          // this process may not open more files
	KindNoSpace     ErrKind = "no_space"       // no room for the private copy
)

// StoreError is why a store could not be read. It unwraps to its cause.
type StoreError struct {
	Path string
	Kind ErrKind
	Err  error
}

// Error says what happened to which file, what the cause most likely is, and what to do next.
func (e *StoreError) Error() string { return e.Problem() + " " + e.Remedy() }

// Problem says what is wrong, and what the likely cause is.
func (e *StoreError) Problem() string {
	what, cause, _ := e.Kind.explain()
	if e.Err != nil {
		what += fmt.Sprintf(" (%v)", e.Err)
	}
	return fmt.Sprintf("%s: %s. Likely cause: %s.", e.Path, what, cause)
}

// Remedy says what to do about the error: the last sentence of its text.
func (e *StoreError) Remedy() string {
	_, _, remedy := e.Kind.explain()
	return remedy + "."
}

// Unwrap returns the cause.
func (e *StoreError) Unwrap() error { return e.Err }

// Is makes an error of kind KindBusy an ErrBusy and one of KindTorn an ErrTorn, whatever its cause is.
func (e *StoreError) Is(target error) bool {
	return e.Kind == KindBusy && target == ErrBusy || e.Kind == KindTorn && target == ErrTorn
}

func (k ErrKind) explain() (what, cause, remedy string) {
	switch k {
	case KindMissing:
		return "there is no such store", "the path is wrong, or Cursor has not been used here", "Run `pipeline " +
			"discover` to see the stores that were found, and name one with --source"
	case KindNotDatabase:
		return "this is not a SQLite database", "another kind of file, an encrypted one, or a copy that was " +
				"overwritten", "Name another file or folder with --source; Cursor's own older copy is " +
				"state.vscdb.backup beside the store"
	case KindEmpty:
		return "the file is empty", "Cursor was stopped while it made the file, or a copy failed", "Start Cursor " +
			"once or take the state.vscdb.backup beside it; what was loaded before stays in the warehouse"
	case KindDamaged:
		return "the store is damaged", "a disk error, or a copy made while Cursor was writing", "What was loaded " +
			"before stays in the warehouse; make the copy again with Cursor closed, or take the " +
			"state.vscdb.backup beside it"
	case KindSalvaged:
		return "the store is damaged", "a disk error, or a copy made while Cursor was writing", "All that can be " +
			"read was read, and nothing counts as deleted; keep what is there, then take the " +
			"state.vscdb.backup beside it or make the copy again with Cursor closed"
	case KindBusy:
		return "no quiet moment to read the store was found", "Cursor is writing to it all the time, or another " +
				"program, such as a backup, has locked it", "Nothing was changed; run again in a minute, or after " +
				"closing Cursor"
	case KindTorn:
		return "the store changed while it was read", "Cursor wrote to it", "Nothing was loaded from it; run again"
	case KindPermission:
		return "the store may not be read", "it belongs to another user, or the terminal lacks the right to this " +
				"folder",
			"Run as the user who runs Cursor, or grant read access (on macOS: Full Disk Access for the terminal)"
	case KindNoTable:
		return "this SQLite file is no store of Cursor's", "it belongs to another program", "Name a state.vscdb or a " +
			"Cursor user directory with --source"
	case KindStrange:
		return "the store is made in a way that this version does not know", "a newer Cursor, or another program " +
				"that " +
				"changed the store", "What was loaded before stays in the warehouse, and nothing counts as deleted; " +
				"use a newer version of this tool, or name another copy of the store with --source"
	case KindLimit:
		return "the store cannot be opened", "this process may open few files at a time", "Nothing was loaded from " +
			"it; run again with a larger limit (ulimit -n 256)"
	case KindNoSpace:
		return "there is no room for a private copy of the store", "the disk of the temporary directory is " +
			"full", "Free some space, or point TMPDIR to a larger disk"
	}
	return "the store cannot be read", "the disk, the network or the file system failed", "Try again; if it stays " +
		"so, copy the store and its -wal to a local folder and name that with --source"
}

// SQLite's primary result codes that tell something about the file (sqlite.org/rescode.html).
const (
	sqliteError    = 1
	sqliteBusy     = 5
	sqliteLocked   = 6
	sqliteReadOnly = 8
	sqliteIOErr    = 10
	sqliteCorrupt  = 11
	sqliteFull     = 13
	sqliteCantOpen = 14
	sqliteProtocol = 15
	sqliteNotADB   = 26
)

// sqliteCode returns the primary result code of an error of SQLite's, 0 for any other error.
func sqliteCode(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code() & 0xff
	}
	return 0
}

// newStoreError names the kind of an error of SQLite's or the operating system's. A StoreError stays as it is.
func newStoreError(path string, err error) error {
	var known *StoreError
	if err == nil || errors.As(err, &known) {
		return err
	}
	return &StoreError{Path: path, Kind: kindOf(err), Err: err}
}

func kindOf(err error) ErrKind {
	var known *StoreError
	switch {
	case errors.As(err, &known):
		return known.Kind
	case errors.Is(err, ErrBusy):
		return KindBusy
	case errors.Is(err, ErrTorn):
		return KindTorn
	case errors.Is(err, fs.ErrNotExist):
		return KindMissing
	case errors.Is(err, fs.ErrPermission):
		return KindPermission
	case isDiskFull(err):
		return KindNoSpace
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return KindLimit
	case runtime.GOOS == "windows" && isHeldOnWindows(err):
		return KindBusy
	case errors.Is(err, errIndex), errors.Is(err, errCut):
		return KindDamaged
	}
	switch sqliteCode(err) {
	case sqliteBusy, sqliteLocked, sqliteProtocol:
		return KindBusy
	case sqliteCorrupt:
		return KindDamaged
	case sqliteNotADB:
		return KindNotDatabase
	case sqliteError:
		if strings.Contains(err.Error(), "no such collation") {
			// what else the queries meet in the tables may be damage
			return KindStrange
		}
	case sqliteFull:
		return KindNoSpace
	}
	return KindUnreadable
}

// isHeldOnWindows reports that another program has opened a file without sharing it, or has locked a part of it:
// ERROR_SHARING_VIOLATION and ERROR_LOCK_VIOLATION. Virus scanners and backups do that for a while.
func isHeldOnWindows(err error) bool {
	return errors.Is(err, syscall.Errno(32)) || errors.Is(err, syscall.Errno(33))
}

// IsDamage reports a damaged store, or a disk that does not give all of it.
func IsDamage(err error) bool {
	var known *StoreError
	return errors.As(err, &known) && (known.Kind == KindDamaged || known.Kind == KindSalvaged ||
		known.Kind == KindUnreadable)
}

// errCut says that the end of a file is missing. Nothing is salvaged from it: the file is a broken copy, and the
// missing rows cannot be named.
var errCut = errors.New("it was cut off")
