package search

import (
	"context"
	"errors"
	"time"

	"pipeline/load/engine"
	"pipeline/load/reader"
)

// indexTime is how long it may take to bring the index up to date for an answer that somebody waits for.
const indexTime = 8 * time.Second

// Soon searches by the index if there is one that is soon up to date, and without it otherwise. It makes no index. how
// says which, for people. The caller must not have the warehouse open: while this process reads the file, nothing else
// in it may open and close it, because that ends the system's lock on it.
func Soon(ctx context.Context, warehouse, words string, o Options) (found Found, how string, err error) {
	how = "there is no index ('pipeline search WORDS' makes one): "
	if Exists(warehouse) {
		var late bool
		found, late, err = byIndex(ctx, warehouse, words, o)
		if err == nil || ctx.Err() != nil || !errors.Is(err, engine.ErrBusy) && !late {
			return found, "by the index, the best first", err
		}
		how = "the index is not up to date yet: "
	}
	r, err := reader.OpenBeside(ctx, warehouse)
	if err != nil {
		return found, how, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	found, err = scan(ctx, r, words, o)
	return found, how + "the texts were scanned, what was said first", err
}

// byIndex reports in late that the index could not be brought up to date in time.
func byIndex(ctx context.Context, warehouse, words string, o Options) (found Found, late bool, err error) {
	opening, done := context.WithTimeout(ctx, indexTime)
	defer done()
	s, err := Open(opening, warehouse, nil)
	if err != nil {
		return found, opening.Err() != nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	found, err = s.Find(ctx, words, o)
	return found, false, err
}
