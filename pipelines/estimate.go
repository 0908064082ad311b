package pipelines

import (
	"fmt"
	"os"

	"pipeline/load"
	"pipeline/sql/schema"
	"pipeline/transform/prices"
)

// prices is the price list that a load estimates with; nil: it estimates nothing.
func (o Options) prices(last *load.State) []schema.ModelPrice {
	switch {
	case o.Estimate != nil && !*o.Estimate:
		return nil
	case len(o.Prices) > 0:
		return o.Prices
	case o.Estimate != nil:
		return prices.Default()
	}
	return last.Prices
}

// ReadPrices reads a price list from a file. An error names the file, and what is wrong in which line.
func ReadPrices(path string) (_ []schema.ModelPrice, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("prices: %w", err)
	}
	defer f.Close()
	list, err := prices.Parse(f)
	if err != nil {
		return nil, fmt.Errorf("prices %s: %w", path, err)
	}
	return list, nil
}
