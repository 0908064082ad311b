package inspect

import (
	"context"
	"errors"

	"pipeline/load/engine"
	"pipeline/load/rawindex"
)

// RawMissing is rawindex.Missing of a warehouse that is not open.
func RawMissing(ctx context.Context, warehouse string) (missing []string, err error) {
	db, conn, err := engine.Open(ctx, warehouse, true)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, conn.Close(), db.Close()) }()
	return rawindex.Missing(ctx, conn, warehouse)
}
