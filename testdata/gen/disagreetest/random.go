package disagreetest

import (
	"encoding/json"
	"math/rand/v2"
	"time"
)

// random is what a seed decides.
type random struct{ *rand.Rand }

func newRandom(seed, use uint64) random { return random{rand.New(rand.NewPCG(seed, use))} }

// chance is true in so many of 100 cases.
func (r random) chance(percent int) bool { return r.IntN(100) < percent }

func (r random) pick(of ...string) string { return of[r.IntN(len(of))] }

// between is a number of a range, both ends included.
func (r random) between(low, high int) int { return low + r.IntN(high-low+1) }

// object is a JSON object.
type object = map[string]any

// text is a value as JSON.
func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// iso is a time as Cursor writes it.
func iso(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z") }
