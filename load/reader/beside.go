package reader

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"pipeline/load/engine"
	"pipeline/load/tool/scratch"
)

// This file opens a warehouse that a run may be writing to, and bounds what a question of anybody may take.

// besideLimits bound what a question may take: memory, and space on the disk for what does not fit into it. The
// engine's limit does not hold for the text that one call makes, so the functions that make a long one of a short one
// have a limit of their own.
var besideLimits = []string{
	engine.SetMemory(besideRows), "SET max_temp_directory_size = '1GiB'",
	longest("repeat(text, times)", "length(text) * times", "repeat(text, times)"),
	longest("lpad(text, n, filling)", "n", "lpad(text, n::INTEGER, filling)"),
	longest("rpad(text, n, filling)", "n", "rpad(text, n::INTEGER, filling)"),
}

// longest is the statement that puts a macro in the place of a function of the engine. It fails for more than a million
// characters.
func longest(head, characters, call string) string {
	return "CREATE TEMP MACRO " + head + " AS CASE WHEN " + characters +
		" > 1000000 THEN error('a text of more than 1,000,000 characters: ask for less') ELSE system.main." + call +
		" END"
}

// busyPause is how long a reader waits before it looks again at a warehouse that is being written.
const busyPause = 100 * time.Millisecond

// busyWait is how long it looks again for a person. A copy of a large warehouse, and a slow machine, may need longer.
var busyWait = 3 * time.Second

// OpenBeside opens a warehouse as Open does, for a question that anybody may have written: the engine's memory and its
// room on the disk are bounded. It waits while a run writes its commit, at most until the context ends.
func OpenBeside(ctx context.Context, path string) (*Reader, error) {
	settings := append(append([]string{}, besideLimits...), engine.Sandbox(localZone())...)
	return openChecked(ctx, nil, path, settings, nil)
}

// openStill opens a warehouse. While a program writes to the file, a run for example, it opens a private copy of the
// state before that (Reader.IsCopy). While there is no such state, it waits, at most until there is something in enough
// or the context ends.
func openStill(ctx context.Context, enough <-chan time.Time, path string, settings, writable []string) (*Reader,
	error) {
	for {
		r, err := openReader(ctx, path, settings, writable)
		if !errors.Is(err, engine.ErrBusy) {
			return r, err
		}
		r, copyErr := openCopy(ctx, path, settings, writable)
		if !errors.Is(copyErr, engine.ErrBusy) {
			return r, copyErr
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-enough:
			return nil, err
		case <-time.After(busyPause):
		}
	}
}

// openCopy opens a copy of a warehouse. Close removes the copy.
func openCopy(ctx context.Context, path string, settings, writable []string) (_ *Reader, err error) {
	folder, err := scratch.New("", "pipeline-copy-")
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, folder.Remove())
		}
	}()
	file := filepath.Join(folder.Path(), "warehouse.duckdb")
	if err := engine.CopyStill(path, file, nil, nil); err != nil {
		return nil, err
	}
	r, err := openReader(ctx, file, settings, writable)
	if err != nil {
		return nil, err
	}
	r.copy = folder
	return r, nil
}
