package pipelines

import (
	"context"
	"encoding/json"

	"pipeline/transform"
)

// signs compares the stores' files with those of the last load.
func (r *reading) signs(ctx context.Context) error {
	signs := r.plan.Signs(r.snapshot.Stores())
	r.plan.Forced = signs.Forced
	for _, store := range signs.Check {
		if err := r.checkIndex(ctx, store); err != nil {
			return err
		}
	}
	return nil
}

// rowsUnchanged reports whether the rows made from shared rows are those of the last load, because everything that they
// are made from is the same. If not, it makes the warehouse store the new state.
func (r *reading) rowsUnchanged(documents *sharedDocuments, complete []string) bool {
	// json writes maps in the order of their keys
	text, err := json.Marshal([]any{documents.hashes, complete, transform.Version})
	if err != nil {
		return false
	}
	now, changed := r.plan.RowsNow(transform.Hash(text))
	if len(documents.changed) == 0 && !changed {
		return true
	}
	r.remember = append(r.remember, now)
	return false
}
