package push

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"pipeline/load/engine"
	"pipeline/load/tool/sqlrows"
)

// This file removes objects: those that no reader needs, and all of a machine.

// Grace is how long after a checkpoint the objects before it stay: readers that have listed them must end.
const Grace = 7 * 24 * time.Hour

// Removed is what was removed.
type Removed struct {
	Machine string `json:"machine"`
	Commits int    `json:"commits"`
	Objects int    `json:"objects"` // without the commits
	DryRun  bool   `json:"dry_run"`
}

// Collect removes what the newest checkpoint of this machine has made needless, once it is older than grace: the
// commits before it, the oldest first, then their data. It removes the objects of pushes too that were never committed,
// and can be no more, as their number is taken.
func Collect(ctx context.Context, o Options, grace time.Duration) (_ *Removed, err error) {
	p, err := open(ctx, o)
	if err != nil {
		return nil, err
	}
	defer func() { err = p.close(err) }()
	h, err := p.fold(ctx)
	if err != nil {
		return nil, err
	}
	out := &Removed{Machine: p.id.Machine, DryRun: o.DryRun}
	if h.seq == 0 {
		return out, nil
	}
	var old []string
	oldest := h.checkpointFrom
	if !h.checkpointAt.Valid || o.Now.Sub(h.checkpointAt.Time) < grace {
		oldest = 0
	}
	for object, err := range o.Store.List(ctx, p.prefix()+"/commit/", "") {
		if err != nil {
			return nil, err
		}
		if seq, ok := seqOf(filepath.Base(object.Key)); ok && seq < oldest {
			old = append(old, object.Key)
		}
	}
	kept, err := sqlrows.Map[string, bool](ctx, p.conn, fmt.Sprintf(`SELECT DISTINCT push_id, true FROM %s WHERE seq >= %d`,
		p.from, oldest))
	if err != nil {
		return nil, err
	}
	if err := p.remove(ctx, old); err != nil {
		return nil, err
	}
	out.Commits = len(old)
	data, err := p.dataOf(ctx, func(id string, seq int64) bool { return !kept[id] && seq <= h.seq })
	if err != nil {
		return nil, err
	}
	out.Objects = len(data)
	return out, p.remove(ctx, data)
}

// dataOf are the keys of the objects of some pushes, apart from commits.
func (p *pusher) dataOf(ctx context.Context, wanted func(pushID string, seq int64) bool) (keys []string, err error) {
	for object, err := range p.o.Store.List(ctx, p.prefix()+"/push=", "") {
		if err != nil {
			return nil, err
		}
		id, _, _ := strings.Cut(strings.TrimPrefix(object.Key, p.prefix()+"/push="), "/")
		digits, _, _ := strings.Cut(id, "-")
		if seq, ok := seqOf(digits + ".parquet"); ok && wanted(id, seq) {
			keys = append(keys, object.Key)
		}
	}
	return keys, nil
}

func (p *pusher) remove(ctx context.Context, keys []string) error {
	if p.o.DryRun {
		return nil
	}
	for _, key := range keys {
		if err := p.o.Store.Delete(ctx, key); err != nil {
			return err
		}
	}
	return nil
}

// Erase removes all objects of this machine: the commits, with which its rows are gone for readers, then the data. The
// next push begins as another machine.
func Erase(ctx context.Context, o Options) (_ *Removed, err error) {
	p, err := open(ctx, o)
	if err != nil {
		return nil, err
	}
	defer func() { err = p.close(err) }()
	out := &Removed{Machine: p.id.Machine, DryRun: o.DryRun}
	var commits []string
	for object, err := range o.Store.List(ctx, p.prefix()+"/commit/", "") {
		if err != nil {
			return nil, err
		}
		commits = append(commits, object.Key)
	}
	// what is left of an erasure that was interrupted is an earlier state, never one that lacks its base
	slices.Reverse(commits)
	if err := p.remove(ctx, commits); err != nil {
		return nil, err
	}
	data, err := p.dataOf(ctx, func(string, int64) bool { return true })
	if err != nil {
		return nil, err
	}
	if err := p.remove(ctx, data); err != nil {
		return nil, err
	}
	out.Commits, out.Objects = len(commits), len(data)
	if o.DryRun {
		return out, nil
	}
	return out, os.RemoveAll(p.cache)
}

// Forget gives the warehouse another identity: what the old one has pushed is no longer its own.
func Forget(ctx context.Context, o Options) error {
	o.NewMachine = true
	_, err := identify(ctx, o)
	return err
}

// withdraw adds conversations to those that never leave this machine.
func withdraw(known string, ids []string) string {
	all := strings.Fields(known)
	for _, id := range ids {
		if !slices.Contains(all, id) {
			all = append(all, id)
		}
	}
	return strings.Join(all, " ")
}

// denyWithdrawn adds the withdrawn conversations to _push_denied.
func (p *pusher) denyWithdrawn(ctx context.Context) error {
	for _, id := range strings.Fields(p.id.Withdrawn) {
		if err := p.exec(ctx, `INSERT INTO _push_denied VALUES (`+engine.Literal(id)+`)`); err != nil {
			return err
		}
	}
	return nil
}
