package pipelines

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"pipeline/extract"
	"pipeline/load"
	"pipeline/load/engine"
	"pipeline/load/inspect"
	"pipeline/load/push"
	"pipeline/load/versions"
	"pipeline/load/warehouse"
	"pipeline/pipelines/plan"
	"pipeline/pipelines/raw"
	"pipeline/sql/schema"
	"pipeline/transform"
)

// Rebuild makes the warehouse again from its raw layer alone. It repeats every load in order, with the rows and the
// time of that load. The old warehouse stays until the new one is whole; the tables and views that a person made in it
// go along. With force it goes on even if the old warehouse holds what the raw layer lacks.
func Rebuild(ctx context.Context, opt Options, force bool) (*Result, error) {
	how := rebuildPlain
	if force {
		how = rebuildForce
	}
	return rebuild(ctx, opt.withDefaults(), how)
}

// rebuildKind says what becomes of the old warehouse.
type rebuildKind int

const (
	rebuildPlain   rebuildKind = iota // it goes, if the new one has all of it
	rebuildForce                      // it goes
	rebuildUpgrade                    // it stays under another name, and the new one has all of it
)

func rebuild(ctx context.Context, opt Options, how rebuildKind) (result *Result, err error) {
	memory := opt.memory()
	// a second engine reads the raw layer meanwhile
	memory.Engine.Few, memory.Heap = memory.Engine.Engine, memory.Heap-memory.Engine.Engine/2
	defer memory.limitHeap()()
	began := opt.Now()
	err = memory.grow(ctx, func() (err error) {
		result, err = rebuildWith(ctx, opt, memory.Budget, how)
		return err
	})
	if err != nil {
		return nil, cmp.Or(ctx.Err(), err)
	}
	result.Seconds = opt.Now().Sub(began).Seconds()
	return result, nil
}

// rebuildWith is one attempt of a rebuild, within a budget.
func rebuildWith(ctx context.Context, opt Options, budget Budget, how rebuildKind) (_ *Result, err error) {
	w, err := warehouse.OpenAnew(ctx, opt.Warehouse)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	along, err := replaceable(ctx, opt.Warehouse)
	if err != nil && how != rebuildForce {
		return nil, err
	}
	if how == rebuildUpgrade && !along.readable {
		return nil, errors.New("what is in it that no file of the raw layer has cannot be read; if that may be lost, " +
			"use 'pipeline rebuild'")
	}
	result, err := replay(ctx, opt, budget, w, along)
	if err != nil {
		return nil, err
	}
	if err := opt.carryOver(ctx, w, how, along.readable); err != nil {
		return nil, err
	}
	return result, w.Place()
}

// replay repeats the loads of the raw layer in a new warehouse.
func replay(ctx context.Context, opt Options, budget Budget, w *warehouse.Warehouse, along kept) (result *Result,
	err error) {
	opt.Phase(PhaseReplay)
	layer, err := versions.OpenReader(ctx, opt.Warehouse, w.Scratch(), extract.ConversationFamilies(), budget.Engine)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, layer.Close()) }()
	for i := range layer.Loads {
		opt.Progress(i, len(layer.Loads))
		if result, err = replayLoad(ctx, opt, budget, w, layer, i, along); err != nil {
			return nil, fmt.Errorf("repeat load %d: %w", layer.Loads[i].LoadID, err)
		}
	}
	result.Loads = len(layer.Loads)
	return result, ctx.Err()
}

// carryOver copies into the new warehouse what only the old one has: what its loads said of stores, and a person's own
// tables and views. It refuses to put the new one in its place if that has fewer rows. Of a file that can no longer be
// read as a warehouse, it takes the tables and views that a person made, if the engine can open it.
func (o Options) carryOver(ctx context.Context, w *warehouse.Warehouse, how rebuildKind, readable bool) error {
	if readable {
		if err := w.KeepRuns(ctx, o.Warehouse); err != nil {
			return err
		}
	}
	if readable && how != rebuildForce {
		err := w.Lacks(ctx, o.Warehouse)
		if lack := new(warehouse.LackError); errors.As(err, &lack) {
			return &UsageError{lack.Error() + ". If they may be lost, use 'pipeline rebuild --force'"}
		}
		if err != nil {
			return err
		}
	}
	left, err := w.KeepOwn(ctx, o.Warehouse)
	if !readable {
		err = ctx.Err() // there is no such file, or it is no database
	}
	if len(left) > 0 {
		text := "tables and views of your own cannot be made in the new warehouse: " + strings.Join(left, ", ")
		if how == rebuildPlain {
			return &UsageError{text + ". Give them other names first; or, if they may be lost, use 'pipeline rebuild " +
				"--force'"}
		}
		o.Warn("%s", text)
	}
	if err == nil && how == rebuildUpgrade {
		_, err = w.KeepOld()
	}
	return err
}

// kept is what a rebuild takes along that is in no raw layer: the aliases that a person gave, the price list, who uses
// the warehouse, what pushes know, and what loads said of stores.
type kept struct {
	readable bool // there is a warehouse, and it can be read
	aliases  []Alias
	prices   []schema.ModelPrice
	of       string // whose prices they are
	// which machine pushes, and what may never leave it; who uses the warehouse, and the key of such hashes
	settings map[string]string
}

// keptOf is what a warehouse's state has of it.
func keptOf(state *load.State) kept {
	settings := maps.Clone(state.Meta)
	maps.DeleteFunc(settings, func(key, _ string) bool {
		return !strings.HasPrefix(key, push.MetaPrefix) && !strings.HasPrefix(key, metaUsage)
	})
	return kept{!state.First, state.Given, state.Prices, state.Meta[metaPrices], settings}
}

