package warehouse

import (
	"context"
	dbsql "database/sql"
	"reflect"

	"pipeline/load"
	"pipeline/load/engine"
	"pipeline/load/session"
	"pipeline/load/tokens"
	"pipeline/load/tool/sqlrows"
	"pipeline/sql/schema"
)

// This file is about estimates: the price list (table model_prices), without which a load estimates nothing, and what
// counts tokens.

// repriced reports whether the load has another price list than the last one.
func (t *Load) repriced() bool {
	return len(t.settings.Prices)+len(t.settings.PricesBefore) > 0 &&
		!reflect.DeepEqual(t.settings.Prices, t.settings.PricesBefore)
}

// beginEstimates prepares for the model of estimates. Without a price list the load forgets them.
func (t *Load) beginEstimates(ctx context.Context) error {
	if t.repriced() {
		if err := session.List(ctx, t.w.s, t.settings.Memory.Batch, "_prices", t.settings.Prices); err != nil {
			return err
		}
		if err := t.exec(ctx,
			`DELETE FROM model_prices; INSERT INTO model_prices BY NAME FROM temp._prices; DROP TABLE temp._prices`); err != nil {
			return err
		}
	}
	if len(t.settings.Prices) == 0 {
		return t.exec(ctx, `DELETE FROM turn_estimates`)
	}
	return engine.Define(ctx, t.w.s.Conn, "count_tokens", func(text string) (int64, error) {
		n, err := tokens.Count(text)
		return int64(n), err
	})
}

// readPrices reads the price list into the state.
func readPrices(ctx context.Context, conn *dbsql.Conn, s *load.State) (err error) {
	s.Prices, err = sqlrows.Of[schema.ModelPrice](ctx, conn, "model_prices ORDER BY model, valid_from NULLS FIRST")
	return err
}
