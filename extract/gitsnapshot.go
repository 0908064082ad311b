package extract

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"runtime"
	"slices"
	"time"

	"github.com/zeebo/xxh3"
)

// OpenGit lists the commits of the repositories that some folders are in. known maps the repositories that earlier
// loads have read to the time from which they were read. What cannot be read becomes a note of the snapshot, not an
// error.
func OpenGit(ctx context.Context, folders []GitFolder, known map[string]time.Time, o OpenOptions) (_ Snapshot,
	notes []string, err error) {
	if err := findGit(ctx, runtime.GOOS); err != nil {
		return nil, nil, cmp.Or(ctx.Err(), err)
	}
	f := &gitFinder{ctx: ctx, goos: runtime.GOOS, known: known, found: map[string]*repository{},
		ids: map[string]string{}}
	for _, folder := range folders {
		f.look(folder)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
	}
	s := &gitSnapshot{}
	for _, r := range f.found {
		err := o.Skip[gitStore(r.id)]
		if err == nil {
			err = r.list(ctx)
		}
		switch {
		case ctx.Err() != nil:
			return nil, nil, ctx.Err()
		case err != nil:
			f.note("the repository in %s cannot be read: %v", r.places[0].folder, err)
		default:
			s.repositories = append(s.repositories, r)
		}
	}
	slices.SortFunc(s.repositories, func(a, b *repository) int { return cmp.Compare(a.id, b.id) })
	if f.outside+f.gone > 0 {
		f.note("of %d projects' folders %d are in no repository and %d are not on this machine: there are no commits "+
			"of these", len(folders), f.outside, f.gone)
	}
	return s, f.Notes, nil
}

// gitSnapshot is the Snapshot of repositories. Each repository is a store. Its rows belong to no conversation: one
// group has its places, and one group for each month has the commits.
type gitSnapshot struct {
	StillSnapshot
	repositories []*repository
}

// Conversations yields the places of each repository, then its months. The commits of a month are read only when its
// Parts are ranged over.
func (s *gitSnapshot) Conversations(ctx context.Context) iter.Seq2[*Conversation, error] {
	return func(yield func(*Conversation, error) bool) {
		for _, r := range s.repositories {
			places, err := r.placeRows()
			if !yield(places, err) || err != nil {
				return
			}
			for _, month := range slices.Sorted(maps.Keys(r.months)) {
				if !yield(r.month(ctx, month), nil) {
					return
				}
			}
		}
	}
}

// placeRows makes the rows of the folders in which the repository was found.
func (r *repository) placeRows() (*Conversation, error) {
	var docs []*Document
	slices.SortFunc(r.places, func(a, b gitPlace) int { return cmp.Compare(a.Project, b.Project) })
	for i, p := range r.places {
		if i > 0 && p.Project == r.places[i-1].Project {
			continue
		}
		d, err := jsonRow(gitStore(r.id), gitTable, FamilyPlace, p.Project, p)
		if err != nil {
			return nil, err
		}
		docs = append(docs, d)
	}
	return looseRows(gitStore(r.id), "places", docs), nil
}

// month makes the rows of a month's commits. A commit's hash covers all its content, so the hashes alone show whether
// anything changed.
func (r *repository) month(ctx context.Context, month string) *Conversation {
	commits := r.months[month]
	h := xxh3.New()
	byFolder := map[string][]string{}
	for _, c := range commits {
		hashText(h, c.hash)
		byFolder[c.folder] = append(byFolder[c.folder], c.hash)
	}
	return &Conversation{Store: gitStore(r.id), ID: month, Loose: true, Fingerprint: sumOf(h),
		rows: len(commits), Parts: func(yield func(*Document, error) bool) {
			for _, folder := range slices.Sorted(maps.Keys(byFolder)) {
				if !r.read(ctx, folder, byFolder[folder], yield) {
					return
				}
			}
		}}
}

func (s *gitSnapshot) Stores() []StoreReport {
	var out []StoreReport
	for _, r := range s.repositories {
		report := StoreReport{Store: gitStore(r.id), Info: StoreInfo{Path: r.places[0].folder, Method: methodGit}}
		for _, commits := range r.months {
			report.RowsSeen += int64(len(commits))
		}
		for _, folder := range slices.Sorted(maps.Keys(r.lacks)) {
			report.Info.Warnings = append(report.Info.Warnings,
				fmt.Sprintf("not every file of its commits is here, so that not all that they changed is known (%v)",
					r.lacks[folder]))
		}
		out = append(out, report)
	}
	return out
}
