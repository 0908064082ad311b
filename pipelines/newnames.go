package pipelines

import (
	"context"
	"maps"
	"slices"

	"pipeline/extract"
	"pipeline/load"
	"pipeline/pipelines/plan"
	"pipeline/transform"
)

// This file says what is new in Cursor: fields and families of keys that no reader knows and no earlier load has met.

// NewField is a field that no reader knows, and that no earlier load has met.
type NewField struct {
	SourceID string `json:"source_id"`
	Family   string `json:"family"`
	Path     string `json:"path"` // one that ends in * stands for names that are not told apart
	Type     string `json:"type"`
	Rows     int64  `json:"rows"` // documents that hold it
}

// NewFamily is a pattern of keys that no reader knows, and that no earlier load has met.
type NewFamily struct {
	SourceID string `json:"source_id"`
	Family   string `json:"family"`
	Rows     int64  `json:"rows"`
}

// newFamilies asks the warehouse which patterns of unknown keys are new.
func (r *run) newFamilies(ctx context.Context) error {
	var known map[load.FamilyKey]bool
	at := map[load.FamilyKey]int{} // a source may have it in several stores
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

// sharedAnew are the stores of whose shared rows the fields are counted: where they are new or have changed, and all of them where another version
// of the tool counted them last.
func (r *reading) sharedAnew(documents *sharedDocuments) []string {
	last, _ := r.plan.Known(extract.GlobalStore, plan.Rows)
	if r.opt.Full || last.TransformVersion != transform.Version {
		return slices.Collect(maps.Keys(documents.hashes))
	}
	return documents.changed
}
