package pipelines

import (
	"cmp"
	"fmt"
	"os"

	"pipeline/load"
	"pipeline/sql/schema"
	"pipeline/transform/prices"
)

// metaPrices is the setting that says whose price list a warehouse has.
const (
	metaPrices = "prices_of"
	ownPrices  = "program" // newer versions of the program have newer ones
	filePrices = "file"
)

// prices is the price list that a load estimates with; nil: it estimates nothing. A list of a person's stays until
// there is another of theirs; the program's is replaced by that of a newer version.
func (o Options) prices(last *load.State) []schema.ModelPrice {
	switch {
	case o.Estimate != nil && !*o.Estimate:
		return nil
	case len(o.Prices) > 0:
		return o.Prices
	case len(last.Prices) > 0 && last.Meta[metaPrices] == filePrices:
		return last.Prices
	case o.Estimate != nil || len(last.Prices) > 0:
		return prices.Default()
	}
	return nil
}

// pricesOf says whose list that is.
func (o Options) pricesOf(last *load.State) string {
	if len(o.Prices) > 0 {
		return filePrices
	}
	return cmp.Or(last.Meta[metaPrices], ownPrices)
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
