// Package prices has the price list that estimates are made with, and reads one that a person has written.
//
// A list is CSV: model, from (the day from which on a price is valid; empty: it always was), input, cache_write,
// cache_read and output in US dollars for a million tokens (empty: not known), and source, where the price was
// published. Lines that begin with # are comments. The package must never know what a turn took: package sql prices it.
package prices

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"pipeline/sql/schema"
)

//go:embed prices.csv
var own []byte

// Own is the program's list, as CSV.
func Own() []byte { return own }

// Default is the program's list, by model and day.
func Default() []schema.ModelPrice {
	list, err := Parse(bytes.NewReader(own))
	if err != nil {
		panic(fmt.Sprintf("prices.csv: %v", err)) // a test parses it
	}
	return list
}

// maxList is the most bytes of a list.
const maxList = 4 << 20

// mostDollars is the highest price of a million tokens: one above it is taken for another unit.
const mostDollars = 1_000_000

// column is a column of a list.
type column struct {
	name   string
	needed bool // a list must have it
	read   func(p *schema.ModelPrice, text string) error
}

var columns = []column{
	{"model", true, func(p *schema.ModelPrice, text string) error {
		if p.Model = text; text == "" {
			return errors.New("is empty: name the model as Cursor records it")
		}
		return nil
	}},
	{"from", false, func(p *schema.ModelPrice, text string) error {
		if text == "" {
			return nil
		}
		if _, err := time.Parse(time.DateOnly, text); err != nil {
			return fmt.Errorf("%q is no day: write it as 2026-03-01", text)
		}
		day := schema.Date(text)
		p.ValidFrom = &day
		return nil
	}},
	{"input", true, dollars(func(p *schema.ModelPrice) **float64 { return &p.InputUsd })},
	{"cache_write", false, dollars(func(p *schema.ModelPrice) **float64 { return &p.CacheWriteUsd })},
	{"cache_read", false, dollars(func(p *schema.ModelPrice) **float64 { return &p.CacheReadUsd })},
	{"output", true, dollars(func(p *schema.ModelPrice) **float64 { return &p.OutputUsd })},
	{"source", false, func(p *schema.ModelPrice, text string) error {
		if text != "" {
			p.Origin = &text
		}
		return nil
	}},
}

// dollars reads a price into a field.
func dollars(field func(*schema.ModelPrice) **float64) func(*schema.ModelPrice, string) error {
	return func(p *schema.ModelPrice, text string) error {
		if text == "" {
			return nil
		}
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(v) || v < 0 || v > mostDollars {
			return fmt.Errorf("%q is no price: write US dollars for a million tokens, such as 1.25", text)
		}
		*field(p) = &v
		return nil
	}
}

// Parse reads a list, and returns it by model and day. An error says what is wrong in which line.
func Parse(r io.Reader) ([]schema.ModelPrice, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxList+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxList {
		return nil, fmt.Errorf("a price list has at most %d bytes", maxList)
	}
	rows := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff"))))
	rows.Comment, rows.TrimLeadingSpace = '#', true
	header, err := rows.Read()
	if err == io.EOF {
		return nil, errors.New("is empty: the first line names the columns " +
			"model,from,input,cache_write,cache_read,output,source")
	}
	if err != nil {
		return nil, err
	}
	places, err := placesOf(header)
	if err != nil {
		return nil, err
	}
	var list []schema.ModelPrice
	lines := map[string]int{}
	for {
		fields, err := rows.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err // it names the line
		}
		line, _ := rows.FieldPos(0)
		p, err := parseLine(fields, places)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		key := strings.ToLower(p.Model) + "\n" + dayOf(p)
		if first, twice := lines[key]; twice {
			return nil, fmt.Errorf("line %d: %s has a price from that day already, in line %d", line, p.Model, first)
		}
		lines[key], list = line, append(list, p)
	}
	if len(list) == 0 {
		return nil, errors.New("has no price: write a line for each model below the names of the columns")
	}
	slices.SortFunc(list, func(a, b schema.ModelPrice) int {
		return cmp.Or(strings.Compare(a.Model, b.Model), strings.Compare(dayOf(a), dayOf(b)))
	})
	return list, nil
}

// dayOf is the day from which on a price is valid; "" for always.
func dayOf(p schema.ModelPrice) string {
	if p.ValidFrom == nil {
		return ""
	}
	return string(*p.ValidFrom)
}

// placesOf are the places of the columns in a line, by their place in columns; -1: the list lacks the column.
func placesOf(header []string) (places []int, err error) {
	for i, name := range header {
		header[i] = strings.ToLower(strings.TrimSpace(name))
		switch known := slices.ContainsFunc(columns, func(c column) bool { return c.name == header[i] }); {
		case !known:
			return nil, fmt.Errorf("column %q is not known: there are model, from, input, cache_write, cache_read, "+
				"output and source", name)
		case slices.Index(header, header[i]) < i:
			return nil, fmt.Errorf("column %q is there twice", name)
		}
	}
	for _, c := range columns {
		place := slices.Index(header, c.name)
		if place < 0 && c.needed {
			return nil, fmt.Errorf("column %q is missing: the first line names the columns", c.name)
		}
		places = append(places, place)
	}
	return places, nil
}

// parseLine is the price of a line.
func parseLine(fields []string, places []int) (p schema.ModelPrice, err error) {
	for i, c := range columns {
		if places[i] < 0 {
			continue
		}
		if err := c.read(&p, strings.TrimSpace(fields[places[i]])); err != nil {
			return p, fmt.Errorf("%s %w", c.name, err)
		}
	}
	return p, nil
}
