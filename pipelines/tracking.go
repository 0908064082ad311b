package pipelines

import (
	"context"
	"slices"

	"pipeline/extract"
)

// trackingSources are the sources for the databases in which Cursor attributes lines and commits: one for each home
// directory of a wanted source. The user directories of a home share the database, and it is read once.
func trackingSources(opt Options) (out []extract.Source) {
	for _, s := range opt.Sources {
		if s.Tracking == "" || slices.ContainsFunc(out, func(t extract.Source) bool { return t.UserDir == s.Tracking }) {
			continue
		}
		out = append(out, beside(s, extract.AppTracking, s.Tracking))
	}
	return out
}

func (r *reading) openTracking(ctx context.Context, how extract.OpenOptions) (extract.Snapshot, error) {
	snapshot, err := extract.OpenTracking(ctx, r.src.UserDir, how)
	if err != nil {
		return nil, failureOf(r.src, extract.TrackingStore, err)
	}
	return snapshot, nil
}
