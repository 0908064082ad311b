package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"pipeline/extract"
)

// This file looks at the sources and their stores.

func (e *exam) lookAtSources(ctx context.Context) error {
	for _, src := range e.asked.Sources {
		e.Sources = append(e.Sources, lookAtSource(ctx, src))
	}
	return nil
}

// lookAtSource looks at each store of a source.
func lookAtSource(ctx context.Context, src extract.Source) SourceLook {
	s := SourceLook{Name: src.Name, UserDir: src.UserDir, OS: src.OS, App: src.App, Folders: len(src.Workspaces),
		Stores: []StoreLook{}, err: src.Err}
	if src.Err != nil {
		s.Error = src.Err.Error()
	}
	add := func(name, path string) {
		if path != "" {
			s.Stores = append(s.Stores, StoreLook{Store: name, StoreLook: extract.Inspect(ctx, path, os.TempDir())})
		}
	}
	add(extract.GlobalStore, src.Global)
	for _, w := range src.Workspaces {
		add(extract.WorkspaceStore(w.ID), w.DB)
	}
	return s
}

// stores yields the stores of all sources.
func (d *Diagnosis) stores() func(yield func(*StoreLook) bool) {
	return func(yield func(*StoreLook) bool) {
		for i := range d.Sources {
			for j := range d.Sources[i].Stores {
				if !yield(&d.Sources[i].Stores[j]) {
					return
				}
			}
		}
	}
}

func (e *exam) tellSources() {
	for _, err := range e.asked.NotFound {
		e.storeProblem(err)
	}
	if len(e.asked.Sources) == 0 && len(e.asked.NotFound) == 0 {
		e.problem(VerdictSource, "Name the folder: pipeline run --source PATH (the User folder, or the state.vscdb "+
			"itself).",
			"No Cursor store was found. Looked in %s.", strings.Join(e.asked.Looked, ", "))
	}
	for i := range e.Sources {
		e.tellSource(&e.Sources[i])
	}
	if len(e.asked.Looked) > 0 && extract.OnlyCLI(e.asked.Sources) {
		e.note("If Cursor's editor is used here too, name its User folder with --source.",
			"Only the history of the command line was found. The editor was looked for in %s.",
			strings.Join(e.asked.Looked, ", "))
	}
}

// tellSource reports the global store, each workspace store with a problem or a remark, and the number of the others.
func (e *exam) tellSource(s *SourceLook) {
	what := s.OS
	if s.App != "" {
		what = s.App + ", " + s.OS
	}
	if s.App == extract.AppCLI {
		h := extract.LookAtHome(s.UserDir)
		e.ok("%s (%s): %s, %s of the command line", s.UserDir, what, plural(h.Chats, "chat", "chats"),
			plural(h.Transcripts, "transcript", "transcripts"))
		if h.NoDatabase > 0 {
			e.note("", "%s a store that is no SQLite file: encrypted, damaged or of another kind. A run names each "+
				"and reads the others.", plural(h.NoDatabase, "chat has", "chats have"))
		}
		if h.Newer > 0 {
			e.note("", "%s of a newer version of Cursor: what is known of it is read.",
				plural(h.Newer, "chat is", "chats are"))
		}
	} else {
		e.ok("%s (%s): %s, %s", s.UserDir, what, plural(s.Folders, "workspace folder", "workspace folders"),
			plural(len(s.Stores), "store", "stores"))
	}
	if s.err != nil {
		e.storeProblem(s.err)
	}
	quiet, bytes := map[string]int{}, map[string]int64{}
	for i := range s.Stores {
		store := &s.Stores[i]
		if store.Err != nil {
			store.Error = store.Err.Error()
		}
		switch {
		case store.Err != nil:
			e.storeProblem(store.Err)
		case store.Method == extract.MethodBusy && (store.Clone == nil || !*store.Clone):
			e.problem(VerdictBusy, "Run again in a minute, or after closing Cursor.",
				"%s is written to all the time: it could not be read without disturbing Cursor.", store.Path)
		case store.Store == extract.GlobalStore || store.Reason != "" && store.Method != extract.MethodWAL:
			e.tellStore(store)
		default:
			quiet[store.Method]++
			bytes[store.Method] += store.Total()
		}
	}
	for _, method := range []string{extract.MethodInPlace, extract.MethodWAL, extract.MethodCopy, extract.MethodBusy} {
		if n := quiet[method]; n > 0 {
			e.ok("%s, %s: %s", plural(n, "workspace store", "workspace stores"), size(bytes[method]), ways(method))
		}
	}
}

// ways describes a method of reading a store.
func ways(method string) string {
	switch method {
	case extract.MethodInPlace:
		return "quiet, read in place"
	case extract.MethodWAL:
		return "read beside the editor in one read transaction"
	case extract.MethodCopy:
		return "read from a private copy"
	case extract.MethodBusy:
		return "in use, read from a clone"
	}
	return "read by " + method
}

func (e *exam) tellStore(s *StoreLook) {
	mode := "rollback journal"
	if s.JournalMode == "wal" {
		mode = "WAL"
	}
	text := fmt.Sprintf("%s store %s: %s", s.Store, s.Path, size(s.Total()))
	if s.WALBytes > 0 {
		text += fmt.Sprintf(" (%s of it in the -wal)", size(s.WALBytes))
	}
	text += ", " + mode + "; " + ways(s.Method)
	if len(s.OpenIn) > 0 {
		text += "; open in " + named(s.OpenIn)
	}
	if s.Reason == "" || s.Method == extract.MethodWAL {
		e.ok("%s", text)
		return
	}
	e.note("", "%s: %s", text, s.Reason)
}

// named lists processes.
func named(list []extract.Process) string {
	var names []string
	for _, p := range list[:min(3, len(list))] {
		names = append(names, fmt.Sprintf("%s (process %d)", p.Name, p.PID))
	}
	if more := len(list) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

// storeProblem reports why a store or a source cannot be read. The error's text says what to do.
func (e *exam) storeProblem(err error) {
	var failed *extract.StoreError
	verdict, text, remedy := VerdictSource, err.Error(),
		"Name the sources with --source; pipeline discover lists those that were found."
	if errors.As(err, &failed) {
		switch failed.Kind {
		case extract.KindBusy, extract.KindTorn:
			verdict = VerdictBusy
		case extract.KindNoSpace:
			verdict = VerdictProblem
		}
		text, remedy = failed.Problem(), failed.Remedy()
	}
	e.problem(verdict, remedy, "%s", text)
}
