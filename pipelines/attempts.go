package pipelines

import (
	"context"
	"errors"

	"pipeline/extract"
	"pipeline/load/engine"
	"pipeline/sql/schema"
	"pipeline/transform"
)

// tornTries is how often a run starts again because the same store changed while it was read in place.
const tornTries = 3

// attempts is what a run has learned about its stores from failed attempts.
type attempts struct {
	how  map[string]extract.OpenOptions // by source
	torn map[string]int                 // number of failures by path of a store
	left map[schema.OwnerKey]error      // conversations that made this program fail
	warn func(format string, args ...any)
}

func newAttempts(opt Options, sources []source) *attempts {
	a := &attempts{how: map[string]extract.OpenOptions{}, torn: map[string]int{},
		left: map[schema.OwnerKey]error{}, warn: opt.Warn}
	for _, src := range sources {
		a.how[src.id] = extract.OpenOptions{Skip: map[string]error{}, Copy: map[string]bool{},
			Salvage: map[string]bool{}, Graph: transform.FindNodes}
	}
	return a
}

// until tries until the readable stores are read.
func (a *attempts) until(ctx context.Context, try func(how map[string]extract.OpenOptions) (*Result, error)) (*Result,
	error) {
	for {
		result, err := try(a.how)
		if err == nil || ctx.Err() != nil || engine.OutOfMemory(err) || !a.again(err) {
			return result, err
		}
	}
}

// again notes how to read the store that failed, and reports whether another attempt makes sense. In the end the store
// is left out.
func (a *attempts) again(err error) bool {
	var failed *storeFailure
	var slow *extract.OverBudgetError
	var d *defect
	if errors.As(err, &d) {
		return a.leave(d)
	}
	if !errors.As(err, &failed) {
		return false
	}
	how := a.how[failed.source]
	torn := errors.Is(err, extract.ErrTorn)
	if torn {
		a.torn[failed.path]++
	}
	switch {
	case torn && a.torn[failed.path] < tornTries:
		a.warn("%s changed while it was read; reading again", failed.path)
	case torn && !how.Copy[failed.store]:
		a.warn("%s changes all the time; reading a private copy", failed.path)
		how.Copy[failed.store] = true
	case errors.As(err, &slow) && !how.Copy[slow.Store]:
		a.warn("%v; reading a private copy", err)
		how.Copy[slow.Store] = true
	case extract.IsDamage(err) && !how.Salvage[failed.store]:
		a.warn("%s is damaged; reading what is left of it from a private copy", failed.path)
		how.Salvage[failed.store] = true
	case how.Skip[failed.store] == nil:
		how.Skip[failed.store] = failed.err
	default:
		return false
	}
	return true
}

// leave notes what made this program fail, to be left as it is: a conversation, or the store if that is not known or
// there are many.
func (a *attempts) leave(d *defect) bool {
	skip := a.how[d.key.SourceID].Skip
	switch {
	case d.isOne && a.left[d.key] == nil && len(a.left) < mostDefects:
		a.left[d.key] = d
	case skip[d.key.Store] == nil:
		skip[d.key.Store] = d
	default:
		return false
	}
	a.warn("%v; reading again without it", d)
	return true
}

// storeFailure is a store that failed while it was read: the run starts again without it.
type storeFailure struct {
	source, store, path string
	err                 error
}

func (f *storeFailure) Error() string { return f.err.Error() }
func (f *storeFailure) Unwrap() error { return f.err }

func failureOf(src source, store string, err error) error {
	var known *extract.StoreError
	var slow *extract.OverBudgetError
	switch {
	case errors.As(err, &known):
		return &storeFailure{src.id, store, known.Path, err}
	case errors.As(err, &slow):
		return &storeFailure{src.id, slow.Store, slow.Store, err}
	}
	return err
}

// storeAt finds the store of an error by its path.
func storeAt(snapshot extract.Snapshot, err error) string {
	var known *extract.StoreError
	if errors.As(err, &known) {
		for _, s := range snapshot.Stores() {
			if s.Info.Path == known.Path {
				return s.Store
			}
		}
	}
	return extract.GlobalStore
}
