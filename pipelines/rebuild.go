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
	"pipeline/transform"
)

// Rebuild makes the warehouse anew from its raw layer alone: every load once more, in its order, with what it saw and at its time. The old
// warehouse stays until the new one is whole. force goes on where the old one holds what the raw layer lacks.
func Rebuild(ctx context.Context, opt Options, force bool) (_ *Result, err error) {
	opt = opt.withDefaults()
	defer opt.budget().limitHeap()()
	began := opt.Now()
	opt.Phase(PhaseReplay)
	w, err := load.OpenAnew(ctx, opt.Warehouse)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	if !force {
		if err := replaceable(ctx, opt.Warehouse); err != nil {
			return nil, err
		}
	}
	raw, err := load.OpenRaw(ctx, opt.Warehouse, w.Scratch(), extract.ConversationFamilies(), opt.budget().Engine)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, raw.Close()) }()
	var result *Result
	for i := range raw.Loads {
		opt.Progress(i, len(raw.Loads))
		if result, err = replayLoad(ctx, opt, w, raw, i); err != nil {
			return nil, fmt.Errorf("make load %d anew: %w", raw.Loads[i].LoadID, err)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	err = w.Place()
	result.Loads, result.Seconds = len(raw.Loads), opt.Now().Sub(began).Seconds()
	return result, err
}

// replaceable refuses to replace a warehouse that holds what the raw layer lacks: rows, or tables of a person's own. One that cannot be opened may be replaced.
func replaceable(ctx context.Context, warehouse string) error {
	const remedy = ". Take a plain run first, which writes what the stores still hold; or, to lose the rest, use --force"
	if own, err := load.ForeignTables(ctx, warehouse); err == nil && len(own) > 0 {
		return &UsageError{fmt.Sprintf("tables that no run has made would be lost: %s. Copy them to another file first; or, to lose them, use --force", strings.Join(own, ", "))}
	}
	state, err := load.ReadState(ctx, warehouse)
	switch {
	case errors.Is(err, engine.ErrBusy):
		return err
	case err != nil || state.First:
		return nil
	case state.Meta[metaRawGap] != "":
		return &UsageError{"the warehouse holds what the raw layer lacks: runs with --no-raw have loaded it, or files of the layer were lost or found" + remedy}
	}
	missing, err := load.RawMissing(ctx, warehouse)
	if err == nil && len(missing) > 0 {
		return &UsageError{fmt.Sprintf("the warehouse holds what the raw layer lacks: %d of its files are gone or not as they were written, the first is %s", len(missing), missing[0]) + remedy}
	}
	return err
}

// replayLoad makes the i-th load anew.
func replayLoad(ctx context.Context, opt Options, w load.Warehouse, raw *load.RawReader, i int) (*Result, error) {
	of := raw.Loads[i]
	state, err := w.State(ctx)
	if err != nil {
		return nil, err
	}
	state.LastLoadID = of.LoadID - 1
	opt.rebuild, opt.Raw, opt.AcceptDeletes = load.RebuildMore, extract.RawNone, true
	opt.changed = of.Changed
	if i == len(raw.Loads)-1 {
		opt.rebuild = load.RebuildLast
	}
	// Another version of the formats than that of the load before had it read everything.
	opt.Full = of.Full || i > 0 && of.TransformVersion != raw.Loads[i-1].TransformVersion
	opt.SessionGap = time.Duration(of.GapMs) * time.Millisecond
	opt.CommitWindow = cmp.Or(time.Duration(of.WindowMs)*time.Millisecond, DefaultCommitWindow) // files of earlier versions name none
	opt.Now = func() time.Time { return time.UnixMilli(int64(of.StartedAt)) }
	opt.Progress, opt.Phase = func(int, int) {}, func(string) {} // the loads are counted
	var sources []source
	for _, s := range of.Sources {
		snapshot, err := newReplay(ctx, raw, of, s.SourceID)
		if err != nil {
			return nil, err
		}
		src := extract.Source{Name: s.SourceID, UserDir: s.UserDir, OS: s.OS, App: s.App, Workspaces: snapshot.shared.Workspaces}
		sources = append(sources, source{Source: src, id: s.SourceID, host: s.Host, replay: snapshot})
	}
	result, err := attempt(ctx, opt, w, state, sources, map[string]extract.OpenOptions{})
	if err == nil && of.TransformVersion > transform.Version {
		opt.Warn("load %d was made by a newer version of the tool", of.LoadID)
	}
	return result, err
}