// replaceable refuses to replace a warehouse that holds rows that the raw layer lacks. A warehouse that cannot be
// opened may be replaced. What a person gave is in no raw layer either: the rebuild takes it along.
func replaceable(ctx context.Context, path string) (along kept, _ error) {
	const remedy = ". Put the files back; or start a plain run first, which writes what the stores still hold; or, " +
		"if the rest may be lost, use 'pipeline rebuild --force'"
	state, err := warehouse.ReadAnyState(ctx, path)
	if err == nil {
		along = keptOf(state)
	}
	switch {
	case errors.Is(err, engine.ErrBusy):
		return kept{}, err
	case err != nil || state.First:
		return kept{}, nil
	case plan.IsUnsure(state, ""):
		return along, &UsageError{sayGap + remedy}
	}
	missing, err := inspect.RawMissing(ctx, path)
	if err == nil && len(missing) > 0 {
		return along, &UsageError{sayMissing(missing) + remedy}
	}
	return along, err
}

// sayGap and sayMissing say why the raw layer does not hold all of a warehouse.
const sayGap = "the warehouse holds what the raw layer lacks: files of the layer were lost or found"

func sayMissing(files []string) string {
	return fmt.Sprintf("the warehouse holds what the raw layer lacks: %d of its files are gone or not as they were "+
		"written, the first is %s", len(files), files[0])
}

// replayLoad repeats the i-th load: a run that reads the raw layer's rows of that load in place of the sources. The
// last one has what is taken along.
func replayLoad(ctx context.Context, opt Options, budget Budget, w *warehouse.Warehouse, layer *versions.Reader, i int,
	along kept) (*Result, error) {
	of := layer.Loads[i]
	state, err := w.State(ctx)
	if err != nil {
		return nil, err
	}
	state.LastLoadID = of.LoadID - 1
	// If the version of the formats was new in that load, it had read everything.
	full := of.Full || i > 0 && of.TransformVersion != layer.Loads[i-1].TransformVersion
	t := task{opt: opt.asLoad(of, full), budget: budget, past: w, state: state,
		anew: anew{rebuild: load.RebuildMore, changed: of.Changed}}
	if i == len(layer.Loads)-1 {
		t.anew.rebuild, t.anew.kept, t.opt.Aliases = load.RebuildLast, along.settings, along.aliases
		if along.of == filePrices {
			t.opt.Prices = along.prices
		} else if on := len(along.prices) > 0; on {
			t.opt.Estimate = &on
		}
	}
	for _, s := range of.Sources {
		snapshot, err := raw.NewReplay(ctx, layer, of, s.SourceID)
		if err != nil {
			return nil, err
		}
		src := extract.Source{Name: s.SourceID, UserDir: s.UserDir, OS: s.OS, App: s.App,
			Workspaces: snapshot.Shared().Workspaces}
		t.sources = append(t.sources, source{Source: src, id: s.SourceID, host: s.Host, replay: snapshot})
		if !slices.ContainsFunc(layer.Loads[i+1:], func(later versions.Replay) bool { return later.Of(s.SourceID) }) {
			if err := t.anew.countLeft(ctx, layer, of, src); err != nil {
				return nil, err
			}
		}
	}
	result, err := attempt(ctx, w, t, map[string]extract.OpenOptions{})
	if err == nil && of.TransformVersion > transform.Version {
		opt.Warn("load %d was made by a newer version of the tool", of.LoadID)
	}
	return result, err
}

// countLeft counts what the raw layer has of a source after a load, by store and family. Nothing is known of the
// stores' files.
func (a *anew) countLeft(ctx context.Context, layer *versions.Reader, of versions.Replay, src extract.Source) error {
	rows, err := layer.Families(ctx, of, src.Name)
	if err != nil {
		return err
	}
	stores, families := map[string]*schema.LoadStore{}, map[[2]string]*schema.KeyFamily{}
	for _, f := range rows {
		if src.App == extract.AppCLI {
			f.Store = extract.CLIStore // runs report all chats as one
		}
		if stores[f.Store] == nil {
			stores[f.Store] = &schema.LoadStore{LoadID: f.LoadID, SourceID: f.SourceID, Store: f.Store,
				Path: src.StorePath(f.Store), IsComplete: true}
		}
		stores[f.Store].RowsSeen += f.Rows
		if _, ok := kindOf(source{Source: src}); ok { // runs report no families of these
			continue
		}
		key := [2]string{f.Store, f.Family}
		if families[key] == nil {
			families[key] = &schema.KeyFamily{LoadID: f.LoadID, SourceID: f.SourceID, Store: f.Store, Family: f.Family,
				Handling: string(extract.HandlingOf(f.Family))}
		}
		families[key].Rows += f.Rows
		families[key].NullRows += f.NullRows
		families[key].BytesRead += f.BytesRead
	}
	for _, s := range stores {
		a.stores = append(a.stores, *s)
	}
	for _, f := range families {
		a.families = append(a.families, *f)
	}
	return nil
}

// asLoad returns the options of an earlier load. Its progress is not reported: the progress of a rebuild counts loads.
func (o Options) asLoad(of versions.Replay, full bool) Options {
	o.Full, o.AcceptDeletes, o.Aliases = full, true, nil
	o.Estimate, o.Prices, o.UsageUser = nil, nil, ""
	o.Since, o.Until, o.Projects = of.Limits.Since, of.Limits.Until, of.Limits.Projects
	o.SessionGap = time.Duration(of.SessionGapMs) * time.Millisecond
	o.CommitWindow = cmp.Or(time.Duration(of.CommitWindowMs)*time.Millisecond, DefaultCommitWindow)
	o.Now = func() time.Time { return time.UnixMilli(int64(of.StartedAt)) }
	o.Progress, o.Phase = func(int, int) {}, func(string) {}
	return o
}
