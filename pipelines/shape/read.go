package shape

import (
	"context"
	"errors"

	"pipeline/extract"
	"pipeline/transform"
)

// tries is how often a source is read that changes meanwhile, the last time from private copies.
const tries = 3

// Of reads the sources as a run does, and describes them. The databases in which Cursor attributes lines are sources of
// their own.
func Of(ctx context.Context, sources []extract.Source) (*Shape, error) {
	out := &Shape{Version: Version, Sources: []Source{}}
	tracking := map[string]bool{}
	for _, src := range sources {
		s, err := describe(ctx, src.App, src.OS, func(how extract.OpenOptions) (extract.Snapshot, error) {
			if src.App == extract.AppCLI {
				how.Graph = transform.FindNodes // elsewhere the nodes are read with all other rows
			}
			return src.Open(ctx, how)
		})
		if err != nil {
			return nil, err
		}
		out.Sources = append(out.Sources, *s)
		if src.Tracking == "" || tracking[src.Tracking] {
			continue
		}
		tracking[src.Tracking] = true
		s, err = describe(ctx, extract.AppTracking, src.OS, func(how extract.OpenOptions) (extract.Snapshot, error) {
			return extract.OpenTracking(ctx, src.Tracking, how)
		})
		if err != nil {
			return nil, err
		}
		out.Sources = append(out.Sources, *s)
	}
	return out, nil
}

// describe reads a source until it stood still meanwhile. A source of which nothing can be read says only that.
func describe(ctx context.Context, kind, os string, open func(extract.OpenOptions) (extract.Snapshot, error)) (*Source,
	error) {
	how := extract.OpenOptions{Every: true, Skip: map[string]error{}, Copy: map[string]bool{},
		Salvage: map[string]bool{}}
	for try := 1; ; try++ {
		d := newDescribing()
		how.Marks = d.mark
		snapshot, err := open(how)
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			s := newDescribing().source(kind, os, nil)
			s.Unreadable = 1
			return &s, nil
		}
		err = d.read(ctx, snapshot)
		reports := snapshot.Stores()
		err = errors.Join(err, snapshot.Close())
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err == nil || try > tries:
			d.counts(reports)
			s := d.source(kind, os, reports)
			if err != nil {
				s.Unreadable++
			}
			return &s, nil
		}
		again(&how, reports, err, try)
	}
}

// again says how stores are read after an error.
func again(how *extract.OpenOptions, reports []extract.StoreReport, err error, try int) {
	var slow *extract.OverBudgetError
	switch {
	case errors.As(err, &slow):
		how.Copy[slow.Store] = true
	case errors.Is(err, extract.ErrTorn) && try < tries:
	default:
		for _, r := range reports {
			how.Copy[r.Store], how.Salvage[r.Store] = true, extract.IsDamage(err)
		}
	}
}

// read counts every row, one after the other.
func (d *describing) read(ctx context.Context, snapshot extract.Snapshot) error {
	shared := snapshot.Shared()
	for _, w := range shared.Workspaces {
		if w.JSON != nil {
			d.row(&extract.Document{Store: extract.WorkspaceStore(w.ID), Table: extract.FileTable,
				Family: "workspace.json", Type: "text", Value: w.JSON})
		}
	}
	for _, rows := range [][]*extract.Document{shared.Headers, shared.Items} {
		for _, doc := range rows {
			d.row(doc)
		}
	}
	for conv, err := range snapshot.Conversations(ctx) {
		if err != nil {
			return err
		}
		err := d.conversation(conv)
		if chats, ok := snapshot.(interface{ Leave(string, error) bool }); ok && err != nil &&
			chats.Leave(conv.Store, err) {
			continue // Stores has the error
		}
		if err != nil {
			return err
		}
	}
	for row, err := range snapshot.KeptRows(ctx, func(extract.KeptFamily) bool { return true }) {
		if err != nil {
			return err
		}
		doc, err := row.Read(ctx)
		if err != nil {
			return err
		}
		if doc != nil {
			d.row(doc)
		}
	}
	return snapshot.Verify()
}

func (d *describing) conversation(conv *extract.Conversation) error {
	if err := conv.LoadHead(); err != nil {
		return err
	}
	if conv.Head != nil {
		d.row(conv.Head)
	}
	for doc, err := range conv.Parts {
		if err != nil {
			return err
		}
		d.row(doc)
	}
	return nil
}
