package pipelines

import (
	"context"
	"encoding/json"

	"pipeline/sql/schema"
	"pipeline/transform"
)

// signs compares the stores' files with those of the last load, and returns what the warehouse has to remember anew of them.
func (r *reading) signs(ctx context.Context) ([]schema.KnownStore, error) {
	signs := r.plan.Signs(r.snapshot.Stores())
	r.plan.Forced = signs.Forced
	for _, store := range signs.Check {
		if err := r.believe(ctx, store); err != nil {
			return nil, err
		}
	}
	return signs.Stores, nil
}

// rowsUnchanged reports that the rows which are made of what conversations share are those of the last load, since all that they are made of
// is the same, and has the warehouse remember it otherwise.
func (r *reading) rowsUnchanged(documents *sharedDocuments, complete []string) bool {
	text, err := json.Marshal([]any{documents.hashes, complete, transform.Version}) // maps are written in the order of their keys
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
