package extract

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/zeebo/xxh3"
)

// gitSnapshot is the Snapshot of repositories. Each repository is a store. Its rows belong to no conversation: one
// group has its places, and one group for each month has the commits.
type gitSnapshot struct {
	noConversations
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
		d, err := jsonRow(GitStore(r.id), GitTable, FamilyPlace, p.Project, p)
		if err != nil {
			return nil, err
		}
		docs = append(docs, d)
	}
	return looseRows(GitStore(r.id), gitOwner(r.id, "places"), docs), nil
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
	return &Conversation{Store: GitStore(r.id), ID: gitOwner(r.id, month), Loose: true, Fingerprint: sumOf(h),
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
		report := StoreReport{Store: GitStore(r.id), Info: StoreInfo{Path: r.places[0].folder, Method: MethodGit}}
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
