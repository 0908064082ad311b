package doctor

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"pipeline/extract"
	"pipeline/load/engine"
	"pipeline/load/inspect"
	"pipeline/load/sinks"
)

// This file looks at the warehouse.

func (e *exam) lookAtWarehouse(ctx context.Context) error {
	look, err := inspect.Warehouse(ctx, e.asked.Warehouse, e.asked.Publish...)
	if err != nil {
		return err
	}
	e.Warehouse = WarehouseLook{Look: look}
	e.holders()
	return nil
}

// holders finds other processes that have the files open.
func (e *exam) holders() {
	warehouse, err := filepath.EvalSymlinks(e.Warehouse.Path)
	if err != nil {
		warehouse = e.Warehouse.Path
	}
	paths := []string{warehouse}
	for store := range e.stores() {
		paths = append(paths, store.Path)
	}
	holders, err := extract.Holders(paths)
	if err != nil {
		return // unknown
	}
	known := func(path string) []extract.Process { return append([]extract.Process{}, holders[path]...) }
	e.Warehouse.OpenIn = known(warehouse)
	for store := range e.stores() {
		store.OpenIn = known(store.Path)
	}
}

func (e *exam) tellWarehouse() {
	w := &e.Warehouse
	if w.Err != nil {
		w.Error = w.Err.Error()
	}
	locked := w.RunLocked != nil && *w.RunLocked
	switch {
	case locked:
		e.problem(VerdictBusy, "Wait for it to end, and run again.",
			"A run holds %s.lock (process %d): another one would end at once.", w.Path, w.RunPID)
	case w.OpenElsewhere && (w.LogBytes > 0 || w.RunLocked == nil):
		e.problem(VerdictBusy, "Close it there, and run again.", "Another program writes to %s%s.", w.Path,
			inProcesses(w.OpenIn))
	case w.OpenElsewhere:
		e.note("", "Another program has %s open for writing%s: it cannot be opened; a run would load into a copy that "+
			"takes its place.", w.Path, inProcesses(w.OpenIn))
	case engine.Remedy(w.Err) != "":
		e.problem(VerdictProblem, engine.Remedy(w.Err), "%s", engine.MessageWithoutRemedy(w.Err))
	case w.Err != nil:
		e.problem(VerdictProblem, "Name another file with --warehouse, or rebuild it from its raw layer: pipeline "+
			"rebuild.", "%v", w.Err)
	case !w.Exists:
		e.ok("there is none at %s yet: the first run makes it", w.Path)
	default:
		e.ok("%s: %s, schema version %d; raw layer: %s, %s", w.Path, size(w.Bytes), w.SchemaVersion,
			plural(w.RawFiles, "file", "files"), size(w.RawBytes))
		e.tellReaders(w)
	}
	if w.Copies != nil && w.Copies.Line() != "" {
		e.ok("%s", w.Copies.Line())
	}
	e.tellRights(w)
	e.tellRoom(w)
	e.tellLeft(w, locked)
	e.tellLoads(w, e.asked.Now())
	for _, target := range e.asked.Publish {
		e.tellPublication(w, target)
	}
}

func inProcesses(list []extract.Process) string {
	if len(list) == 0 {
		return ""
	}
	return ": " + named(list)
}

// tellReaders reports programs that read the warehouse. A load then goes to a copy, unless a run was killed before its
// log was merged into the file.
func (e *exam) tellReaders(w *WarehouseLook) {
	switch {
	case len(w.OpenIn) > 0 && w.LogBytes > 0:
		e.problem(VerdictBusy, "Close it there, and run again.", "It is open in %s, and its log is not merged into it.",
			named(w.OpenIn))
	case len(w.OpenIn) > 0:
		e.note("", "It is open in %s: a run would load into a copy that takes its place.", named(w.OpenIn))
	}
}

func (e *exam) tellRights(w *WarehouseLook) {
	if w.Denied != nil {
		e.problem(VerdictProblem, cmp.Or(engine.OwnerAdvice(w.Path), "Check the rights of the file and its folder, or "+
			"name another with --warehouse."), "A run could not write: %v", w.Denied)
	}
	if n := len(w.Wide); n > 0 {
		var others string
		if n > 1 {
			others = fmt.Sprintf(" and %d more", n-1)
		}
		remedy := "chmod -R go= " + strings.Join(shortened(w.Wide), " ")
		if w.FolderWide {
			e.problem(VerdictProblem, remedy, "Others on this machine may use %s%s, which hold what you typed.",
				w.Wide[0], others)
		} else {
			e.note(remedy, "Others on this machine might use %s%s if the folder did not keep them out.", w.Wide[0],
				others)
		}
	}
	switch {
	case w.FolderShared:
		e.problem(VerdictProblem, "chmod go= "+w.Folder, "Others on this machine may replace what is in %s (mode %s).",
			w.Folder, w.FolderMode)
	case w.FolderWide && w.Exists && len(w.Wide) == 0:
		e.note("", "Others on this machine may list %s (mode %s); the files in it are closed to them.", w.Folder,
			w.FolderMode)
	}
}

