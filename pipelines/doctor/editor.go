package doctor

import (
	"context"
	"runtime"

	"pipeline/extract"
)

// This file finds out whether Cursor is running.

func (e *exam) lookForEditor(ctx context.Context) error {
	found, err := extract.Editors(ctx)
	e.Editor.Processes = append([]extract.Process{}, found...)
	if err == nil {
		running := len(found) > 0
		e.Editor.Running = &running
	}
	return nil
}

func (e *exam) tellEditor() {
	switch running := e.Editor.Running; {
	case running == nil:
		e.note("", "It is unknown whether Cursor is running: this system does not say.")
	case *running:
		e.ok("Cursor is running: %s", named(e.Editor.Processes))
	default:
		e.ok("Cursor is not running on this machine")
	}
	for _, s := range e.asked.Sources {
		if s.OS != runtime.GOOS {
			e.note("", "%s belongs to a Cursor on %s: it is unknown whether that is running.", s.UserDir, s.OS)
		}
	}
}
