package pipelines

import (
	"context"
	"errors"
	"fmt"

	"pipeline/load"
	"pipeline/transform"
)

// DryRun says what a run would load. It takes no lock and changes nothing.
func DryRun(ctx context.Context, opt Options) (*Result, error) {
	opt = opt.withDefaults()
	state, err := load.ReadState(ctx, opt.Warehouse)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", opt.Warehouse, err)
	}
	r := &run{opt: opt, state: state, result: newResult(opt, state)}
	r.result.Status = "dry_run"
	opened := 0
	for _, src := range identify(opt, state) {
		ok, err := r.preview(ctx, src)
		if err != nil {
			return nil, err
		}
		if ok {
			opened++
		}
	}
	if opened == 0 {
		return nil, &SourceError{r.result.failures()}
	}
	r.result.Seconds = opt.Now().Sub(r.result.started).Seconds()
	return r.result, r.projectFound()
}

// preview compares one source with what the warehouse knows.
func (r *run) preview(ctx context.Context, src source) (ok bool, err error) {
	snapshot, err := src.Open(ctx, nil)
	if err != nil {
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		r.result.unreadable(src, err)
		return false, nil
	}
	defer func() { err = errors.Join(err, snapshot.Close()) }()
	normalizer := &transform.Normalizer{SourceID: src.id, Shared: transform.ReadShared(src.id, snapshot.Shared())}
	seen := map[string]string{}
	counts := &r.result.Conversations
	err = r.read(ctx, src, snapshot, normalizer, seen, func(j *job, _ bool) error {
		key := load.ConversationKey{SourceID: src.id, Store: j.conv.Store, ConversationID: j.conv.ID}
		if j.conv.ID != "" {
			if _, known := r.state.Known[key]; known {
				counts.Changed++
			} else {
				counts.New++
			}
		}
		for d, err := range j.conv.Parts {
			if err != nil {
				return err
			}
			r.result.Bytes += d.Bytes
		}
		if j.conv.Head != nil {
			r.result.Bytes += j.conv.Head.Bytes
		}
		return nil
	})
	if err != nil {
		return false, err
	}
	stores := snapshot.Stores()
	r.result.addStores(src, stores)
	complete := completeStores(src, stores)
	for key := range r.state.Known {
		if _, still := seen[key.ConversationID]; key.SourceID == src.id && key.ConversationID != "" && !still && complete.is(key.Store) && !r.opt.narrowed() {
			counts.Deleted++
		}
	}
	counts.Unchanged = int64(r.result.seen) - counts.New - counts.Changed - r.result.LeftOut
	return true, snapshot.Verify()
}
