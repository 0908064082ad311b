package pipelines

import (
	"context"

	"pipeline/extract"
)

// trackingSources are the sources for the databases in which Cursor attributes lines and commits.
func trackingSources(opt Options) []extract.Source {
	return besideEach(opt, extract.AppTracking, extract.TrackingOf)
}

func (r *reading) openTracking(ctx context.Context, how extract.OpenOptions) (extract.Snapshot, error) {
	snapshot, err := extract.OpenTracking(ctx, r.src.UserDir, how)
	if err != nil {
		return nil, failureOf(r.src, extract.TrackingStore, err)
	}
	return snapshot, nil
}
