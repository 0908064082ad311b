package pipelines

import (
	"context"
	"slices"

	"pipeline/extract"
)

// plansSources are the folders of plans in the homes of the wanted sources, each once.
func plansSources(opt Options) (out []extract.Source) {
	for _, s := range opt.Sources {
		dir := extract.PlansOf(s)
		if dir == "" || slices.ContainsFunc(out, func(t extract.Source) bool { return t.UserDir == dir }) {
			continue
		}
		out = append(out, beside(s, extract.AppPlans, dir))
	}
	return out
}

func (r *reading) openPlans(context.Context, extract.OpenOptions) (extract.Snapshot, error) {
	return extract.OpenPlans(r.src.UserDir), nil
}
