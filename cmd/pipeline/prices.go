package main

import (
	"github.com/urfave/cli/v2"

	"pipeline/transform/prices"
)

func pricesCommand() *cli.Command {
	return &cli.Command{
		Name:  "prices",
		Usage: "print the price list that estimates are made with",
		Description: `Prints the program's list as CSV: US dollars for a million tokens, by model, and the day from which on a price is valid. A model without a line of its own has that of the
longest name that it begins with, up to a hyphen. To use other prices, change a copy and name it with --prices. Which list a warehouse has is in its table model_prices.

Examples:
   pipeline prices > prices.csv
   pipeline run --prices prices.csv`,
		Action: func(c *cli.Context) error {
			_, err := c.App.Writer.Write(prices.Own())
			return err
		},
	}
}
