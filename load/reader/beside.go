package reader

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"pipeline/load/engine"
	"pipeline/load/tool/scratch"
)

// This file opens a warehouse for callers that cannot wait for a run to end, and bounds what a question of theirs may
// take.

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

// busyPause is how long OpenBeside waits before it looks again at a warehouse that is being written.
const busyPause = 100 * time.Millisecond

// OpenBeside opens a warehouse as Open does, for a question that anybody may have written: the engine's memory and its
// room on the disk are bounded. While a run has the file, it opens a private copy of the state before the run, and held
// is true. It waits while the run writes its commit, at most until the context ends.
func OpenBeside(ctx context.Context, path string) (r *Reader, held bool, err error) {
	settings := append(append([]string{}, besideLimits...), engine.Sandbox(localZone())...)
	for {
		r, err := checked(openReader(ctx, path, settings, nil))(ctx, path)
		if !errors.Is(err, engine.ErrBusy) {
			return r, false, err
		}
		r, copyErr := openCopy(ctx, path, settings)
		if !errors.Is(copyErr, engine.ErrBusy) {
			return r, copyErr == nil, copyErr
		}
		select {
		case <-ctx.Done():
			return nil, true, err
		case <-time.After(busyPause):
		}
	}
}

// openCopy opens a copy of a warehouse. Close removes the copy.
func openCopy(ctx context.Context, path string, settings []string) (_ *Reader, err error) {
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
	r, err := checked(openReader(ctx, file, settings, nil))(ctx, path)
	if err != nil {
		return nil, err
	}
	r.copy = folder
	return r, nil
}
