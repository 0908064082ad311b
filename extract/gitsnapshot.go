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

// gitSnapshot is the Snapshot of repositories: each is a store, and its commits of a month are rows of no conversation, as its places are.
type gitSnapshot struct {
	noConversations
	repositories []*repository
}

// Conversations yields the places of each repository, then its months. Of a month that has the commits that it had, no commit is read.
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

// placeRows are where a repository is.
func (r *repository) placeRows() (*Conversation, error) {
	var docs []*Document
	slices.SortFunc(r.places, func(a, b gitPlace) int { return cmp.Compare(a.Project, b.Project) })
	for i, p := range r.places {
		if i > 0 && p.Project == r.places[i-1].Project {
			continue
		}
		d, err := gitDocument(r.id, FamilyPlace, p.Project, p)
		if err != nil {
			return nil, err
		}
		docs = append(docs, d)
	}
	return &Conversation{Store: GitStore(r.id), ID: gitOwner(r.id, "places"), Loose: true, Fingerprint: HashDocuments(docs), rows: len(docs),
		Parts: func(yield func(*Document, error) bool) {
			for _, d := range docs {
				if !yield(d, nil) {
					return
				}
			}
		}}, nil
}

// month are the commits of a month. A commit's hash is of all that it is, so that the hashes alone say whether anything changed.
func (r *repository) month(ctx context.Context, month string) *Conversation {
	commits := r.months[month]
	h := xxh3.New()
	byFolder := map[string][]string{}
	for _, c := range commits {
		hashText(h, c.hash)
		byFolder[c.folder] = append(byFolder[c.folder], c.hash)
	}
	return &Conversation{Store: GitStore(r.id), ID: gitOwner(r.id, month), Loose: true, Fingerprint: sumOf(h), rows: len(commits),
		Parts: func(yield func(*Document, error) bool) {
			for _, folder := range slices.Sorted(maps.Keys(byFolder)) {
				if !r.read(ctx, folder, byFolder[folder], yield) {
					return
				}
			}
		}}
}

func (s *gitSnapshot) Verify() error { return nil }

func (s *gitSnapshot) Close() error { return nil }

func (s *gitSnapshot) Stores() []StoreReport {
	var out []StoreReport
	for _, r := range s.repositories {
		report := StoreReport{Store: GitStore(r.id), Info: StoreInfo{Path: r.places[0].folder, Method: MethodGit}}
		for _, commits := range r.months {
			report.RowsSeen += int64(len(commits))
		}
		for _, folder := range slices.Sorted(maps.Keys(r.lacks)) {
			report.Info.Warnings = append(report.Info.Warnings, fmt.Sprintf("not every file of its commits is here, so that not all that they changed is known (%v)", r.lacks[folder]))
		}
		out = append(out, report)
	}
	return out
}
