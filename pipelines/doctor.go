package pipelines

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"pipeline/extract"
	"pipeline/load"
)

// A Checkup says what to look at before a run.
type Checkup struct {
	Options
	NotFound []error  // why sources that were asked for are not in Options
	Looked   []string // where Cursor was looked for
	NoPlan   bool     // do not read the stores' indexes to say what a run would do
}

// Diagnosis is what a look at everything that a run needs has found.
type Diagnosis struct {
	Verdict   Verdict       `json:"verdict"`
	Findings  []Finding     `json:"findings"`
	Sources   []SourceLook  `json:"sources"`
	Editor    EditorLook    `json:"editor"`
	Scratch   ScratchLook   `json:"scratch"`
	Warehouse WarehouseLook `json:"warehouse"`
	Plan      *Plan         `json:"plan"` // nil: not asked for

	looked []string
}

// A Finding is one thing that was looked at, as a sentence.
type Finding struct {
	Topic   string  `json:"topic"` // a Topic constant
	Level   Level   `json:"level"`
	Verdict Verdict `json:"verdict,omitempty"` // of a problem
	Text    string  `json:"text"`
	Remedy  string  `json:"remedy,omitempty"` // what to do
}

// Level says how a finding is meant.
type Level string

// The levels of findings.
const (
	LevelOK      Level = "ok"
	LevelNote    Level = "note" // good to know; a run goes well
	LevelProblem Level = "problem"
)

// What findings are about, in the order in which they are told.
const (
	TopicSources   = "sources"
	TopicEditor    = "editor"
	TopicScratch   = "scratch"
	TopicWarehouse = "warehouse"
	TopicPlan      = "plan"
)

// Verdict says what stands in the way of a run.
type Verdict string

// The verdicts. Of several problems the first that applies here counts.
const (
	VerdictSource  Verdict = "source" // a source is missing or cannot be read
	VerdictBusy    Verdict = "busy"   // something is in use: later, a run goes well
	VerdictProblem Verdict = "problem"
	VerdictWell    Verdict = "well"
)

// SourceLook is a source and its stores.
type SourceLook struct {
	Name    string      `json:"name"`
	UserDir string      `json:"user_dir"`
	OS      string      `json:"os"`
	App     string      `json:"app"`
	Folders int         `json:"workspaces"`
	Stores  []StoreLook `json:"stores"`
	Error   string      `json:"error,omitempty"` // why a part of it could not be listed

	err error
}

// StoreLook is a store, as it would be read now.
type StoreLook struct {
	Store string `json:"store"`
	extract.StoreLook
	OpenIn []extract.Process `json:"open_in"` // other processes that have it open; null: not known
	Error  string            `json:"error,omitempty"`
}

// EditorLook says whether Cursor runs on this machine.
type EditorLook struct {
	Running   *bool             `json:"running"` // null: not known
	Processes []extract.Process `json:"processes"`
}

// ScratchLook is the folder for private copies of stores.
type ScratchLook struct {
	Folder  string `json:"folder"`
	Free    int64  `json:"free_bytes"`
	Largest int64  `json:"largest_store_bytes"`
	Needed  int64  `json:"needed_bytes"` // of the largest store that would be copied
	Clones  *bool  `json:"clones"`       // of every store; null: not known

	err error
}

// WarehouseLook is a warehouse from outside.
type WarehouseLook struct {
	*load.Look
	Free   int64             `json:"free_bytes"`
	OpenIn []extract.Process `json:"open_in"` // other processes that have it open; null: not known
	Error  string            `json:"error,omitempty"`
}

// Plan is what a plain run would do.
type Plan struct {
	Conversations ConversationCount   `json:"conversations"`
	Reasons       map[string]int64    `json:"reasons"`
	LeftOut       int64               `json:"conversations_left_out"`
	Bytes         int64               `json:"bytes_to_read"`
	Failures      []load.CheckFailure `json:"check_failures"`
	Skipped       string              `json:"skipped,omitempty"` // why none was made
	Error         string              `json:"error,omitempty"`   // why the run would fail

	err    error
	failed map[string]*extract.StoreError // by path
	errs   []error                        // that are no store's
}

// Doctor looks at everything that a run needs: the stores, the editor, scratch space, the warehouse, and, unless told not to, what a run would
// do. It asks for no lock and writes nothing but private scratch.
func Doctor(ctx context.Context, c Checkup) (*Diagnosis, error) {
	extract.SweepScratch()
	c.Options = c.Options.withDefaults()
	d := &Diagnosis{looked: c.Looked, Findings: []Finding{}, Sources: []SourceLook{}}
	d.Scratch.Folder = os.TempDir()
	for _, src := range c.Sources {
		d.Sources = append(d.Sources, lookAtSource(ctx, src, d.Scratch.Folder))
	}
	look, err := load.Inspect(ctx, c.Warehouse, c.Publish...)
	if err != nil {
		return nil, err
	}
	d.Warehouse = WarehouseLook{Look: look}
	d.holders()
	if !c.NoPlan {
		d.plan(ctx, c.Options)
	}
	d.Editor = lookForEditor(ctx)
	d.Scratch.err = d.lookAtScratch()
	if err := ctx.Err(); err != nil { // what was looked at since may look as if it failed
		return nil, err
	}
	d.tellSources(c)
	d.tellEditor(c.Sources)
	d.tellScratch()
	d.tellWarehouse(c.Options)
	d.tellPlan()
	d.Verdict = d.worst()
	return d, nil
}