// shortened removes paths that are below another path of the list.
func shortened(paths []string) (out []string) {
	for _, path := range paths {
		if !slices.ContainsFunc(out, func(above string) bool {
			return strings.HasPrefix(path, above+string(filepath.Separator))
		}) {
			out = append(out, path)
		}
	}
	return out
}

// tellRoom compares the free space with the warehouse: a load into a copy needs as much again.
func (e *exam) tellRoom(w *WarehouseLook) {
	dir := w.Nearest
	var err error
	if w.Free, err = extract.FreeSpace(dir); err != nil {
		return
	}
	const remedy = "Make room, or put the warehouse on another disk with --warehouse."
	switch held := len(w.OpenIn) > 0 || w.OpenElsewhere; {
	case w.Free < w.Bytes && held:
		e.problem(VerdictProblem, remedy, "%s has %s free; a load into a copy of the warehouse needs %s.", dir,
			size(w.Free), size(w.Bytes))
	case w.Free < w.Bytes:
		e.note(remedy, "%s has %s free, less than the warehouse's %s: a load into a copy of it would fail.", dir,
			size(w.Free), size(w.Bytes))
	case w.Free < e.Scratch.Largest && !w.Exists:
		e.note(remedy, "%s has %s free, less than the largest store's %s.", dir, size(w.Free), size(e.Scratch.Largest))
	default:
		e.ok("%s free in %s", size(w.Free), dir)
	}
}

// tellLeft reports what killed runs left. During a run these files belong to the run.
func (e *exam) tellLeft(w *WarehouseLook, running bool) {
	if running {
		return
	}
	if w.LogBytes > 0 && w.Err == nil && len(w.OpenIn) == 0 {
		e.note("", "A log of %s is beside it (%s.wal): a run was killed; the next one merges it into the file.",
			size(w.LogBytes), filepath.Base(w.Path))
	}
	if n := len(w.Leftovers); n > 0 {
		e.note("", "A killed run left %s (%s); the next one removes what it left.", plural(n, "file", "files"),
			filepath.Base(w.Leftovers[0]))
	}
	if w.SchemaVersion == 0 || w.SchemaVersion > w.ToolVersion {
		return // the warehouse's list of files is unknown
	}
	if n := len(w.RawMissing); n > 0 {
		e.problem(VerdictProblem, "put it back from a backup; else pipeline run writes what the stores still hold of "+
			"it. pipeline check --deep says more.",
			"Of the raw layer %s not as written, or gone: %s", plural(n, "file is", "files are"), w.RawMissing[0])
	}
	if n := len(w.RawUnread); n > 0 {
		e.note("", "Of the raw layer %s not be read, and runs leave %s out: %s. Put it back from a backup, or move it "+
			"away.",
			plural(n, "file can", "files can"), english.PluralWord(n, "it", "them"), w.RawUnread[0])
	}
	if w.RawNew > 0 {
		e.note("", "%s of the raw layer %s of a load that did not commit: the next run takes it in.",
			plural(w.RawNew, "file", "files"), english.PluralWord(w.RawNew, "is", "are"))
	}
}

// tellLoads reports the last loads.
func (e *exam) tellLoads(w *WarehouseLook, now time.Time) {
	ago := func(l *inspect.LoadLook) string {
		return fmt.Sprintf("load %d (%s, %s)", l.LoadID, l.Status,
			humanize.RelTime(l.StartedAt, now, "ago", "from now"))
	}
	if w.LastLoad == nil {
		return
	}
	switch {
	case w.LastGood == nil:
		e.note("", "No load was good yet; the last is %s.", ago(w.LastLoad))
	case w.LastFailing != nil && w.LastFailing.LoadID < w.LastGood.LoadID:
		e.ok("last good %s; the last that was not: %s", ago(w.LastGood), ago(w.LastFailing))
	default:
		e.ok("last good %s", ago(w.LastGood))
	}
	switch {
	case w.LastLoad.Status == "check_failed":
		e.problem(VerdictProblem, "pipeline check says which, and of which rows.", "A check failed in the last %s.",
			ago(w.LastLoad))
	case len(w.Incomplete) > 0:
		var names []string
		for _, s := range w.Incomplete[:min(3, len(w.Incomplete))] {
			names = append(names, s.Path)
		}
		e.note("", "The last %s could not read %s: %s", ago(w.LastLoad), plural(len(w.Incomplete), "store", "stores"),
			strings.Join(names, ", "))
	}
}

// tellPublication reports whether a publication is that of the last load.
func (e *exam) tellPublication(w *WarehouseLook, target sinks.Target) {
	p, dir := w.PublicationOf(target), target.Dir
	switch remedy := target.Repair(); {
	case p == nil:
	case p.Err != nil:
		e.problem(VerdictProblem, remedy, "The current publication in %s cannot be found: %v", dir, p.Err)
	case p.Folder == "":
		e.note(remedy, "Nothing is published in %s yet.", dir)
	case w.Err != nil || !w.Exists:
		e.note("", "Whether the publication %s is of the last load is not known.", p.Folder)
	case !p.IsLatest:
		e.note(remedy, "The publication %s is not of the last load.", p.Folder)
	default:
		e.ok("%s: %s is of the last load", target.Sink.About().Title, p.Folder)
	}
}
