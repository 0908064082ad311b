package prices_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pipeline/sql/schema"
	"pipeline/transform/prices"
)

func TestPricesParse(t *testing.T) {
	t.Parallel()
	day := schema.Date("2026-03-01")
	number := func(v float64) *float64 { return &v }
	page := "https://example.com/prices, May"
	for _, test := range []struct {
		name, text string
		want       []schema.ModelPrice
		wrong      string
	}{
		{name: "all columns, in another order, of Windows",
			text: "\ufeffOutput,Model,from,input,source,cache_read,cache_write\r\n# a comment\r\n" +
				"10, b ,2026-03-01,1.25,\"https://example.com/prices, May\",0.125,0\r\n,a,,,,,\r\n",
			want: []schema.ModelPrice{{Model: "a"},
				{Model: "b", ValidFrom: &day, InputUsd: number(1.25), CacheWriteUsd: number(0),
					CacheReadUsd: number(0.125), OutputUsd: number(10), Origin: &page}}},
		{name: "the fewest columns", text: "model,input,output\nb,1,2\nB-c,3,4\n",
			want: []schema.ModelPrice{{Model: "B-c", InputUsd: number(3), OutputUsd: number(4)},
				{Model: "b", InputUsd: number(1), OutputUsd: number(2)}}},
		{name: "a price that changed", text: "model,from,input,output\na,2026-03-01,3,4\na,,1,2\n",
			want: []schema.ModelPrice{{Model: "a", InputUsd: number(1), OutputUsd: number(2)},
				{Model: "a", ValidFrom: &day, InputUsd: number(3), OutputUsd: number(4)}}},
		{name: "empty", wrong: "the first line names the columns"},
		{name: "only a header", text: "model,input,output\n", wrong: "no price"},
		{name: "no output", text: "model,input\na,1\n", wrong: `column "output" is missing`},
		{name: "another column", text: "model,input,output,price\na,1,2,3\n", wrong: `column "price" is not known`},
		{name: "a column twice", text: "model,input,output,Input\na,1,2,3\n", wrong: `column "Input" is there twice`},
		{name: "no model", text: "model,input,output\na,1,2\n,1,2\n", wrong: "line 3: model is empty"},
		{name: "a day that is none", text: "model,from,input,output\na,1 March,1,2\n",
			wrong: `line 2: from "1 March" is no day`},
		{name: "a text for a price", text: "model,input,output\na,$1,2\n", wrong: `line 2: input "$1" is no price`},
		{name: "below nothing", text: "model,input,output\na,1,-2\n", wrong: `line 2: output "-2" is no price`},
		{name: "no number", text: "model,input,output\na,1,NaN\n", wrong: `"NaN" is no price`},
		{name: "too dear", text: "model,input,output\na,1,1e9\n", wrong: `"1e9" is no price`},
		{name: "twice", text: "model,from,input,output\na,2026-03-01,1,2\n\nA,2026-03-01,1,2\n",
			wrong: "line 4: A has a price from that day already, in line 2"},
		{name: "a field too few", text: "model,input,output\na,1\n", wrong: "line 2"},
		{name: "too long", text: "model,input,output\n" + strings.Repeat("#\n", 1<<21), wrong: "at most"},
	} {
		got, err := prices.Parse(strings.NewReader(test.text))
		if test.wrong != "" {
			if err == nil || !strings.Contains(err.Error(), test.wrong) {
				t.Errorf("%s: %v, want an error with %q", test.name, err, test.wrong)
			}
			continue
		}
		if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", test.name, err, diff)
		}
	}
}

// TestPricesOwn: each price of the program's list says where it was published, and has what an estimate needs; reading
// a cached token costs no more than reading it anew.
func TestPricesOwn(t *testing.T) {
	t.Parallel()
	list := prices.Default()
	if len(list) < 50 {
		t.Errorf("the list has only %d prices", len(list))
	}
	for _, p := range list {
		switch {
		case p.InputUsd == nil || p.OutputUsd == nil || p.Origin == nil:
			t.Errorf("%s lacks a price or its origin", p.Model)
		case *p.InputUsd > *p.OutputUsd || p.CacheReadUsd != nil && *p.CacheReadUsd > *p.InputUsd:
			t.Errorf("%s: its prices are in each other's places", p.Model)
		}
	}
	if !slices.ContainsFunc(list, func(p schema.ModelPrice) bool { return p.Model == "auto" }) {
		t.Error("auto has no price")
	}
}

// FuzzPricesParse: no text panics, and a list that can be read is in order.
func FuzzPricesParse(f *testing.F) {
	f.Add(string(prices.Own()))
	f.Add("model,input,output\na,1,2\n")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := prices.Parse(strings.NewReader(text))
		if err == nil &&
			(len(list) == 0 || !slices.IsSortedFunc(list,
				func(a, b schema.ModelPrice) int { return strings.Compare(a.Model, b.Model) })) {
			t.Errorf("%d prices, or out of order", len(list))
		}
	})
}