// lookAtSource looks at each store of a source.
func lookAtSource(ctx context.Context, src extract.Source, scratch string) SourceLook {
	s := SourceLook{Name: src.Name, UserDir: src.UserDir, OS: src.OS, App: src.App, Folders: len(src.Workspaces), Stores: []StoreLook{}, err: src.Err}
	if src.Err != nil {
		s.Error = src.Err.Error()
	}
	add := func(name, path string) {
		if path != "" {
			s.Stores = append(s.Stores, StoreLook{Store: name, StoreLook: extract.Inspect(ctx, path, scratch)})
		}
	}
	add(extract.GlobalStore, src.Global)
	for _, w := range src.Workspaces {
		add(extract.WorkspaceStore(w.ID), w.DB)
	}
	return s
}

// holders asks which other processes have the files open.
func (d *Diagnosis) holders() {
	warehouse, err := filepath.EvalSymlinks(d.Warehouse.Path)
	if err != nil {
		warehouse = d.Warehouse.Path
	}
	paths := []string{warehouse}
	for store := range d.stores() {
		paths = append(paths, store.Path)
	}
	holders, err := extract.Holders(paths)
	if err != nil {
		return // not known
	}
	known := func(path string) []extract.Process { return append([]extract.Process{}, holders[path]...) }
	d.Warehouse.OpenIn = known(warehouse)
	for store := range d.stores() {
		store.OpenIn = known(store.Path)
	}
}

// stores are those of all sources.
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

func lookForEditor(ctx context.Context) EditorLook {
	found, err := extract.Editors(ctx)
	if err != nil {
		return EditorLook{Processes: []extract.Process{}}
	}
	running := len(found) > 0
	return EditorLook{Running: &running, Processes: append([]extract.Process{}, found...)}
}

// lookAtScratch compares the room for private copies with the stores.
func (d *Diagnosis) lookAtScratch() error {
	all, known := true, true
	for store := range d.stores() {
		d.Scratch.Largest = max(d.Scratch.Largest, store.Total())
		if known = known && store.Clone != nil; known {
			all = all && *store.Clone
		}
		if store.Method == extract.MethodCopy && (store.Clone == nil || !*store.Clone) {
			d.Scratch.Needed = max(d.Scratch.Needed, store.Total())
		}
	}
	if known && d.Scratch.Largest > 0 {
		d.Scratch.Clones = &all
	}
	dir, err := os.MkdirTemp(d.Scratch.Folder, "pipeline-doctor-")
	if err != nil {
		return err
	}
	if err := os.Remove(dir); err != nil {
		return err
	}
	d.Scratch.Free, err = extract.FreeSpace(d.Scratch.Folder)
	return err
}

// plan makes a dry run, where the warehouse can be looked into, and takes over what it learned of the stores.
func (d *Diagnosis) plan(ctx context.Context, opt Options) {
	d.Plan = &Plan{Failures: []load.CheckFailure{}, Reasons: map[string]int64{}, failed: map[string]*extract.StoreError{}}
	switch {
	case len(opt.Sources) == 0:
		d.Plan.Skipped = "no source was found"
		return
	case d.Warehouse.Err != nil:
		d.Plan.Skipped = "the warehouse cannot be looked into"
		return
	}
	result, err := DryRun(ctx, opt)
	for try := 1; err != nil && errors.Is(err, extract.ErrTorn) && try < tornTries; try++ { // as a run does
		result, err = DryRun(ctx, opt)
	}
	var none *SourceError
	switch {
	case errors.As(err, &none):
		d.Plan.failures(none.Failures)
	case err != nil:
		d.Plan.err = err
	default:
		d.Plan.Conversations, d.Plan.LeftOut, d.Plan.Bytes, d.Plan.Reasons = result.Conversations, result.LeftOut, result.Bytes, result.Reasons
		d.Plan.Failures = append(d.Plan.Failures, result.Failures...)
		d.Plan.failures(result.Errors())
	}
	if err != nil {
		d.Plan.Error = err.Error()
	}
	d.readAs(result)
}

// readAs takes over how the dry run read each store, or why it could not: it knows more than a look.
func (d *Diagnosis) readAs(result *Result) {
	methods := map[string]string{}
	if result != nil {
		for _, s := range result.stores {
			if s.SnapshotMethod != nil {
				methods[s.Path] = *s.SnapshotMethod
			}
		}
	}
	for store := range d.stores() {
		switch failed, method := d.Plan.failed[store.Path], methods[store.Path]; {
		case failed != nil:
			store.Err, store.Method, store.Reason = failed, "", ""
		case method != "" && store.Err != nil:
			store.Reason = fmt.Sprintf("though it looks odd: %v", store.Err)
			store.Err, store.Method = nil, method
		case method != "" && method != store.Method:
			store.Method, store.Reason = method, ""
		}
	}
}

// failures sorts errors by the store that they are about.
func (p *Plan) failures(errs []error) {
	for _, err := range errs {
		if joined, ok := err.(interface{ Unwrap() []error }); ok {
			p.failures(joined.Unwrap())
			continue
		}
		var failed *extract.StoreError
		if errors.As(err, &failed) {
			p.failed[failed.Path] = failed
		} else {
			p.errs = append(p.errs, err)
		}
	}
}
