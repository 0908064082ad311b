package pipelines

import (
	"context"
	"slices"

	"pipeline/extract"
	"pipeline/transform"
)

// usageSources are the folders with the files of usage that a run was given.
func usageSources(opt Options) (out []extract.Source) {
	for _, f := range opt.Usage {
		out = append(out, extract.Source{UserDir: f.Dir, App: extract.AppUsage})
	}
	return out
}

func (r *reading) openUsage(context.Context, extract.OpenOptions) (extract.Snapshot, error) {
	i := slices.IndexFunc(r.opt.Usage, func(f extract.UsageFiles) bool { return f.Dir == r.src.UserDir })
	if i < 0 {
		return nil, nil
	}
	return extract.OpenUsage(r.opt.Usage[i], transform.UsageRows), nil
}
