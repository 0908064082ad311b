package pipelines

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"pipeline/extract"
	"pipeline/load"
	"pipeline/load/engine"
	"pipeline/load/inspect"
	"pipeline/load/versions"
	"pipeline/load/warehouse"
	"pipeline/pipelines/raw"
	"pipeline/transform"
)

// Rebuild makes the warehouse anew from its raw layer alone: every load once more, in its order, with what it saw and at its time. The old
// warehouse stays until the new one is whole. force goes on where the old one holds what the raw layer lacks.
func Rebuild(ctx context.Context, opt Options, force bool) (_ *Result, err error) {
	opt = opt.withDefaults()
	budget := Split(opt.Memory)
	defer budget.limitHeap()()
	began := opt.Now()
	opt.Phase(PhaseReplay)
	w, err := warehouse.OpenAnew(ctx, opt.Warehouse)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	if !force {
		if err := replaceable(ctx, opt.Warehouse); err != nil {
			return nil, err
		}
	}
	layer, err := versions.OpenReader(ctx, opt.Warehouse, w.Scratch(), extract.ConversationFamilies(), budget.Engine)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, layer.Close()) }()
	var result *Result
	for i := range layer.Loads {
		opt.Progress(i, len(layer.Loads))
		if result, err = replayLoad(ctx, opt, budget, w, layer, i); err != nil {
			return nil, fmt.Errorf("repeat load %d: %w", layer.Loads[i].LoadID, err)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	err = w.Place()
	result.Loads, result.Seconds = len(layer.Loads), opt.Now().Sub(began).Seconds()
	return result, err
}

// replaceable refuses to replace a warehouse that holds what the raw layer lacks: rows, or tables of a person's own. One that cannot be opened may be replaced.
func replaceable(ctx context.Context, path string) error {
	const remedy = ". Start a plain run first, which writes what the stores still hold; or, if the rest may be lost, use --force"
	if own, err := inspect.ForeignTables(ctx, path); err == nil && len(own) > 0 {
		return &UsageError{fmt.Sprintf("tables that no run has made would be lost: %s. Copy them to another file first; or, if they may be lost, use --force", strings.Join(own, ", "))}
	}
	state, err := warehouse.ReadState(ctx, path)
	switch {
	case errors.Is(err, engine.ErrBusy):
		return err
	case err != nil || state.First:
		return nil
	case state.Meta[metaRawGap] != "":
		return &UsageError{"the warehouse holds what the raw layer lacks: runs with --no-raw have loaded it, or files of the layer were lost or found" + remedy}
	}
	missing, err := inspect.RawMissing(ctx, path)
	if err == nil && len(missing) > 0 {
		return &UsageError{fmt.Sprintf("the warehouse holds what the raw layer lacks: %d of its files are gone or not as they were written, the first is %s", len(missing), missing[0]) + remedy}
	}
	return err
}

// anew is which load of a rebuild a run makes anew. The zero value is none: the run reads stores.
type anew struct {
	rebuild load.RebuildStep
	changed bool // the load changed rows, if only because a store could not be read
}

// replayLoad makes the i-th load anew: a run of which the sources are what the raw layer holds of that load.
func replayLoad(ctx context.Context, opt Options, budget Budget, w *warehouse.Warehouse, layer *versions.Reader, i int) (*Result, error) {
	of := layer.Loads[i]
	state, err := w.State(ctx)
	if err != nil {
		return nil, err
	}
	state.LastLoadID = of.LoadID - 1
	// Another version of the formats than that of the load before had it read everything.
	full := of.Full || i > 0 && of.TransformVersion != layer.Loads[i-1].TransformVersion
	t := task{opt: opt.asLoad(of, full), budget: budget, past: w, state: state, anew: anew{load.RebuildMore, of.Changed}}
	if i == len(layer.Loads)-1 {
		t.anew.rebuild = load.RebuildLast
	}
	for _, s := range of.Sources {
		snapshot, err := raw.NewReplay(ctx, layer, of, s.SourceID)
		if err != nil {
			return nil, err
		}
		src := extract.Source{Name: s.SourceID, UserDir: s.UserDir, OS: s.OS, App: s.App, Workspaces: snapshot.Shared().Workspaces}
		t.sources = append(t.sources, source{Source: src, id: s.SourceID, host: s.Host, replay: snapshot})
	}
	result, err := attempt(ctx, w, t, map[string]extract.OpenOptions{})
	if err == nil && of.TransformVersion > transform.Version {
		opt.Warn("load %d was made by a newer version of the tool", of.LoadID)
	}
	return result, err
}

// asLoad are the options that an earlier load was made with. Nobody is told of its progress: the loads are counted.
func (o Options) asLoad(of versions.Replay, full bool) Options {
	o.Full, o.Raw, o.AcceptDeletes = full, extract.RawNone, true
	o.SessionGap = time.Duration(of.GapMs) * time.Millisecond
	o.CommitWindow = cmp.Or(time.Duration(of.WindowMs)*time.Millisecond, DefaultCommitWindow) // files of earlier versions name none
	o.Now = func() time.Time { return time.UnixMilli(int64(of.StartedAt)) }
	o.Progress, o.Phase = func(int, int) {}, func(string) {}
	return o
}
