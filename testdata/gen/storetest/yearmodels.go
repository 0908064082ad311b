package storetest

import "time"

// This file says which formats, models and prices there were at which time.

// A yearEra is the time of one format.
type yearEra struct {
	until  string
	v      string
	style  int
	link   string
	modern bool
	own    float64 // share of messages with a time of their own
	model  float64 // share of answers that name their model
	tokens float64 // share of turns whose last message has token counts
	cost   bool
}

// yearEras are in order of time. Since February 2026 no message has token counts.
var yearEras = []yearEra{
	{"2025-09-22", "10", 0, "workspace_list", false, 0.85, 0.35, 0.95, true},
	{"2025-12-08", "13", 0, "headers_item", true, 0.93, 0.8, 0.9, false},
	{"2026-02-10", "13", 0, "composer", true, 0.96, 0.9, 0.85, false},
	{"2026-03-24", "16", 1, "composer", true, 0.97, 0.9, 0, false},
	{"2026-05-12", "17", 2, "headers_table", true, 0.97, 0.92, 0, false},
	{"9999", "18", 3, "headers_table", true, 0.97, 0.92, 0, false},
}

// eraOf is the era of a time.
func eraOf(at int64) *yearEra {
	date := time.UnixMilli(at).UTC().Format(time.DateOnly)
	for i := range yearEras {
		if date < yearEras[i].until {
			return &yearEras[i]
		}
	}
	panic("storetest: a time without an era")
}

// A modelShare is how often a model is chosen.
type modelShare struct {
	model string
	share int
}

// yearModels are the models that a developer chooses until a day. The name default stands for Auto.
var yearModels = []struct {
	until  string
	models []modelShare
}{
	{"2025-08-07", []modelShare{{"claude-4-sonnet", 62}, {"gemini-2.5-pro", 14}, {"o3", 10}, {"default", 14}}},
	{"2025-09-29", []modelShare{{"claude-4-sonnet", 48}, {"gpt-5", 32}, {"default", 20}}},
	{"2025-10-29", []modelShare{{"claude-4.5-sonnet", 64}, {"gpt-5", 20}, {"default", 16}}},
	{"2025-11-24", []modelShare{{"claude-4.5-sonnet", 50}, {"composer-1", 28}, {"gpt-5", 10}, {"default", 12}}},
	{"2026-02-05", []modelShare{{"claude-4.5-opus", 34}, {"claude-4.5-sonnet", 22}, {"gpt-5.2", 18}, {"composer-1", 18},
		{"gemini-3-pro", 4}, {"default", 4}}},
	{"2026-03-19", []modelShare{{"claude-4.6-opus", 34}, {"claude-4.6-sonnet", 16}, {"gpt-5.3-codex", 20},
		{"composer-1.5", 26}, {"default", 4}}},
	{"2026-04-23", []modelShare{{"claude-4.6-opus", 30}, {"composer-2", 42}, {"gpt-5.4", 22}, {"default", 6}}},
	{"9999", []modelShare{{"claude-4.7-opus", 30}, {"composer-2", 42}, {"gpt-5.5", 22}, {"default", 6}}},
}

// modelAt is a model that is chosen at a time.
func modelAt(r rng, at int64) string {
	date := time.UnixMilli(at).UTC().Format(time.DateOnly)
	for _, y := range yearModels {
		if date >= y.until {
			continue
		}
		n := 0
		for _, m := range y.models {
			n += m.share
		}
		n = r.IntN(n)
		for _, m := range y.models {
			if n -= m.share; n < 0 {
				return m.model
			}
		}
	}
	panic("storetest: a time without a model")
}

// modelRates are what a million tokens cost in cents: fresh input, what is written to the cache, what is read from it,
// output.
var modelRates = map[string][4]int64{
	"claude-4-sonnet": {300, 375, 30, 1500}, "claude-4.5-sonnet": {300, 375, 30, 1500},
	"claude-4.6-sonnet": {300, 375, 30, 1500}, "claude-4.5-opus": {500, 625, 50, 2500},
	"claude-4.6-opus": {500, 625, 50, 2500}, "claude-4.7-opus": {500, 625, 50, 2500}, "gpt-5": {125, 125, 13, 1000},
	"gpt-5.2": {175, 175, 18, 1400}, "gpt-5.3-codex": {175, 175, 18, 1400}, "gpt-5.4": {250, 250, 25, 1500},
	"gpt-5.5": {500, 500, 50, 3000}, "composer-1": {125, 125, 13, 1000}, "composer-1.5": {350, 350, 35, 1750},
	"composer-2": {50, 50, 20, 250}, "default": {125, 125, 25, 600}, "gemini-2.5-pro": {125, 125, 13, 1000},
	"gemini-3-pro": {200, 200, 20, 1200}, "o3": {200, 200, 50, 800},
}

// sonnetRates are those of models that are not in the list.
var sonnetRates = [4]int64{300, 375, 30, 1500}

// worthOf is what the tokens of a request cost at some rates, in hundredths of a cent.
func (q usageRequest) worthOf(rates [4]int64) int64 {
	return q.fresh*rates[0]/10_000 + q.write*rates[1]/10_000 + q.read*rates[2]/10_000 + q.output*rates[3]/10_000
}
