package doctor

import (
	"context"
	"errors"
	"os"

	"pipeline/extract"
)

// This file looks at the folder for private copies of stores.

func (e *exam) lookAtScratch(context.Context) error {
	s := &e.Scratch
	s.Folder = os.TempDir()
	dir, err := os.MkdirTemp(s.Folder, "pipeline-doctor-")
	if err == nil {
		err = os.Remove(dir)
	}
	if err == nil {
		s.Free, err = extract.FreeSpace(s.Folder)
	}
	s.err = err
	return nil
}

// compare computes how much room the stores need there.
func (s *ScratchLook) compare(stores func(yield func(*StoreLook) bool)) {
	all, known := true, true
	for store := range stores {
		s.Largest = max(s.Largest, store.Total())
		if known = known && store.Clone != nil; known {
			all = all && *store.Clone
		}
		if store.Method == extract.MethodCopy && (store.Clone == nil || !*store.Clone) {
			s.Needed = max(s.Needed, store.Total())
		}
	}
	if known && s.Largest > 0 {
		s.Clones = &all
	}
}

func (e *exam) tellScratch() {
	s := &e.Scratch
	s.compare(e.stores())
	const remedy = "Free some space, or point TMPDIR to a larger disk."
	switch {
	case errors.Is(s.err, errors.ErrUnsupported):
		e.note("", "How much room %s has is not known on this system.", s.Folder)
	case s.err != nil:
		e.problem(VerdictProblem, "Point TMPDIR to a folder that you may write to.",
			"No private copy can be made in %s: %v", s.Folder, s.err)
	case s.Free < s.Needed:
		e.problem(VerdictProblem, remedy, "%s has %s free; the private copy of a store needs %s.", s.Folder,
			size(s.Free), size(s.Needed))
	case s.Free < s.Largest && (s.Clones == nil || !*s.Clones):
		e.note(remedy, "%s has %s free; a private copy of the largest store, if a read takes too long beside the "+
			"editor, needs %s.", s.Folder, size(s.Free), size(s.Largest))
	default:
		e.ok("%s free in %s%s", size(s.Free), s.Folder, s.compared())
	}
}

// compared says how much room is needed for what.
func (s *ScratchLook) compared() string {
	var clones string
	switch {
	case s.Largest == 0:
		return ""
	case s.Clones == nil:
	case *s.Clones:
		clones = "; a private copy there is a clone and takes no room"
	default:
		clones = "; a private copy there takes its full size"
	}
	return ", the largest store has " + size(s.Largest) + clones
}
