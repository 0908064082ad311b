package engine

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"pipeline/load/tool/atomicfile"
	"pipeline/load/tool/scratch"
)

// This file prevents that the log (.wal) of one file is replayed into another. The engine (1.4.1) replays any log that
// lies beside a file and can be parsed: neither of the two says to which it belongs. So each transaction of ours gives
// the warehouse a new state, and writes down the state before and the state after. A log belongs to a file if it begins
// at the file's state. Copies of the template have no state before their first load.

// MetaLineage is the setting with the states before and after the latest transaction: FROM>TO.
const MetaLineage = "lineage"

// Setting returns a setting of a warehouse, or "" if there is none.
func Setting(ctx context.Context, conn *sql.Conn, key string) (value string, err error) {
	err = conn.QueryRowContext(ctx, `SELECT coalesce(max(value), '') FROM _meta WHERE key = ?`, key).Scan(&value)
	return value, err
}

// LogOf returns the path of the engine's log of a file.
func LogOf(path string) string { return path + ".wal" }

// HasLog reports whether a file has a log that is not empty.
func HasLog(path string) bool {
	info, err := os.Stat(LogOf(path))
	return err == nil && info.Size() > 0
}

// wholeTransaction is the entry that ends a transaction in the engine's log: its length, its checksum and its content.
// The engine does not replay a transaction without an end.
var wholeTransaction = []byte("\x05\x00\x00\x00\x00\x00\x00\x00\xe7\xfe\x7d\x72\x2f\xed\x3d\x5e\x64\x00\x64\xff\xff")

// checkLog returns an error if the log beside a file does not belong to it. A log that is gone while it is looked at
// was folded into the file by its owner.
func checkLog(ctx context.Context, path string) error {
	if err := belongs(ctx, path); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// belongs returns an error if the log beside a file does not belong to it, or cannot be read.
func belongs(ctx context.Context, path string) error {
	log := LogOf(path)
	if !HasLog(path) {
		return nil // where it cannot be looked at, the engine says why it cannot open it
	}
	if played, err := contains(log, wholeTransaction); err != nil || !played {
		return err
	}
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return &remediedError{fmt.Errorf("%s is missing, and its log %s is there", path, log),
			"Nothing was changed. Put the file back, which that log belongs to; or, if it is gone for good, move the " +
				"log away and run again"}
	}
	line, err := lineageWithoutLog(ctx, path)
	if err != nil || line == "" { // no warehouse, or one of a version that wrote none
		return err
	}
	_, state, _ := strings.Cut(line, ">")
	for _, mark := range []string{state + ">", line} {
		// the latter: a checkpoint that was killed before it removed the log
		if own, err := contains(log, []byte(mark)); err != nil || own {
			return err
		}
	}
	if lockedElsewhere(log) {
		return fmt.Errorf("%w: another program writes to %s; close it there and run again", ErrBusy, log)
	}
	return &remediedError{fmt.Errorf("%s does not belong to %s: it does not go on from what the file holds", log, path),
		"Nothing was changed. A copy of the file or of the log was put there, or another program was killed after it " +
			"had changed the warehouse. " +
			"Put the file back that the log belongs to, or move the log away; another program takes its own changes " +
			"in when it opens the file once more (duckdb FILE -c CHECKPOINT)"}
}

// lineageWithoutLog reads the lineage from the file alone. It opens the file under another name, so that the engine
// finds no log beside it. It writes nothing beside the file.
func lineageWithoutLog(ctx context.Context, path string) (line string, err error) {
	folder, err := scratch.New("", "pipeline-look-")
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, folder.Remove()) }()
	alone := filepath.Join(folder.Path(), "file")
	real, err := filepath.Abs(path)
	// a system without links, or one where a link may be made and not be there
	if err == nil && (runtime.GOOS == "windows" || os.Symlink(real, alone) != nil) {
		err = atomicfile.Copy(path, alone)
	}
	if err != nil {
		return "", err
	}
	db, conn, err := Open(ctx, alone, true)
	if err != nil {
		return "", ctx.Err() // whoever opens it with its log says what is amiss
	}
	defer func() { err = errors.Join(err, conn.Close(), db.Close()) }()
	if line, err = Setting(ctx, conn, MetaLineage); err != nil {
		return "", ctx.Err() // it is no warehouse
	}
	return line, nil
}

// contains reports whether a file contains some bytes.
func contains(path string, what []byte) (_ bool, err error) {
	file, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	const piece = 1 << 20
	r := bufio.NewReaderSize(file, piece)
	for {
		ahead, err := r.Peek(piece)
		if bytes.Contains(ahead, what) {
			return true, nil
		}
		if errors.Is(err, io.EOF) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		if _, err := r.Discard(piece - len(what)); err != nil {
			return false, err
		}
	}
}

// FoldReplaced folds the log into a file that is about to be replaced. Otherwise the log would lie beside the new file.
// lost is true if that is not possible, because the file is damaged; then the rows in its log are lost, too.
func FoldReplaced(ctx context.Context, path string) (lost bool, err error) {
	if !HasLog(path) {
		return false, nil
	}
	if err := checkLog(ctx, path); err != nil {
		return false, err
	}
	db, conn, err := Open(ctx, path, false)
	if errors.Is(err, ErrBusy) {
		return false, err
	}
	if err != nil {
		return true, ctx.Err()
	}
	_, err = conn.ExecContext(ctx, `CHECKPOINT`)
	return false, errors.Join(err, conn.Close(), db.Close())
}
