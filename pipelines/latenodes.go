package pipelines

import (
	"context"
	"slices"

	"pipeline/extract"
	"pipeline/sql/schema"
)

// This file finds nodes of the agent's graph that come after the rows that lead to them: no row of their conversation
// changes then. Of what a conversation lacked at the last run, the quarantine knows the names.

// mayHaveCome reports whether a store has something under the name of a node that a conversation lacked. A chat of the
// command line has a store of its own, whose files tell.
func (r *reading) mayHaveCome(ctx context.Context, key schema.OwnerKey) (bool, error) {
	missing := r.state.Quarantined[key].Missing
	s, ok := r.snapshot.(interface {
		HasNode(ctx context.Context, store string, names []string) (bool, error)
	})
	if missing == nil || !ok {
		return false, nil
	}
	return s.HasNode(ctx, key.Store, missing)
}

// hasCome reports whether a conversation that was read has a node that it lacked.
func (r *reading) hasCome(c *candidate) bool {
	missing := r.state.Quarantined[c.Key].Missing
	if missing == nil {
		return false
	}
	for d, err := range c.conv.Parts {
		if err != nil {
			return false // whoever reads it next gets the error, too
		}
		if d.IsNode() && d.Problem != extract.ProblemTooLarge && d.Problem != extract.ProblemCorrupt &&
			slices.Contains(missing, d.ID) {
			return true
		}
	}
	return false
}
