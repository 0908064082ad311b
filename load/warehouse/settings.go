package warehouse

import (
	"context"
	"errors"
)

// KeepSettings stores settings in a warehouse that exists (table _meta), in a transaction of their own. It returns
// ErrBusy while a run has the warehouse.
func KeepSettings(ctx context.Context, path string, settings map[string]string) (err error) {
	w, err := Open(ctx, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	if err := w.s.Begin(ctx); err != nil {
		return err
	}
	for key, value := range settings {
		if err := w.s.Keep(ctx, key, value); err != nil {
			return w.s.Undo(ctx, err)
		}
	}
	if err := w.s.Exec(ctx, `COMMIT`); err != nil {
		return err
	}
	return w.PutInPlace()
}
