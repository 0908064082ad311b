package warehouse

import (
	"context"
	"fmt"
	"os"
	"strings"

	"pipeline/load/catalog"
	"pipeline/load/engine"
	"pipeline/load/tool/outpath"
)

// This file spares a run the comparison of the file's tables, views, macros and comments with the declared ones, which
// is a tenth of a run that finds nothing. After a commit the program notes in the lock file which file it has closed,
// and which program it is. If a later run of the same program finds the same file, and nobody has written to it since,
// then the tables and views are those that this program made or compared. Everything else is compared: another program
// or file, another time, a log beside the file, a missing note.

// A stamp tells one state of a file on a disk from others, by its place and the times that the system keeps. It is ""
// where that cannot be told.
type stamp string

// noted is what the lock file says of a file. The program's file has all definitions: to read them takes longer than to
// compare stamps.
func noted(file, program stamp) string { return fmt.Sprintf("%s by %s\n", file, program) }

// look compares the file that is open with the note. The engine has it open, so nobody else can write to it any more.
// It opens no descriptor: to close one would drop the engine's lock.
func (w *Warehouse) look() {
	w.untouched = false
	if w.s.File != w.path || engine.HasLog(w.path) {
		return
	}
	note, err := os.ReadFile(w.path + ".lock")
	file, program := stampOf(w.path), program()
	w.untouched = err == nil && file != "" && program != "" && string(note) == noted(file, program)
}

// outdated is catalog.Outdated for the file that is open.
func (w *Warehouse) outdated(ctx context.Context) (bool, error) {
	if w.untouched {
		return false, nil
	}
	return catalog.Outdated(ctx, w.s.Conn, w.path)
}

// note writes down the file as it was closed just now, if its tables and views are known to be as declared. Without the
// note the next run compares them.
func (w *Warehouse) note() {
	if file, program := stampOf(w.path), program(); w.asDeclared && file != "" && program != "" &&
		!engine.HasLog(w.path) {
		if f, err := outpath.Open(w.path+".lock", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600); err == nil {
			_, _ = f.WriteString(noted(file, program))
			_ = f.Close()
		}
	}
}

// program returns the stamp of this program's file.
func program() stamp {
	path, err := os.Executable()
	if err != nil || strings.HasSuffix(path, " (deleted)") {
		return ""
	}
	return stampOf(path)
}
