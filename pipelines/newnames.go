package pipelines

import (
	"context"
	"maps"
	"slices"

	"pipeline/extract"
	"pipeline/load"
	"pipeline/transform"
)

// This file reports what is new in Cursor: fields and key families that this version does not know and that no earlier
// load has found.

// NewField is a field that this version does not know and that no earlier load has found.
type NewField struct {
	SourceID string `json:"source_id"`
	Family   string `json:"family"`
	Path     string `json:"path"` // a path that ends in * stands for several names
	Type     string `json:"type"`
	Rows     int64  `json:"rows"` // number of documents with it
}

// NewFamily is a pattern of keys that this version does not know and that no earlier load has found.
type NewFamily struct {
	SourceID string `json:"source_id"`
	Family   string `json:"family"`
	Rows     int64  `json:"rows"`
}

// newFamilies asks the warehouse which patterns of unknown keys are new.
func (r *run) newFamilies(ctx context.Context) error {
	var known map[load.FamilyKey]bool
	at := map[load.FamilyKey]int{} // several stores of a source may have it
	for _, f := range r.result.families {
		if f.Handling != string(extract.Unknown) {
			continue
		}
		if known == nil {
			var err error
			if known, err = r.past.UnknownFamilies(ctx); err != nil {
				return err
			}
		}
		key := load.FamilyKey{SourceID: f.SourceID, Family: f.Family}
		if known[key] {
			continue
		}
		i, again := at[key]
		if !again {
			i = len(r.result.NewFamilies)
			at[key] = i
			r.result.NewFamilies = append(r.result.NewFamilies, NewFamily{SourceID: f.SourceID, Family: f.Family})
		}
		r.result.NewFamilies[i].Rows += f.Rows
	}
	return nil
}

// sharedAnew are the stores in whose shared rows the fields are counted: new or changed ones, or all if another version
// of the tool counted them last.
func (r *reading) sharedAnew(documents *sharedDocuments) []string {
	last := r.state.Known[r.plan.Tables()]
	if r.opt.Full || last.TransformVersion != transform.Version {
		return slices.Collect(maps.Keys(documents.hashes))
	}
	return documents.changed
}
