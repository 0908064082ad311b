package pipelines

import (
	"context"

	"pipeline/extract"
)

// plansSources are the folders of plans in the homes of the wanted sources.
func plansSources(opt Options) []extract.Source {
	return besideEach(opt, extract.AppPlans, extract.PlansOf)
}

func (r *reading) openPlans(context.Context, extract.OpenOptions) (extract.Snapshot, error) {
	return extract.OpenPlans(r.src.UserDir), nil
}
