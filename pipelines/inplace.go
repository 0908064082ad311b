package pipelines

import (
	"context"

	"pipeline/extract"
)

// open takes a snapshot of the source and compares values. ok is false if none of its stores could be read.
func (r *reading) open(ctx context.Context, how extract.OpenOptions) (ok bool, err error) {
	how.Depth = r.plan.Depth
	kept := keptNodes{r: r}
	how.Kept = func(own []*extract.Document, name string) (*extract.Document, error) {
		return kept.node(ctx, own, name)
	}
	snapshot, err := r.src.open(ctx, how)
	switch {
	case err == nil:
		r.begin(ctx, snapshot)
		return true, nil
	case ctx.Err() != nil:
		return false, ctx.Err()
	}
	r.result.unreadable(r.src, err)
	return false, nil
}

// InPlace counts rows that were overwritten under their old rowid.
type InPlace struct {
	Conversations int64 `json:"conversations"`
	// groups of rows without a conversation, and rows that only the raw layer keeps
	Others int64 `json:"other_rows"`
}

func (r *Result) overwritten(conversation bool) {
	if r.InPlace == nil {
		r.InPlace = &InPlace{}
	}
	if conversation {
		r.InPlace.Conversations++
	} else {
		r.InPlace.Others++
	}
}
